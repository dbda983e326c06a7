"""Every rule is asked, and one that breaks costs only its own answer."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from analyzer.diagnose.judge import judge
from analyzer.rule import RULES, Rule
from analyzer.verdict import Claim, Cleared, Found, Unknown
from analyzer.vocabulary import Part, Status
from tests.build import incident, launch

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

    from analyzer.incident import Incident
    from analyzer.verdict import Verdict

FOUND = Found("x", (Claim(Part.EFFECT, "x", Status.ESTABLISHED),))


def only(monkeypatch: pytest.MonkeyPatch, *verdicts: Verdict, error: Exception | None = None) -> None:
    def run(_: Incident) -> Iterator[Verdict]:
        yield from verdicts
        if error is not None:
            raise error

    monkeypatch.setattr(sys.modules[judge.__module__], "RULES", {"disk-full": Rule("disk-full", (), run, "")})


def test_no_rule_breaks_on_an_empty_launch() -> None:
    judged = judge(incident(launch()))
    assert judged.found == []
    assert not [v for _, v in judged.unknown if "please report" in v.needs]


def test_every_finding_of_the_vocabulary_may_have_one_rule() -> None:
    assert all(id_ == rule.id for id_, rule in RULES.items())


def test_a_rule_that_raises_is_named_as_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, error=RuntimeError("oops"))
    judged = judge(incident(launch()))
    assert [(i, v.needs) for i, v in judged.unknown] == [
        ("disk-full", "the rule itself failed (RuntimeError: oops); please report this")
    ]


def test_what_was_found_on_one_host_is_not_cleared_on_another(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, Cleared("fits"), FOUND, Unknown("the memory of n1"))
    judged = judge(incident(launch()))
    assert [i for i, _ in judged.found] == ["disk-full"]
    assert judged.cleared == judged.unknown == []
