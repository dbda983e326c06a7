"""Installed packages."""

from __future__ import annotations

import pytest

from analyzer.events import PackageListed, ReleaseStated
from tests.parsers.build_blocks import claims, of, read
from tests.parsers.snapshots import SAMPLES

TABLE = """
Package            Version
------------------ -----------
sglang             0.5.9
torch              2.9.1+cu129
flashinfer-python  0.3.1       /src/flashinfer
"""
SHOW = """
Name: sglang
Version: 0.5.9.post1
Summary: SGLang is a fast serving framework
"""


@pytest.mark.parametrize(
    "line",
    [
        "please install sglang==0.5.2",
        "sglang==0.5.2 works",
        "if version ==1.0",
        "Package not found",
        "Name:             sgl-qwen-0",
        "sglang 0.5.9 hangs",
        "Collecting torch==2.8.0",
    ],
)
def test_sentences_on_packages_are_no_listing(line: str) -> None:
    assert not claims("pip", line)


def test_frozen_packages_are_listed_and_sglang_states_its_release() -> None:
    block = read("pip", SAMPLES["pip"])
    assert [(p.name, p.version) for p in of(PackageListed, block)] == [
        ("flashinfer-python", "0.3.1"),
        ("sglang", "0.5.2"),
        ("torch", "2.8.0"),
    ]
    assert [r.version for r in of(ReleaseStated, block)] == ["0.5.2"]


def test_the_table_is_read_under_its_rule() -> None:
    block = read("pip", TABLE)
    assert block.lines == 5
    assert [p.version for p in of(PackageListed, block)] == ["0.5.9", "2.9.1+cu129", "0.3.1"]


def test_pip_show_names_one_package() -> None:
    block = read("pip", SHOW)
    assert [r.version for r in of(ReleaseStated, block)] == ["0.5.9.post1"]
    assert block.lines == 3


def test_packages_from_sources_are_passed_over() -> None:
    block = read("pip", "sglang @ file:///src/sglang\ntorch==2.8.0")
    assert [p.name for p in of(PackageListed, block)] == ["torch"]


def test_a_grep_leaves_sglang_s_row() -> None:
    assert of(ReleaseStated, read("pip", "sglang                 0.5.9"))[0].version == "0.5.9"
