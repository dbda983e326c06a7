"""`ibstat`, `ibstatus`, `ibv_devinfo`, `ibdev2netdev -v`."""

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


@pytest.mark.parametrize(
    "line", ["CA 'x", "mlx5_0 port 1 ==> ib0 (Up)", "the CA 'mlx5_0' is down", "hca_id: which one?"]
)
def test_other_lines_on_adapters_are_not_its(line: str) -> None:
    assert not claims("ibstat", line)


def test_a_port_tells_its_state_and_rate() -> None:
    assert facts(read("ibstat", SAMPLES["ibstat"])) == {"rdma-port mlx5_0/1": "Active LinkUp 400 InfiniBand"}


def test_an_adapter_that_is_down_says_so() -> None:
    down = SAMPLES["ibstat"].replace("Active", "Down").replace("LinkUp", "Disabled").replace("400", "10")
    assert facts(read("ibstat", down)) == {"rdma-port mlx5_0/1": "Down Disabled 10 InfiniBand"}


def test_the_kernel_s_own_status_numbers_its_words() -> None:
    assert facts(read("ibstat", STATUS)) == {"rdma-port mlx5_0/1": "ACTIVE LinkUp 400 Gb/sec (4X NDR) InfiniBand"}


def test_the_verbose_list_is_one_line_per_port() -> None:
    assert facts(read("ibstat", VERBOSE)) == {"rdma-port mlx5_0/1": "ACTIVE ib0 Up"}


DEVINFO = """
hca_id:	mlx5_0
	transport:			InfiniBand (0)
	fw_ver:				28.38.1002
	phys_port_cnt:			1
		port:	1
			state:			PORT_ACTIVE (4)
			max_mtu:		4096 (5)
			link_layer:		Ethernet

hca_id:	mlx5_1
	phys_port_cnt:			2
		port:	1
			state:			PORT_DOWN (1)
			link_layer:		IB

		port:	2
			state:			PORT_ACTIVE (4)
			link_layer:		IB
"""
VERBOSELY = """
hca_id: mlx5_1
        device_cap_flags:               0xed721c36
                                        BAD_PKEY_CNTR
                                        Unknown flags: 0xC0000000
        rc_odp_caps:
                                        NO SUPPORT
        num_comp_vectors:               63
                port:   1
                        state:                  PORT_ACTIVE (4)
                        port_cap_flags2:        0x0000
                        max_vl_num:             invalid value (0)
                        link_layer:             Ethernet
                        active_width:           4X (2)
                        active_speed:           25.0 Gbps (32)
                        phys_state:             LINK_UP (5)
                        GID[  0]:               fe80:0000:0000:0000:c670:bdff:feaa:1f09, RoCE v1
"""


def test_a_device_s_ports_have_the_words_of_ibstat() -> None:
    assert facts(read("ibstat", DEVINFO)) == {
        "rdma-port mlx5_0/1": "Active Ethernet",
        "rdma-port mlx5_1/1": "Down InfiniBand",
        "rdma-port mlx5_1/2": "Active InfiniBand",
    }


def test_what_stands_behind_a_blank_line_is_another_text() -> None:
    assert read("ibstat", f"{DEVINFO}\nServer stopped").lines == len(DEVINFO.strip().split("\n"))


def test_the_rate_is_that_of_a_lane_times_the_lanes() -> None:
    block = read("ibstat", VERBOSELY)
    assert facts(block) == {"rdma-port mlx5_1/1": f"Active LinkUp {4 * 25} Ethernet"}
    assert block.lines == block.understood == 16


def test_a_grep_for_the_states_leaves_the_ports_in_their_order() -> None:
    grepped = (
        "hca_id: mlx5_0\n                        state: PORT_ACTIVE (4)\n                        state: PORT_DOWN (1)"
    )
    assert facts(read("ibstat", grepped)) == {"rdma-port mlx5_0/1": "Active", "rdma-port mlx5_0/2": "Down"}
