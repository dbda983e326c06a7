"""An allocation inside the KV pool, or of request slots, failed although admission had promised room.

What it is. The scheduler reckons with available and evictable tokens and then allocates pages. Where the two disagree
(rounding to pages, locked prefixes, another pool that is full first) the allocation fails and ends the scheduler.

How it shows. `Prefill out of memory. Try to lower your batch size. Try to allocate N tokens.` with what is available;
`alloc_req_slots runs out of memory`; `Failed to retract any request`; `No space left for only one request`.

What it is mistaken for. A lack of GPU memory: the pool is a fixed share of it, taken at start. A retraction
(`Decode out of memory happened`), which is survived.

What confirms and refutes it. N against what is available, in tokens and in pages; whether it comes back with
--page-size 1.

How it is fixed. A release with the fix; a lower cap on running requests or a more careful admission until then.

Since and until which release. Any.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analyzer import units
from analyzer.ledgers.kv_growth import larger_pool
from analyzer.ledgers.launch_command import with_argument
from analyzer.ledgers.serving import figure
from analyzer.ledgers.spoken import AFTER_A_CRASH, by_its_lines, from_lines
from analyzer.rule import rule
from analyzer.units import assumed
from analyzer.verdict import Confirm, Remedy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount
    from analyzer.verdict import Found, Verdict

_TOPIC = "kv-allocation-failure"
_PART = assumed("0.75", "ratio", "a quarter fewer requests leave room for what admission does not count")
_ALONE = ("only one request", "retract any request", "even after retracting")
_OUTGREW = "A single running request outgrew the whole pool: nothing was left to throw back."
_CONFIRM = (Confirm("pip show sglang", "the release, to look for the fix in later ones", where="container"),)


@rule(_TOPIC, explains=AFTER_A_CRASH)
def failed(incident: Incident) -> Iterator[Verdict]:
    """The error line with its tokens, against the page size."""
    yield from by_its_lines(incident, _TOPIC, _found)


def _found(incident: Incident, lines: list[Timed[Any]]) -> Found:
    found = from_lines(lines, remedy=_remedies(incident), confirm=_CONFIRM)
    event = next((t.event for t in lines if t.event.tokens is not None), lines[0].event)
    page = incident.arguments.amount("page_size", "token")
    wanted = event.tokens.called("tokens asked for") if event.tokens is not None else None
    there = event.available.called("tokens available") if event.available is not None else None
    usage = figure(incident, "DecodeBatch", "usage_ratio", "ratio", "token usage")
    known = (
        wanted,
        there,
        page.called("tokens of one page") if page is not None else None,
        usage.most if usage else None,
    )
    numbers = tuple(n for n in known if n is not None)
    if wanted is None or there is None:
        alone = any(words in event.text for words in _ALONE)
        said = f"the KV pool could not give what was asked for: {' '.join(event.text[:160].split())}"
        return replace(found, summary=said, numbers=numbers, explanation=_OUTGREW if alone else "")
    enough = not there.surely_below(wanted)
    return replace(
        found,
        summary=f"the KV pool could not give {units.shown(wanted)} although {units.shown(there)} were available"
        if enough
        else f"the KV pool could not give {units.shown(wanted)}: {units.shown(there)} were available",
        explanation=_explanation(page, enough=enough),
        numbers=numbers,
    )


def _explanation(page: Amount[Any] | None, *, enough: bool) -> str:
    if not enough:
        return "The pool was full when the scheduler had already promised room; nothing was left to evict."
    if page is None or page.value <= 1:
        return "What admission counted as available could not be allocated: it is reserved or spread over another pool."
    return (
        "`Out of memory` is the KV pool's here, not the GPU's or the host's. Tokens are allocated in pages of "
        f"{page.number():.0f}: every request that begins a page takes it whole, so many requests need more pages than "
        "their tokens alone."
    )


def _remedies(incident: Incident) -> tuple[Remedy, ...]:
    running = figure(incident, "DecodeBatch", "running_count", "count", "running requests")
    fewer = (running.most * _PART).called("running requests to allow") if running is not None else None
    value = str(max(1, int(fewer.value))) if fewer is not None else None
    grown = larger_pool(incident)
    return (
        Remedy("fix", "a later release: search SGLang's issues for the error's text"),
        Remedy(
            "mitigate",
            f"--max-running-requests {value}" if value else "a lower --max-running-requests",
            argument="max_running_requests",
            after=value,
            command_line=with_argument(incident, "max_running_requests", value) if value else None,
            risk="fewer requests run at once",
            numbers=(fewer,) if fewer is not None else (),
        ),
        Remedy("mitigate", "a higher --schedule-conservativeness", argument="schedule_conservativeness"),
        *((grown,) if grown is not None else ()),
    )
