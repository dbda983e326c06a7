"""`python3 -m sglang.check_env`."""

from __future__ import annotations

import pytest

from analyzer.events import GpuListed, PackageListed, ReleaseStated
from tests.parsers.build_blocks import claims, facts, of, read
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line", ["Python: 3.10 is needed", "CUDA available: maybe", "sglang: the server hangs", "PyTorch: 2.8 fails"]
)
def test_sentences_with_its_keys_are_no_report(line: str) -> None:
    assert not claims("check_env", line)


def test_versions_are_packages() -> None:
    block = read("check_env", SAMPLES["check_env"])
    assert [(p.name, p.version) for p in of(PackageListed, block)] == [("torch", "2.8.0+cu129"), ("sglang", "0.5.2")]
    assert of(ReleaseStated, block)[0].version == "0.5.2"


def test_gpus_are_listed_one_by_one() -> None:
    assert [gpu.index for gpu in of(GpuListed, read("check_env", SAMPLES["check_env"]))] == ["0", "1"]


def test_drivers_and_missing_modules_are_facts() -> None:
    assert facts(read("check_env", SAMPLES["check_env"])) == {
        "check-env.CUDA available": "True",
        "check-env.CUDA Driver Version": "550.90.07",
        "check-env.flashinfer_python": "Module Not Found",
    }
