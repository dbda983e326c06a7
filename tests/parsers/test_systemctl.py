"""`systemctl status`."""

from __future__ import annotations

import pytest

from analyzer.events import CgroupMemory, ExitCode
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
