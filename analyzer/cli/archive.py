"""An incident as an archive to run again: cut as closely as gives the same verdict, redacted, searched for leaks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from analyzer.errors import LeakError, PostmortemError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.bundle import Bundle
    from analyzer.contract import Report
    from analyzer.excerpt import Excerpt
    from analyzer.pipeline import Given
    from analyzer.redact import Private

_NAME = "incident.tar.gz"


class Asked(NamedTuple):
    """What the archive is made for: the facts of the command line, as read and as typed, and what is private.

    `names` says whether users, hosts, addresses and folders are to be replaced.
    """

    facts: Given
    options: Sequence[str]
    private: Private
    names: bool


class Archive(NamedTuple):
    """The bytes of the archive, and a remark where it is not what was wanted."""

    data: bytes
    remark: str


def archive(inputs: Bundle, report: Report, asked: Asked) -> Archive:
    """The inputs of a report, cut to what gives its verdict again.

    Where the closest cut gives another verdict, a wider one is tried, at last the inputs as they are.
    Raises `LeakError` where something private is left in a member or its name, `UsageError` where they are too large.
    """
    from analyzer.excerpt import LEVELS, excerpts
    from analyzer.redact import redact

    if asked.names:
        redact(report, asked.private)  # it names things without the wrappers that hide them in a line of the input
    best: tuple[list[Excerpt], str, str] | None = None
    for around in LEVELS:
        cut = excerpts(inputs.sources, report, around)
        if cut is None:
            break
        said = _said(around, closer=best is not None)
        made = _packed(report, cut, asked, said, None)
        again = _verdict_of(made, asked)
        if again == _verdict(report):
            return Archive(made, said if best else "")
        best = cut, said, ", ".join(filter(None, again))
    if best is None:
        raise UsageError("the inputs are too large for an archive, even cut to what the report cites")
    cut, said, other = best
    return Archive(_packed(report, cut, asked, said, other), f"analysed again, it gives another verdict: {other}")


def _said(around: int | None, *, closer: bool) -> str:
    why = ": a closer cut gave another verdict" if closer else ""
    if around is None:
        return f"Nothing was cut{why}."
    return f"At least {around:,} lines were kept around each one that the report cites{why}."


def _verdict(report: Report) -> tuple[str, ...]:
    verdict = report.verdict
    return verdict.outcome, verdict.phase or "", verdict.finding or "", verdict.status or ""


def _verdict_of(data: bytes, asked: Asked) -> tuple[str, ...]:
    from dataclasses import replace

    from analyzer.bundle import opened
    from analyzer.pipeline import analyse

    ram = asked.facts.ram
    nodes = dict(zip(ram, _clean([node or "" for node in ram], asked), strict=True))
    try:
        return _verdict(
            analyse(
                opened(_NAME, data), replace(asked.facts, ram={nodes[node] or None: size for node, size in ram.items()})
            )
        )
    except PostmortemError as error:  # a node's name that is no longer there
        return (str(error),)


def _clean(texts: list[str], asked: Asked) -> list[str]:
    from analyzer.redact import redact_texts

    return redact_texts(texts, asked.private, names=asked.names)


def _packed(report: Report, cut: Sequence[Excerpt], asked: Asked, said: str, again: str | None) -> bytes:
    from analyzer.excerpt import named, packed
    from analyzer.redact import leaks, redact
    from analyzer.report.enclosed import readme, report_of

    texts = _clean([item.text for item in cut], asked)
    names = named(_clean([item.name for item in cut], asked))
    options = _clean(list(asked.options), asked)
    clean = redact(report, asked.private)[0] if asked.names else report
    members = dict(zip(names, texts, strict=True))
    members |= {"report.md": report_of(clean)}
    members |= {"README.md": readme(clean, list(zip(names, cut, strict=True)), options, said, again)}
    left = sum(len(leaks(document, asked.private)) for member in members.items() for document in member)
    if asked.names and left:
        raise LeakError(f"not written: {left} originals are left in the redacted archive, a bug in this program")
    return packed({name: text.encode("utf-8", "backslashreplace") for name, text in members.items()})
