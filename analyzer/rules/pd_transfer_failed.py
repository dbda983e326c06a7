"""KV transfer between prefill and decode failed.

What it is. Requests were prefilled and never arrived, or were never handed over: the other leg is dead, hung,
saturated, unreachable, or does not fit.

How it shows. `Prefill transfer failed for request …`, `Decode transfer failed for request … with exception
KVTransferError`, `Some requests timed out when bootstrapping`, `Session … failed.`, dead transfer threads.

What it is mistaken for. A fault of the leg that prints it: the texts guess at the peer ('might be dead'). Aborts by
clients (`Aborted by AbortReq`) when a load generator stops; errors after one leg was stopped on purpose.

What confirms and refutes it. The other leg's log at the same moment; whether it answers /health_generate.

How it is fixed. By what the other leg shows; timeouts (SGLANG_DISAGGREGATION_*_TIMEOUT) only where it was saturated.

Since and until which release. With PD disaggregation: 0.4.5 on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import units
from analyzer.ledgers.transfers import Transfers, legs, transfers
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from analyzer.incident import Incident
    from analyzer.units import Amount
    from analyzer.verdict import Verdict

_OTHER = {"prefill": "decode", "decode": "prefill"}


@rule("pd-transfer-failed")
def failed(incident: Incident) -> Iterator[Verdict]:
    """Failed transfers that requests suffered from; the culprit is on the other leg, mostly."""
    account = transfers(incident)
    if account is None:
        return
    if account.harmed:
        yield _found(incident, account)
    else:
        what = "clients gave up" if not account.failed else "a transfer failed"
        yield Cleared(f"{what}, and the server worked on", (account.lines[0].ref,))


def _leg(incident: Incident, account: Transfers) -> str:
    """Which side these lines are of, by the server's role, else by whom they speak for; empty where nothing tells."""
    texts = [t.event.text for t in account.lines]
    of = {"decode": ("Decode transfer", "Decode handshake", "with prefill instance"), "prefill": ("Prefill ",)}
    said = (leg for leg, words in of.items() if any(word in text for text in texts for word in words))
    return incident.launch.role if incident.launch.role in _OTHER else next(said, "")


def _found(incident: Incident, account: Transfers) -> Found:
    first = account.lines[0]
    lines = tuple(t.ref for t in account.lines)
    leg = _leg(incident, account)
    other = _OTHER.get(leg, "other")
    said = first.event.detail or first.event.text[:160]
    there, where = bool(legs(incident)), f" on the {leg} leg" if leg else ""
    numbers: list[Amount[Any]] = []
    if account.requests:
        numbers.append(units.counted(account.requests, lines, "requests").called("failed requests"))
    numbers += [t.event.elapsed.called("waited for the peer") for t in account.lines[:1] if t.event.elapsed is not None]
    link = f"the cause is on the {other} side" + ("" if there else ", whose log is not here")
    return Found(
        summary=f"{units.many(account.requests or len(lines), 'transfer')} failed{where}: {said[:140]}; {link}",
        claims=(
            Claim(Part.EFFECT, first.event.text[:200], Status.ESTABLISHED, lines[:8]),
            Claim(Part.LINK, link, Status.SUPPORTED if there else Status.HYPOTHESIS),
        ),
        explanation="What these lines say of the peer is this side's guess.",
        numbers=tuple(numbers),
        lines=lines,
        remedy=(
            Remedy("fix", f"look at the {other} instance at the same moment: is it alive, saturated, or unreachable?"),
        ),
        confirm=(
            Confirm(
                f"curl -sm 30 http://{other.upper()}_HOST:PORT/health_generate",
                f"whether the {other} instance can still work",
            ),
            Confirm(
                "pip list | grep -iE 'mooncake|nixl|sglang'",
                "whether both run the same transfer engine",
                where="container",
            ),
        ),
        at=first.at,
        harm=True,
        not_known=(f"what the {other} instance was doing",),
    )
