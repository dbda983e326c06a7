"""The output of `env`."""

from __future__ import annotations

import pytest

from tests.parsers.build_blocks import around, claims, facts, read
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line",
    [
        "NCCL_DEBUG=WARN",
        "SGLANG_USE_AITER=1 python3 -m sglang.launch_server",
        "server_args=ServerArgs(HOME=1)",
        "PATH is wrong",
    ],
)
def test_single_variables_and_sentences_are_no_listing(line: str) -> None:
    assert not claims("env", line)


def test_a_variable_alone_counts_after_its_command_or_in_its_file() -> None:
    assert claims("env", "NCCL_DEBUG=WARN", around("env | grep NCCL"))
    assert claims("env", "NCCL_DEBUG=WARN", around(source="node0/env.txt"))
    assert not claims("env", "export NCCL_DEBUG=WARN", around("export NCCL_DEBUG=WARN")), "the echo itself"


def test_only_variables_that_steer_the_server_are_kept_and_no_secret() -> None:
    assert facts(read("env", SAMPLES["env"])) == {
        "env.http_proxy": "http://proxy.example:3128",
        "env.NCCL_DEBUG": "WARN",
    }


def test_exports_lose_their_quotes() -> None:
    assert facts(read("env", 'declare -x HOME="/root"\ndeclare -x CUDA_VISIBLE_DEVICES="0,1"')) == {
        "env.CUDA_VISIBLE_DEVICES": "0,1"
    }
