"""Cited lines have stable ids and bounded texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.diagnose.lines import Lines
from analyzer.evidence import Ref
from tests.build import ref

if TYPE_CHECKING:
    from collections.abc import Callable

HEAD = "[2026-02-17 10:06:42 TP0] "


def read_from(log: str) -> Callable[[list[Ref]], dict[Ref, str]]:
    """A reader of a source that holds this text, as the bundle's own: without the last line end."""
    data = log.encode()
    return lambda refs: {
        r: text for r in refs if (text := data[r.start : r.end].decode(errors="replace").rstrip("\r\n"))
    }


def line_of(log: str, number: int) -> Ref:
    """The place of a line in a text."""
    lines = log.encode().splitlines(keepends=True)
    start = sum(map(len, lines[: number - 1]))
    return Ref("server.log", number, number, start, start + len(lines[number - 1]))


def beside_of(log: str, number: int) -> tuple[list[str], list[str]]:
    lines = Lines()
    lines.id(line_of(log, number))
    shown = lines.table(read_from(log))["L1"]
    return shown.before, shown.after


def test_what_begins_otherwise_is_not_quoted_beside_a_line() -> None:
    log = f"{HEAD}Receive: text='Dear doctor,\nI have\n{HEAD}cited\nmy address is\n{HEAD}after\n"
    assert beside_of(log, 3) == ([], []), "the lines between may be the rest of a prompt"


def test_a_line_is_shown_with_the_two_before_and_after_it() -> None:
    log = "".join(f"{HEAD}line {n}\n" for n in range(1, 8))
    assert beside_of(log, 4) == ([f"{HEAD}line 2", f"{HEAD}line 3"], [f"{HEAD}line 5", f"{HEAD}line 6"])
    assert beside_of(log, 1) == ([], [f"{HEAD}line 2", f"{HEAD}line 3"])
    assert beside_of(log, 7) == ([f"{HEAD}line 5", f"{HEAD}line 6"], [])


def test_a_neighbour_that_is_only_seen_in_part_is_left_out() -> None:
    long = f"{HEAD}{'x' * 4000}"
    assert beside_of(f"{long}\n{HEAD}cited\n{long}\n", 2) == ([], [])
    near = f"{HEAD}{'x' * 1000}"
    before, after = beside_of(f"{near}\n{HEAD}cited\n{near}\n", 2)
    assert before == after == [near[:400]]


def test_a_line_whose_place_is_not_known_stands_alone() -> None:
    lines = Lines()
    lines.id(ref(3))
    shown = lines.table(lambda refs: dict.fromkeys(refs, f"{HEAD}text"))["L1"]
    assert (shown.before, shown.after) == ([], [])


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
