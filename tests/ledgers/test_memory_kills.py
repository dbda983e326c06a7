"""Each kill counts once, however many records tell of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from analyzer.ledgers.memory_kills import done, told_of
from tests.build import incident, launch, timed
from tests.rules.host_facts import oom_kill

if TYPE_CHECKING:
    from analyzer.events import OomKill

OOMD: dict[str, Any] = {"killer": "systemd-oomd", "scope": "pressure"}
EARLY: dict[str, Any] = {"killer": "earlyoom", "scope": "free"}


def test_the_mark_the_kill_and_systemd_s_own_word_are_one_kill() -> None:
    marked = oom_kill("sglang.service", 0, "10:08:26", intent=True, **OOMD)
    killed = oom_kill("sglang.service", 0, "10:08:27", **OOMD)
    counted = oom_kill("sglang.service", 0, "10:08:28", killer="systemd-oomd", scope="")
    [kill] = told_of([timed(one) for one in (counted, marked, killed)])
    assert kill.done
    assert kill.first.event.scope == "pressure", "the record that says what was short"
    assert kill.text == "systemd-oomd ended sglang.service"


def test_a_request_and_the_kill_after_it_are_one() -> None:
    [kill] = told_of([timed(oom_kill(intent=True, **EARLY)), timed(oom_kill(time="10:08:36", **EARLY))])
    assert kill.done


def test_a_request_alone_is_an_intent() -> None:
    [kill] = told_of([timed(oom_kill(intent=True, **EARLY))])
    assert not kill.done
    assert kill.text == "earlyoom set out to end sglang::schedul (pid 1214)"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (oom_kill(pid=7), oom_kill(pid=8)),
        (oom_kill(pid=7), oom_kill(pid=7, **EARLY)),
        (oom_kill("a.service", 0, "10:08:00", **OOMD), oom_kill("a.service", 0, "10:09:01", **OOMD)),  # a minute later
    ],
)
def test_other_processes_other_killers_and_a_unit_that_was_started_again_are_kills_of_their_own(
    first: OomKill, second: OomKill
) -> None:
    assert len(told_of([timed(first), timed(second)])) == 2


def test_what_was_done_comes_before_what_was_only_to_be() -> None:
    kills = told_of([timed(oom_kill(pid=7, intent=True, **EARLY)), timed(oom_kill(pid=8, **EARLY))])
    assert [kill.first.event.pid for kill in kills] == [8, 7]


def test_what_is_only_announced_is_no_kill_that_was_done() -> None:
    asked, ended = oom_kill(pid=7, intent=True, **EARLY), oom_kill(pid=8)
    assert done(incident(launch(outside=[asked]))) == []
    assert [kill.first.event.pid for kill in done(incident(launch(outside=[asked, ended])))] == [8]
