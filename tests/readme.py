"""The generated parts of README.md; `python -m tests.readme` in the checkout writes them anew."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import groupby

import analyzer.rules  # noqa: F401 - importing it registers the rules
from analyzer.rule import RULES, Rule
from analyzer.vocabulary import FINDINGS
from tests.samples import ROOT

README = ROOT / "README.md"
FIRST_SCREEN = 24  # lines
COMMAND = ("analyze", "samples/hicache-300-per-rank")


def verdict() -> str:
    """What the first command prints: its first screen, and how much follows."""
    bare = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "FORCE_COLOR"}}
    done = subprocess.run(
        [sys.executable, "-m", "analyzer", *COMMAND], cwd=ROOT, env=bare, capture_output=True, check=False
    )
    lines = done.stdout.decode("utf-8").rstrip("\n").split("\n")
    more = f"[… {len(lines) - FIRST_SCREEN} more lines: findings, every step of the arithmetic, the lines quoted]"
    return "\n".join(["```text", *(line.rstrip() for line in lines[:FIRST_SCREEN]), more, "```", ""])


def findings() -> str:
    """A table of the rules: the first sentence of each rule's page, by family in the vocabulary's order."""
    known = [RULES[name] for name in FINDINGS if name in RULES]
    rows = [
        row
        for family, rules in groupby(known, key=lambda rule: FINDINGS[rule.id].family)
        for row in (f"| **{family}** | | |", *map(_row, rules))
    ]
    return "\n".join(["| finding | kind | what it says |", "|---|---|---|", *rows, ""])


def _row(rule: Rule) -> str:
    sentence = " ".join(rule.doc.split("\n\n")[0].split())
    return f"| `{rule.id}` | {rule.kind} | {sentence} |"


BLOCKS = {"verdict": verdict, "findings": findings}


def block(readme: str, name: str) -> str:
    """What stands between the markers of a generated part."""
    return readme.partition(f"<!-- {name} -->\n")[2].partition(f"<!-- /{name} -->")[0]


def filled(readme: str) -> str:
    """The text with every generated part made anew."""
    for name, make in BLOCKS.items():
        start, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        readme = readme.replace(f"{start}{block(readme, name)}{end}", f"{start}{make()}{end}")
    return readme


if __name__ == "__main__":
    README.write_text(filled(README.read_text("utf-8")), "utf-8")
