"""`scontrol show job` and `seff`."""

from __future__ import annotations

import pytest

from analyzer.events import ExitCode, Fact, OrchestratorAct
from tests.parsers.build_blocks import GIB, claims, of, read, value
from tests.parsers.snapshots import SAMPLES

SEFF = """
Job ID: 88121
Cluster: c
State: OUT_OF_MEMORY (exit code 0)
Nodes: 1
Memory Utilized: 399.50 GB
Memory Efficiency: 99.88% of 400.00 GB
"""


@pytest.mark.parametrize("line", ["JobId=88121", "Job ID: unknown", "the JobId=88121 was killed"])
def test_sentences_on_jobs_are_not_its(line: str) -> None:
    assert not claims("slurm_job", line)


def test_state_code_and_end_are_those_of_sacct() -> None:
    block = read("slurm_job", SAMPLES["slurm_job"])
    (end,) = of(ExitCode, block)
    assert (value(end.code), end.oom, end.container) == (125, True, "88121")
    assert end.where.stamp is not None
    assert end.where.stamp.text == "2026-02-17T10:12:41"


def test_memory_asked_for_is_told() -> None:
    told = {fact.name: value(fact.amount) for fact in of(Fact, read("slurm_job", SAMPLES["slurm_job"]))}
    assert told["job-memory 88121"] == 400 * GIB


def test_the_efficiency_report_tells_what_was_used_of_what() -> None:
    block = read("slurm_job", SEFF)
    told = {fact.name: value(fact.amount) for fact in of(Fact, block)}
    assert (told["job-rss 88121"], told["job-memory 88121"]) == (399.5 * GIB, 400 * GIB)
    assert [(end.code, end.oom) for end in of(ExitCode, block)] == [(None, True)]


def test_a_time_limit_is_an_act() -> None:
    block = read("slurm_job", SAMPLES["slurm_job"].replace("OUT_OF_MEMORY", "TIMEOUT").replace("0:125", "0:0"))
    assert [act.act for act in of(OrchestratorAct, block)] == ["timed-out"]
    assert not of(ExitCode, block)
