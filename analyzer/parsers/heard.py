"""What lines say that were read in one go: events and exceptions, as if each had been read by itself."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from analyzer.evidence import Ref, Where
from analyzer.records import Record
from analyzer.scan.run import Eventful, Said, Unit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from analyzer.catalog import Claim
    from analyzer.events import ExceptionRaised
    from analyzer.folded import Folded
    from analyzer.parsers.texts import Texts
    from analyzer.parsers.unclaimed import Unclaimed
    from analyzer.parsers.units import Made
    from analyzer.recognise import Recogniser
    from analyzer.scan.run import Heard, Spot


class Listener:
    """Takes over what they say; the claims on those that say the same are looked for once."""

    def __init__(self, texts: Texts, recogniser: Recogniser, in_code: Folded, unclaimed: Unclaimed) -> None:
        self._texts = texts
        self._recogniser = recogniser
        self._in_code = in_code
        self._unclaimed = unclaimed

    def take(self, heard: Heard) -> tuple[int, int]:
        """Takes it over; gives how many lines are explained beyond those of runs, and how many tracebacks there are."""
        what = heard.what
        if isinstance(what, Unit):
            return self._unit(what, heard)
        if isinstance(what, Said):
            claims = self._recogniser.claims(what.text)
            asked = [(spot.number, partial(self._said, claims, what, spot)) for spot in heard.spots]
            self._recogniser.merge(
                [claim.gives for claim in claims], (what.rank, self._texts.node), asked, heard.passed
            )
            return 0, 0
        asked = [(spot.number, partial(self._eventful, what, spot)) for spot in heard.spots]
        self._recogniser.merge(what.says.patterns, (what.rank, self._texts.node), asked, heard.passed)
        return 0, 0

    def error(self, heard: Heard) -> None:
        """Takes over lines that look like an error and that nothing explains; the first of them stands for all."""
        assert isinstance(heard.what, Eventful), "no other lines look like errors"  # noqa: S101 - by their kind
        _, record = self._eventful(heard.what, heard.spots[0])
        self._unclaimed.see(record, 1 + heard.passed)

    def _said(self, claims: Sequence[Claim], said: Said, spot: Spot) -> tuple[Sequence[Claim], Record]:
        ref, node = self._ref(spot), self._texts.node
        return claims, Record(ref, said.text, [], spot.stamp, direct=True, rank=said.rank, header="sglang", node=node)

    def _eventful(self, what: Eventful, spot: Spot) -> tuple[Sequence[Claim], Record]:
        if what.headed:
            text = spot.raw.rstrip().decode("ascii")
            said = Said(text, what.rank)
            return self._said(self._recogniser.claims(text), said, spot)
        text, claims = self._texts.said(spot.raw)
        return claims, Record(self._ref(spot), text, stamp=spot.stamp, node=self._texts.node)

    def _unit(self, unit: Unit, heard: Heard) -> tuple[int, int]:
        units = self._texts.units
        assert units, "tracebacks come from the fast reading, which asked whether they are any"  # noqa: S101 - so it did
        made, times = units.made(unit.raw, headed=unit.headed), len(heard.spots) + heard.passed
        records = [(spot.number, partial(self._record, made, unit, spot)) for spot in heard.spots]
        told = [(number, partial(_told, made.claims, record)) for number, record in records]
        self._recogniser.merge(
            [claim.gives for claim in made.claims], (unit.rank, self._texts.node), told, heard.passed
        )
        if made.raised:
            raised = [(number, partial(_raised, made.raised, record)) for number, record in records]
            node = self._recogniser.names.key(self._texts.node)
            self._in_code.merge((made.raised.type, unit.rank, node), raised, heard.passed)
        return unit.lines * times, times

    def _record(self, made: Made, unit: Unit, spot: Spot) -> Record:
        record = made.record
        ref = self._ref(spot)._replace(last_line=spot.number + unit.lines - 1)
        more, node = list(record.more), self._texts.node
        return Record(ref, record.text, more, spot.stamp, unit.headed, unit.rank, record.header, node)

    def _ref(self, spot: Spot) -> Ref:
        return Ref(self._texts.name, spot.number, spot.number, spot.start, spot.end, spot.column)


def _told(claims: Sequence[Claim], record: Callable[[], Record]) -> tuple[Sequence[Claim], Record]:
    return claims, record()


def _raised(raised: ExceptionRaised, record: Callable[[], Record]) -> ExceptionRaised:
    made = record()
    where = Where(made.ref, made.stamp, made.direct, made.rank, raised.process, made.node)
    return replace(raised, where=where)
