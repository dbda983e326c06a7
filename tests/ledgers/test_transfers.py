"""The account of failed transfers."""

from __future__ import annotations

from analyzer.ledgers.transfers import transfers
from tests.build import launch
from tests.rules.several import legs
from tests.rules.test_pd_transfer_failed import ABORTS, SERVED, leg, lost


def test_a_leg_without_failures_has_no_account() -> None:
    assert transfers(legs(leg(), leg())[0]) is None


def test_clients_and_peers_are_counted_apart() -> None:
    account = transfers(legs(leg(), leg(*ABORTS, lost(40, "might be dead"), tables=SERVED))[1])
    assert account is not None
    assert (len(account.aborted), len(account.failed), account.requests) == (6, 1, 1)
    assert [t.event.detail for t in account.lines] == ["might be dead"]


def test_a_last_failure_after_which_nothing_was_served_did_harm() -> None:
    account = transfers(legs(launch(), leg(lost(40, "might be dead")))[1])
    assert account is not None
    assert account.harmed
