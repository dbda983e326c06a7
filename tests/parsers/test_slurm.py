"""Slurm's tables."""

from __future__ import annotations

import pytest

from analyzer.events import ExitCode, OrchestratorAct
from tests.parsers.build_blocks import claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES

SQUEUE = """
  JOBID PARTITION NAME  USER  ST  TIME NODES
  88121 gpu       infer u2001 R   1:25 1
"""
PARSABLE = """
JobID|JobName|State|ExitCode|MaxRSS|End
88121|infer|CANCELLED by 1000|0:9|1024K|2026-04-24T15:01:30
88122|infer|COMPLETED|0:0||2026-04-24T15:01:30
"""


@pytest.mark.parametrize("line", ["JOBID 88121 was cancelled", "JobID State is unknown to us", "the JobID, State"])
def test_sentences_on_jobs_are_no_table(line: str) -> None:
    assert not claims("slurm", line)


def test_a_job_that_ran_out_of_memory_says_so() -> None:
    ends = of(ExitCode, read("slurm", SAMPLES["slurm"]))
    assert [(value(end.code), end.oom, end.container) for end in ends] == [(125, True, "88121")]


def test_a_state_is_known_however_short_its_column() -> None:
    ends = of(ExitCode, read("slurm", SAMPLES["slurm"].replace("OUT_OF_ME+", "  OUT_OF_+")))
    assert [end.oom for end in ends] == [True]


def test_a_time_limit_is_an_act() -> None:
    acts = of(OrchestratorAct, read("slurm", SAMPLES["slurm"]))
    assert [(act.act, act.reason) for act in acts] == [("timed-out", "TIMEOUT")]


def test_the_queue_is_a_fact() -> None:
    assert facts(read("slurm", SQUEUE)) == {"job 88121": "R"}


def test_pipes_part_cells_too_and_the_end_dates_them() -> None:
    block = read("slurm", PARSABLE)
    (end,) = of(ExitCode, block)
    assert (value(end.code), end.oom) == (128 + 9, None)
    assert end.where.stamp is not None
    assert end.where.stamp.moment.hour == 15
    assert [act.act for act in of(OrchestratorAct, block)] == ["killed"]
    assert facts(block)["job-rss 88121"] == "1024K"
