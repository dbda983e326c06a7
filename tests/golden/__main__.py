"""Writes the golden documents anew: `python -m tests.golden` in the checkout. Read what changed before you keep it."""

from __future__ import annotations

import sys

from analyzer.pipeline import analyse
from tests.golden.documents import FOLDER, SAMPLES, documents
from tests.samples import SAMPLES as INPUTS

for name in SAMPLES:
    report = analyse([str(INPUTS / name)], command=f"postmortem analyze samples/{name}")
    (FOLDER / name).mkdir(exist_ok=True)
    for file, document in documents(report).items():
        path = FOLDER / name / file
        if not path.is_file() or path.read_text("utf-8") != document:
            path.write_text(document, "utf-8", newline="\n")
            sys.stdout.write(f"{path.relative_to(FOLDER.parent.parent)}\n")
