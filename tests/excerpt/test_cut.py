"""What stays of an input: cited lines with their surroundings, both ends, every kind of line; marks say the rest."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer.bundle import InMemory, Source
from analyzer.contract import Line
from analyzer.contract import Source as Read
from analyzer.excerpt.cut import MOST, excerpts
from analyzer.records.left_out import left_out
from tests.report.build_report import founding

if TYPE_CHECKING:
    import pytest

    from analyzer.contract import Report

ROWS = [f"[2026-02-17 10:{n // 60 % 60:02d}:{n % 60:02d} TP0] Decode batch. #running-req: {n}" for n in range(1, 1001)]


def source(text: str, name: str = "server.log") -> Source:
    return Source(name, len(text), InMemory(text.encode("utf-8", "surrogateescape")))


def report(*cited: tuple[int, int], lines: int = 1000, kind: str = "sglang-log", size: int = 10**6) -> Report:
    """A report that cites these lines of an input of so many lines."""
    read = Read("server.log", kind, "", size, lines, 0, 0, truncated=False, first=None, last=None, errors=[])
    table = {f"L{n}": Line("server.log", *span, "", cut=False) for n, span in enumerate(cited)}
    coverage = replace(founding().coverage, sources=[read])
    return replace(founding(), lines=table, coverage=coverage)


def cut(rows: list[str], said: Report, around: int | None = 5) -> list[str]:
    made = excerpts([source("\n".join(rows) + "\n")], said, around)
    assert made is not None
    return made[0].text.removesuffix("\n").split("\n")


def test_an_input_that_is_not_to_be_cut_stays_as_it_is() -> None:
    assert cut(ROWS, report((500, 500)), None) == ROWS


def test_a_small_snapshot_stays_whole() -> None:
    few = ROWS[:100]
    assert cut(few, report(lines=100, kind="ps", size=sum(len(row) + 1 for row in few))) == few


def test_what_is_cited_stays_with_its_surroundings_and_both_ends() -> None:
    kept = cut(ROWS, report((500, 502)))
    assert set(ROWS[494:507]) <= set(kept), "lines 495 to 507: five before 500, five after 502"
    assert set(ROWS[:20] + ROWS[-20:]) <= set(kept)
    assert len(kept) < 100


def test_marks_and_lines_make_up_the_whole() -> None:
    kept = cut(ROWS, report((500, 502)))
    assert sum(left_out(line) or 1 for line in kept) == 1000
    at = 0
    for line in kept:
        at += left_out(line) or 1
        assert left_out(line) or line == ROWS[at - 1], "in the original's order, with the original's numbers"


def test_a_gap_too_short_for_a_mark_is_closed() -> None:
    kept = cut(ROWS, report((500, 500), (513, 513)))
    assert ROWS[505:507] == [line for line in kept if line in ROWS[505:507]], (
        "lines 506 and 507 lie between 505 and 508"
    )


def test_what_started_the_server_stays() -> None:
    rows = [*ROWS[:300], "python3 -m sglang.launch_server --tp 8", *ROWS[300:]]
    assert "python3 -m sglang.launch_server --tp 8" in cut(rows, report(lines=1001))


def test_of_each_kind_of_line_the_first_and_the_last_stay() -> None:
    other = [f"[2026-02-17 11:00:{n:02d} TP1] Prefill batch. #new-seq: {n}" for n in range(10, 40)]
    kept = cut([*ROWS[:300], *other, *ROWS[300:]], report(lines=1030))
    assert other[0] in kept
    assert other[-1] in kept
    assert other[15] in kept or len([line for line in kept if "Prefill" in line]) >= 3, "and some between, evenly"


def test_lines_without_a_time_are_no_kind_of_their_own() -> None:
    rows = [*ROWS[:300], "  File 'x.py', line 3", *ROWS[300:]]
    assert "  File 'x.py', line 3" not in cut(rows, report(lines=1001))


def test_the_numbers_of_an_excerpt_are_told() -> None:
    made = excerpts([source("\n".join(ROWS) + "\n")], report((500, 500)), 5)
    assert made is not None
    marks = [line for line in made[0].text.split("\n") if left_out(line)]
    assert made[0].lines == 1000
    assert made[0].kept == 1000 - sum(map(left_out, marks))


def test_what_a_terminal_would_obey_is_spelled_out_and_colours_go() -> None:
    text = "\x1b[31mred\x1b[0m \x1b]0;title\x07 a\u202eb \t 50%|##|\r 60%|###|"
    assert cut([text], report(lines=1), None) == ["red \\u001b]0;title\\u0007 a\\u202eb \t 50%|##|\r 60%|###|"]


def test_an_encoding_does_not_matter() -> None:
    wide = Source("server.log", 1, InMemory("[2026-02-17 10:00:00] ü\r\n".encode("utf-16")))
    made = excerpts([wide], report(lines=1), None)
    assert made is not None
    assert made[0].text == "[2026-02-17 10:00:00] ü\n"


def test_an_input_that_gave_no_line_is_left_aside() -> None:
    assert excerpts([source("")], report(lines=0), 5) == []


def test_too_much_is_no_excerpt(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST < 100 * 1024**2, "it is put together in memory"
    monkeypatch.setattr("analyzer.excerpt.cut.MOST", 1000)
    assert excerpts([source("\n".join(ROWS))], report(), None) is None
