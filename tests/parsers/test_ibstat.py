"""`ibstat`, `ibstatus`, `ibdev2netdev -v`."""

from __future__ import annotations

import pytest

from tests.parsers.build_blocks import claims, facts, read
from tests.parsers.snapshots import SAMPLES

STATUS = """
Infiniband device 'mlx5_0' port 1 status:
	default gid:	 fe80:0000:0000:0000:a088:c203:00aa:bbcc
	state:		 4: ACTIVE
	phys state:	 5: LinkUp
	rate:		 400 Gb/sec (4X NDR)
	link_layer:	 InfiniBand
"""
VERBOSE = "0000:1a:00.0 mlx5_0 (MT4129 - MCX75310AAS-NEAT) ConnectX-7 fw 28.39.1002 port 1 (ACTIVE) ==> ib0 (Up)"


@pytest.mark.parametrize("line", ["CA 'x", "mlx5_0 port 1 ==> ib0 (Up)", "the CA 'mlx5_0' is down"])
def test_other_lines_on_adapters_are_not_its(line: str) -> None:
    assert not claims("ibstat", line)


def test_a_port_tells_its_state_and_rate() -> None:
    assert facts(read("ibstat", SAMPLES["ibstat"])) == {"rdma-port mlx5_0/1": "Active LinkUp 400"}


def test_an_adapter_that_is_down_says_so() -> None:
    down = SAMPLES["ibstat"].replace("Active", "Down").replace("LinkUp", "Disabled").replace("400", "10")
    assert facts(read("ibstat", down)) == {"rdma-port mlx5_0/1": "Down Disabled 10"}


def test_the_kernel_s_own_status_numbers_its_words() -> None:
    assert facts(read("ibstat", STATUS)) == {"rdma-port mlx5_0/1": "ACTIVE LinkUp 400 Gb/sec (4X NDR)"}


def test_the_verbose_list_is_one_line_per_port() -> None:
    assert facts(read("ibstat", VERBOSE)) == {"rdma-port mlx5_0/1": "ACTIVE ib0 Up"}
