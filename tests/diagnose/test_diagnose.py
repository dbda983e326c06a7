"""One launch from its events to the report: where it failed, what is ruled out, what is asked next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.contract import Tool
from analyzer.diagnose import Reading, diagnose
from analyzer.events import (
    GraphCaptureEnded,
    HostPoolAnnounced,
    HostPoolRefused,
    MemorySnapshot,
    ProbeFailed,
)
from tests.build import incident, launch, size, tp, where
from tests.rules.answers import raised

if TYPE_CHECKING:
    from analyzer.contract import Report
    from analyzer.events import Event

ARGUMENTS = {"tp_size": 2, "enable_hierarchical_cache": True, "hicache_size": 300}


def report(*events: Event, **more: Any) -> Report:
    more.setdefault("values", ARGUMENTS)
    return diagnose(
        [incident(launch(*events, **more))], Reading([]), Tool("t", "0", ""), lambda refs: dict.fromkeys(refs, "")
    )


def test_a_refusal_fails_the_host_pool_and_not_the_phase_that_the_last_line_is_of() -> None:
    captured = GraphCaptureEnded(where=where(70, "10:06:40", tp(0)))
    refused = HostPoolRefused(where=where(71, "10:06:42", tp(1)), wanted=size("300 GB", 71), free=size("50 GB", 71))
    error = raised("ValueError", "Not enough host memory available.", 71, "10:06:42", tp(1))
    verdict = report(captured, refused, error).verdict
    assert (verdict.outcome, verdict.phase) == ("launch-failed", "host-pool")


def test_what_the_headline_says_is_not_ruled_out_below_it() -> None:
    """349 s of silence are within what pinning 300 GB may take, and yet these pools cannot be granted."""
    pools = [HostPoolAnnounced(where=where(80 + r, "10:06:42", tp(r)), size=size("300.00 GB", 80 + r)) for r in (0, 1)]
    free = MemorySnapshot(
        where=where(3, "10:12:31", source="free.txt"), total=size("449 GiB", 3), available=size("9 GiB", 3)
    )
    made = report(*pools, outside=[free])
    assert (made.verdict.outcome, made.verdict.finding) == ("launch-hung", "per-rank-host-memory-oversubscription")
    assert "launch-stalled" not in {cleared.id for cleared in made.cleared}
    assert made.next[0].findings == ["per-rank-host-memory-oversubscription"]


def test_every_machine_of_every_launch_is_there_once() -> None:
    probe = ProbeFailed(where=where(1, "10:12:41", source="notes.txt"), gave_up=True)
    assert [host.name for host in report(outside=[probe]).hosts] == ["n0"]
