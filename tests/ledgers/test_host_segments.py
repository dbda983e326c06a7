"""What a Mooncake store takes of the host beside the pools."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.events import Event, Fact
from analyzer.ledgers.host_segments import segments
from tests.build import incident, launch, where
from tests.rules.host_facts import GIB

MOONCAKE = {"tp_size": 8, "hicache_storage_backend": "mooncake"}


def lent(values: dict[str, Any], *outside: Event, release: str = "0.5.9") -> float | None:
    made = incident(launch(values=values, outside=outside, release=release))
    found = segments(made, made.hosts[0])
    return found.number() if found is not None else None


@pytest.mark.parametrize(
    "config",
    [
        None,
        "",
        "{",
        "[]",
        '{"protocol": "rdma"}',
        '{"global_segment_size": "many"}',
        '{"global_segment_size": 0}',
        "@file.json",
    ],
)
def test_no_size_is_no_segment(config: str | None) -> None:
    assert lent(MOONCAKE | {"hicache_storage_backend_extra_config": config}) is None


def test_another_store_lends_nothing() -> None:
    config = {"hicache_storage_backend_extra_config": '{"global_segment_size": "30gb"}'}
    assert lent(MOONCAKE | config | {"hicache_storage_backend": "file"}) is None


def test_the_ranks_of_a_server_share_one_size_in_gib() -> None:
    config = {"hicache_storage_backend_extra_config": '{"global_segment_size": "32gb"}'}
    assert lent(MOONCAKE | config) == 32 * GIB


def test_every_replica_lends_its_own() -> None:
    config = {"hicache_storage_backend_extra_config": {"global_segment_size": 4 * GIB}, "tp_size": 2, "dp_size": 4}
    assert lent(MOONCAKE | config) == 4 * 4 * GIB


def test_two_nodes_hold_half_each() -> None:
    config = {"hicache_storage_backend_extra_config": '{"global_segment_size": "32gb"}', "tp_size": 16, "nnodes": 2}
    assert lent(MOONCAKE | config) == 16 * GIB


def test_each_rank_lent_the_whole_size_before_it_was_shared() -> None:
    config = {"hicache_storage_backend_extra_config": '{"global_segment_size": "32gb"}'}
    assert lent(MOONCAKE | config, release="0.5.2") == 8 * 32 * GIB


def test_the_environment_tells_where_no_configuration_does() -> None:
    fact = Fact(where=where(1, source="env.txt"), name="env.MOONCAKE_GLOBAL_SEGMENT_SIZE", value="16gb")
    assert lent(MOONCAKE, fact) == 16 * GIB
