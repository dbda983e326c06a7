"""Launches of one server follow each other; servers that stand side by side in one export are each their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.events import DistributedInitBegun, MemorySnapshot, ServerReady
from analyzer.launches.outside import mark_last, place_outside
from analyzer.vocabulary import Outcome
from tests.build import launch, timed, tp, where
from tests.judging import answer, read
from tests.launches.ends_told import LOG

if TYPE_CHECKING:
    from analyzer.contract import Report
    from analyzer.launches import Launch


def spoken(name: str, first: str, last: str, line: int = 1) -> Launch:
    """A launch whose lines are marked with a name."""
    begun = DistributedInitBegun(where=where(line, first, tp(0), node=name))
    return launch(begun, ServerReady(where=where(line + 5, last, node=name)))


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ("", "", False),  # a log without names: a restart
        ("sglang-1", "sglang-1", False),
        ("sglang-1", "", False),  # a line without its mark may be anybody's
        ("", "sglang-1", False),
        ("llm-7d9f8b6c5-abcde", "llm-7d9f8b6c5-xkcd2", True),  # no pod of a deployment has vowels: names of a person's
        ("llm-7d9f8b6c5-bcd2x", "llm-7d9f8b6c5-xkcd2", False),  # the pod that took its place
        ("llm-bcd2x", "llm-xkcd2", False),  # of a job
        ("Engine pid=11", "Engine pid=12", False),
        ("llm-0", "llm-1", True),  # the pods of a set keep their names
        ("sglang-1", "sglang-2", True),
        ("prefill-a", "decode-b", True),
        ("gpu-11", "gpu-12", True),
    ],
)
def test_what_has_another_name_is_another_server(first: str, second: str, *, together: bool) -> None:
    made = [spoken(first, "10:00:00", "10:05:00"), spoken(second, "10:30:00", "10:35:00", 50)]
    mark_last(made)
    assert [one.last_of_server for one in made] == [together, True]


def test_two_pods_of_a_deployment_that_run_at_once_are_two_servers() -> None:
    made = [
        spoken("llm-7d9f8b6c5-bcd2x", "10:00:00", "11:00:00"),
        spoken("llm-7d9f8b6c5-xkcd2", "10:00:10", "10:02:00", 20),
        spoken("llm-7d9f8b6c5-zzz22", "10:10:00", "10:12:00", 40),  # took the place of the second
    ]
    mark_last(made)
    assert [one.last_of_server for one in made] == [True, False, True]


def test_a_snapshot_concerns_each_of_the_servers_that_run_at_its_time() -> None:
    made = [spoken("llm-0", "10:00:00", "10:05:00"), spoken("llm-1", "10:01:00", "10:05:00", 50)]
    mark_last(made)
    place_outside(made, [timed(MemorySnapshot(where=where(1, "10:06:00", source="free.txt")))])
    assert [len(one.outside) for one in made] == [1, 1]


def test_what_is_marked_in_a_log_concerns_who_speaks_under_the_mark() -> None:
    made = [spoken("llm-0", "10:00:00", "10:05:00"), spoken("llm-1", "10:01:00", "10:05:00", 50)]
    mark_last(made)
    seen = [MemorySnapshot(where=where(n, "10:06:00", node=name)) for n, name in ((90, "llm-0"), (91, "host-9"))]
    place_outside(made, [timed(one) for one in seen])
    assert [[t.ref.line for t in one.outside] for one in made] == [[90, 91], [91]]


FAILS = """\
[2026-02-17 10:02:37] server_args=ServerArgs(model_path='/models/m', tp_size=1, port=30000)
[2026-02-17 10:03:00] Load weight begin. avail mem=78.00 GB
[2026-02-17 10:04:00] Load weight end. type=LlamaForCausalLM, dtype=torch.bfloat16, avail mem=2.00 GB, mem usage=76.00 GB.
[2026-02-17 10:04:10 TP0] Scheduler hit an exception: Traceback (most recent call last):
  File "/sgl/srt/managers/scheduler.py", line 3, in run_scheduler_process
    x()
RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.
"""


def export(*pods: tuple[str, str]) -> Report:
    marked = "".join(f"[pod/{pod}/main] {line}\n" for pod, text in pods for line in text.splitlines())
    return answer([read("export.log", marked.encode())])


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_pods_in_one_export_the_one_that_failed_is_what_the_report_is_about(order: int) -> None:
    report = export(*(("llm-0", FAILS), ("llm-1", LOG))[::order])
    speaks = next(one for one in report.launches if one.id == report.verdict.launch)
    assert (speaks.server.name, report.verdict.outcome) == ("llm-0", Outcome.LAUNCH_FAILED)
    assert {one.server.name: one.verdict.outcome for one in report.launches}["llm-1"] == Outcome.READY


def test_what_a_pod_beside_the_last_one_says_in_passing_decides_nothing() -> None:
    passing = "[2026-02-17 10:02:40] INFO:     Uvicorn running on http://0.0.0.0:8080 (Press CTRL+C to quit)"
    report = export(("gate-0", passing), ("llm-1", LOG))
    assert report.verdict.outcome == Outcome.READY


def test_of_a_pod_that_failed_and_came_up_when_it_was_started_again_the_last_launch_counts() -> None:
    report = export(("llm-0", FAILS), ("llm-0", LOG.replace(" 10:", " 11:")))
    assert report.verdict.outcome == Outcome.READY
    made = "llm-7d9f8b6c5-"
    again = export((f"{made}bcd2x", FAILS), (f"{made}xkcd2", LOG.replace(" 10:", " 11:")))
    assert again.verdict.outcome == Outcome.READY
