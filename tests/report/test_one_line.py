"""The verdict on one line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analyzer.report.one_line import render
from tests.report.build_report import cannot_tell, founding, founding_finding, healthy, straggler


@pytest.mark.parametrize("make", [founding, healthy, cannot_tell, straggler])
def test_it_is_one_line(make: object) -> None:
    assert render(make()).count("\n") == 1  # type: ignore[operator]


def test_a_healthy_server_is_ready_and_nothing_else() -> None:
    assert render(healthy()) == "ready: The server reached ready and served until the log ends; no end seen.\n"


def test_outcome_phase_cause_finding_and_sum_stand_in_this_order() -> None:
    assert render(founding()) == (
        "launch-hung in host-pool: Established: All 8 ranks together ask for 2,400 GB of host memory for HiCache, "
        "and the host has 449 GiB. (per-rank-host-memory-oversubscription) "
        "[8 × 300 GB = 2,400 GB = 2,235 GiB · host memory 449 GiB · short by 1,786 GiB · 5 times what there is]\n"
    )


def test_a_log_cannot_add_a_line() -> None:
    root = replace(founding_finding(), summary="one\ntwo\x1b[2J")
    assert render(replace(founding(), findings=[root])).count("\n") == 1
