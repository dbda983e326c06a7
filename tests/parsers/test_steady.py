"""What the exact reading says of single lines, when the fast reading asks."""

from __future__ import annotations

import pytest

from analyzer.catalog import Catalog
from analyzer.evidence import Rank
from analyzer.parsers.steady import Steady

STEADY = Steady(Catalog.load())


@pytest.mark.parametrize(
    "message",
    [
        "Load weight begin. avail mem=94.08 GB",
        "frobnicator failed with code 7",
        "Decode batch. #running-req: 8",
        "server_args=ServerArgs(tp_size=8)",
        '  File "/a.py", line 3',
        "python3 -m sglang.launch_server --tp 8",
        "RuntimeError: CUDA error: an illegal memory access was encountered",
    ],
)
def test_a_message_with_a_meaning_is_not_silent(message: str) -> None:
    assert not STEADY.silent(message)


def test_chatter_is_silent() -> None:
    assert STEADY.silent("radix cache evict 17 pages")


@pytest.mark.parametrize(
    "line",
    [
        'INFO:     10.0.0.1:41 - "GET /user@host HTTP/1.1" 200 OK',
        'INFO:     10.0.0.1:41 - "GET /health HTTP/1.1" two hundred',
        "INFO:     Started server process [28587]",
        'HTTP Request: HEAD https://huggingface.co "HTTP/1.1 200 OK"',
    ],
)
def test_other_lines_are_no_access_lines(line: str) -> None:
    assert STEADY.access(line) is None


@pytest.mark.parametrize(
    "line",
    [
        'INFO:     10.0.0.1:41 - "GET /health?deep=1 HTTP/1.1" 503 Service Unavailable',
        '\x1b[32mINFO\x1b[0m:     10.0.0.1:41 - "\x1b[1mGET /health HTTP/1.1\x1b[0m" \x1b[32m503 Service Unavailable\x1b[0m',
    ],
)
def test_an_access_line_gives_path_and_status(line: str) -> None:
    assert STEADY.access(line) == ("/health", 503.0)


def test_a_header_gives_where_the_message_begins_its_time_and_rank() -> None:
    found = STEADY.header("[2026-02-17 10:02:51 TP1] said")
    assert found is not None
    assert (found[0], found[2]) == (26, Rank(tp=1))
    assert STEADY.header("said") is None


def test_only_a_line_that_a_runtime_cut_goes_on() -> None:
    assert STEADY.goes_on("2025-08-12T10:00:00.000000000Z stdout P begins and ")
    assert not STEADY.goes_on("2025-08-12T10:00:00.000000000Z stdout F whole")
    assert not STEADY.goes_on("plain")
