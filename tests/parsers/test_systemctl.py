"""`systemctl status`."""

from __future__ import annotations

import pytest

from analyzer.events import CgroupMemory, ExitCode, Workload
from tests.parsers.build_blocks import GIB, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line", ["● sglang.service failed", "sglang.service: Main process exited", "- sglang.service - SGLang"]
)
def test_other_lines_on_a_service_are_no_status(line: str) -> None:
    assert not claims("systemctl", line)


def test_a_signal_is_counted_as_a_shell_does() -> None:
    (end,) = of(ExitCode, read("systemctl", SAMPLES["systemctl"]))
    assert (value(end.code), end.oom, end.container) == (128 + 9, True, "sglang.service")


@pytest.mark.parametrize(
    ("told", "code"),
    [("code=exited, status=1/FAILURE", 1), ("code=killed, status=9/KILL", 137), ("code=dumped, signal=SEGV", 139)],
)
def test_codes_are_read_in_every_form(told: str, code: int) -> None:
    text = f"○ a.service - A\n     Active: failed (Result: exit-code) since x\n   Main PID: 7 ({told})"
    (end,) = of(ExitCode, read("systemctl", text))
    assert (value(end.code), end.oom) == (code, None)


def test_a_process_that_runs_has_no_code() -> None:
    assert not of(ExitCode, read("systemctl", "● a.service - A\n   Main PID: 7 (python3)"))


def test_memory_may_have_a_limit() -> None:
    (memory,) = of(CgroupMemory, read("systemctl", SAMPLES["systemctl"]))
    assert [value(a) for a in (memory.used, memory.limit)] == [98 * GIB, 100 * GIB]
    (free,) = of(CgroupMemory, read("systemctl", "● a.service - A\n     Memory: 98.0G"))
    assert free.limit is None


def test_its_state_is_a_fact() -> None:
    assert facts(read("systemctl", SAMPLES["systemctl"])) == {"service sglang.service": "failed (Result: oom-kill)"}


def test_the_journal_behind_a_blank_line_is_left() -> None:
    assert read("systemctl", SAMPLES["systemctl"] + "\nFeb 17 10:12:41 h sglang[4100]: Killed").lines == 5


SHOWN = """
Result=oom-kill
Id=sglang.service
ExecMainStatus=9
ExecMainCode=2
MemoryMax=107374182400
ActiveState=failed
"""


def test_properties_tell_the_same_as_the_status() -> None:
    block = read("systemctl", SHOWN)
    (end,) = of(ExitCode, block)
    assert (value(end.code), end.oom, end.container) == (137, True, "sglang.service")
    assert [value(memory.limit) for memory in of(CgroupMemory, block)] == [100 * GIB]


def test_a_setting_of_another_program_is_no_property() -> None:
    block = read("systemctl", "Type=llama\nName=x")
    assert (block.events, block.understood) == ([], 0)


def test_the_time_of_the_end_may_name_its_weekday() -> None:
    (state,) = [event for event in read("systemctl", SAMPLES["systemctl"]).events if event.text.startswith("Active")]
    assert state.where.stamp is not None
    assert state.where.stamp.text == "2026-02-17 10:12:41 UTC"


@pytest.mark.parametrize(
    ("unit", "program", "server"),
    [
        ("llm.service", "/usr/bin/python3 -m sglang.launch_server --tp 8", True),
        ("llm.service", "/usr/bin/python3 app.py", None),
        ("snapd.service", "/usr/lib/snapd/snapd", False),
    ],
)
def test_the_unit_is_the_server_s_by_what_runs_in_it(unit: str, program: str, server: bool | None) -> None:  # noqa: FBT001
    text = f"● {unit} - A unit\n   Main PID: 7 (x)\n     CGroup: /system.slice/{unit}\n             └─7 {program}"
    (shown,) = of(Workload, read("systemctl", text))
    assert (shown.owner, shown.server) == (f"unit {unit}", server)
