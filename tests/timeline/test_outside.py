"""Memory and batch lines become curves under the phases."""

from __future__ import annotations

from analyzer import timeline
from analyzer.events import MemorySnapshot
from tests.build import launch, rows, size, where


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
    decode = rows("DecodeBatch", time_s=[100.0, 140.0], throughput_token_per_s=[850.0, 870.0])
    laid_out = timeline.build(launch(tables={"DecodeBatch": decode}))
    [throughput] = laid_out.series
    assert (throughput.name, throughput.unit) == ("generation throughput", "token/s")
    assert throughput.time == (100.0, 140.0)
    assert throughput.value == (850.0, 870.0)
    assert throughput.median == 860.0


def test_undated_lines_have_no_place_on_the_axis_and_count_for_the_median() -> None:
    decode = rows("DecodeBatch", time_s=[None, 140.0, 100.0], usage_ratio=[0.9, 0.5, 0.7])
    [usage] = timeline.build(launch(tables={"DecodeBatch": decode})).series
    assert (usage.time, usage.value) == ((100.0, 140.0), (0.7, 0.5))
    assert usage.median == 0.7
