"""What a launch's log ends with."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analyzer.events import ErrorLine, ExitCode, GraphCaptureBegun, GraphCaptureEnded, ProbeFailed, ServerReady
from analyzer.ledgers.endings import own_error
from analyzer.ledgers.last_words import ended_elsewhere, failing_probe, last_words, reported_end
from tests.build import incident, launch, size, tp, turned, where
from tests.rules.answers import failure
from tests.rules.batches import decode

CAPTURE = GraphCaptureBegun(where=where(10, "10:05:00", tp(0)))
DONE = GraphCaptureEnded(where=where(30, "10:06:00", tp(0)))
ERROR = ErrorLine(where=where(20, "10:05:30"), text="the node is given back")


def test_an_error_before_another_step_is_no_last_word() -> None:
    assert last_words(incident(launch(CAPTURE, ERROR, DONE))) is None


def test_an_error_before_batches_is_no_last_word() -> None:
    assert last_words(incident(launch(CAPTURE, ERROR, tables=decode(running_count=[1.0] * 40)))) is None


def test_a_wording_that_was_survived_before_is_no_last_word() -> None:
    again = ErrorLine(where=where(20, "10:05:30"), text="probe failed", count=2)
    assert last_words(incident(launch(CAPTURE, again))) is None


@pytest.mark.parametrize("text", ["Failed to import x, falling back to y", "not up yet: refused, retrying in 5 s"])
def test_an_error_that_says_how_it_goes_on_is_no_last_word(text: str) -> None:
    assert last_words(incident(launch(CAPTURE, ErrorLine(where=where(20, "10:05:30"), text=text)))) is None


def test_an_error_in_another_file_is_no_last_word() -> None:
    note = ErrorLine(where=where(20, "10:05:30", source="notes.txt"), text="failed")
    assert last_words(incident(launch(CAPTURE, note))) is None


def test_probes_that_fail_as_a_matter_of_course_are_no_last_word() -> None:
    readiness = ProbeFailed(where=where(20), probe="Readiness")
    assert last_words(incident(launch(CAPTURE, outside=[readiness]))) is None


def test_the_first_of_the_errors_behind_everything_else_is_the_last_word() -> None:
    later = ErrorLine(where=where(21, "10:05:31"), text="cleaning up failed")
    found = last_words(incident(launch(CAPTURE, ERROR, later)))
    assert found is not None
    assert found.ref.line == 20


def test_a_failed_liveness_probe_is_a_last_word() -> None:
    assert last_words(incident(launch(CAPTURE, outside=[ProbeFailed(where=where(20), probe="Liveness")]))) is not None


@pytest.mark.parametrize("code", ["0", "-9", "137", "143"])
def test_an_end_by_a_signal_or_without_an_error_is_told_of_elsewhere(code: str) -> None:
    said = ExitCode(where=where(20), reason="server process", code=size(f"{code} count", 20))
    assert reported_end(incident(launch(CAPTURE, outside=[said]))) is None


def test_an_exit_code_of_a_program_before_more_work_is_not_the_server_s() -> None:
    said = ExitCode(where=where(20, "10:05:30"), reason="server process", code=size("1 count", 20))
    assert reported_end(incident(launch(CAPTURE, DONE, outside=[said]))) is None


def test_a_launcher_s_word_behind_everything_else_ends_the_server() -> None:
    ready = ServerReady(where=where(15, "10:05:20"))
    for said in (
        ExitCode(where=where(20), reason="server process"),
        ExitCode(where=where(20), container="gpu-a1", code=size("1 count", 20)),
    ):
        assert reported_end(incident(launch(CAPTURE, ready, outside=[said]))) is not None


def test_a_liveness_probe_with_a_time_of_its_own_is_measured_instead() -> None:
    dated = ProbeFailed(where=where(2, "10:04:00", source="events.txt"), probe="Liveness")
    assert failing_probe(incident(launch(CAPTURE, outside=[dated]))) is None


def test_a_liveness_probe_that_failed_at_some_time_puts_a_launch_in_doubt() -> None:
    undated = ProbeFailed(where=where(2, source="events.txt"), probe="Liveness")
    assert failing_probe(incident(launch(CAPTURE, outside=[undated]))) is not None


def test_an_attempt_to_connect_that_is_repeated_ends_nothing() -> None:
    text = "[W911 08:40:25.004821 socket.cpp:759] [c10d] The client socket has failed to connect to [gpu-a1]:5000 (errno: 111)."
    line = failure("distributed-init-stalled", text, 20, "10:05:30", detail="[gpu-a1]:5000")
    assert own_error(incident(launch(CAPTURE, line))) is None
    assert last_words(incident(launch(CAPTURE, line))) is not None


def test_an_exit_code_from_before_the_launch_s_last_step_is_an_earlier_server_s() -> None:
    earlier = ExitCode(where=where(2, "10:04:00", source="ps.txt"), code=size("1 count", 2))
    assert ended_elsewhere(incident(launch(CAPTURE, outside=[earlier]))) is None


def test_an_exit_code_that_another_source_tells_of_puts_a_launch_in_doubt() -> None:
    undated = ExitCode(where=where(2, source="ps.txt"), code=size("1 count", 2))
    assert ended_elsewhere(incident(launch(CAPTURE, outside=[undated]))) is not None


def test_in_an_export_with_the_newest_line_first_the_last_words_stand_above_all_others() -> None:
    early = ErrorLine(where=where(40, "10:04:00"), text="the node is given back")
    late = ErrorLine(where=where(2, "10:07:00"), text="the node is given back")
    steps = replace(CAPTURE, where=where(30, "10:05:00", tp(0))), replace(DONE, where=where(10, "10:06:00", tp(0)))
    assert last_words(incident(turned(launch(early, *steps)))) is None
    found = last_words(incident(turned(launch(*steps, late))))
    assert found is not None
    assert found.ref.line == 2
