"""Limits on files, processes, threads and mappings."""

from __future__ import annotations

import pytest

from analyzer.events import Fact, ServerReady
from tests.build import size, where
from tests.rules.answers import answers, cleared, failure, found, numbers

RULE = "process-limit-reached"
FILES = "RuntimeError: [enforce fail at loop.cc:105] fd_ != -1. -1 vs -1. epoll_create: Too many open files"


def limit(name: str, value: str) -> Fact:
    return Fact(
        where=where(3, source="ulimit.txt"), name=f"ulimit.{name}", value=value, amount=size(f"{value} count", 3)
    )


def test_a_low_limit_that_nobody_reached_says_nothing() -> None:
    assert answers(RULE, outside=(limit("open-files", "1024"),)) == []


def test_a_connection_that_was_refused_while_serving_went_on_is_cleared() -> None:
    line = failure(RULE, FILES, 5, "10:00:00", detail="Too many open files")
    assert "worked on" in cleared(RULE, line, ServerReady(where=where(30, "10:10:00")))


@pytest.mark.parametrize(
    ("text", "name", "called", "fix"),
    [
        (FILES, "open-files", "open files", "nofile"),
        ("RuntimeError: can't start new thread", "user-processes", "processes and threads", "pids-limit"),
        ("bash: fork: retry: Resource temporarily unavailable", "user-processes", "processes and threads", "ulimit -u"),
        ("vm.max_map_count [65530] is too low", "mappings", "memory mappings", "vm.max_map_count=1048576"),
    ],
)
def test_the_words_tell_which_limit_it_is_and_how_to_raise_it(text: str, name: str, called: str, fix: str) -> None:
    verdict = found(RULE, failure(RULE, text, 5, "10:00:00"), outside=(limit(name, "1024"),))
    assert verdict.summary == f"the limit on {called} was reached: {text}"
    assert numbers(verdict) == {f"limit on {called}": 1024}
    assert fix in verdict.remedy[0].action


def test_the_limit_on_mappings_is_the_kernel_s() -> None:
    said = Fact(
        where=where(3, source="sysctl.txt"),
        name="sysctl.vm.max_map_count",
        value="65530",
        amount=size("65530 count", 3),
    )
    verdict = found(RULE, failure(RULE, "mmap failed: vm.max_map_count", 5, "10:00:00"), outside=(said,))
    assert verdict.claims[-1].text == "the kernel's limit is 65,530"
