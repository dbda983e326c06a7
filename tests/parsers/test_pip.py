"""Installed packages."""

from __future__ import annotations

import pytest

from analyzer.events import PackageListed, ReleaseStated
from analyzer.parsers import pip
from tests.parsers.build_blocks import around, claims, facts, of, read, texts
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
    block = read("pip", "xgrammar @ file:///src/xgrammar\ntorch==2.8.0\n-e /src/tool")
    assert [p.name for p in of(PackageListed, block)] == ["torch"]
    assert (block.lines, block.understood, len(block.events)) == (3, 3, 1)


@pytest.mark.parametrize(
    ("line", "source"),
    [
        ("sglang @ file:///src/sglang", "file:///src/sglang"),
        (
            "-e git+https://github.com/sgl-project/sglang.git@60b9e5149930acd048936fcb212777410932f227#egg=sglang&subdirectory=python",
            "git+https://github.com/sgl-project/sglang.git@60b9e5149930acd048936fcb212777410932f227",
        ),
    ],
)
def test_sglang_from_a_source_is_of_no_certain_release(line: str, source: str) -> None:
    block = read("pip", line)
    assert facts(block) == {"sglang.source": source}
    assert not of(ReleaseStated, block)


@pytest.mark.parametrize(
    "line",
    [
        "sglang @ file:///wheelhouse/sglang-0.5.20-cp312-cp312-manylinux.whl#sha256=abc",
        "sglang @ https://files.example/sglang-0.5.20-py3-none-any.whl",
        "sglang @ git+https://github.com/sgl-project/sglang.git@v0.5.20#subdirectory=python",
        "-e git+https://github.com/sgl-project/sglang.git@v0.5.20#egg=sglang&subdirectory=python",
        "# Editable install with no version control (sglang==0.5.20)\n-e /sgl-workspace/sglang/python",
        "sglang==0.5.20",
    ],
)
def test_the_release_is_told_by_wheel_tag_or_remark(line: str) -> None:
    block = read("pip", line)
    assert [r.version for r in of(ReleaseStated, block)] == ["0.5.20"]
    assert block.lines == block.understood == len(line.split("\n"))


EDITABLE = """
Package                            Version                 Editable project location
---------------------------------- ----------------------- ----------------------------
aiohttp                            3.12.15
sglang                             0.5.10rc0               /sgl-workspace/sglang/python
torch                              2.9.1+cu129
"""


def test_editable_packages_have_a_place_behind_their_version() -> None:
    block = read("pip", EDITABLE)
    assert [(p.name, p.version) for p in of(PackageListed, block)] == [
        ("aiohttp", "3.12.15"),
        ("sglang", "0.5.10rc0"),
        ("torch", "2.9.1+cu129"),
    ]
    assert block.lines == 5


@pytest.mark.parametrize(
    "row",
    [
        "sglang                 0.5.9",
        "sglang                             0.5.9                 /sgl-workspace/sglang/python",
        "sglang 0.5.9 /sgl-workspace/sglang/python",
    ],
)
def test_a_grep_leaves_sglang_s_row(row: str) -> None:
    assert of(ReleaseStated, read("pip", row))[0].version == "0.5.9"


def test_a_grep_may_leave_other_rows_below_sglang_s_and_above_it_by_the_echoed_command() -> None:
    rows = "flashinfer-python      0.6.1\nsglang                 0.5.9\ntorch                  2.9.1\nmodel  loaded"
    asked = around("pip list | grep -E 'sglang|torch|flashinfer'")
    assert pip.claims(rows.split("\n", 1)[0], asked)
    assert not pip.claims(rows.split("\n", 1)[0], around())
    block = pip.reads(texts(rows), asked)
    assert [p.version for p in of(PackageListed, block)] == ["0.6.1", "0.5.9", "2.9.1"]
    assert block.lines == 3
    assert read("pip", rows.split("\n", 1)[1]).lines == 2
