"""Progress, life and the clock outside are told apart."""

from __future__ import annotations

from analyzer import timeline
from analyzer.events import (
    DistributedInitBegun,
    GraphCaptureBegun,
    HealthFailed,
    HostPoolAnnounced,
    MemoryPoolEnded,
    MemorySnapshot,
    Notice,
    ProbeFailed,
    ProcessListed,
    ShardsProgress,
    StopRequested,
    WeightLoadBegun,
)
from analyzer.evidence import Where
from analyzer.timeline import signs
from tests.build import instant, launch, ref, rows, size, stamp, tp, where

POOL = HostPoolAnnounced(where=where(2, "10:06:42", tp(0)))


def test_a_log_that_ends_is_no_silence() -> None:
    assert timeline.build(launch(POOL)).silence is None


def test_a_process_listing_dates_nothing() -> None:
    listed = ProcessListed(where=where(1, "10:20:00", source="ps.txt"))
    assert timeline.build(launch(POOL, outside=[listed])).silence is None


def test_a_probe_outside_dates_the_silence() -> None:
    probe = ProbeFailed(where=where(1, "10:12:41", source="notes.txt"), gave_up=True, waited=size("600 s"))
    laid_out = timeline.build(launch(POOL, outside=[probe]))
    assert laid_out.silence == 359  # 10:12:41 less 10:06:42
    wait = next(s for s in laid_out.spans if s.name == "health-wait")
    assert wait.seconds == 600


def test_lines_that_only_repeat_a_wait_are_life_but_no_progress() -> None:
    laid_out = timeline.build(launch(POOL, HealthFailed(where=where(3, "10:16:42"))))
    assert laid_out.life is not None
    assert laid_out.life.at == instant("10:16:42")
    assert laid_out.silence == 600


def test_a_warning_is_no_progress() -> None:
    assert timeline.build(launch(POOL, Notice(where=where(3, "10:07:42"), topic="x"))).silence == 60


def test_a_moment_given_by_the_user_is_a_clock() -> None:
    assert timeline.build(launch(POOL), instant("10:08:42").seconds).silence == 120


def test_a_dated_snapshot_is_a_clock() -> None:
    snapshot = MemorySnapshot(where=where(1, "10:10:42", source="free.txt"))
    assert timeline.build(launch(POOL, outside=[snapshot])).silence == 240


def test_the_slowest_rank_says_the_phase() -> None:
    laid_out = timeline.build(launch(POOL, DistributedInitBegun(where=where(3, "10:06:43", tp(1)))))
    assert laid_out.phase() == "distributed-init"


def frame(done: int, elapsed: int, *, direct: bool = False) -> ShardsProgress:
    place = Where(ref(4), stamp("10:03:00"), direct=direct)
    amounts = {"done": size(f"{done} count", 4), "total": size("100 count", 4), "elapsed": size(f"{elapsed} s", 4)}
    return ShardsProgress(where=place, **amounts)


def test_a_frame_of_a_bar_was_drawn_its_own_time_after_the_bar_began() -> None:
    load = WeightLoadBegun(where=where(3, "10:03:00", tp(0)))
    laid_out = timeline.build(launch(load, frame(50, 600)))
    assert laid_out.progress is not None
    assert laid_out.progress.at == instant("10:13:00")
    assert laid_out.life is not None
    assert laid_out.life.at == instant("10:13:00")


def test_a_frame_with_a_time_of_its_own_is_taken_at_that() -> None:
    load = WeightLoadBegun(where=where(3, "10:03:00", tp(0)))
    laid_out = timeline.build(launch(load, frame(50, 600, direct=True)))
    assert laid_out.progress is not None
    assert laid_out.progress.at == instant("10:03:00")


def test_being_asked_to_stop_is_no_progress() -> None:
    assert timeline.build(launch(POOL, StopRequested(where=where(9, "10:08:42")))).silence == 120


def test_answers_to_a_health_check_are_a_clock() -> None:
    answers = rows("Access", time_s=[instant("10:16:42").seconds])
    assert timeline.build(launch(POOL, tables={"Access": answers})).silence == 600


def test_a_warm_up_s_batch_is_no_serving() -> None:
    batch = rows("PrefillBatch", time_s=[instant("10:07:42").seconds], tp=[0])
    laid_out = timeline.build(launch(POOL, tables={"PrefillBatch": batch}))
    assert laid_out.phase() == "host-pool"
    assert laid_out.silence is None


def test_a_rank_that_is_done_with_a_phase_stands_in_the_next_that_another_has_opened() -> None:
    done = MemoryPoolEnded(where=where(2, "10:06:40", tp(1)))
    assert timeline.build(launch(done, GraphCaptureBegun(where=where(3, "10:06:43", tp(0))))).phase() == "graph-capture"


def test_one_large_batch_is_more_than_the_server_s_own_first_request() -> None:
    def decoded(tokens: int) -> bool:
        return signs.beyond_warm_up(
            launch(tables={"DecodeBatch": rows("DecodeBatch", tokens_token=[tokens], line=[3])})
        )

    assert not decoded(1938)
    assert decoded(2642688)
