"""Cited lines have stable ids and bounded texts."""

from __future__ import annotations

from analyzer.diagnose.lines import Lines
from analyzer.evidence import Ref
from tests.build import ref


def test_the_same_line_has_one_id() -> None:
    lines = Lines()
    assert lines.ids([ref(3), ref(5), ref(3)]) == ["L1", "L2"]


def test_a_long_line_is_cut_around_the_match() -> None:
    lines, cited = Lines(), Ref("server.log", 3, 3, column=1000)
    lines.id(cited)
    text = "a" * 1000 + "MATCH" + "b" * 1000
    shown = lines.table(lambda refs: dict.fromkeys(refs, text))["L1"]
    assert shown.cut
    assert len(shown.text) == 400
    assert "MATCH" in shown.text


def test_a_line_that_is_gone_keeps_its_place() -> None:
    lines = Lines()
    lines.id(ref(3))
    shown = lines.table(lambda _: {})["L1"]
    assert (shown.source, shown.line, shown.text, shown.cut) == ("server.log", 3, "", False)
