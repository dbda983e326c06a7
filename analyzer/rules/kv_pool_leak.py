"""The KV pool's accounting does not add up: slots are missing, or counted twice.

What it is. When the scheduler is idle it checks that available, evictable and protected slots make up the pool. A sum
below the pool's size is a leak, one above it a double free. It is a bug in SGLang or in a feature that holds slots.

How it shows. `token_to_kv_pool_allocator memory leak detected!` with the figures, or `Mem Leak Detected!`, as an
exception that ends the scheduler; some releases only warn. For request slots: `req_to_token_pool memory leak
detected!`.

What it is mistaken for. A lack of GPU or host memory: nothing has run out. A full pool.

What confirms and refutes it. The figures themselves; whether it comes back without speculative decoding, overlap
scheduling, HiCache or the radix cache, one at a time.

How it is fixed. A release with the fix; until then without the feature that leaks.

Since and until which release. Any; the wording changes with almost every release.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analyzer import units
from analyzer.ledgers.spoken import AFTER_A_CRASH, decisive, from_lines, in_time
from analyzer.rule import rule
from analyzer.units import total
from analyzer.verdict import Claim, Confirm, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer import events as ev
    from analyzer.incident import Incident
    from analyzer.units import Amount
    from analyzer.verdict import Found, Verdict

_TOPIC = "kv-pool-leak"
_CONFIRM = (Confirm("pip show sglang", "the release, to look for the fix in later ones", where="container"),)
_REMEDY = (
    Remedy("fix", "a later release: search SGLang's issues for the assertion's text and the features in use"),
    Remedy(
        "mitigate",
        "start without the feature that may hold slots: speculative decoding, then --disable-overlap-schedule, "
        "HiCache, then --disable-radix-cache",
        risk="each costs speed",
    ),
)
_WENT_ON = "the server went on after it: this release only warns, or the slots came back"


@rule(_TOPIC, explains=AFTER_A_CRASH)
def leaked(incident: Incident) -> Iterator[Verdict]:
    """The assertion that ended the scheduler; a hint only where the server went on."""
    ended = in_time(decisive(incident, _TOPIC))
    if ended:
        yield _found(ended)
    elif warned := incident.failures(_TOPIC):
        found = _found(warned)
        yield replace(found, claims=(*found.claims, Claim(Part.LINK, _WENT_ON, Status.HYPOTHESIS)))


def _found(lines: list[Any]) -> Found:
    found = from_lines(lines, remedy=_REMEDY, confirm=_CONFIRM)
    missing = next((m for t in lines if (m := _missing(t.event)) is not None), None)
    if missing is None:
        return found
    leaks = missing.value > 0
    word = "missing from" if leaks else "counted twice in"
    size = missing if leaks else missing * units.assumed("-1", "ratio", "the sum is above the pool")
    return replace(
        found,
        summary=f"{units.shown(size)} are {word} the KV pool's account: {'a leak' if leaks else 'a double free'}",
        numbers=(missing,),
    )


def _missing(event: ev.Failure) -> Amount[Any] | None:
    """The pool's size less all that is accounted for."""
    names = (("available", "available"), ("evictable", "evictable"), ("protected", "protected"))
    parts = [amount.called(f"tokens {name}") for field, name in names if (amount := getattr(event, field)) is not None]
    if event.limit is None or not parts:
        return None
    return (event.limit.called("tokens of the KV pool") - total(parts)).called("tokens not accounted for")
