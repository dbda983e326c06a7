"""Generations of GPUs by product name. Capabilities are those of NVIDIA's list "CUDA GPUs"."""

from __future__ import annotations

import pytest

from analyzer.knowledge import generation


@pytest.mark.parametrize(
    "name", ["", "AMD Instinct MI300X", "Intel(R) Data Center GPU Max 1550", "A1000", "NVIDIA H2000"]
)
def test_a_name_that_is_not_in_the_table_is_not_guessed(name: str) -> None:
    assert generation(name) is None


@pytest.mark.parametrize(
    ("name", "capability", "target"),
    [
        ("Tesla V100-SXM2-32GB", 7.0, "sm_70"),
        ("Tesla T4", 7.5, "sm_75"),
        ("NVIDIA GeForce RTX 2080 Ti", 7.5, "sm_75"),
        ("NVIDIA A100-SXM4-80GB", 8.0, "sm_80"),
        ("NVIDIA A10G", 8.6, "sm_86"),
        ("NVIDIA GeForce RTX 4090", 8.9, "sm_89"),
        ("NVIDIA H100 80GB HBM3", 9.0, "sm_90"),
        ("NVIDIA B200", 10.0, "sm_100"),
        ("NVIDIA B300 SXM6 AC", 10.3, "sm_103"),
        ("NVIDIA RTX PRO 6000 Blackwell Server Edition", 12.0, "sm_120"),
        ("NVIDIA GB10", 12.1, "sm_121"),
    ],
)
def test_a_product_name_gives_the_capability_that_kernels_are_built_for(
    name: str, capability: float, target: str
) -> None:
    known = generation(name)
    assert known is not None
    assert known.capability.number() == capability
    assert known.target == target


def test_the_ada_card_of_the_same_number_is_told_from_the_turing_and_the_blackwell_one() -> None:
    names = ("Quadro RTX 6000", "NVIDIA RTX 6000 Ada Generation", "NVIDIA RTX PRO 6000 Blackwell Workstation Edition")
    assert [known.architecture for name in names if (known := generation(name))] == ["Turing", "Ada", "Blackwell"]
