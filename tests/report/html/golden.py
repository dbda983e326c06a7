"""The page of the founding incident as it was last looked at: `python -m tests.report.html.golden` writes it anew.

Look at the page itself before you do: `postmortem report samples/hicache-300-per-rank -o page.html`.
"""

from __future__ import annotations

import re
from pathlib import Path

from analyzer.report.html import embed, own_part, render
from tests.report.build_report import founding

GOLDEN = Path(__file__).with_name("founding.html")


def current() -> str:
    """The page without the files that are set into it, and without their sums."""
    document = own_part(render(founding()))
    for name in ("page.css", "page.js"):
        document = document.replace(embed.asset(name), f"[{name}]")
    return re.sub(r"sha256-[\w+/=]+", "sha256-[sum]", document)


if __name__ == "__main__":
    GOLDEN.write_text(current(), "utf-8", newline="\n")
