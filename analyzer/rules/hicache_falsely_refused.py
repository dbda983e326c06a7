"""SGLang's guard refused the HiCache host pool although the host could hold all of them.

What it is. The guard compares with `MemAvailable` less 10 GiB (from 0.5.19 on divided by the ranks of the server on
the host). It is wrong where that figure is: huge pages that are reserved and unused are not available to it; and a
rank that checks after another has touched its pool sees less memory, which is divided by all ranks once more, so that
what the first one took is charged twice.

How it shows. `Not enough host memory available. Requesting … but only have … free` while `free` has plenty, or while
other ranks of the same size passed the same guard a moment before.

What it is mistaken for. A real shortage. Up to 0.4.8 the message prints the figure before the reserve is taken off,
so a refusal can name more free memory than it asks for: misleading, and still right.

What confirms and refutes it. `grep -iE 'available|huge' /proc/meminfo`; the sum of all ranks against what was
available before the first of them.

How it is fixed. Give unused huge pages back (sysctl -w vm.nr_hugepages=0, also at boot); a smaller size per rank, or
all ranks' pools before the first is touched (a later release books them against one reading).

Since and until which release. Huge pages: any with HiCache. Charged twice: 0.5.19 and later, where ranks reach the
guard one after another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer import knowledge, units
from analyzer.ledgers.host_memory import host_memory
from analyzer.ledgers.host_sizes import reserve_of
from analyzer.ledgers.spoken import AFTER_A_CRASH
from analyzer.rule import rule
from analyzer.verdict import Claim, Cleared, Confirm, Found, Remedy
from analyzer.vocabulary import Part, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.incident import Host, Incident
    from analyzer.launches import Timed
    from analyzer.units import Amount, Byte, One
    from analyzer.verdict import Verdict

_MEMINFO = Confirm("grep -iE 'memavailable|huge' /proc/meminfo", "what is available, and what huge pages keep from it")


@rule("hicache-falsely-refused", explains=("hicache-refused", *AFTER_A_CRASH))
def falsely(incident: Incident) -> Iterator[Verdict]:
    """Per host: huge pages that nobody uses, or a rank that passed where all of them would have fitted."""
    for host in incident.hosts:
        refused = incident.at_node(host, ev.HostPoolRefused)
        if not refused or refused[0].event.wanted is None or refused[0].event.free is None:
            continue
        found = _huge_pages(incident, host, refused) or _charged_twice(incident, host, refused)
        yield found or _rightly(incident, refused[0])


def _usable(incident: Incident, host: Host, refused: ev.HostPoolRefused) -> Amount[Byte] | None:
    """What the guard would have given all ranks together, from the figure that it printed."""
    guard, ranks = knowledge.host_pool_guard(incident.launch.release), incident.ranks(host)
    if refused.free is None or guard is None or guard.free_means is None:
        return None
    printed = refused.free.called("printed as free")
    if guard.free_means == "after-reserve":
        return printed
    if guard.free_means == "available":
        usable = printed - reserve_of(incident)
        return usable.called("usable after the reserve")
    return (printed * ranks).called("usable by all ranks") if ranks is not None else None


def _huge_pages(incident: Incident, host: Host, refused: list[Timed[ev.HostPoolRefused]]) -> Found | None:
    """Whether the pages that are reserved and unused would have made room for all ranks."""
    shown = next((s for s in host.snapshots if s.event.huge_free is not None and s.event.huge_free.value > 0), None)
    asked = host_memory(incident, host).asked
    usable = _usable(incident, host, refused[0].event)
    if shown is None or shown.event.huge_free is None or asked is None or usable is None:
        return None
    unused = shown.event.huge_free.called("huge pages that nobody uses")
    room = (usable + unused).called("usable with the huge pages given back")
    if room.surely_below(asked):
        return None
    lines = tuple(t.ref for t in refused)
    text = f"{units.shown(unused)} are reserved as huge pages and unused, which MemAvailable leaves out"
    return Found(
        summary=f"the guard refused {units.both(asked)}, but {text}",
        claims=(
            Claim(Part.DEMAND, f"all ranks ask for {units.both(asked)}", Status.ESTABLISHED, lines[:1]),
            Claim(Part.LIMIT, f"the guard counted {units.both(usable)}", Status.ESTABLISHED, lines[:1]),
            Claim(Part.EFFECT, "it refused", Status.ESTABLISHED, lines[:8]),
            Claim(
                Part.LINK, f"{text}; with them {units.shown(room)} would be usable", Status.ESTABLISHED, (shown.ref,)
            ),
        ),
        sum=f"{units.shown(usable)} + {units.shown(unused)} of unused huge pages = {units.shown(room)}, "
        f"asked for were {units.both(asked)}",
        explanation="The refusal is right by its own figure; what makes the figure small is a setting of the host.",
        numbers=(asked, room, *_total(shown)),
        lines=(*lines, shown.ref),
        remedy=(
            Remedy("fix", "give the huge pages back: sysctl -w vm.nr_hugepages=0 (and in /etc/sysctl.d, or at boot)"),
            Remedy(
                "mitigate", f"--hicache-size of less than {units.shown(usable)} until then", argument="hicache_size"
            ),
        ),
        confirm=(_MEMINFO,),
        at=refused[0].at,
    )


def _total(shown: Timed[ev.MemorySnapshot]) -> tuple[Amount[Byte], ...]:
    named = (("available by the snapshot", shown.event.available), ("huge pages in all", shown.event.huge_total))
    return tuple(amount.called(name) for name, amount in named if amount is not None)


def _charged_twice(incident: Incident, host: Host, refused: list[Timed[ev.HostPoolRefused]]) -> Found | None:
    """Whether another rank passed the same guard with the same request, which proves room for all of them then."""
    guard, ranks = knowledge.host_pool_guard(incident.launch.release), incident.ranks(host)
    wanted = refused[0].event.wanted
    if guard is None or guard.divides_by_ranks is not True or ranks is None or wanted is None:
        return None
    passed = [t for t in incident.at_node(host, ev.HostPoolAnnounced) if _same(t, refused[0])]
    if not passed or not _before(passed[0], refused[0]):
        return None
    asked = (wanted.called("host pool of one rank") * ranks).called("asked by all ranks on the host")
    proven = (asked + reserve_of(incident)).called("available when the first guard passed, at least")
    lines = (passed[0].ref, *(t.ref for t in refused[:8]))
    return Found(
        summary=f"the guard let {passed[0].process} take {units.both(wanted)}, but not {refused[0].process}",
        claims=(
            Claim(Part.DEMAND, f"each rank asks for {units.both(wanted)}", Status.ESTABLISHED, lines[:2]),
            Claim(Part.LIMIT, f"a pass proves {units.shown(proven)}, enough for all", Status.ESTABLISHED, lines[:1]),
            Claim(Part.EFFECT, f"{units.many(len(refused), 'rank')} refused", Status.ESTABLISHED, lines[1:]),
            Claim(Part.LINK, "in between the first pools were touched and then charged again", Status.SUPPORTED, lines),
        ),
        explanation=guard.sentences.get("divides_by_ranks", ""),
        numbers=_two(proven, refused[0].event.free, ranks),
        lines=lines,
        remedy=(
            Remedy("mitigate", "start again: whether ranks reach the guard together is a matter of chance"),
            Remedy(
                "fix", "a smaller --hicache-size, such that the sum fits twice, or a release that books one reading"
            ),
        ),
        confirm=(_MEMINFO,),
        at=refused[0].at,
    )


def _two(proven: Amount[Byte], free: Amount[Byte] | None, ranks: Amount[One]) -> tuple[Amount[Byte], ...]:
    if free is None:
        return (proven,)
    return (proven, (free.called("share printed as free") * ranks).called("usable by all ranks when it was refused"))


def _same(passed: Timed[ev.HostPoolAnnounced], refused: Timed[ev.HostPoolRefused]) -> bool:
    size, wanted = passed.event.size, refused.event.wanted
    return size is not None and wanted is not None and passed.process != refused.process and size.value == wanted.value


def _before(passed: Timed[ev.HostPoolAnnounced], refused: Timed[ev.HostPoolRefused]) -> bool:
    if passed.at is not None and refused.at is not None and passed.at.seconds != refused.at.seconds:
        return passed.at.seconds < refused.at.seconds
    return passed.ref.source == refused.ref.source and passed.written < refused.written


def _rightly(incident: Incident, refused: Timed[ev.HostPoolRefused]) -> Cleared:
    """Why the refusal stands, with the reserve that older messages hide."""
    wanted, free = refused.event.wanted, refused.event.free
    if wanted is not None and free is not None and wanted.surely_below(free):
        usable = free - reserve_of(incident)
        text = f"{units.both(usable)} are usable, {units.both(wanted)} were asked for"
        return Cleared(f"the figure printed is before the reserve: {text}", (refused.ref,))
    return Cleared("nothing here shows that the pools of all ranks would have fitted", (refused.ref,))
