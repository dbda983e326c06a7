"""Rules are registered by the name of their finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.rule import Rule, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.verdict import Verdict


def silent(incident: Incident) -> Iterator[Verdict]:
    """Finds nothing."""
    del incident
    return iter(())


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> dict[str, Rule]:
    """An empty register in place of the real one."""
    rules: dict[str, Rule] = {}
    monkeypatch.setattr("analyzer.rule.RULES", rules)
    return rules


def test_a_rule_for_a_word_outside_the_vocabulary_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown finding no-such-finding"):
        rule("no-such-finding")


def test_a_rule_that_explains_a_word_outside_the_vocabulary_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown finding no-such-finding"):
        rule("port-in-use", explains=("no-such-finding",))


def test_a_second_rule_for_the_same_finding_is_refused(registry: dict[str, Rule]) -> None:
    rule("disk-full")(silent)
    with pytest.raises(ValueError, match="registered twice"):
        rule("disk-full")
    assert list(registry) == ["disk-full"]


def test_a_registered_rule_carries_its_module_s_page(registry: dict[str, Rule]) -> None:
    rule("disk-full", explains=("scheduler-crashed",))(silent)
    assert registry["disk-full"].doc == __doc__
    assert registry["disk-full"].explains == ("scheduler-crashed",)
