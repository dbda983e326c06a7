"""A file's first lines tell which reader of entries it needs, and no line is lost to any of them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.layers.readers import reader_for
from tests.layers.entries import Line, all_of
from tests.layers.test_journal import EXPORTED, KERNEL

HEADS = {
    "Verbose": KERNEL,
    "Exported": EXPORTED,
    "Printed": '[0] tail.0: [[1768474055.239296791, {}], {"log"=>"Hello"}]\n',
    "Rows": "Date,Message\n2026-08-26T14:50:57Z,a\n",
    "LaidOut": json.dumps({"log": "[2026-08-26 14:50:57] a", "time": "2026-08-26T14:50:57Z"}, indent=2) + "\n",
    "Documents": "---\ninsertId: x\ntextPayload: 'a\n  b'\ntimestamp: '2026-08-26T14:50:57Z'\n",
    "Sections": "kube3 | CHANGED | rc=0 >>\na\n",
}
LINES = [
    *(line for head in HEADS.values() for line in head.split("\n")),
    *("MESSAGE", "    MESSAGE=a", "            b", '2026-08-26T14:50:57Z,"', '"', "-" * 8, "node1", "### node2", "$ ssh x", "x"),
    *("{", "}", "[", "},", '  "log": "a",', "---", "textPayload: |-", "  a"),
]  # fmt: skip


@pytest.mark.parametrize("name", HEADS)
def test_the_head_tells_the_reader(name: str) -> None:
    make = reader_for(HEADS[name].split("\n"), Line)
    assert make
    assert type(make()).__name__ == name


@pytest.mark.parametrize("text", ["", "[2026-08-26 14:50:57 TP0] said", "total used free\nMem: 1 2 3"])
def test_an_ordinary_file_needs_none(text: str) -> None:
    assert reader_for(text.split("\n"), Line) is None


@pytest.mark.parametrize("name", HEADS)
@given(lines=st.lists(st.sampled_from(LINES) | st.text(max_size=40), max_size=60))
def test_every_line_counts_with_exactly_one_message(name: str, lines: list[str]) -> None:
    make = reader_for(HEADS[name].split("\n"), Line)
    assert make
    all_of(
        make(),
        "\n".join(line.replace("\n", " ") for line in [*HEADS[name].split("\n"), *lines]).encode("utf-8", "replace"),
    )
