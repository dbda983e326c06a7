"""Kills by the kernel's or a container's OOM killer, told from all other SIGKILLs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.events import (
    CgroupMemory,
    ExceptionRaised,
    ExitCode,
    Fact,
    GraphCaptureEnded,
    OomKill,
    OomVictim,
    RankDead,
    ShardsProgress,
    WeightLoadBegun,
    Workload,
)
from analyzer.launches.ends import UNPLACED
from analyzer.verdict import Cleared, Found, Unknown
from analyzer.vocabulary import Status
from tests.build import size, tp, where
from tests.launches.ends_told import LOG, judged
from tests.rules.answers import answers, cleared, found, numbers
from tests.rules.host_facts import GIB, memory, oom_kill, process

if TYPE_CHECKING:
    from analyzer.contract import Finding

RULE = "host-oom-kill"
DEAD = RankDead(where=where(40, "10:08:00"), code=size("-9 count"))
BEGUN = WeightLoadBegun(where=where(3, "10:03:00", tp(0)))


def test_exit_code_minus_nine_alone_is_unknown() -> None:
    assert [type(v) for v in answers(RULE, DEAD)] == [Unknown]


def test_a_container_that_denies_it_clears() -> None:
    state = ExitCode(where=where(1, source="inspect.txt"), code=size("137 count"), oom=False)
    assert "not ended for memory" in cleared(RULE, outside=(state,))


def test_the_kill_of_another_program_is_none_of_ours() -> None:
    assert answers(RULE, outside=(oom_kill("java", 7),)) == []


def test_a_python_of_somebody_else_is_none_of_ours_where_pids_are_known() -> None:
    mine = process(20, "sglang::scheduler_TP0", "9 GiB")
    assert answers(RULE, outside=(mine, oom_kill("python3", 7))) == []


def test_yesterday_s_kill_is_of_another_launch() -> None:
    assert answers(RULE, BEGUN, outside=(oom_kill(time="2026-02-16 10:08:26"),)) == []


def test_a_kill_days_after_the_last_line_is_of_another_launch() -> None:
    assert answers(RULE, BEGUN, outside=(oom_kill(time="2026-02-20 10:08:26"),)) == []


def test_beside_an_error_of_the_server_s_own_an_undated_record_is_a_guess() -> None:
    raised = ExceptionRaised(where=where(30, "10:05:00", tp(1)), process="scheduler", type="IndexError", text="index 7")
    state = ExitCode(where=where(1, source="inspect.txt"), code=size("137 count"), oom=True)
    counter = CgroupMemory(where=where(1, source="memory.events"), oom_kills=size("1 count"))
    assert found(RULE, raised, outside=(state,)).status is Status.HYPOTHESIS
    assert found(RULE, raised, outside=(counter,)).status is Status.HYPOTHESIS
    assert found(RULE, raised, DEAD, outside=(state,)).status is Status.ESTABLISHED  # exit code -9 in the log itself


def test_a_kill_long_after_an_error_of_the_server_s_own_is_a_guess() -> None:
    raised = ExceptionRaised(where=where(30, "10:05:00", tp(1)), process="scheduler", type="IndexError", text="index 7")
    assert found(RULE, BEGUN, raised, outside=(oom_kill(time="10:45:00"),)).status is Status.HYPOTHESIS
    assert found(RULE, BEGUN, raised, outside=(oom_kill(time="10:04:58"),)).status is Status.ESTABLISHED


def test_a_kernel_s_clock_in_another_zone_is_no_other_day() -> None:
    assert found(RULE, BEGUN, outside=(oom_kill(time="01:08:26"),)).status is Status.ESTABLISHED


def test_the_kernel_s_record_of_a_scheduler_is_established() -> None:
    verdict = found(RULE, DEAD, outside=(oom_kill(anon="53 GiB"), memory("449", "46", "10:12:00")))
    assert verdict.status is Status.ESTABLISHED
    assert numbers(verdict) == {"memory of the host": 449 * GIB, "resident when killed": 53 * GIB}


def test_a_neighbour_that_held_more_is_named_and_no_other() -> None:
    rows = (process(7714, "python3 tokenize.py --in /secret", "428 GiB"), process(11, "python3 small.py", "2 GiB"))
    verdict = found(RULE, DEAD, outside=(oom_kill(anon="9 GiB"), memory("503", "55"), *rows))
    assert numbers(verdict)["held by the largest other process"] == 428 * GIB
    assert "python3 tokenize.py (pid 7714)" in verdict.remedy[0].action
    assert "secret" not in f"{verdict.summary}{verdict.explanation}{verdict.remedy}"


def test_the_kernel_s_own_table_names_a_neighbour_too() -> None:
    java = OomVictim(where=where(2, "10:08:26", source="dmesg.txt"), pid=7, command="java", resident=size("300 GiB"))
    assert "java (pid 7) 300 GiB" in found(RULE, DEAD, outside=(oom_kill(anon="9 GiB"), java)).summary


def test_in_a_container_s_own_limit_no_neighbour_counts() -> None:
    kill = oom_kill(anon="9 GiB", scope="cgroup", limit="64 GiB", usage="64 GiB")
    verdict = found(RULE, DEAD, outside=(kill, process(7, "java", "300 GiB")))
    assert "java" not in verdict.summary
    assert verdict.sum == "64 GiB in use of 64 GiB allowed"


def test_a_container_s_state_shows_its_limit_and_how_far_the_load_was() -> None:
    bar = ShardsProgress(where=where(9, "10:04:00"), done=size("33 count"), total=size("118 count"))
    state = ExitCode(where=where(1, source="describe.txt"), code=size("137 count"), oom=True)
    limit = CgroupMemory(where=where(2, source="describe.txt"), limit=size("64 GiB"))
    assert numbers(found(RULE, BEGUN, bar, outside=(state, limit))) == {
        "limit of the container": 64 * GIB,
        "exit code": 137,
        "shards loaded": 33,
        "shards in all": 118,
    }


def test_a_cgroup_s_counter_is_enough() -> None:
    counted = CgroupMemory(where=where(1, source="cgroup.txt"), limit=size("100 GiB"), oom_kills=size("2 count"))
    assert numbers(found(RULE, outside=(counted,)))["OOM kills counted"] == 2


def test_a_counter_of_zero_kills_is_none() -> None:
    counted = CgroupMemory(where=where(1, source="cgroup.txt"), limit=size("100 GiB"), oom_kills=size("0 count"))
    assert not [v for v in answers(RULE, outside=(counted,)) if not isinstance(v, Cleared)]


SERVED = GraphCaptureEnded(where=where(9, "10:12:00", tp(0)))


@pytest.mark.parametrize(
    ("command", "time", "ours"),
    [
        ("sglang::schedul", "2026-02-17 10:12:30", True),  # right after the last line
        ("sglang::schedul", "2026-02-17 10:11:20", True),  # 40 s before it: two hosts' clocks
        ("python3", "2026-02-17 10:11:20", False),  # of a name that many have, and the server went on for 40 s
        ("sglang::schedul", "2026-02-17 10:05:00", False),  # it went on for seven minutes
        ("sglang::schedul", "2026-02-17 09:40:00", False),  # before the launch, by no zone's difference
        ("sglang::schedul", "2026-02-17 05:12:20", True),  # 20 s after the last line, on a clock five hours behind
        ("sglang::schedul", "2026-02-17 04:42:20", True),  # the same, five and a half hours behind
        ("sglang::schedul", "2026-02-17 09:42:20", False),  # no zone is half an hour from the next one there
    ],
)
def test_a_record_before_which_the_server_went_on_is_another_process_s(command: str, time: str, *, ours: bool) -> None:
    assert bool(answers(RULE, BEGUN, SERVED, outside=(oom_kill(command, 7, time),))) is ours


def test_a_container_that_ended_before_the_launch_did_its_work_is_an_earlier_one() -> None:
    state = ExitCode(where=where(1, "09:59:31", source="describe.txt"), code=size("137 count"), oom=True)
    assert "host-oom-kill" not in str(
        [v for v in answers(RULE, BEGUN, SERVED, outside=(state,)) if isinstance(v, Found)]
    )
    later = ExitCode(where=where(1, "10:12:31", source="describe.txt"), code=size("137 count"), oom=True)
    assert any(isinstance(v, Found) for v in answers(RULE, BEGUN, SERVED, outside=(later,)))


def test_a_record_of_another_host_in_the_same_journal_is_none_of_ours() -> None:
    begun = WeightLoadBegun(where=where(3, "10:03:00", tp(0), "journal.txt", "gpu7"))
    for host, ours in (("gpu7", True), ("gpu8", False)):
        kill = OomKill(where=where(9, "10:08:26", source="journal.txt", node=host), command="sglang::schedul", pid=7)
        assert bool(answers(RULE, begun, outside=(kill,))) is ours


@pytest.mark.parametrize(
    ("command", "status"), [("python3", Status.SUPPORTED), ("sglang::schedul", Status.ESTABLISHED)]
)
def test_a_name_that_many_programs_have_is_no_proof(command: str, status: Status) -> None:
    assert found(RULE, BEGUN, outside=(oom_kill(command, 7),)).status is status
    assert (
        found(RULE, BEGUN, outside=(process(7, "sglang::x", "9 GiB"), oom_kill(command, 7))).status
        is Status.ESTABLISHED
    )


def test_a_daemon_s_python_is_nobody_s_and_so_is_one_on_a_cluster_s_node() -> None:
    assert answers(RULE, BEGUN, outside=(oom_kill("python3", 7, killer="earlyoom", scope="free"),)) == []
    assert answers(RULE, BEGUN, outside=(oom_kill("python3", 7, node="gpu-7", scope="cgroup"),)) == []


def test_a_command_line_tells_whose_python_it_is() -> None:
    words = {"killer": "earlyoom", "scope": "free"}
    other = oom_kill("python3", 7, arguments="python3 -m jupyter lab", **words)
    mine = oom_kill("python3", 7, arguments="python3 -m sglang.launch_server --tp 8", **words)
    assert answers(RULE, BEGUN, outside=(other,)) == []
    assert found(RULE, BEGUN, outside=(mine,)).status is Status.ESTABLISHED


def test_a_listed_pid_tells_whose_python_it_is() -> None:
    mine = process(7, "python3 -m sglang.launch_server", "9 GiB")
    verdict = found(RULE, BEGUN, outside=(mine, oom_kill("python3", 7, killer="earlyoom", scope="free")))
    assert verdict.status is Status.ESTABLISHED


def test_earlyoom_is_not_called_the_kernel_and_explains_the_sigterm_that_it_sends() -> None:
    verdict = found(RULE, BEGUN, outside=(oom_kill(killer="earlyoom", scope="free", resident=size("53 GiB")),))
    assert verdict.summary.startswith("earlyoom ended sglang::schedul (pid 1214) for want of memory")
    assert "kernel" not in f"{verdict.summary}{verdict.explanation}{verdict.claims}".lower()
    assert numbers(verdict) == {"resident when killed": 53 * GIB}
    assert "stopped-on-request" in verdict.explains


@pytest.mark.parametrize(("unit", "ours"), [("sglang.service", True), ("llm.service", False), ("snapd.service", False)])
def test_systemd_oomd_ends_units_and_only_the_server_s_counts(unit: str, *, ours: bool) -> None:
    kill = oom_kill(unit, 0, killer="systemd-oomd", scope="pressure")
    assert bool(answers(RULE, BEGUN, outside=(kill,))) is ours


def test_a_unit_is_the_server_s_where_a_tool_shows_that_it_runs_sglang() -> None:
    kill = oom_kill("llm.service", 0, killer="systemd-oomd", scope="pressure")
    shown = Workload(where=where(1, source="status.txt"), owner="unit llm.service", server=True)
    verdict = found(RULE, BEGUN, outside=(kill, shown))
    assert verdict.status is Status.ESTABLISHED
    assert verdict.summary.startswith("systemd-oomd ended llm.service for want of memory")
    assert "memory pressure was above what it allows" in verdict.claims[0].text


OOMD_LINES = """\
h systemd-oomd[8]: Marked /system.slice/sglang.service for killing due to memory pressure for /system.slice being 85.03% > 80.00% for > 2s with reclaim activity
h systemd-oomd[8]: Killed /system.slice/sglang.service due to memory pressure for /system.slice being 63.28% > 60.00% for > 20s with reclaim activity
h systemd[1]: sglang.service: systemd-oomd killed 312 process(es) in this unit.
""".splitlines()


def journal(*lines: str) -> Finding:
    """What a report says of the kill where these lines stand in the journal beside the log of a server that goes on."""
    report = judged(server_log=LOG, told_txt="".join(f"Feb 17 10:06:20 {line}\n" for line in lines))
    return next(finding for finding in report.findings if finding.id == RULE)


def test_three_records_of_one_kill_are_one() -> None:
    made = journal(*OOMD_LINES)
    assert made.status == "established"
    assert "3 kill records of 1 kill" in [claim.text for claim in made.claims]


def test_what_is_marked_for_killing_is_not_said_to_have_ended() -> None:
    made = journal(OOMD_LINES[0])
    assert made.status == "supported"
    assert made.summary.startswith("systemd-oomd set out to end sglang.service")


def test_systemd_s_own_word_does_not_say_whether_pressure_or_swap_was_too_high() -> None:
    made = journal(OOMD_LINES[2])
    assert made.status == "established"
    assert "which of them is not said" in made.claims[0].text


def test_a_daemon_that_chooses_by_pressure_or_swap_is_not_said_to_go_by_score() -> None:
    made = journal(*OOMD_LINES)
    assert "score" not in made.explanation
    assert "control group" in made.explanation


@pytest.mark.parametrize(
    ("killer", "setting"), [("systemd-oomd", "ManagedOOMPreference=omit"), ("earlyoom", "--avoid"), ("", "")]
)
def test_a_daemon_can_be_told_to_spare_the_server(killer: str, setting: str) -> None:
    fields = {"killer": killer, "scope": "pressure"} if killer else {}
    verdict = found(RULE, DEAD, outside=(oom_kill(**fields),))
    settings = {word for word in ("ManagedOOMPreference=omit", "--avoid") if word in str(verdict.remedy)}
    assert settings == {setting} - {""}


@pytest.mark.parametrize(
    ("owner", "command"),
    [
        ("pod a-7", "kubectl get pods -o 'custom-columns=NAME:.metadata.name,IMAGE:.spec.containers[*].image'"),
        ("container a", "docker ps --no-trunc"),
        ("unit llm.service", "systemctl status llm.service"),
        ("unit $(halt).service", "systemctl status '$(halt).service'"),
        ("job 4170", "scontrol show job 4170"),
    ],
)
def test_the_command_that_tells_whose_end_it_was_is_that_of_what_there_is(owner: str, command: str) -> None:
    end = Fact(where=where(1, source="told.txt"), name=f"{UNPLACED}{owner}", value="OOM")
    [verdict] = answers(RULE, DEAD, outside=(end,))
    assert isinstance(verdict, Unknown)
    assert [confirm.command for confirm in verdict.confirm] == [command]
