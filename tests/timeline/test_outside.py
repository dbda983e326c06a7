"""Memory and batch lines become curves under the phases."""

from __future__ import annotations

import polars as pl

from analyzer import timeline
from analyzer.events import MemorySnapshot
from tests.build import launch, size, where


def snapshot(time: str | None, available: str) -> MemorySnapshot:
    return MemorySnapshot(where=where(1, time, source="free.txt"), available=size(available))


def test_a_single_point_is_no_curve() -> None:
    assert timeline.build(launch(outside=[snapshot("10:00:00", "9 GiB")])).series == []


def test_undated_snapshots_have_no_place_on_the_axis() -> None:
    assert timeline.build(launch(outside=[snapshot(None, "9 GiB"), snapshot(None, "8 GiB")])).series == []


def test_snapshots_are_drawn_in_time_order() -> None:
    laid_out = timeline.build(launch(outside=[snapshot("10:01:00", "1 GiB"), snapshot("10:00:00", "2 GiB")]))
    memory = next(s for s in laid_out.series if s.name == "host memory available")
    assert memory.value == (2 * 2**30, 2**30)


def test_decode_lines_give_throughput_over_time() -> None:
    frame = pl.DataFrame(
        {
            "source": ["server.log"] * 2,
            "line": [5, 6],
            "time_s": [100.0, 140.0],
            "throughput_token_per_s": [850.0, 870.0],
            "usage_ratio": [0.5, 0.6],
            "running_count": [10.0, 12.0],
            "queue_count": [0.0, 0.0],
        }
    )
    laid_out = timeline.build(launch(tables={"DecodeBatch": frame}))
    throughput = next(s for s in laid_out.series if s.name == "generation throughput")
    assert throughput.time == (100.0, 140.0)
    assert throughput.value == (850.0, 870.0)


def test_of_many_lines_every_least_and_most_is_kept_and_the_median_of_all() -> None:
    figures = [100.0] * 9_000 + [50.0] * 1_000
    figures[1_234], figures[7_777] = 900.0, 1.0
    count = len(figures)
    frame = pl.DataFrame(
        {
            "source": ["server.log"] * count,
            "line": range(1, count + 1),
            "time_s": [float(n) for n in range(count)],
            "throughput_token_per_s": figures,
            "usage_ratio": [0.5] * count,
            "running_count": [1.0] * count,
            "queue_count": [0.0] * count,
        }
    )
    laid_out = timeline.build(launch(tables={"DecodeBatch": frame}))
    (throughput,) = (s for s in laid_out.series if s.name == "generation throughput")
    points = list(zip(throughput.time, throughput.value, strict=True))
    assert len(points) <= 800
    assert points == sorted(points)
    assert {(1_234.0, 900.0), (7_777.0, 1.0)} <= set(points)
    assert throughput.median == 100.0, "nine of ten lines say so"
