"""A hole is filled with a value of its kind that no pattern could mistake for a fact of its own."""

from __future__ import annotations

import pytest

from analyzer.coverage.filling import TRACE, filled, value
from analyzer.coverage.wording import Hole


@pytest.mark.parametrize(
    ("hole", "text"),
    [
        (Hole("size / GB", spec=".2f"), "12.35"),
        (Hole("ratio", spec=".1%"), "1234.5%"),
        (Hole("done", spec="d"), "3"),
        (Hole("name", spec="<8"), "thing   "),
        (Hole("self.tp_rank"), "3"),
        (Hole("len(queue)"), "3"),
        (Hole("self.get_size(x)"), "3"),
        (Hole("total - used"), "3"),
        (Hole("'x' if a else 'y'"), "thing"),
        (Hole("7"), "7"),
        (Hole("is_draft"), "True"),
        (Hole("e"), "it did not work"),
        (Hole("traceback.format_exc()"), TRACE),
        (Hole("self.dtype"), "torch.bfloat16"),
        (Hole("type(x)"), "<class 'int'>"),
        (Hole("model_path", "r"), "/models/thing"),
        (Hole("name", "r"), "'thing'"),
        (Hole("num", "r"), "3"),
        (Hole("keys"), "['this', 'that']"),
        (Hole("keys[i]"), "this"),
        (Hole("last_receive_time"), "10:00:05"),
    ],
    ids=lambda given: given.source if isinstance(given, Hole) else "",
)
def test_a_value_goes_by_format_and_name(hole: Hole, text: str) -> None:
    assert value(hole) == text


def test_a_format_that_fits_no_value_is_passed_over() -> None:
    assert value(Hole("name", spec="!!")) == "thing"


def test_a_message_is_filled_in_its_order() -> None:
    assert filled(("mem=", Hole("x / y", spec=".2f"), " GB on rank ", Hole("rank"))) == "mem=12.35 GB on rank 3"
