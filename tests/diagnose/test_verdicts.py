"""Which launch speaks for the whole input."""

from __future__ import annotations

from analyzer.contract import Verdict
from analyzer.diagnose import verdicts
from analyzer.diagnose.outcome import Ended
from analyzer.diagnose.verdicts import worst
from analyzer.vocabulary import Outcome
from tests.build import incident, launch


def verdict(
    outcome: str, finding: str | None = None, status: str | None = "established", launch: str = "launch-1"
) -> Verdict:
    return Verdict(launch, outcome, None, finding, status if finding else None, "", None, None)


NEVER = float("inf")


def test_no_launch_has_no_verdict() -> None:
    assert worst([]) is None


def test_what_is_wrong_comes_before_what_is_fine() -> None:
    chosen = worst(
        [(verdict("ready"), NEVER), (verdict("launch-hung", "launch-stalled"), 5.0), (verdict("stopped"), NEVER)]
    )
    assert chosen is not None
    assert chosen.outcome == "launch-hung"


def test_of_two_causes_the_one_that_took_effect_first_speaks() -> None:
    chosen = worst([(verdict("crashed", "illegal-memory-access"), 90.0), (verdict("killed", "host-oom-kill"), 60.0)])
    assert chosen is not None
    assert chosen.finding == "host-oom-kill"


def test_a_cause_comes_before_a_manifestation_of_a_worse_outcome() -> None:
    chosen = worst([(verdict("crashed", "scheduler-crashed"), 10.0), (verdict("killed", "host-oom-kill"), 60.0)])
    assert chosen is not None
    assert chosen.finding == "host-oom-kill"


def test_an_established_cause_speaks_also_where_the_fate_is_not_known() -> None:
    chosen = worst(
        [(verdict("unknown", "illegal-memory-access"), 5.0), (verdict("degraded", "pd-transfer-failed"), 9.0)]
    )
    assert chosen is not None
    assert chosen.finding == "illegal-memory-access"


def test_a_guess_is_no_cause() -> None:
    guess = verdict("killed", "host-oom-kill", "hypothesis")
    chosen = worst([(verdict("crashed", "scheduler-crashed"), 10.0), (guess, 5.0)])
    assert chosen is not None
    assert chosen.outcome == "crashed"


def test_harm_comes_before_a_server_that_is_ready() -> None:
    chosen = worst([(verdict("ready"), NEVER), (verdict("degraded", "kv-retraction-storm"), NEVER)])
    assert chosen is not None
    assert chosen.outcome == "degraded"


def test_a_fate_that_is_not_known_is_said_in_a_whole_sentence() -> None:
    said = verdicts.verdict(incident(launch()), Ended(Outcome.UNKNOWN, None, ""), []).summary
    assert said.startswith("what became of the server cannot be told from what is there")
    ready = verdicts.verdict(incident(launch()), Ended(Outcome.READY, None, ""), []).summary
    assert ready.startswith("the server ")
