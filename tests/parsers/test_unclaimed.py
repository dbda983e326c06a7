"""Lines that a person would read as errors are kept once per wording and counted."""

from __future__ import annotations

import pytest

from analyzer.evidence import Ref
from analyzer.parsers.unclaimed import MAX_WORDINGS, Unclaimed, looks_like_error
from analyzer.records import Record


@pytest.mark.parametrize(
    "text",
    [
        "Load weight begin. avail mem=38.97 GB",
        'INFO:     127.0.0.1:5 - "GET /errors HTTP/1.1" 200 OK',
        "server_args=ServerArgs(watchdog_timeout=300, crash_dump_folder=None)",
        "Receive: obj=GenerateReqInput(text='why did it say CUDA Error: failed?')",
        '{"event": "request.received", "text": "RuntimeError: x"}',
        "/x/y.py:3: UserWarning: the call failed, falling back",
        "ran 12 tests, 0 failed",
        "error_rate=0.00",
        "NCCL INFO Connected all rings",
    ],
)
def test_an_ordinary_line_is_no_error(text: str) -> None:
    assert not looks_like_error(text)


@pytest.mark.parametrize(
    "text",
    [
        "KeyError: 'x'",
        "launch_server.py: error: unrecognized arguments: --max-total-token-count 9",
        "Killed",
        "Failed to register memory: Cannot allocate memory [12]",
        "Segmentation fault (core dumped)",
        "E0802 14:05:08.0 1 rdma_context.cpp:75] Failed to open device",
        "the health check timed out after 600 s",
    ],
)
def test_an_error_is_seen(text: str) -> None:
    assert looks_like_error(text)


def test_one_wording_is_one_event_with_its_first_line_and_count() -> None:
    unclaimed = Unclaimed()
    for line in (3, 8, 9):
        unclaimed.see(Record(Ref("s", line, line), f"Failed to register memory 0x{line:x}ff: code {line}"))
    unclaimed.see(Record(Ref("s", 12, 12), "all is well"))
    (event,) = unclaimed.events()
    assert (event.where.ref.line, event.count, event.text) == (3, 3, "Failed to register memory 0x3ff: code 3")


def test_wordings_are_bounded() -> None:
    unclaimed = Unclaimed()
    words = [f"{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(200)]
    for line, word in enumerate(words, start=1):
        unclaimed.see(Record(Ref("s", line, line), f"failed in {word}"))
    assert len(unclaimed.events()) == MAX_WORDINGS


def test_a_line_that_its_writer_calls_an_error_is_one_without_the_words() -> None:
    kept = Unclaimed()
    kept.see(Record(Ref("s", 1, 1), "the node is given back", severe=True))
    kept.see(Record(Ref("s", 2, 2), "the node is drained"))
    assert [event.text for event in kept.events()] == ["the node is given back"]
