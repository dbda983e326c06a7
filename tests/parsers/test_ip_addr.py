"""`ip addr`."""

from __future__ import annotations

from tests.parsers.build_blocks import claims, facts, read
from tests.parsers.snapshots import SAMPLES


def test_a_sentence_with_brackets_is_no_interface() -> None:
    assert not claims("ip_addr", "1: eno1: <the interface> is down")


def test_addresses_stand_with_their_interface_and_its_state() -> None:
    assert facts(read("ip_addr", SAMPLES["ip_addr"])) == {
        "interface lo": "127.0.0.1/8 UP",
        "interface eno1": "192.0.2.12/24 UP",
        "interface ib0": "DOWN",
    }


def test_another_tool_s_line_ends_it() -> None:
    assert read("ip_addr", SAMPLES["ip_addr"] + "\nServer started").lines == 5
