"""Which node and which server a file speaks for, by what it prints and by its name."""

from __future__ import annotations

from itertools import islice
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from analyzer.launches.model import Launch
    from analyzer.launches.segments import Segment

_ROLES = ("prefill", "decode", "router", "encode")
# Parts of a file name that say what the file is, not where it comes from.
GENERIC = frozenset({
    "server", "log", "logs", "txt", "out", "err", "json", "jsonl", "gz", "bz2", "xz", "zst", "tar", "zip", "tgz",
    "stdout", "stderr", "nohup", "sglang", "free", "vmstat", "ps", "top", "dmesg", "meminfo", "nvidia", "smi", "rocm",
    "npu", "cgroup", "df", "ss", "netstat", "lsof", "docker", "inspect", "kubectl", "describe", "get", "events",
    "pods", "journal", "journalctl", "kernel", "notes", "note", "snap", "snapshot", "after", "before", "during",
    "idle", "load", "allocating", "kill", "memory", "mem", "aux", "ef", "rss", "wh", "plain", "uptime", "date", "env",
    "pip", "command", "ls", "q",
})  # fmt: skip

_MOST_HOSTS, _MOST_DIGITS = 4096, 9
_LISTED = regex.compile(r"(?:[^,\[\]]|\[[^\]]*\])+")
_RANGES = regex.compile(r"([^\[\]]*)\[([\d,-]+)\]([^\[\]]*)")
_NUMBERED = regex.compile(r"(node|host|worker|machine)\d+$")


def tokens(name: str) -> frozenset[str]:
    """The parts of a source's name that may tell its node: `node0.free.txt` gives {node0}."""
    path = PurePosixPath(name.replace("!", "/"))
    words = [w.lower() for part in path.parts for w in regex.split(r"[._\s/]+", part) if w]
    pieces = {p for w in words for p in (w, *w.split("-"))}
    return frozenset(p for p in pieces if p not in GENERIC and not p.isdigit())


def role_of(segment: Segment) -> str:
    """standalone, prefill or decode: by `disaggregation_mode`, else by the file's or the container's name."""
    mode = segment.made("disaggregation_mode")
    if mode in {"prefill", "decode", "encode"}:
        return str(mode)
    if mode is not None:
        return "standalone"
    words = tokens(segment.source) | {segment.node_hint.lower()}
    return next((role for role in _ROLES if any(w.startswith(role) for w in words)), "standalone")


def node_order(segments: Sequence[Segment]) -> list[Segment]:
    """The stretches of one launch by node: `node_rank` where printed, else the lowest TP rank, else time and name."""
    return sorted(segments, key=lambda s: (_node_rank(s), min(s.ranks, default=0), s.times or (0.0, 0.0), s.source))


def _node_rank(segment: Segment) -> int:
    rank = segment.made("node_rank")
    return rank if isinstance(rank, int) else min(segment.ranks, default=0)


def nearest_node(source: str, nodes: dict[str, tuple[str, ...]], hint: str = "") -> str | None:
    """The node whose logs share a telling part of their name with this source; `None` where no name decides."""
    if len(nodes) == 1:
        return next(iter(nodes))
    mine = tokens(source) | ({hint.lower()} if hint else frozenset())
    common = _shared(nodes.values())
    scores = {node: len((mine - common) & _all_tokens(names)) for node, names in nodes.items()}
    best = max(scores.values(), default=0)
    winners = [n for n, s in scores.items() if s == best]
    return winners[0] if best > 0 and len(winners) == 1 else None


def named_node(host: str, launch: Launch) -> str | None:
    """The node of a launch that is this host, by what its lines are marked with or by its files' names."""
    marks = launch.name.lower().split(", ")
    told = marks if len(marks) == len(launch.nodes) else [""] * len(launch.nodes)
    words = {word for name in spelled_out(host.lower()) for word in (name, name.partition(".")[0])}
    for (node, logs), mark in zip(launch.nodes.items(), told, strict=True):
        if words & {mark, *_all_tokens(logs)}:
            return node
    return None


def spelled_out(hosts: str) -> list[str]:
    """The hosts of a list as cluster tools shorten it: `node[1-3,7],login` gives five; at most some thousand."""
    return list(islice(_spelled_out(hosts), _MOST_HOSTS))


def _spelled_out(hosts: str) -> Iterator[str]:
    for part in _LISTED.finditer(hosts):
        found = _RANGES.fullmatch(part[0])
        if found:
            numbers = (number for each in found[2].split(",") for number in _numbers(each))
            yield from (f"{found[1]}{number}{found[3]}" for number in numbers)
        else:
            yield part[0]


def _numbers(text: str) -> Iterator[str]:
    """`08-11` gives the four with two digits each."""
    first, dash, last = text.partition("-")
    digits = first.isdecimal() and last.isdecimal() and len(last) <= _MOST_DIGITS
    if not dash:
        yield first
    elif digits and len(first) <= _MOST_DIGITS and int(last) - int(first) < _MOST_HOSTS:
        yield from (str(number).zfill(len(first)) for number in range(int(first), int(last) + 1))


def another_node(source: str, logs: Iterable[str]) -> str | None:
    """The node that a file's name tells where the logs' names tell others: `node1.free.txt` beside `node0.log`."""
    told = _numbered(tokens(source))
    known = _numbered(_all_tokens(logs))
    return next((name for name, stem in told.items() if name not in known and stem in known.values()), None)


def _numbered(words: frozenset[str]) -> dict[str, str]:
    found = ((word, _NUMBERED.match(word)) for word in sorted(words))
    return {word: match[1] for word, match in found if match}


def _all_tokens(names: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*(tokens(n) for n in names))


def _shared(groups: Iterable[Iterable[str]]) -> frozenset[str]:
    sets = [_all_tokens(g) for g in groups]
    return frozenset.intersection(*sets) if sets else frozenset()
