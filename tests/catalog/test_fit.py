"""What a wording fills must be there to be filled."""

from __future__ import annotations

import pytest

from analyzer.catalog import fit
from analyzer.catalog.definition import Variant
from analyzer.catalog.node import Node
from analyzer.errors import PatternError


def variant(regex: str, **constants: str | bool) -> Variant:
    return Variant(regex, ("x",), constants=dict(constants))


def test_a_column_that_the_table_lacks_is_refused() -> None:
    node = Node({"table": "Access"}, "f.toml: pattern p")
    with pytest.raises(PatternError, match=r"no column 'status_s' .allowed: path, status_count"):
        fit.check(node, variant(r"(?<status>\d+)"), {"status": "s"})


def test_a_constant_of_the_wrong_kind_is_refused() -> None:
    node = Node({"event": "WatchdogFired"}, "f.toml: pattern p")
    with pytest.raises(PatternError, match="soft holds bool, not 'yes'"):
        fit.check(node, variant("x", soft="yes"), {})
    with pytest.raises(PatternError, match="timeout holds Second, not '300'"):
        fit.check(node, variant("x", timeout="300"), {})


def test_constants_may_be_texts_flags_and_amounts() -> None:
    node = Node({"event": "WatchdogFired"}, "f.toml: pattern p")
    fit.check(node, variant("x", soft=True, timeout="300 s", name="Scheduler"), {})


def test_a_text_that_looks_like_an_amount_is_a_text() -> None:
    node = Node({"event": "WatchdogFired"}, "f.toml: pattern p")
    fit.check(node, variant("x", name="5 min"), {})
