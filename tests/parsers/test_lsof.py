"""The table of `lsof -i`."""

from __future__ import annotations

import pytest

from analyzer.events import PortListening
from tests.parsers.build_blocks import claims, of, read
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line", ["python3 holds TCP *:30000 (LISTEN)", "USER         PID    PPID STAT %CPU   RSS     ELAPSED CMD"]
)
def test_other_lines_are_no_table(line: str) -> None:
    assert not claims("lsof", line)


def test_only_listening_sockets_are_kept() -> None:
    (port,) = of(PortListening, read("lsof", SAMPLES["lsof"]))
    assert (port.port, port.pid, port.command) == (30000, 4100, "python3")
