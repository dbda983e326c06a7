"""Takes every wrapper off a line, in whatever order they were put on; what is ambiguous is decided once per file."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import regex

from analyzer.layers import markdown, prefixes
from analyzer.layers.jsonlines import field, quoted, unwrap, unwrap_list
from analyzer.layers.peeled import Peeled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Peel = Callable[[str], Peeled | None]

HEAD_LINES = 200
_DEPTH = 8
_PADDING = 8
_SHARE = 0.6
_QUOTED_SHARE = 0.3
_FEW = 3
_LONGEST_PREFIX = 120

_COLOUR = regex.compile(r"\x1b(?:\[[0-9;?:]*[ -/]*[@-~]|\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)|[@-Z\\^_=>])")
_HEADER = regex.compile(r"\[(\d{4})-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?(?: [A-Z_]+\d+)*\] ?")
_SENT = regex.compile(r"> (?:GET|POST|HEAD|PUT) \S+ HTTP/")  # `curl -v` marks what it sends as Markdown marks a quote
_RUNNER = regex.compile(r"(?:^|[\s;|])(?:pdsh|clush) ")
_NUMBER = regex.compile(r"[ \t]*\d+")
_CLOCK = regex.compile(r"\d:\d\d\b")
_RECORD = "record"  # what is told of a line with SGLang's header, beside the kinds of snapshots
_ORIGINS = 16  # more than that in a file's head, and a prefix counts or tells the time
_DIGITS = "0123456789"
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_FRAMES = ("│", "┃", "║")


class Peeler:
    """Peels the lines of one file; `head` is its beginning, from which the ambiguous wrappers are told.

    `told` says whether it has any, `laid_out` whether they are JSON over many lines, `stamped` whether what looks like
    a header is one of them. `kind_of` names the snapshot that a line begins (empty: none), by which outputs of several
    hosts are told.
    """

    def __init__(self, head: Sequence[str] = (), kind_of: Callable[[str], str] = lambda _: "") -> None:
        self._layers = _layers(_year(head))
        shown = [text for text in head if text.strip()]
        bare = [self.peel(text).text for text in shown]  # what stands behind a time or colours
        ambiguous = _told(shown) or _told(bare)
        for name in ambiguous:
            first, layer = _AMBIGUOUS[name]
            self._add(first, layer)
        if pods := _pods(bare):
            self._add(_LETTERS + _DIGITS, prefixes.stern(pods, begins_record))
        hosts, kinds = _hosts(shown, kind_of)
        if hosts:
            hosted = prefixes.hosted(hosts, begins_record, lambda text: kind_of(text) in kinds)
            self._add(_LETTERS + _DIGITS, hosted)
        common = _common_prefixes([self.peel(text).text for text in shown])
        self.told = bool(ambiguous or pods or hosts or common)
        self.laid_out, self.stamped = "json" in ambiguous, "stamped" in ambiguous
        for prefix, named in reversed(common):
            host = prefixes.HOSTED.fullmatch(prefix)
            if host and prefixes.may_be_host(host[1]):  # another one's log may come behind
                self._add(_LETTERS + _DIGITS, prefixes.hosted({host[1]}, begins_record))
            else:
                numbered = _DIGITS if prefix.lstrip(" \t")[:1].isdigit() else ""
                self._add(dict.fromkeys(prefix[0] + numbered), prefixes.literal(prefix, named=named))
        for firsts, layer in _PASTED:
            for first in firsts:
                self._layers.setdefault(first, []).append(layer)

    def _add(self, firsts: Iterable[str], layer: Peel) -> None:
        for first in firsts:
            self._layers.setdefault(first, []).insert(0, layer)

    def peel(self, text: str) -> Peeled:
        """The line without its wrappers; trailing blanks go in any case."""
        names: tuple[str, ...] = ()
        if "\x1b" in text:
            text = _COLOUR.sub("", text)
            names = ("ansi",)
        stamp, node, host, partial, severe = None, "", "", False, False
        for _ in range(_DEPTH):
            got = self._once(text)
            if got is None:
                break
            text, partial, severe = got.text, partial or got.partial, severe or got.severe
            stamp, node, host = got.stamp or stamp, got.node or node, got.host or host
            names += got.names
            if got.each:
                return self._of_list(got.each, Peeled("", stamp, node, names, host=host))
            if "\x1b" in text:
                text = _COLOUR.sub("", text)
                names += ("ansi",) if "ansi" not in names else ()
        if text.endswith(_FRAMES) and text[-_PADDING:-1].isspace():
            text, names = text[:-1], (*names, "frame")
        bare = text if partial else text.rstrip()
        if len(text) - len(bare) >= _PADDING:
            names += ("padding",)
        return Peeled(bare, stamp, node, names, partial, severe, host)

    def _of_list(self, entries: Iterable[Peeled], outer: Peeled) -> Peeled:
        """The entries of a list, each without its own wrappers and with its own time and origin."""
        each = tuple(
            inner._replace(
                stamp=inner.stamp or entry.stamp or outer.stamp,
                node=inner.node or entry.node or outer.node,
                names=outer.names + inner.names,
                host=inner.host or outer.host,
                partial=False,
                each=(),
            )
            for entry in entries
            for inner in (self.peel(entry.text),)
        )
        return each[0]._replace(text="\n".join(one.text for one in each), each=each)

    def _once(self, text: str) -> Peeled | None:
        for layer in self._layers.get(text[:1], ()):
            got = layer(text)
            if got is not None:
                return got
        return None


def peel(text: str) -> Peeled:
    """One line by itself: only wrappers that cannot be anything else."""
    return _bare().peel(text)


@cache
def _bare() -> Peeler:
    return Peeler()  # which learns nothing: one is enough


# What people put around a single line of a program's, and the characters that it begins with. A file's own wrappers are
# told, and taken off, before them.
_PASTED: tuple[tuple[str, Peel], ...] = (
    ("[#", markdown.titled),
    ("`", markdown.coded),
    (">", markdown.cited),
    ("Ee", markdown.led),
)
# The ambiguous wrappers, and the characters that they begin with.
_AMBIGUOUS: dict[str, tuple[str, Peel]] = {
    "compose": (_LETTERS + _DIGITS, prefixes.compose),
    "slurm": (" " + _DIGITS, prefixes.labelled),
    "grep": (_DIGITS, prefixes.numbered),
    "markdown": (">", markdown.quoted),
    "json": (' \t"[]{}', field),
    "quotes": ('"', quoted),
    "stamped": ("[", prefixes.stamped),
}


def _layers(year: int | None) -> dict[str, list[Peel]]:
    """The unambiguous wrappers by the first character of the line."""
    syslog = prefixes.syslog(year)
    timed: list[Peel] = [prefixes.unopened, prefixes.cri, prefixes.loguru, prefixes.logging]
    timed += [prefixes.dmesg_iso, prefixes.journal, prefixes.iso_time]  # of one form of time, the narrowest first
    lettered: list[Peel] = [syslog, prefixes.kibana, prefixes.kail]
    table: dict[str, list[Peel]] = {digit: list(timed) for digit in _DIGITS}
    for letter in _LETTERS:
        table[letter] = list(lettered)
    for letter in "ACDEINW":
        table[letter].append(prefixes.severity)
    for letter in "MTWFSmtwfs":
        table[letter].append(prefixes.journal)
    table["E"].append(prefixes.cloudwatch)
    table["{"] = [unwrap]
    table["("] = [prefixes.ray]
    table["["] = [unwrap_list, prefixes.bracketed, prefixes.yearless, prefixes.podman, prefixes.kubectl]
    table["["].append(prefixes.mpirun)
    table["<"] = [prefixes.rfc5424, syslog, markdown.markup]
    table["`"] = [markdown.markup]
    table['"'] = [prefixes.kibana]
    for side in _FRAMES:
        table[side] = [prefixes.boxed]
    return table


def _year(head: Sequence[str]) -> int | None:
    """The year of the first SGLang header, for wrappers that print none."""
    return next((int(found[1]) for text in head if (found := _HEADER.search(text))), None)


def _told(shown: Sequence[str]) -> list[str]:
    """Which ambiguous wrappers the head of a file really has."""
    told = []
    if _share(shown, prefixes.compose) > _SHARE or _count_headed(shown, prefixes.compose) >= _FEW:
        told.append("compose")
    told += [name for name, layer in (("json", field), ("quotes", quoted)) if _count_headed(shown, layer) >= _FEW]
    if _count_headed(shown, prefixes.stamped) > _SHARE * sum(_HEADER.match(text) is not None for text in shown):
        told += ["stamped"] if _share(shown, prefixes.stamped) > _SHARE else []
    if _share(shown, markdown.quoted) > _QUOTED_SHARE and not any(_SENT.match(text) for text in shown):
        told.append("markdown")
    if _share(shown, prefixes.labelled) > _SHARE and any(_headed(text, prefixes.labelled) for text in shown):
        numbers = [int(text.split(":")[0]) for text in shown if prefixes.labelled(text)]
        told.append("grep" if len(numbers) >= _FEW and numbers == sorted(set(numbers)) else "slurm")
    elif _share(shown, prefixes.numbered) > _SHARE and any(_headed(text, prefixes.numbered) for text in shown):
        told.append("grep")
    return told


def _pods(shown: Sequence[str]) -> set[str]:
    """The pods and containers that stand before most lines, as stern names them, each before a record."""
    known: set[str] = set()
    layer = prefixes.stern(known, begins_record)
    headed = _count_headed(shown, layer)
    return known if headed >= _FEW and _share(shown, layer) > _SHARE else set()


def _count_headed(shown: Sequence[str], layer: Peel) -> int:
    return sum(_headed(text, layer) for text in shown)


def _headed(text: str, layer: Peel) -> bool:
    """Whether SGLang's header stands behind the wrapper, or behind others in it; other lists have numbers as well."""
    got = layer(text)
    return got is not None and begins_record(got.text)


def _share(shown: Sequence[str], layer: Peel) -> float:
    hits = sum(layer(text) is not None for text in shown)
    return hits / len(shown) if hits >= _FEW else 0.0


def _hosts(shown: Sequence[str], kind_of: Callable[[str], str]) -> tuple[set[str], frozenset[str]]:
    """The hosts whose outputs are mixed: words before a colon that stand before most lines, each before several.

    With them the kinds of snapshots that stand below several.

    One line each is enough below the echo of a command that writes so.

    Below each must be what is below another one, too: a log of SGLang, or the same kind of snapshot. A script's labels
    (`date: …`, `uptime: …`) stand before different ones.
    """
    rests: dict[str, list[str]] = {}
    for text in shown:
        found = prefixes.HOSTED.match(text)
        if found and prefixes.may_be_host(found[1], of_snapshots=True):
            rests.setdefault(found[1], []).append(text[found.end() :])
    few = 1 if any(_RUNNER.search(text, endpos=_LONGEST_PREFIX) for text in shown) else _FEW
    several = {host: lines for host, lines in rests.items() if len(lines) >= few}
    if len(several) <= 1 or sum(map(len, several.values())) <= _SHARE * len(shown):
        return set(), frozenset()
    kinds = {host: {_RECORD if begins_record(line) else kind_of(line) for line in several[host]} for host in several}
    kinds = {host: found if prefixes.may_be_host(host) else found - {_RECORD} for host, found in kinds.items()}
    counts = Counter(kind for found in kinds.values() for kind in found if kind)
    shared = frozenset(kind for kind, count in counts.items() if count > 1)
    hosts = {host for host, found in kinds.items() if found & shared}
    most = sum(len(several[host]) for host in hosts) > _SHARE * len(shown)
    return (hosts, shared - {_RECORD}) if most else (set(), frozenset())


def begins_record(text: str) -> bool:
    """Whether SGLang's header stands here, or behind wrappers that cannot be anything else."""
    return (_HEADER.match(text) or _HEADER.match(peel(text).text)) is not None


def _common_prefixes(texts: Sequence[str]) -> list[tuple[str, bool]]:
    """What stands before the SGLang headers, digits aside, and before most other lines: one for each origin.

    And whether each names an origin: what is another one on every line is a count or a time.
    """
    seen: dict[str, set[str]] = {}
    counts: Counter[str] = Counter()
    for text in texts:
        found = _HEADER.search(text, endpos=_LONGEST_PREFIX)
        if found:
            prefix = text[: found.start()]
            shape = _NUMBER.sub("0", prefix)
            counts[shape] += 1
            seen.setdefault(shape, set()).add(prefix)
    shapes = [shape for shape, count in counts.most_common(_ORIGINS) if shape and count >= _FEW]
    if sum(counts[shape] for shape in shapes) <= _SHARE * counts.total():
        return []
    layers = [prefixes.literal(min(seen[shape])) for shape in shapes]
    if _share(texts, lambda text: next(filter(None, (layer(text) for layer in layers)), None)) <= _SHARE:
        return []
    return [(min(seen[shape]), _names(seen[shape])) for shape in shapes]


def _names(seen: set[str]) -> bool:
    prefix = min(seen)
    return len(seen) <= _ORIGINS and _CLOCK.search(prefix) is None and any(c.isalpha() for c in prefix)
