"""Commands can be typed as they stand, and what decides most comes first."""

from __future__ import annotations

from dataclasses import replace

from analyzer.contract import Confirm, Finding, Unknown, Verdict
from analyzer.diagnose.commands import exact, next_steps
from analyzer.events import ExitCode
from tests.build import incident, launch, where
from tests.report.build_report import founding_finding

HUNG = Verdict("L1", "launch-hung", "host-pool", "per-rank-host-memory-oversubscription", "supported", "", None, None)


def check(command: str) -> Confirm:
    return Confirm(command, "host", read_only=True, decides=f"what {command} says")


def unknown(id_: str, *commands: str) -> Unknown:
    return Unknown(id_, "something", [check(command) for command in commands])


def root(*commands: str, status: str = "supported") -> Finding:
    return replace(founding_finding(), status=status, confirm=[check(command) for command in commands])


def commands(verdict: Verdict, findings: list[Finding], *unknowns: Unknown) -> list[str]:
    return [step.command for step in next_steps(verdict, findings, unknowns)]


def test_nothing_is_asked_where_nothing_is_wrong() -> None:
    assert commands(replace(HUNG, outcome="ready", finding=None), [], unknown("host-oom-kill", "dmesg")) == []


def test_the_roots_own_questions_come_first_and_in_its_order() -> None:
    made = commands(HUNG, [root("ps", "dmesg")], unknown("a", "free"), unknown("b", "free"), unknown("c", "df"))
    assert made == ["ps", "dmesg", "free", "df"]


def test_a_command_that_settles_more_comes_before_one_that_settles_less() -> None:
    steps = next_steps(HUNG, [root("ps")], [unknown("c", "df"), unknown("a", "free"), unknown("b", "free")])
    assert [(step.command, step.findings) for step in steps[1:]] == [("free", ["a", "b"]), ("df", ["c"])]


def test_without_a_finding_a_standstill_asks_for_stacks_states_and_memory() -> None:
    made = commands(replace(HUNG, finding=None), [])
    assert [("py-spy" in made[0]), made[1].startswith("ps "), made[2].startswith("free")] == [True, True, True]


def test_what_is_not_known_stays_a_word_to_fill_in() -> None:
    fill = exact(incident(launch()))
    assert fill("ls MODEL_PATH; docker inspect CONTAINER") == "ls MODEL_PATH; docker inspect CONTAINER"


def test_what_the_input_tells_is_put_in() -> None:
    code = ExitCode(where=where(1, source="docker.txt"), container="sgl-1")
    argv = "python3 -m sglang.launch_server --model-path /models/m --port 8000"
    fill = exact(incident(launch(argv=argv, outside=[code])))
    assert fill("du -shL MODEL_PATH") == "du -shL /models/m"
    assert fill("curl -s localhost:30000/metrics") == "curl -s localhost:8000/metrics"
    assert fill("docker logs CONTAINER > server.log") == "docker logs sgl-1 > server.log"
    assert fill("python3 -m sglang.launch_server … --disable-cuda-graph") == f"{argv} --disable-cuda-graph"


def test_behind_a_proven_cause_what_could_not_be_checked_is_not_asked() -> None:
    assert commands(HUNG, [root("ps", status="established")], unknown("a", "free")) == ["ps"]
