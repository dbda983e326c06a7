"""What a larger memory fraction adds to the KV pool, from the sizes that the log itself prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.kv_pool import device_pool
from analyzer.ledgers.launch_command import with_argument
from analyzer.units import assumed
from analyzer.verdict import Remedy

if TYPE_CHECKING:
    from analyzer.incident import Incident
    from analyzer.units import Amount, Byte

_STEP = assumed("0.05", "ratio", "a step that leaves room for graphs and activations on most GPUs")
_KEEP = assumed("5", "percent", "activations of one prefill chunk and late kernel loads")


def larger_pool(incident: Incident) -> Remedy | None:
    """A fraction up to 0.05 higher, and the tokens it adds; `None` where the log's sizes do not allow the sum.

    rest = free after load − free before load × (1 − fraction), so a step of the fraction adds free before load × step.
    """
    begun = incident.first(ev.WeightLoadBegun)
    pool = device_pool(incident)
    fraction = incident.arguments.amount("mem_fraction_static", "ratio")
    left = _left(incident)
    if begun is None or begun.event.free is None or pool is None or pool.per_token is None or fraction is None:
        return None
    before: Amount[Byte] = begun.event.free.called("free on the GPU before loading")
    added = (before * _STEP).called("added by a fraction 0.05 higher")
    if left is None or left.surely_below(added + before * _KEEP):
        return None
    tokens = added.buys(pool.per_token).called("tokens added")
    after = f"{float((fraction + _STEP).value):.2f}"
    return Remedy(
        "fix",
        f"--mem-fraction-static {after}: adds {units.shown(tokens)} to the pool",
        argument="mem_fraction_static",
        before=f"{float(fraction.value):g}",
        after=after,
        command_line=with_argument(incident, "mem_fraction_static", after),
        risk=f"leaves {units.shown(left - added)} of each GPU for activations",
        numbers=(tokens,),
    )


def _left(incident: Incident) -> Amount[Byte] | None:
    printed = incident.first(ev.CapacityPrinted)
    return printed.event.free.called("left on the GPU") if printed and printed.event.free is not None else None
