"""A lower memory fraction for a GPU that ran out beside its pools, worked out from what was lacking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers.gpu_memory import budget
from analyzer.ledgers.kv_pool import device_pool
from analyzer.ledgers.launch_command import with_argument
from analyzer.units import assumed
from analyzer.verdict import Confirm, Remedy

if TYPE_CHECKING:
    from analyzer.incident import Incident
    from analyzer.units import Amount, Byte

_USUAL = assumed("5", "percent", "the error does not say how much was lacking; peaks rarely need more")
_MARGIN = assumed("0.02", "ratio", "room for the next allocation of that size")
_HUNDREDTH = assumed("0.01", "ratio", "the argument is given in hundredths")

WHO_HOLDS = Confirm(
    "nvidia-smi --query-compute-apps=pid,used_memory,process_name --format=csv; rocm-smi --showpids",
    "which processes hold memory on the GPUs while this server is down",
)
FREE_UNDER_LOAD = Confirm(
    "nvidia-smi --query-gpu=index,memory.free --format=csv -l 5", "the least that is free on each GPU, and when"
)


def lower_fraction(incident: Incident, lacking: Amount[Byte] | None) -> Remedy | None:
    """The fraction that gives back what was lacking and a little more; `None` where it would leave no KV pool."""
    sum_ = budget(incident)
    if sum_.before is None or sum_.fraction is None:
        return None
    fraction = sum_.fraction.called("fraction in effect")
    share = ((lacking or sum_.before * _USUAL) / sum_.before).called("share of the GPU that was lacking")
    after = (fraction - share - _MARGIN).floor(_HUNDREDTH).called("fraction to set")
    if after.value <= 0 or (sum_.least_fraction is not None and not sum_.least_fraction.surely_below(after)):
        return None
    freed = (sum_.before * (fraction - after)).called("freed on each GPU")
    value = f"{float(after.value):.2f}"
    gives = f"leaves {units.shown(freed)} more of each GPU beside the pools{_cost(incident, freed)}"
    return Remedy(
        "fix",
        f"--mem-fraction-static {value}: {gives}",
        argument="mem_fraction_static",
        before=f"{float(fraction.value):g}",
        after=value,
        command_line=with_argument(incident, "mem_fraction_static", value),
        risk="the KV pool gets smaller: fewer requests run at once",
        numbers=(freed,),
    )


def defragment(event: ev.GpuOutOfMemory) -> Remedy | None:
    """The allocator's setting, where it has reserved enough but in pieces."""
    if event.wanted is None or event.reserved is None or event.reserved.surely_below(event.wanted):
        return None
    held = units.shown(event.reserved)
    return Remedy("fix", f"PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True: PyTorch holds {held} that it does not use")


def _cost(incident: Incident, freed: Amount[Byte]) -> str:
    pool = device_pool(incident)
    if pool is None or pool.per_token is None:
        return ""
    return f", at the cost of {units.shown(freed.buys(pool.per_token))} of the KV pool"
