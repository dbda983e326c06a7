"""The table of `netstat`."""

from __future__ import annotations

import pytest

from analyzer.events import PortListening
from tests.parsers.build_blocks import claims, of, read
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line", ["tcp connections LISTEN", "State  Recv-Q Send-Q Local Address:Port Peer Address:Port Process"]
)
def test_other_lines_are_no_table(line: str) -> None:
    assert not claims("netstat", line)


def test_only_listening_sockets_are_kept() -> None:
    server, ssh = of(PortListening, read("netstat", SAMPLES["netstat"]))
    assert (server.port, server.pid, server.command) == (30000, 4100, "python3")
    assert (ssh.port, ssh.pid) == (22, None)


def test_a_grep_leaves_rows_without_a_header() -> None:
    row = "tcp        0      0 0.0.0.0:30000           0.0.0.0:*               LISTEN      4100/python3"
    assert of(PortListening, read("netstat", row))[0].port == 30000
