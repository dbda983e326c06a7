"""A Grafana panel's CSV."""

from __future__ import annotations

import pytest

from analyzer.events import Fact, MemorySnapshot
from tests.parsers.build_blocks import GIB, claims, of, read, value
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line", ["Time,Message", "Time: 10:06", '"Time","how long we waited"', "Series;Value", "Time;status;host"]
)
def test_a_legend_that_names_no_known_metric_is_not_its(line: str) -> None:
    assert not claims("grafana_csv", line)


def test_each_row_is_a_snapshot_at_its_time() -> None:
    snapshots = of(MemorySnapshot, read("grafana_csv", SAMPLES["grafana_csv"]))
    assert [(s.where.stamp.text if s.where.stamp else "", value(s.available)) for s in snapshots] == [
        ("2026-02-17 10:06:00", 400_000_000_000),
        ("2026-02-17 10:07:00", 9_663_676_416),
    ]


def test_units_of_a_panel_are_read_as_it_means_them() -> None:
    text = '"Time","MemAvailable","MemTotal"\n1771322760000,9.5 GiB,449 GiB\n1771322820000,9 GB,449 GiB'
    snapshots = of(MemorySnapshot, read("grafana_csv", text))
    assert [value(s.available) for s in snapshots] == [9.5 * GIB, 9 * 10**9]
    assert [value(s.total) for s in snapshots] == [449 * GIB] * 2


def test_series_in_rows_behind_a_separator_line_are_read() -> None:
    text = "sep=;\nSeries;Time;Value\nsglang:num_queue_reqs;2026-02-17T10:06:00+00:00;102"
    (fact,) = of(Fact, read("grafana_csv", text))
    assert (fact.name, fact.value) == ("metric.num_queue_reqs", "102")


def test_empty_cells_are_no_figures() -> None:
    assert not read("grafana_csv", "Time,sglang:num_queue_reqs\n2026-02-17 10:06:00,\n2026-02-17 10:07:00,null").events
