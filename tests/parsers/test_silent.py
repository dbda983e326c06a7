"""A line is silent only where nothing that reads it would say a word, whatever its digits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.bundle import InMemory, Source
from analyzer.catalog import Catalog
from analyzer.parsers import parse
from analyzer.parsers.silent import Silent
from analyzer.scan.silence import APART, ASK, COLOURED, EVENTS, KNOWN, LOUD, SILENT

if TYPE_CHECKING:
    from random import Random

CATALOG = Catalog.load()
HEAD = "[2026-02-17 10:02:51 TP1] "
LOUD_LINES = (
    HEAD + "Decode batch, #running-req: 8",
    "[gpu=3] Load weight begin.",
    "[DP1 TP3] Load weight begin.",
    "[10:02:51 TP1] Load weight begin.",
    "INFO:     Started server process [28587]",
    "W0801 09:16:03.549293  1634 engine.cpp:100] Using malloc for protocol: rdma",
    "shards: 100%| 4/4 [1:00:00<00:00, 1.17it/s]",
    "2026-02-17T10:02:51Z stdout F hello",
    "Feb 17 10:02:51 node1 kernel: hello",
    "[worker-1] | hello",
    "(Scheduler pid=17) hello",
    "> quoted",
    "$ free -g",
    "root@node1:~# free -g",
    "===== after the hang =====",
    "12:41 server stuck",
    "python3 -m sglang.launch_server --tp 8 \\",
    "sglang serve --model-path m",
    "Traceback (most recent call last):",
    "During handling of the above exception, another exception occurred:",
    '  File "/a.py", line 3, in run',
    "ValueError: something that no pattern knows",
    "frobnicator failed with code 7",
    "Mem:             449         439           8           0           0           9",
    "server_args=ServerArgs(tp_size=8)",
    "1. reduce the batch size",
    "Killed",
    "203",
    "",
    "a line of a terminal's width                    ",
)
SILENT_LINES = (
    ("[rank0] layer 7 uses kernel 12", APART),
    ("triton autotune picked config 3 in 0.12 ms", APART),
    ("\x1b[32mtriton autotune picked config 3 in 0.12 ms\x1b[0m", APART | COLOURED),
    ("  triton_mm_4 0.0415 ms 91.9% ACC_TYPE='tl.float32'", SILENT),
    ("allocator: reused 17 blocks", SILENT),  # reads as the end of a traceback where one is open
    ("Modell 7 lädt Gewichte", APART),
    ("[aiter] shape is M:16, N:7168, K:2048 dtype='torch.bfloat16'", APART | KNOWN),
)


def verdict(line: str | bytes, silent: Silent | None = None) -> int:
    raw = line.encode() if isinstance(line, str) else line
    known = Silent(CATALOG) if silent is None else silent
    bare = raw.translate(None, b"0123456789")
    assert known[bare] == LOUD  # nothing is judged that comes but once
    kind = known[bare]
    return known.ask(raw, bare) if kind == ASK else kind


@pytest.mark.parametrize("line", LOUD_LINES)
def test_a_line_that_may_mean_something_is_left_to_the_exact_reading(line: str) -> None:
    assert verdict(line) == LOUD


def test_bytes_that_are_no_text_are_left_to_the_exact_reading() -> None:
    assert verdict(b"caf\xe9 and tea") == LOUD
    assert verdict(b"caf\xc31\xa9 and tea") == LOUD  # without the digit they would be one


def test_a_very_long_line_is_left_to_the_exact_reading() -> None:
    assert verdict("autotune " * 1000) == LOUD


@pytest.mark.parametrize(("line", "kind"), SILENT_LINES)
def test_chatter_is_silent(line: str, kind: int) -> None:
    assert verdict(line) == kind


def test_a_line_with_events_and_nothing_else_gives_them_by_itself() -> None:
    silent = Silent(CATALOG)
    bar = "\rLoading safetensors checkpoint shards:  55% Completed | 7/163 [00:07<01:03, 2.31it/s]"
    assert verdict(bar, silent) == APART | KNOWN | EVENTS
    text, (claim,) = silent.said(bar.encode())
    assert (text, claim.pattern.id, claim.values["done"]) == (bar, "shards-progress", "7")


def test_the_speakers_of_a_wording_are_found_once_for_each_place_of_its_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = Silent(CATALOG)
    bar = "\rLoading safetensors checkpoint shards:  {0}% Completed | {0}/163 [00:07<01:03, {0}.31it/s]"
    bars = [bar.format(n).encode() for n in range(100)]
    assert verdict(bar.format(1), silent) == APART | KNOWN | EVENTS
    asked: list[bytes] = []
    said = silent.said
    monkeypatch.setattr(silent, "said", lambda raw: asked.append(raw) or said(raw))
    assert [silent.speakers(raw) for raw in bars] == [("shards-progress",)] * 100
    assert asked == [bars[0], bars[10]], "of one digit, and of two"


def test_a_line_that_only_holds_a_pattern_s_literal_is_asked_for_by_itself() -> None:
    silent = Silent(CATALOG)
    explained, other = b"[aiter] Registering 17 cuda graph addresses", b"[aiter] Registering many cuda graph addresses"
    assert verdict(explained, silent) == APART | KNOWN
    assert verdict(other, silent) == APART


def test_what_was_forgotten_is_judged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.parsers.silent._REMEMBERED", 4)
    silent = Silent(CATALOG)
    asked = b"[aiter] shape is M:16, N:7168, K:2048"
    assert verdict(asked, silent) == APART | KNOWN
    for letter in "abcdefgh" * 3:
        silent[letter.encode() * 9]  # one lesson more than it keeps, again and again
    assert asked.translate(None, b"0123456789") not in silent
    assert silent.ask(asked, asked.translate(None, b"0123456789")) == APART | KNOWN


@given(st.sampled_from(SILENT_LINES[:-1]), st.randoms(use_true_random=False))
def test_no_other_digits_make_a_silent_line_speak(line: tuple[str, int], chance: Random) -> None:
    text = "".join(c + "".join(chance.choices("0123456789", k=chance.choice([0, 0, 0, 1, 4]))) for c in line[0])
    log = f"{HEAD}Load weight begin.\n\n{text}\n".encode()
    parsed = parse(Source("s", len(log), InMemory(log)), CATALOG)
    assert [event.where.pattern for event in parsed.events] == ["weight-load-begun"]
