"""A pattern file is refused with file, pattern and key; a right one says what it says."""

from __future__ import annotations

import pytest

from analyzer.catalog.read import read
from analyzer.errors import PatternError

GOOD = """
[[pattern]]
id = "p"
event = "WeightsLoaded"
literal = "Load"
regex = 'Load (?<architecture>\\w+) (?<free>[\\d.]+)'
captures = { architecture = "text", free = "GiB" }
sample = [{ line = "Load A 1.5", gives = { architecture = "A", free = 1.5 } }]
"""
FIELDS = """
[[pattern]]
id = "p"
table = "DecodeBatch"
form = "fields"
heads = ["Decode "]
fields.running = { keys = ["#running"], unit = "count" }
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('id = "p"', "", "pattern ?: id: is missing"),
        ('id = "p"', 'id = "p"\nregexp = "x"', "pattern p: regexp: unknown key"),
        ("WeightsLoaded", "WeightLoaded", "event: there is no event 'WeightLoaded' (allowed: ArgumentsPrinted"),
        ('event = "WeightsLoaded"', 'table = "Weights"', "table: there is no table 'Weights'"),
        ('event = "WeightsLoaded"', "", "event: exactly one of event, table, harmless"),
        ('event = "WeightsLoaded"', 'harmless = "why"', "captures: harmless lines carry no facts"),
        ('event = "WeightsLoaded"', 'event = "WeightsLoaded"\nat = "end"', "at: unknown place 'end'"),
        ('free = "GiB"', 'free = "Gib"', "captures: free: unknown unit 'Gib'"),
        ('free = "GiB"', 'free = "s"', "captures: free holds Byte, the unit 's' gives Second"),
        ('free = "GiB"', 'free = "text"', "captures: free holds Byte, the unit 'text' gives str"),
        (', free = "GiB"', "", "captures: 'free' has no unit"),
        ("?<free>", "?<spare>", "captures: 'spare' has no unit"),
        ('free = "GiB"', 'free = "GiB", spare = "s"', "captures: WeightsLoaded has no field 'spare'"),
        ("(?<architecture>", "(?<=x)(?<architecture>", "regex: look-behind is not allowed"),
        ("regex = 'Load", "regex = '(Load", "regex: no regular expression"),
        ('literal = "Load"', "", "literal: is missing"),
        ('literal = "Load"', "literal = 5", "literal: must be a text"),
        ('literal = "Load"', 'literal = "Load"\nvariant = [{ regex = "x" }]', "regex: either a regex of its own or"),
        ('literal = "Load"', 'literal = "Load"\nset = { phase = "x" }', "set: WeightsLoaded has no field 'phase'"),
        ('literal = "Load"', 'literal = "Load"\nset = { used = "3 s" }', "set: used holds Byte, not '3 s'"),
        ('literal = "Load"', 'literal = "Load"\nset = { used = 3 }', "set: used: must be a text, true, false"),
        ("gives = {", "gave = {", "sample 1: gave: unknown key"),
        ("[[pattern]]", "[[patterns]]", "f.toml: patterns: unknown key"),
        ("[[pattern]]", "[[pattern]", "f.toml: no TOML"),
        ('event = "WeightsLoaded"', 'event = "WeightsLoaded"\nform = "json"', "form: unknown form 'json'"),
        ('event = "WeightsLoaded"', 'event = "WeightsLoaded"\nprivate = 1', "private: must be true or false"),
    ],
)
def test_a_mistake_is_named_with_its_place(old: str, new: str, said: str) -> None:
    assert old in GOOD
    with pytest.raises(PatternError) as raised:
        read(GOOD.replace(old, new, 1), "f.toml")
    assert str(raised.value).startswith("f.toml: ")
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('table = "DecodeBatch"', 'event = "WeightsLoaded"', "form: fields fill the columns of a table"),
        ('heads = ["Decode "]', "", "heads: is missing"),
        ('unit = "count"', 'unit = "token"', "running: unit: DecodeBatch has no column 'running_token'"),
        ('keys = ["#running"]', "keys = []", "running: unit: a field has keys and one unit"),
        ('unit = "count"', 'unit = "count", key = "x"', "running: key: unknown key"),
    ],
)
def test_a_mistake_in_a_line_of_fields_is_named_with_its_place(old: str, new: str, said: str) -> None:
    with pytest.raises(PatternError) as raised:
        read(FIELDS.replace(old, new, 1), "f.toml")
    assert said in str(raised.value)


def test_a_trusted_file_is_not_compiled() -> None:
    assert read(GOOD.replace("regex = 'Load", "regex = '(Load"), "f.toml", trusted=True)


def test_a_pattern_has_one_variant_where_it_has_its_own_regex() -> None:
    (pattern,) = read(GOOD, "f.toml")
    assert (pattern.id, pattern.file, pattern.at) == ("p", "f.toml", "start")
    assert [variant.literals for variant in pattern.variants] == [("Load",)]
    assert pattern.samples[0].gives == {"architecture": "A", "free": 1.5}


def test_a_variant_inherits_literal_and_constants() -> None:
    text = GOOD.replace(
        "regex = ", "set = { used = '1 GiB' }\nvariant = [{ until = '0.4.2', set = { free = '2 GiB' }, regex = "
    )
    (pattern,) = read(text.replace("(?<free>[\\d.]+)'", "x' }]").replace(', free = "GiB" }', " }"), "f.toml")
    (variant,) = pattern.variants
    assert variant.literals == ("Load",)
    assert variant.until == "0.4.2"
    assert variant.constants == {"used": "1 GiB", "free": "2 GiB"}


def test_a_line_of_fields_names_its_columns() -> None:
    (pattern,) = read(FIELDS, "f.toml")
    assert [(c.field, c.name, c.keys, c.unit) for c in pattern.columns] == [
        ("running", "running_count", ("#running",), "count")
    ]
