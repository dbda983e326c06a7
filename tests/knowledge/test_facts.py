"""The shipped tables are whole: what they name exists, and their eras follow each other."""

from __future__ import annotations

import pytest
from packaging.version import Version

from analyzer.errors import KnowledgeError
from analyzer.knowledge.arguments import arguments
from analyzer.knowledge.facts import table
from analyzer.units import UNITS


def test_a_missing_table_is_named() -> None:
    with pytest.raises(KnowledgeError, match=r"nothing\.toml"):
        table("nothing")


@pytest.mark.parametrize("fact", table("guards")["fact"], ids=lambda fact: fact["id"])
def test_eras_follow_each_other_without_overlap(fact: dict) -> None:  # type: ignore[type-arg]
    earlier = [Version(era["since"]) for era in fact["era"]]
    assert earlier == sorted(set(earlier))
    for before, era in zip(fact["era"], fact["era"][1:], strict=False):
        assert Version(before["since"]) <= Version(era["after"]) < Version(era["since"])


@pytest.mark.parametrize("fact", table("guards")["fact"], ids=lambda fact: fact["id"])
def test_every_era_has_its_sentence_and_its_source(fact: dict) -> None:  # type: ignore[type-arg]
    assert all(era["sentence"] and era["source"] for era in fact["era"])


def test_every_described_argument_exists_and_has_a_known_unit_and_a_source() -> None:
    for name, row in table("arguments")["argument"].items():
        assert name in arguments()
        assert row.get("unit", "B") in UNITS
        assert row["says"]
        assert row["source"]


def test_every_guard_that_an_argument_names_exists() -> None:
    known = {fact["id"] for fact in table("guards")["fact"]}
    named = {fact for row in table("arguments")["argument"].values() for fact in row.get("guard", ())}
    assert named <= known


def test_every_rewritten_field_exists_in_some_release() -> None:
    named = {field for row in table("rewritings")["rewriting"] for field in row["fields"]}
    assert named <= set(arguments())


def test_the_releases_are_in_order_and_the_sampled_ones_are_published() -> None:
    published = [Version(text) for text in table("releases")["published"]]
    assert published == sorted(set(published))
    assert set(table("releases")["sampled"]) <= set(table("releases")["published"])
    assert set(table("releases")["sampled"]) <= set(table("fields")["read"])
