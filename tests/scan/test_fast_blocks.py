"""A log of many blocks, in the later of which new things are first seen, is read alike wherever the blocks end."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.tables import TABLES
from analyzer.tables.spill import Spill
from analyzer.tables.table import batches

np = pytest.importorskip("numpy")
alike = pytest.importorskip("tests.scan.alike")
tables = pytest.importorskip("analyzer.scan.fast.tables")

DECODE, ACCESS, CHATTER = alike.DECODE, alike.ACCESS, alike.CHATTER
KEYS = ["#token", "token usage", "accept len", "cuda graph", "frobs", "#prealloc-req", "mem usage", "npu graph"]
LETTERS = str.maketrans("01234567", "qwxzkvjy")


def stamp(second: int) -> str:
    """The opening of a header; the third hour of seconds is the next day."""
    return f"[2026-02-{17 + second // 7200} {10 + second // 3600 % 2:02d}:{second // 60 % 60:02d}:{second % 60:02d}"


def said(n: int) -> str:
    """A line of the `n`th form: orders of keys, ranks, tails and wordings that come one after the other."""
    keys = [*KEYS[n % 8 :], *KEYS[: n % 8]][: 1 + n // 8 % 8]
    value = {"cuda graph": "True", "npu graph": "False", "token usage": f"0.{n:02d}", "accept len": f"{n}.25"}
    pairs = ", ".join(f"{key}: {value.get(key, n)}" for key in ["#running-req", *keys, "#queue-req"])
    return f"Decode batch. {pairs}"


def growing(lines: int, every: int) -> list[str]:
    """A log in which something new is said once in so many lines, and often from then on."""
    found = []
    for n in range(lines):
        new = n // every
        head = f"{stamp(12 * n)}{['', f' TP{new}', f' DP{new} TP0'][n % 3]}] "
        path = f'INFO:     10.0.3.{n % 250}:53442 - "GET /{new} HTTP/1.1" {200 + new % 2} OK'
        wording = f"evicts {oct(new).translate(LETTERS)} pages"
        found.append(
            [head + said(new), head + DECODE, path, head + wording, ACCESS, head + said(max(0, new - 3))][n % 6]
        )
    return found


@pytest.mark.parametrize("every", [7, 40, 150])
def test_what_is_first_seen_in_a_later_block_is_read_alike(every: int) -> None:
    exact = alike.assert_same(growing(1200, every), 600, 5000, 50_000, 1 << 22)
    assert len(exact.tables["DecodeBatch"]) > 500
    assert len(exact.tables["Access"]) > 350
    assert len(set(exact.tables["Access"]["path"].to_list())) > 1200 // every / 3


def test_more_forms_than_are_remembered_are_read_alike() -> None:
    lines = [f"{stamp(n)} TP{n % 2}] {said(n % 400)}" for n in range(1600)]
    alike.assert_same(lines, 3000, 1 << 20)


@settings(max_examples=25)
@given(st.integers(60, 3000), st.integers(0, 400))
def test_blocks_may_end_anywhere(piece: int, skipped: int) -> None:
    log = growing(120, 9)
    alike.assert_same([*log[:60], "x" * skipped, *log[60:]], piece)


@pytest.mark.parametrize("piece", [900, 4096, 1 << 20])
@pytest.mark.parametrize("size", [70_000, 600_000])
def test_lines_longer_than_blocks_stand_among_steady_ones(piece: int, size: int) -> None:
    lines = growing(60, 9)
    longest = [
        stamp(700) + "] Receive: obj=GenerateReqInput(text='" + "x" * size,
        "y" * size,
        stamp(701) + "] " + "z" * size,
    ]
    alike.assert_same(lines[:20] + longest + lines[20:40] + longest[::-1] + lines[40:], piece)


def test_rows_are_given_in_their_order_though_frames_are_small() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "ROWS", 50)
        alike.assert_same(growing(600, 20), 700, 20_000)


def test_rows_beyond_what_may_be_held_are_the_same_rows() -> None:
    lines = growing(900, 30)
    exact = alike.read(lines, fast_from=1 << 60)
    with Spill(rows=50) as spill, pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "ROWS", 100)
        quick = alike.read(lines, fast_from=0, piece=5000, spill=spill)
        assert quick.tables.keys() == exact.tables.keys()
        for name, frame in exact.tables.items():
            rows = [row for part in batches(quick.tables[name], TABLES[name]) for row in part.to_dicts()]
            assert rows == frame.to_dicts()
