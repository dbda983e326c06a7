"""One root, and everything else in its place."""

from __future__ import annotations

from analyzer.diagnose.roles import place
from analyzer.verdict import Claim, Found
from analyzer.vocabulary import Outcome, Part, Role, Status
from tests.build import instant


def found(status: Status = Status.ESTABLISHED, time: str | None = None, *, harm: bool = False) -> Found:
    claims = (Claim(Part.EFFECT, "x", status),)
    return Found("x", claims, at=instant(time) if time else None, harm=harm)


def roles(outcome: Outcome, **named: Found) -> dict[str, Role]:
    return {p.id: p.role for p in place([(k.replace("_", "-"), v) for k, v in named.items()], outcome)}


def test_nothing_is_the_root_of_a_server_that_is_ready() -> None:
    assert roles(Outcome.READY, port_in_use=found(), thin_gpu_headroom=found()) == {
        "port-in-use": Role.BYSTANDER,
        "thin-gpu-headroom": Role.BYSTANDER,
    }


def test_a_limit_is_the_answer_of_a_server_that_serves() -> None:
    assert roles(Outcome.READY, kv_cache_saturated=found()) == {"kv-cache-saturated": Role.ROOT}


def test_a_limit_is_no_cause_of_a_crash() -> None:
    placed = roles(Outcome.CRASHED, kv_cache_saturated=found(), scheduler_crashed=found())
    assert placed == {"scheduler-crashed": Role.ROOT, "kv-cache-saturated": Role.BYSTANDER}


def test_a_risk_is_never_the_root() -> None:
    assert roles(Outcome.LAUNCH_HUNG, thin_gpu_headroom=found()) == {"thin-gpu-headroom": Role.BYSTANDER}


def test_a_cause_makes_symptoms_of_what_it_explains() -> None:
    placed = roles(
        Outcome.LAUNCH_HUNG,
        launch_stalled=found(Status.SUPPORTED),
        host_memory_exhausted=found(),
        per_rank_host_memory_oversubscription=found(),
    )
    assert placed["per-rank-host-memory-oversubscription"] is Role.ROOT
    assert placed["launch-stalled"] is placed["host-memory-exhausted"] is Role.SYMPTOM


def test_of_two_causes_the_earlier_is_the_root() -> None:
    placed = roles(Outcome.CRASHED, disk_full=found(time="10:00:00"), port_in_use=found(time="10:05:00"))
    assert placed == {"disk-full": Role.ROOT, "port-in-use": Role.COLLATERAL}


def test_an_error_after_a_request_to_stop_is_the_shutdown_s_noise() -> None:
    placed = roles(Outcome.STOPPED, stopped_on_request=found(time="10:00:00"), disk_full=found(time="10:00:02"))
    assert placed == {"stopped-on-request": Role.ROOT, "disk-full": Role.COLLATERAL}


def test_a_cause_of_the_same_moment_contributes() -> None:
    placed = roles(Outcome.CRASHED, disk_full=found(time="10:00:00"), port_in_use=found(time="10:00:02"))
    assert placed["port-in-use"] is Role.CONTRIBUTING


def test_a_manifestation_that_is_shown_comes_before_a_cause_that_is_guessed() -> None:
    placed = roles(Outcome.CRASHED, gpu_throttled=found(Status.HYPOTHESIS), scheduler_crashed=found())
    assert placed == {"scheduler-crashed": Role.ROOT, "gpu-throttled": Role.BYSTANDER}


def test_a_degraded_server_is_explained_by_what_does_the_harm() -> None:
    placed = roles(Outcome.DEGRADED, kv_cache_saturated=found(), kv_retraction_storm=found(harm=True))
    assert placed["kv-retraction-storm"] is Role.ROOT


def test_a_request_to_stop_is_the_answer_of_a_stopped_server() -> None:
    assert roles(Outcome.STOPPED, port_in_use=found(), stopped_on_request=found())["stopped-on-request"] is Role.ROOT


def test_a_guess_does_not_make_a_symptom_of_what_is_established() -> None:
    placed = roles(
        Outcome.LAUNCH_FAILED, per_rank_host_memory_oversubscription=found(Status.HYPOTHESIS), scheduler_crashed=found()
    )
    assert placed == {"scheduler-crashed": Role.ROOT, "per-rank-host-memory-oversubscription": Role.BYSTANDER}


def test_a_guess_explains_a_silence() -> None:
    placed = roles(
        Outcome.LAUNCH_HUNG,
        per_rank_host_memory_oversubscription=found(Status.HYPOTHESIS),
        launch_stalled=found(Status.SUPPORTED),
    )
    assert placed["per-rank-host-memory-oversubscription"] is Role.ROOT
