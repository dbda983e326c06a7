"""The listing says of each pattern what it turns lines into."""

from __future__ import annotations

from analyzer.catalog import Catalog, listing
from analyzer.catalog.read import read

TEXT = """
[[pattern]]
id = "a"
event = "WeightLoadBegun"
speaker = "scheduler"
literal = "x"
caution = "proves little"
variant = [{ regex = 'x (?<free>\\d+)' }, { regex = 'xx (?<free>\\d+)' }]
captures = { free = "GiB" }

[[pattern]]
id = "b"
harmless = "noise"
literal = "y"
regex = 'y'
"""


def test_each_pattern_is_a_row() -> None:
    first, second = listing(Catalog(tuple(read(TEXT, "f.toml"))))
    assert (first.id, first.kind, first.gives, first.wordings, first.fields, first.caution) == (
        "a",
        "event",
        "WeightLoadBegun",
        2,
        ("free",),
        "proves little",
    )
    assert (second.kind, second.gives) == ("harmless", "noise")
