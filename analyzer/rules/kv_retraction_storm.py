"""Running requests are thrown back into the queue again and again, because the KV pool is full.

What it is. The scheduler admits requests on a guess of how many tokens they will still produce. Where the guess is too
low for the pool, running requests outgrow it; some are retracted, their KV is dropped, and they are computed anew.

How it shows. `KV cache pool is full. Retract requests. #retracted_reqs: …` (up to 0.4.6 `Decode out of memory
happened`), on every rank of a group at the same moment, several times a minute; token usage near 1. `aborted` in those
lines, or `retract_decode: aborted …`, means that clients got an error.

What it is mistaken for. A lack of GPU memory, by the old wording. A full pool with a queue, which is a limit and does
no harm by itself. A single retraction now and then is how the scheduler learns.

What confirms and refutes it. Retractions per minute against requests per minute; `new_token_ratio` in those lines,
which jumps up with each.

How it is fixed. A more careful guess (--schedule-conservativeness 1.0 or more), a cap on running requests, a larger
pool, shorter outputs.

Since and until which release. Any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer import units
from analyzer.ledgers.kv_growth import larger_pool
from analyzer.ledgers.kv_pool import device_pool
from analyzer.ledgers.launch_command import with_argument
from analyzer.ledgers.retractions import Retractions, retractions
from analyzer.ledgers.serving import CEILING, figure, over_all_ranks, tokens_per_request
from analyzer.rule import rule
from analyzer.units import assumed
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Incident
    from analyzer.units import Amount
    from analyzer.verdict import Verdict

_OFTEN = 3  # distinct retractions; one or two are how the scheduler corrects its guess
_A_MINUTE = 1
_CAREFUL = assumed("1.0", "ratio", "the default")
_STEP = assumed("0.3", "ratio", "a step that SGLang's tuning advice suggests")
_ROOM = assumed("90", "percent", "requests grow while they run")
_CONFIRM = (
    Confirm("grep -c 'Retract requests' server.log", "how often it happens under the same load", where="container"),
)


@rule("kv-retraction-storm")
def storm(incident: Incident) -> Iterator[Verdict]:
    """Retractions more than once a minute, or requests aborted by them."""
    seen = retractions(incident)
    if seen is None:
        return
    often = seen.moments.value >= _OFTEN and seen.per_minute.value >= _A_MINUTE
    if often or seen.aborted.value > 0:
        yield _found(incident, seen)
    else:
        how = f"{units.many(int(seen.moments.value), 'retraction')}, {units.shown(seen.per_minute)} per minute"
        yield Cleared(f"{how}: the scheduler corrects its guess", seen.lines[:1])


def _found(incident: Incident, seen: Retractions) -> Found:
    usage = figure(incident, "DecodeBatch", "usage_ratio", "ratio", "token usage")
    full = usage is not None and usage.most.value >= CEILING
    aborted = f"; requests aborted: {units.shown(seen.aborted)}" if seen.aborted.value > 0 else ""
    rate = f"{units.many(int(seen.moments.value), 'retraction')}, {float(seen.per_minute.value):.1f} per minute"
    text = f"the KV pool was full and threw {units.shown(seen.requests)} running requests back ({rate}){aborted}"
    guess = incident.arguments.amount("schedule_conservativeness", "ratio")
    numbers: list[Amount[Any] | None] = [seen.per_minute, seen.requests, usage.most if usage else None, guess]
    return Found(
        summary=text,
        claims=(
            Claim(Part.EFFECT, text, Status.ESTABLISHED, seen.lines[:8]),
            _limit(full=full, usage=usage.most if usage is not None else None),
        ),
        explanation="Each retracted request loses its KV and is computed again, work that no client sees.",
        numbers=tuple(n for n in numbers if n is not None),
        lines=seen.lines,
        remedy=_remedies(incident, guess),
        confirm=_CONFIRM,
        at=seen.at,
        harm=True,
        sum=f"{units.many(int(seen.requests.value), 'request')} thrown back in {rate}",
    )


def _limit(*, full: bool, usage: Amount[Any] | None) -> Claim:
    if full and usage is not None:
        lines = tuple(units.lines_of(usage))
        return Claim(Part.LIMIT, f"token usage reaches {units.shown(usage)}", Status.ESTABLISHED, lines)
    return Claim(
        Part.LIMIT, "the pool was full by the server's own words; no batch line shows how full", Status.SUPPORTED
    )


def _remedies(incident: Incident, guess: Amount[Any] | None) -> tuple[Remedy, ...]:
    found = [_careful(incident, guess), _cap(incident)]
    grown = larger_pool(incident)
    return (*(r for r in found if r is not None), *((grown,) if grown is not None else ()))


def _careful(incident: Incident, guess: Amount[Any] | None) -> Remedy:
    low = guess is not None and guess.value < _CAREFUL.value
    wanted = _CAREFUL if low or guess is None else guess + _STEP
    value = f"{wanted.number():.1f}"
    return Remedy(
        "fix",
        f"--schedule-conservativeness {value}: admit fewer requests on the guess of their length",
        argument="schedule_conservativeness",
        before=f"{guess.number():g}" if guess is not None else None,
        after=value,
        command_line=with_argument(incident, "schedule_conservativeness", value),
        risk="fewer requests run at once; the queue gets longer",
    )


def _cap(incident: Incident) -> Remedy | None:
    pool, each = device_pool(incident), tokens_per_request(incident)
    if pool is None or pool.tokens is None or each is None:
        return None
    fits = (pool.tokens.called("tokens of the KV pool") * _ROOM / each).called(
        "requests that the pool holds with room to grow"
    )
    value = str(over_all_ranks(incident, max(1, int(fits.value))))
    return Remedy(
        "fix",
        f"--max-running-requests {value}: what the pool holds at the length that requests had",
        argument="max_running_requests",
        after=value,
        command_line=with_argument(incident, "max_running_requests", value),
        numbers=(fits,),
    )
