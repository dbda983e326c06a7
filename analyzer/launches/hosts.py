"""The hosts whose outputs are here: by what stands before their lines, and by the names of files and folders."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from analyzer.expression import lazy
from analyzer.launches.nodes import GENERIC

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.parsers.parsed import Parsed

_LOGS_OF_HOSTS = frozenset({"syslog", "journald"})  # what these name before a line is a host
_NUMBERED = lazy(r"([a-z][a-z0-9-]{0,30}?)(-?)(\d{1,4})$")
_WORDS = lazy(r"[._\s]+")
# What else people number: one of these is no host, unless its number is set off as a host's is.
_COUNTED_WORDS = """
rank tp dp pp ep pid run step try attempt part snap shot t round day case incident launch test job slurm gpu cuda card
numa v r x dcgm prefill decode replica pod container phase stage before after iteration iter
"""
_COUNTED = frozenset(_COUNTED_WORDS.split())
_SET_OFF = frozenset({"gpu"})


def short(host: str) -> str:
    """A host without its domain, in lower case."""
    return host.partition(".")[0].lower()


def hosts_told(sources: Iterable[Parsed]) -> frozenset[str]:
    """The hosts that outputs are told to be of; names of files tell where several are of one fleet."""
    told: set[str] = set()
    fleets: dict[str, set[str]] = defaultdict(set)
    for source in sources:
        told.update(map(short, source.hosts))
        if not _LOGS_OF_HOSTS.isdisjoint(source.layers):
            told.update(map(short, source.origins))
        named = host_of(source.name)
        if named:
            fleets[named.rstrip("0123456789")].add(named)
    return frozenset(told.union(*(fleet for fleet in fleets.values() if len(fleet) > 1)) - {""})


def host_of(source: str) -> str:
    """The host that a folder's or a file's name tells: `gpu-11/dmesg.txt`, `dmesg-node2.txt`; empty where none."""
    *folders, file = source.replace("!", "/").lower().split("/")
    for folder in reversed(folders):
        if _is_host(short(folder)):
            return short(folder)
    words = (_bare(word) for word in _WORDS.split(file))
    return next((word for word in words if _is_host(word)), "")


def _bare(word: str) -> str:
    """A word of a name without what says what the file is: `dmesg-gpu-11` gives `gpu-11`."""
    parts = word.split("-")
    while len(parts) > 1 and parts[0] in GENERIC:
        parts.pop(0)
    while len(parts) > 1 and parts[-1] in GENERIC:
        parts.pop()
    return "-".join(parts)


def _is_host(name: str) -> bool:
    found = _NUMBERED.match(name)
    if found is None or found[1] in GENERIC:
        return False
    return found[1] not in _COUNTED or (bool(found[2]) and found[1] in _SET_OFF)
