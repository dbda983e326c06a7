"""The weights load slowly: late, not stuck.

What it is. The shard bar moves at a steady, slow pace: shared storage, a cold cache, many ranks that read the same
files, or weights that are quantised while they are loaded.

How it shows. `Loading safetensors checkpoint shards: 60% Completed | 98/163 [36:05<23:56, 22.09s/it]`, and processes
that wait for reads (`b` and `wa` of vmstat, D in ps).

What it is mistaken for. A hang: look at two frames of the bar. A lack of memory. A model that is simply large: 60
shards in seven minutes are usual.

What confirms and refutes it. Two frames of the bar some minutes apart; `vmstat 1`, `iostat -x 1`, the mount's type.
Of a fast disk or an array even 100 % of `%util` does not say that it can do no more.

How it is fixed. A copy on local NVMe; --model-loader-extra-config with several threads; waiting: the time left
follows from the bar.

Since and until which release. Any. The bar is drawn by rank 0 of each node that has one; other ranks and nodes may be
slower.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import units
from analyzer.ledgers import endings
from analyzer.ledgers.durations import Load, budget, load
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount
    from analyzer.verdict import Verdict

_LONG = units.assumed("1200", "s", "the longest of 66 published loads took 895 s; twenty minutes leave room above it")
_BLOCKED = 2  # processes that wait for a disk, in nearly every row of vmstat
_BUSY = units.assumed("90", "percent", "a disk with requests nearly all the time, in every report")
_CONFIRM = (
    Confirm("vmstat 1 5; iostat -xz 1 3", "how fast the storage is read, and who waits for it"),
    Confirm("df -hT MODEL_PATH; findmnt -T MODEL_PATH", "what kind of storage the weights lie on"),
)


@rule("slow-weight-load", explains=("launch-stalled",))
def slow(incident: Incident) -> Iterator[Verdict]:
    """A bar that moves, and a whole load that takes longer at its rate than loads do."""
    shards = load(incident)
    if shards is None:
        return
    limit = _limit(incident)
    if not limit.surely_below(shards.whole):
        yield Cleared(
            f"{units.shown(shards.each)} per shard: the whole load takes {units.shown(shards.whole)}", shards.lines
        )
    elif _is_the_story(incident):
        yield _found(shards, limit, (*_reads(incident), *_busy_disk(incident)), over=_over(incident))


def _limit(incident: Incident) -> Amount[Any]:
    """What the load should have taken at most: as other loads do, or as long as a probe waits for this one."""
    waits = [t.event.waited for t in incident.of(ev.ProbeFailed) if t.event.gave_up and t.event.waited is not None]
    startup = [t.event for t in incident.of(ev.ProbeSettings) if t.event.probe.lower() == "startup"]
    waits += [allowed for settings in startup if (allowed := budget(settings)) is not None]
    return min((_LONG.called("what a load usually takes at most"), *waits), key=lambda a: a.value)


def _is_the_story(incident: Incident) -> bool:
    """Whether time is what this launch lacked: it still loads, somebody ended it meanwhile, or another rank waited."""
    if endings.past_launch(incident):
        return False
    if incident.failures("rank-straggler") or endings.probed(incident) is not None:
        return True
    return endings.own_error(incident) is None and endings.kill(incident) is None


def _over(incident: Incident) -> bool:
    """Whether somebody has ended it, so that there is nothing left to wait for."""
    acts = (endings.probed(incident), endings.limited(incident), endings.kill(incident), endings.own_error(incident))
    return any(act is not None for act in acts)


def _found(shards: Load, limit: Amount[Any], reads: tuple[Claim, ...], *, over: bool) -> Found:
    unfinished = shards.done.value < shards.total.value and not over
    numbers: list[Amount[Any]] = [shards.each, shards.whole, limit]
    if unfinished:
        numbers.append(shards.left)
    text = f"{units.shown(shards.done)} of {units.shown(shards.total)} shards at {units.shown(shards.each)} each"
    rest = f"; about {units.shown(shards.left)} are left" if unfinished else ""
    return Found(
        summary=f"the weights load slowly, but they load: {text}, {units.shown(shards.whole)} in all{rest}",
        claims=(
            Claim(Part.EFFECT, f"the bar moves: {text}", Status.ESTABLISHED, shards.lines),
            Claim(Part.LIMIT, f"it should take less than {units.shown(limit)}", Status.SUPPORTED),
            *reads,
        ),
        explanation="It is late, not stuck: the bar goes on at the same pace." if unfinished else "",
        numbers=tuple(numbers),
        sum=f"{units.shown(shards.spent)} ÷ {units.many(int(shards.done.value), 'shard')} = {units.shown(shards.each)}"
        f"; × {units.shown(shards.total)} shards = {units.shown(shards.whole)}, against {units.shown(limit)}",
        lines=shards.lines,
        remedy=(
            *((Remedy("mitigate", f"wait about {units.shown(shards.left)} more"),) if unfinished else ()),
            Remedy("fix", "copy the weights to a local disk"),
            Remedy("prevent", "give the start-up probe more than the whole load takes", numbers=(shards.whole,)),
        ),
        confirm=_CONFIRM,
    )


def _reads(incident: Incident) -> tuple[Claim, ...]:
    """What vmstat says: processes wait for a disk, and it is read all the time."""
    rows = [t for t in incident.of(ev.VmstatRow) if not t.event.since_boot and t.event.blocked is not None]
    blocked = [t for t in rows if t.event.blocked is not None and t.event.blocked.value >= _BLOCKED]
    if not blocked or len(blocked) < len(rows):
        return ()
    row = blocked[-1].event
    read = f", which reads {float(row.read_in.value):,.0f} blocks a second" if row.read_in is not None else ""
    waits = units.shown(row.blocked) if row.blocked is not None else ""
    text = f"{waits} processes wait for storage{read}"
    return (Claim(Part.LINK, text, Status.ESTABLISHED, tuple(t.ref for t in blocked[:4])),)


def _busy_disk(incident: Incident) -> tuple[Claim, ...]:
    """What iostat says: a disk is read all the time; not that the weights lie on it, or that it can do no more."""
    disks: dict[tuple[str, str], list[Timed[ev.DiskLoad]]] = {}
    for t in incident.of(ev.DiskLoad):
        if not t.event.since_boot and t.event.busy is not None and t.event.read is not None:
            disks.setdefault((t.node, t.event.device), []).append(t)
    most: Timed[ev.DiskLoad] | None = None
    for rows in disks.values():
        row = rows[-1]
        if all(_is_read(t.event) for t in rows) and (most is None or _rate(row) > _rate(most)):
            most = row
    if most is None or most.event.busy is None or most.event.read is None:
        return ()
    disk = most.event
    wait = f"; a read waits {float(disk.read_wait.value) * 1000:.1f} ms" if disk.read_wait is not None else ""
    share, rate = f"{float(most.event.busy.value):.0%}", f"{_rate(most) / 2**20:,.0f} MiB"
    text = f"{disk.device} has requests {share} of the time and gives {rate} a second{wait}"
    return (Claim(Part.LINK, text, Status.SUPPORTED, (most.ref,)),)


def _is_read(disk: ev.DiskLoad) -> bool:
    """Whether it has requests nearly all the time, and more is read than written."""
    busy = disk.busy is not None and not disk.busy.surely_below(_BUSY)
    written = disk.written.value if disk.written is not None else 0
    return busy and disk.read is not None and disk.read.value > written


def _rate(item: Timed[ev.DiskLoad]) -> float:
    return float(item.event.read.value) if item.event.read is not None else 0.0
