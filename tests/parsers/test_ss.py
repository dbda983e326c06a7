"""The table of `ss`."""

from __future__ import annotations

import pytest

from analyzer.events import PortListening
from tests.parsers.build_blocks import claims, of, read
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line", ["LISTEN on port 30000", "the Recv-Q is full", "ESTAB 0 0 127.0.0.1:5000 127.0.0.1:6000"]
)
def test_other_lines_are_no_table(line: str) -> None:
    assert not claims("ss", line)


def test_only_listening_sockets_are_kept() -> None:
    (port,) = of(PortListening, read("ss", SAMPLES["ss"]))
    assert (port.port, port.pid, port.command) == (30000, 4100, "python3")


def test_every_holder_of_a_port_is_kept() -> None:
    row = 'LISTEN 0 128 *:80 *:* users:(("nginx",pid=2,fd=6),("nginx",pid=1,fd=6))'
    assert [port.pid for port in of(PortListening, read("ss", row))] == [2, 1]


def test_a_port_may_have_no_visible_holder() -> None:
    (port,) = of(PortListening, read("ss", "LISTEN 0      128          [::]:2024         [::]:*"))
    assert (port.port, port.pid, port.command) == (2024, None, "")
