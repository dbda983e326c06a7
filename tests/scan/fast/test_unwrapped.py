"""Of a block's lines those are written without their wrappers that have one of those that are known."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")
unwrapped = pytest.importorskip("analyzer.scan.fast.unwrapped")
compiled = pytest.importorskip("analyzer.scan.fast.compiled")
layout = pytest.importorskip("analyzer.scan.fast.layout")
lexicon = pytest.importorskip("analyzer.scan.fast.lexicon")
folded_key = pytest.importorskip("analyzer.scan.fast.folded_key")
laid = pytest.importorskip("tests.scan.fast.laid")

HEADED = "[2026-02-17 10:02:51 TP1] Decode batch"


def taken_off(lines: list[str], known: dict[str, int], *, learns: bool) -> tuple[int, list[str], list[int]]:
    """At which line it stopped; what was written of those before it, and in which column each begins."""
    data = laid.joined(lines)
    placed, ends, count = laid.Laid(data), laid.ends_of(data), len(lines)
    room, bared, numbers = np.zeros(len(data) + 99, np.uint8), np.zeros(count + 1, np.int64), np.zeros(count, np.int64)
    seconds, columns, midnights = np.zeros(count), np.zeros(count, np.int64), np.zeros(9)
    key, state = np.zeros(9000, np.uint8), np.array([unwrapped.LONGEST_WRAPPER, 0, 0, 0, 0, 0])
    learning = lexicon.Learning()
    for text, number in known.items():
        learning.add(text.encode(), number)
    held = learning.now()
    places = compiled.addresses((room, bared, numbers, seconds, columns, midnights, key, state))
    given = layout.Bared(int(learns), *places)
    line = unwrapped.take_off(placed.at, placed.limit, 0, count, compiled.address(ends), held.lexicon, given)
    written = room[: bared[line]].tobytes().decode().split("\n")[:-1]
    return line, written, columns[:line].tolist()


def test_a_known_wrapper_is_taken_off_and_the_first_unknown_one_is_asked_about() -> None:
    lines = [f"sglang-1  | {HEADED}", "sglang-1  | and no header here", f"router-1  | {HEADED}"]
    assert taken_off(lines, {"sglang-1  | ": 0}, learns=True) == (2, [HEADED, "and no header here"], [12, 12])


def test_where_no_more_are_learned_a_line_with_another_one_is_left() -> None:
    lines = [f"sglang-1  | {HEADED}", f"router-1  | {HEADED}", f"sglang-1  | {HEADED}  "]
    assert taken_off(lines, {"sglang-1  | ": 0}, learns=False)[:2] == (3, [HEADED, "{", "{"])
