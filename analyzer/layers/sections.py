"""The outputs of several hosts in one file, each below a line with the host's name: ansible, dshbak, clush, ssh loops.

Only ansible's line is surely one. A banner may as well name a command or a moment (`### free`, `### before`), so its
words are hosts only where they look like such, or an ssh goes to them, and where a file's head has two of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple

from analyzer.expression import lazy_regex
from analyzer.layers.entries import L, Piece, alone
from analyzer.layers.peeled import Peeled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HOST = r"[A-Za-z0-9][\w.,-]{0,252}(?:\[[\d,-]{1,200}\][\w.,-]{0,100}){0,8}"
_ANSIBLE = lazy_regex(rf"({_HOST}) \| (?:CHANGED|SUCCESS|FAILED|UNREACHABLE)!?(?: \| rc=-?\d{{1,3}} >>| => \{{)$")
_BANNER = lazy_regex(
    rf"(?:==> |[=#*-]{{2,80}} ?|>>> ?)(?:(?:host|node|server)[: ] ?)?({_HOST}):?(?: ?[=#*-]{{2,80}}| <==)?$"
)
_RULE = lazy_regex(r"-{8,80}$")
_UNDER_RULE = lazy_regex(rf"({_HOST})(?: \(\d+\))?$")  # clush counts the hosts that said the same
_ADDRESS = lazy_regex(r"\d{1,3}\.\d{1,3}\.\d{1,3}\.(?:\d{1,3}|\[[\d,-]+\])$")
# A module has as many names (`torch.distributed.run`): one of a host has a digit in its first, or ends as networks do.
_DOMAIN = lazy_regex(
    r"[a-z](?:[a-z_-]{0,60}\d[\w-]{0,60}(?:\.[\w-]{1,63}){1,8}\.[a-z]{2,24}"
    r"|[\w-]{0,62}(?:\.[\w-]{1,63}){1,8}\.(?:com|org|net|edu|gov|local|localdomain|internal|intranet|lan|corp|de|fr|uk|ch|nl|eu|cn|jp|kr|ca))$"
)
_FILE = lazy_regex(r"\.(?:log|txt|out|err|json|csv|gz|ya?ml|md|py|conf|cfg|ini|toml|sh)$")
_NAME = lazy_regex(r"(?:[\w.-]*[._-])?(?:node|host|compute|dgx|hgx|nid|cn|ip)[._-]?\w{0,3}[\d\[][\w.,\[\]-]*$")
# Options of ssh with a value behind a blank are passed over with it.
_REACHED = lazy_regex(
    rf"(?:^|[\s;|&$(])(?:ssh(?: -(?:[BbcDEeFIiJLlmOopQRSWw] )?+\S++)*+ (?:[\w.-]{{1,64}}+@)?+"
    rf"|(?:pdsh|clush)(?: [^\s;|&]{{1,100}}){{0,12}}? -w ?)({_HOST})"
)
_COMMAND = 400  # characters of a line in which a command is looked for
_PROMPT = lazy_regex(
    r"(?:[\w.-]{1,40}@[\w.-]{1,80}:[^$#]{0,200}[$#]|\[[\w.-]{1,40}@[\w.-]{1,80} [^\]]{0,200}\][$#]|\$) "
)


class _Above(NamedTuple):
    """A line that names the host of what stands below it, and who writes such lines."""

    host: str
    writer: str


def told(texts: Sequence[str]) -> bool:
    """Whether a file's first lines have ansible's line, or banners with the names of two hosts."""
    if any(_ANSIBLE.match(text) for text in texts):
        return True
    return len(_hosts(texts, _reached(texts))) > 1


def _reached(texts: Sequence[str]) -> frozenset[str]:
    """The hosts to which commands go."""
    return frozenset(found[1] for text in texts for found in _REACHED.finditer(text[:_COMMAND]))


def _hosts(texts: Sequence[str], reached: frozenset[str]) -> set[str]:
    named = {above.host for text in texts if (above := _banner(text, reached))}
    ruled = {
        above.host
        for before, text, behind in zip(texts, texts[1:], texts[2:], strict=False)
        if _RULE.match(before) and before == behind and (above := _under_rule(text, reached))
    }
    return named | ruled


class Sections(Generic[L]):
    """The lines with the host above them, up to the next host's or a shell's prompt."""

    open = False

    def __init__(self, head: Sequence[str]) -> None:
        self._reached = _reached(head)
        self._banners = len(_hosts(head, self._reached)) > 1
        self._above = _Above("", "")
        self._ruled: list[L] = []

    def take(self, line: L) -> Iterator[list[Piece[L]]]:
        """The line with its host, or nothing for a line that names one."""
        if self._ruled:
            yield from self._under_rule(line)
        elif self._banners and _RULE.match(line.text):
            self._ruled = [line]
        else:
            yield from self._plain(line)

    def flush(self) -> Iterator[list[Piece[L]]]:
        """A rule that nothing follows."""
        held, self._ruled = self._ruled, []
        for line in held:
            yield from self._plain(line)

    def _under_rule(self, line: L) -> Iterator[list[Piece[L]]]:
        """What follows a rule: a host's name and the same rule again, or something else."""
        held = [*self._ruled, line]
        self._ruled = []
        named = _under_rule(held[1].text, self._reached)
        if len(held) == 2 and named:  # noqa: PLR2004 - the rule and the name
            self._ruled = held
        elif len(held) > 2 and named and line.text == held[0].text:  # noqa: PLR2004 - and the rule again
            self._above = named
            yield from map(self._below, held)
        else:
            for each in held:
                yield from self._plain(each)

    def _plain(self, line: L) -> Iterator[list[Piece[L]]]:
        found = _ANSIBLE.match(line.text)
        above = _Above(found[1], "ansible") if found else _banner(line.text, self._reached) if self._banners else None
        if above:
            self._above = above
            yield self._below(line)
            return
        if _PROMPT.match(line.text):
            self._above = _Above("", "")
        yield self._below(line, line.text) if self._above.host and line.text else alone(line)

    def _below(self, line: L, text: str = "") -> list[Piece[L]]:
        host, writer = self._above
        return [Piece(line, line, line, Peeled(text, node=host, names=(writer,), host=host))]


def _banner(text: str, reached: frozenset[str]) -> _Above | None:
    found = _BANNER.match(text)
    if found is None:
        return None
    name = found[1].partition(".")[0] if _FILE.search(found[1]) else found[1]  # `tail` shows files: node0.free.txt
    return _Above(name, "banner") if _is_host(name, reached) else None


def _under_rule(text: str, reached: frozenset[str]) -> _Above | None:
    found = _UNDER_RULE.match(text)
    return _Above(found[1], "dshbak") if found and _is_host(found[1], reached) else None


def _is_host(name: str, reached: frozenset[str]) -> bool:
    """Whether a banner's word is a host's name rather than that of a command, a moment or a file."""
    first = name.split(",", maxsplit=1)[0]
    return bool(name in reached or _ADDRESS.match(first) or _DOMAIN.match(first) or _NAME.match(name))
