"""`nvidia-smi --query-… --format=csv`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.events import GpuListed, GpuProcess
from analyzer.parsers import nvidia_smi_csv
from tests.parsers.build_blocks import MIB, around, claims, of, read, texts, value
from tests.parsers.snapshots import SAMPLES

if TYPE_CHECKING:
    from analyzer.parsers.block import Around, Block

ASKED = around("nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv,noheader")


def parsed(text: str, place: Around) -> Block:
    """Rows below an echo: the driver asks every parser about the first of them, whatever words it has."""
    return nvidia_smi_csv.reads(texts(text), place)


@pytest.mark.parametrize(
    "line",
    [
        "index, name of the GPU",
        "name",
        "0, NVIDIA H100 80GB HBM3, 81559 MiB",
        "$ nvidia-smi --query-gpu=index,name --format=csv",
    ],
)
def test_lists_of_other_words_are_no_header(line: str) -> None:
    assert not claims("nvidia_smi_csv", line)


def test_the_echo_of_the_query_is_no_row() -> None:
    echo = "$ nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv,noheader"
    assert not claims("nvidia_smi_csv", echo, ASKED)


def test_gpus_are_read_by_the_header() -> None:
    (gpu,) = of(GpuListed, read("nvidia_smi_csv", SAMPLES["nvidia_smi_csv"]))
    assert (gpu.index, gpu.name) == ("0", "NVIDIA H100 80GB HBM3")
    assert [value(a) for a in (gpu.total, gpu.used, gpu.utilisation)] == [81559 * MIB, 71200 * MIB, 1]


def test_the_mask_of_reasons_is_spelled_out() -> None:
    (gpu,) = of(GpuListed, read("nvidia_smi_csv", SAMPLES["nvidia_smi_csv"]))
    assert gpu.throttle == "HW Slowdown, HW Thermal Slowdown", "0x48 is 0x8 and 0x40"


def test_rows_without_a_header_follow_the_echoed_query() -> None:
    first, second = of(GpuProcess, read("nvidia_smi_csv", "61200, python3, 70010 MiB\n61201, python3, 5 MiB", ASKED))
    assert (first.pid, first.command, value(second.used)) == (61200, "python3", 5 * MIB)


@pytest.mark.parametrize("line", ["0, NVIDIA H100 80GB HBM3, many", "0, 1", "0, 1, 2, 3", "one, NVIDIA, 71200 MiB"])
def test_a_line_that_does_not_fit_the_query_is_no_row(line: str) -> None:
    assert not claims(
        "nvidia_smi_csv", line, around("nvidia-smi --query-gpu=index,name,memory.used --format=csv,noheader")
    )


def test_rows_without_units_are_what_the_query_asked_for() -> None:
    place = around(
        "nvidia-smi --query-gpu=index,memory.used,memory.total,utilization.gpu --format=csv,noheader,nounits"
    )
    first, second = of(GpuListed, parsed("0, 71200, 81559, 100\n1, [N/A], 81559, 0", place))
    assert [value(a) for a in (first.used, first.total, first.utilisation)] == [71200 * MIB, 81559 * MIB, 1]
    assert [value(a) for a in (second.used, second.total)] == [None, 81559 * MIB]


def test_a_banner_may_quote_the_query() -> None:
    place = around(label="nvidia-smi --query-gpu=index,memory.used --format=csv,noheader")
    assert [value(gpu.used) for gpu in of(GpuListed, parsed("0, 4 MiB\n1, 5 MiB", place))] == [4 * MIB, 5 * MIB]


@pytest.mark.parametrize(("options", "indices"), [("", ["0", "1"]), ("-i 3,5 ", ["3", "5"]), ("--id=3,5 ", ["3", "5"])])
def test_rows_without_an_index_are_in_the_order_of_the_gpus(options: str, indices: list[str]) -> None:
    place = around(f"nvidia-smi {options}--query-gpu=memory.used --format=csv,noheader")
    assert [gpu.index for gpu in of(GpuListed, parsed("4 MiB\n5 MiB\n\n6 MiB", place))] == indices


def test_a_single_column_is_known_by_its_unit() -> None:
    assert [value(gpu.used) for gpu in of(GpuListed, read("nvidia_smi_csv", "memory.used [MiB]\n4 MiB"))] == [4 * MIB]
    assert not claims("nvidia_smi_csv", "NVIDIA H100 80GB HBM3", around("nvidia-smi --query-gpu=name"))
