"""A catalog is disproved by its own samples."""

from __future__ import annotations

import pytest

from analyzer.catalog import Catalog, check
from analyzer.catalog.read import read

GOOD = """
[[pattern]]
id = "p"
event = "WeightsLoaded"
literal = "Load"
at = "start"
variant = [
  { regex = 'Load (?<free>[\\d.]+) of (?<architecture>\\w+)' },
  { regex = 'Loaded (?<elapsed>[\\d:]+)' },
]
captures = { architecture = "text", free = "GiB", elapsed = "clock" }
sample = [
  { line = "Load 1.50 of A", gives = { free = 1.5, architecture = "A" } },
  { line = "Loaded 01:50 on time", gives = { elapsed = 110 } },
]
decoy = [{ line = "Load more", why = "no number" }]
"""
OTHER = """
[[pattern]]
id = "q"
harmless = "why"
literal = "on time"
at = "anywhere"
regex = 'on time'
sample = [{ line = "it is on time", gives = {} }]
"""


def problems(text: str) -> list[str]:
    return [str(problem) for problem in check(Catalog(tuple(read(text, "f.toml", trusted=True))))]


def test_a_right_catalog_has_no_problem() -> None:
    assert problems(GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("free = 1.5", "free = 1.6", "its sample gives free = '1.50', not 1.6"),
        (', architecture = "A"', "", "its sample gives architecture = 'A', which it does not say"),
        ("elapsed = 110 ", "elapsed = 110, free = 2", "its sample gives free = None, not 2"),
        ("elapsed = 110", "elapsed = 111", "its sample gives elapsed = '01:50', not 111"),
        ('line = "Load 1.50 of A"', 'line = "load 1.50 of A"', "does not claim its sample: load 1.50 of A"),
        ("Load more", "Loaded 01:10", "claims its decoy: Loaded 01:10"),
        ("'Loaded (?<e", "'(Loaded (?<e", "no regular expression"),
        ('at = "start"', 'at = "anywhere"\nalso = ["p"]', ""),
    ],
)
def test_a_sample_or_a_decoy_that_does_not_hold_is_a_problem(old: str, new: str, said: str) -> None:
    found = problems(GOOD.replace(old, new, 1))
    assert any(said in what and what.startswith("f.toml: pattern p: ") for what in found) if said else not found


def test_a_pattern_without_samples_is_a_problem() -> None:
    assert problems(GOOD[: GOOD.index("sample =")])[0].endswith("has no sample")


def test_a_variant_that_no_sample_is_the_only_one_for_is_a_problem() -> None:
    found = problems(GOOD.replace("'Loaded (?<e", "'Load.*? (?<e").replace("Loaded 01:50", "Load 1.50 of 01:50"))
    assert any("variant 2 has no sample that only it matches" in what for what in found)


def test_a_sample_that_another_pattern_claims_is_a_problem_unless_both_say_so() -> None:
    assert problems(GOOD + OTHER) == ["f.toml: pattern p: 'q' claims its sample, too: Loaded 01:50 on time"]
    assert problems(GOOD.replace('id = "p"', 'id = "p"\nalso = ["q"]') + OTHER) == []


def test_a_neighbour_that_never_claims_is_a_problem() -> None:
    text = GOOD.replace('id = "p"', 'id = "p"\nalso = ["q"]') + OTHER.replace("on time", "too late")
    assert problems(text) == ["f.toml: pattern p: also: no sample is claimed by 'q'"]


def test_a_pattern_that_reads_into_a_string_of_a_source_line_is_a_problem() -> None:
    text = """
[[pattern]]
id = "n"
event = "Notice"
at = "anywhere"
literal = "late"
regex = '.*late'
sample = [{ line = "late", gives = {} }]
"""
    assert problems(text) == ["f.toml: pattern n: 'n' claims its sample inside a source line: late"]
    assert problems(text.replace("'.*late'", "'late'")) == []


def test_a_line_of_fields_is_checked_by_its_short_names() -> None:
    text = """
[[pattern]]
id = "d"
table = "DecodeBatch"
form = "fields"
heads = ["Decode "]
fields.running = { keys = ["#run"], unit = "count" }
fields.graph = { keys = ["graph"], unit = "flag" }
sample = [{ line = "Decode #run: 3, graph: True, other: 1", gives = { running = 3, graph = true } }]
"""
    assert problems(text) == []
    assert "gives running = '3', not 4" in problems(text.replace("running = 3", "running = 4"))[0]
    assert "gives graph = 'True', not False" in problems(text.replace("graph = true", "graph = false"))[0]
