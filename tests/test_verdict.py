"""A finding is as strong as its claims."""

from __future__ import annotations

from analyzer.verdict import Claim, Found
from analyzer.vocabulary import Part, Status


def test_how_it_ended_does_not_weaken_a_finding() -> None:
    claims = (Claim(Part.DEMAND, "asked", Status.ESTABLISHED), Claim(Part.END, "ended", Status.UNKNOWN))
    assert Found("too much", claims).status is Status.ESTABLISHED


def test_a_missing_link_weakens_a_finding() -> None:
    claims = (Claim(Part.DEMAND, "asked", Status.ESTABLISHED), Claim(Part.LINK, "reached it", Status.HYPOTHESIS))
    assert Found("too much", claims).status is Status.HYPOTHESIS
