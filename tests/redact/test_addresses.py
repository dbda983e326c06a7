"""Addresses are told from releases, times and bus ids, and keep their networks."""

from __future__ import annotations

import pytest

from analyzer.redact.addresses import addresses
from analyzer.redact.numbering import Numbering


def found(text: str) -> list[str]:
    return [address.text for address in addresses(text)]


@pytest.mark.parametrize(
    "text",
    [
        "nvidia-cublas-cu12==12.4.5.8",
        "nvidia-curand-cu12        10.3.5.147",
        "cuDNN version: 9.1.0.70, driver 550.54.15.1",
        "VBIOS 96.00.89.00.01",
        "sglang 0.5.9.1",
        "http://127.0.0.1:30000 http://0.0.0.0:30000 netmask 255.255.255.0",
        "999.1.1.1 and 10.0.0.1x and v10.0.0.1",
        "[2026-02-17 10:06:42 TP0] 00:10:11 elapsed",
        "bus 00000000:3B:00.0 and 0000:3b:00.0",
        "c10::Error torch::jit std::vector<at::Tensor> a::b ::1 ::",
    ],
)
def test_what_names_no_machine_is_left_alone(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ('INFO:     10.20.30.41:51234 - "POST /generate HTTP/1.1" 200 OK', "10.20.30.41"),
        ("NET/Socket : Using [0]eth0:10.20.30.41<0>", "10.20.30.41"),
        ("worker_10.20.30.41.log", "10.20.30.41"),
        ("host='10.20.30.41', port=30000", "10.20.30.41"),
        ("::ffff:10.20.30.41", "10.20.30.41"),
        ("tcp://[fd00:1:2:3::5]:29500", "fd00:1:2:3::5"),
        ("connect fe80::a1b2%ens3<41911> failed", "fe80::a1b2"),
        ("it was 2001:db8::7.", "2001:db8::7"),
        ("ether 0c:42:a1:00:11:22 txqueuelen", "0c:42:a1:00:11:22"),
    ],
)
def test_an_address_is_found_in_its_surroundings(text: str, address: str) -> None:
    assert found(text) == [address]


def test_addresses_of_one_network_stay_in_one() -> None:
    numbers = Numbering()
    text = "10.20.30.41 10.20.30.42 10.20.31.41 11.20.30.41 10.20.30.41"
    made = [numbers.stand_in(address.key) for address in addresses(text)]
    assert made == ["addr-1-1-1-1", "addr-1-1-1-2", "addr-1-1-2-1", "addr-2-1-1-1", "addr-1-1-1-1"]


def test_addresses_of_one_network_of_version_6_stay_in_one() -> None:
    numbers = Numbering()
    made = [numbers.stand_in(a.key) for a in addresses("fd00:1:2:3::5 fd00:1:2:3::6 fd00:1:2:4::5 fd00:1:2:3:0::5")]
    assert made == ["addr6-1-1-1", "addr6-1-1-2", "addr6-1-2-1", "addr6-1-1-1"], "the last is the first, written out"


def test_a_number_that_the_input_uses_is_not_given() -> None:
    numbers = Numbering()
    numbers.reserve("host", 1)
    assert numbers.stand_in(("host", "gpu-w07")) == "host-2"
