"""Samples of metrics, whichever form they came in."""

from __future__ import annotations

from analyzer.events import CgroupMemory, Event, Fact, GpuFault, GpuListed, MemorySnapshot
from analyzer.evidence import Ref
from analyzer.layers import stamps
from analyzer.parsers.block import Text
from analyzer.parsers.series import Sample, events, number
from tests.parsers.build_blocks import GIB, MIB, around, value

BEGAN = 1_771_322_760


def sample(name: str, amount: float, second: int = 0, **labels: str) -> Sample:
    stamp = stamps.epoch(str(BEGAN + second))
    return Sample(name, labels, amount, Text("", Ref("metrics.json", second + 1, second + 1), stamp))


def told(*samples: Sample) -> list[Event]:
    return events(samples, around())


def test_infinity_and_words_are_no_numbers() -> None:
    assert [number(text) for text in ("NaN", "+Inf", "x", "1e30", "9.6e9")] == [None, None, None, None, 9.6e9]


def test_two_hosts_in_one_answer_are_facts_and_no_snapshot_of_the_server_s() -> None:
    found = told(
        sample("node_memory_MemAvailable_bytes", 1 * GIB, instance="gpu-1:9100"),
        sample("node_memory_MemAvailable_bytes", 300 * GIB, instance="gpu-2:9100"),
    )
    assert [type(event) for event in found] == [Fact, Fact]
    assert [getattr(event, "name", "") for event in found] == [
        "metric.node_memory_MemAvailable_bytes instance=gpu-1:9100",
        "metric.node_memory_MemAvailable_bytes instance=gpu-2:9100",
    ]


def test_two_containers_in_one_answer_are_facts() -> None:
    found = told(
        sample("container_memory_working_set_bytes", 1 * GIB, container="sidecar", pod="llm-0"),
        sample("container_memory_working_set_bytes", 98 * GIB, container="sglang", pod="llm-0"),
    )
    assert [type(event) for event in found] == [Fact, Fact]


def test_a_fault_counted_before_the_first_sample_has_no_time_and_is_a_fact() -> None:
    found = told(*(sample("DCGM_FI_DEV_XID_ERRORS", 79, second, gpu="3") for second in (0, 30)))
    assert [(type(event), getattr(event, "value", "")) for event in found] == [(Fact, "79")]


def test_a_fault_that_appears_between_two_samples_is_dated_by_the_second() -> None:
    found = told(*(sample("DCGM_FI_DEV_XID_ERRORS", code, s, gpu="3") for s, code in ((0, 0), (30, 79), (60, 79))))
    (fault,) = (event for event in found if isinstance(event, GpuFault))
    assert (fault.code, fault.gpu, fault.where.ref.line) == ("Xid 79", "3", 31)


def test_one_host_is_a_snapshot_at_every_time() -> None:
    host = {"instance": "gpu-1:9100"}
    found = told(
        sample("node_memory_MemTotal_bytes", 449 * GIB, 0, **host),
        sample("node_memory_MemAvailable_bytes", 400 * GIB, 0, **host),
        sample("node_memory_MemAvailable_bytes", 9 * GIB, 60, **host),
    )
    assert [(value(s.total), value(s.available)) for s in found if isinstance(s, MemorySnapshot)] == [
        (449 * GIB, 400 * GIB),
        (449 * GIB, 9 * GIB),
    ]


def test_a_query_of_the_total_alone_still_tells_it() -> None:
    (found,) = told(*(sample("node_memory_MemTotal_bytes", 449 * GIB, s, instance="gpu-1:9100") for s in (0,)))
    assert isinstance(found, MemorySnapshot)
    assert (value(found.total), found.available) == (449 * GIB, None)


def test_one_container_has_its_use_and_its_limit() -> None:
    labels = {"container": "sglang", "pod": "llm-0"}
    found = told(
        sample("container_memory_working_set_bytes", 98 * GIB, **labels),
        sample("container_spec_memory_limit_bytes", 100 * GIB, **labels),
        sample("container_memory_working_set_bytes", 1 * MIB, container="POD", pod="llm-0"),
    )
    (memory,) = (event for event in found if isinstance(event, CgroupMemory))
    assert (value(memory.used), value(memory.limit)) == (98 * GIB, 100 * GIB)


def test_a_gpu_s_figures_at_one_time_are_one_row() -> None:
    found = told(
        sample("DCGM_FI_DEV_FB_USED", 71200, 0, gpu="0"),
        sample("DCGM_FI_DEV_GPU_UTIL", 97, 0, gpu="0"),
        sample("DCGM_FI_DEV_FB_USED", 71300, 30, gpu="0"),
    )
    rows = [event for event in found if isinstance(event, GpuListed)]
    assert [(row.snapshot, value(row.used), value(row.utilisation)) for row in rows] == [
        (1, 71200 * MIB, 0.97),
        (2, 71300 * MIB, None),
    ]


def test_a_long_series_keeps_its_ends_and_its_extremes() -> None:
    figures = dict.fromkeys(range(1000), 400 * GIB)
    figures[617] = 2 * GIB
    samples = (sample("node_memory_MemAvailable_bytes", amount, second) for second, amount in figures.items())
    kept = [event for event in told(*samples) if isinstance(event, MemorySnapshot)]
    assert len(kept) <= 44
    assert {1, 618, 1000} <= {event.where.ref.line for event in kept}
    assert min(value(event.available) or 0 for event in kept) == 2 * GIB
