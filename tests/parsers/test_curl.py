"""What `curl` shows of a health check."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from analyzer.events import ClockRead, ProbeFailed
from tests.parsers.build_blocks import around, claims, facts, of, read
from tests.parsers.snapshots import SAMPLES

if TYPE_CHECKING:
    from analyzer.parsers.block import Around

VERBOSE = """
*   Trying 127.0.0.1:30000...
* Connected to 127.0.0.1 (127.0.0.1) port 30000
> GET /health HTTP/1.1
> Host: 127.0.0.1:30000
>
< HTTP/1.1 503 Service Unavailable
< date: Fri, 20 Mar 2026 01:40:18 GMT
"""


@pytest.mark.parametrize(
    "line",
    [
        'INFO:     127.0.0.1:40000 - "GET /health HTTP/1.1" 200 OK',
        "HTTP/1.1 200 OK was the answer of the server: fine",
        "curl: it hangs",
    ],
)
def test_access_lines_and_sentences_are_not_its(line: str) -> None:
    assert not claims("curl", line)


@pytest.mark.parametrize(
    ("place", "name"), [(around(), "http.status"), (around("curl -i localhost:30000/health"), "health.status")]
)
def test_a_good_answer_is_a_fact_of_what_was_asked(place: Around, name: str) -> None:
    assert facts(read("curl", SAMPLES["curl"], place)) == {name: "200"}


def test_the_date_header_is_the_server_s_clock() -> None:
    (clock,) = of(ClockRead, read("curl", SAMPLES["curl"]))
    assert clock.where.stamp is not None
    assert clock.where.stamp.moment == datetime(2026, 3, 20, 1, 40, 18)


def test_a_bad_answer_to_a_health_check_is_a_failed_probe() -> None:
    block = read("curl", VERBOSE)
    assert [(probe.probe, probe.detail) for probe in of(ProbeFailed, block)] == [("curl", "status 503")]
    assert block.lines == 7


def test_a_bad_answer_to_another_question_is_none() -> None:
    assert facts(read("curl", VERBOSE.replace("/health", "/v1/models"))) == {"http.status": "503"}


def test_no_answer_is_a_failed_probe() -> None:
    line = "curl: (7) Failed to connect to 127.0.0.1 port 30000 after 0 ms: Connection refused"
    (probe,) = of(ProbeFailed, read("curl", line))
    assert probe.detail == "Failed to connect to 127.0.0.1 port 30000 after 0 ms: Connection refused"


def test_the_progress_meter_and_a_resolver_s_words_belong_to_it() -> None:
    text = """* Host localhost:30000 was resolved.
* IPv6: ::1
  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current
                                 Dload  Upload   Total   Spent    Left  Speed
  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0
> GET /health HTTP/1.1
curl: (28) Operation timed out after 10001 milliseconds with 0 bytes received"""
    block = read("curl", text)
    assert block.lines == 7
    assert [probe.detail for probe in of(ProbeFailed, block)] == [
        "Operation timed out after 10001 milliseconds with 0 bytes received"
    ]
