"""The documents of five samples are those that somebody has read: `python -m tests.golden` writes them anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.golden.documents import FOLDER, SAMPLES, documents

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.contract import Report


@pytest.mark.parametrize("name", SAMPLES)
def test_every_document_is_as_it_was_read(name: str, report_of: Callable[[str], Report]) -> None:
    for file, document in documents(report_of(name)).items():
        kept = (FOLDER / name / file).read_text("utf-8")
        assert document.split("\n") == kept.split("\n"), f"{file} differs; run python -m tests.golden and read it"


def test_nothing_else_is_kept() -> None:
    assert {path.name for path in FOLDER.iterdir() if path.is_dir() and not path.name.startswith("__")} == set(SAMPLES)
