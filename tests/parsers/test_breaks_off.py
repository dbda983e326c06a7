"""A log that was cut in the middle of a line says so; one that merely lacks its last line end does not."""

from __future__ import annotations

import pytest

from analyzer.parsers.breaks_off import breaks_off

BATCH = "[2026-02-17 10:06:42 TP0] Decode batch. #running-req: 12, #token: 4000, token usage: 0.10, #queue-req: 0"
NEXT = BATCH.replace("12", "13")


@pytest.mark.parametrize(
    "texts",
    [
        [],
        ["", ""],
        [BATCH],
        [BATCH, NEXT],
        [BATCH, "Killed"],
        ["See https://example.com/leaks.htmlnanobind: leaked 3 types!", "See https://example.com/leaks.html"],
        [BATCH, "[2026-02-17 10:06:43 TP0] server_args=ServerArgs(model_path='/m', tokenizer_path='/m', tp_size=8)"],
        ['  File "/a.py", line 3, in run', "    go()", "RuntimeError: no"],
    ],
)
def test_whole_lines_are_whole_with_and_without_a_line_end(texts: list[str]) -> None:
    assert not breaks_off(texts, ended=False)
    assert not breaks_off(texts, ended=True)


@pytest.mark.parametrize(
    "last",
    [
        NEXT[:60],
        "[2026-02-17 10:0",
        "[2026-02-17 10:06:43 TP",
        "[2026-02-17 10:06:43 TP0] Memory pool end. ",
        "[2026-02-17 10:06:43 TP0] server_args=ServerArgs(model_path='/m', tokenizer_path='/m', tp_si",
        "[2026-02-17 10:06:43 TP0] Modell \ufffd",
    ],
)
def test_a_line_that_only_begins_is_cut(last: str) -> None:
    assert breaks_off([BATCH, last], ended=False)
    assert not breaks_off([BATCH, last], ended=True), "its writer ended it"


def test_a_traceback_without_its_exception_is_cut_even_behind_a_line_end() -> None:
    assert breaks_off([BATCH, '  File "/a.py", line 3, in run'], ended=True)


def test_blank_lines_at_the_end_hide_nothing() -> None:
    assert breaks_off([BATCH, "[2026-02-17 10:0", ""], ended=False)
