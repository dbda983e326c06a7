"""The exact reading is asked once for each form, and its answer holds for what differs in nothing that matters."""

from __future__ import annotations

import pytest

from analyzer.catalog import Catalog
from analyzer.evidence import NO_RANK, Rank
from analyzer.parsers.steady import Steady

pytest.importorskip("numpy")
memory = pytest.importorskip("analyzer.scan.fast.memory")

CATALOG = Catalog.load()
LEVEL = b"INFO:     "


class Counting(Steady):
    """Counts the questions."""

    asked = 0

    def silent(self, text: str) -> bool:
        self.asked += 1
        return super().silent(text)


def made() -> object:
    return memory.Memory(Steady(CATALOG))


def test_a_form_is_asked_once() -> None:
    known = Counting(CATALOG)
    remembered = memory.Memory(known)
    assert [remembered.silent(b"radix cache evict %d pages" % n) for n in range(9)] == [True] * 9
    assert known.asked == 1


@pytest.mark.parametrize("message", [b"", b" a", b"a ", b"a[2", "grüße".encode(), b"a\x1b[1mb", b"a\tb", b"a" * 501])
def test_what_a_form_does_not_settle_is_never_silent(message: bytes) -> None:
    if message:
        assert not made().silent(message)  # type: ignore[attr-defined]


@pytest.mark.parametrize("words", [b".123", b",5", b" tp", b" TP1 ", b"] [2026-02-17 10:02:51", b"\xff"])
def test_what_changes_the_time_or_is_no_rank_is_another_header(words: bytes) -> None:
    assert made().rank(words) in {None, NO_RANK} if words == b" tp" else made().rank(words) is None  # type: ignore[attr-defined]


def test_ranks_and_times_are_those_of_the_header() -> None:
    assert made().rank(b" DP1 TP4 EP4") == Rank(dp=1, tp=4, ep=4)  # type: ignore[attr-defined]
    assert made().stamp(b"[2026-02-17 10:02:51").text == "2026-02-17 10:02:51"  # type: ignore[attr-defined]
    assert made().stamp(b"[2026-02-31 10:02:51") is None  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "tail",
    [b' - "GET /a@b HTTP/1.1" 200 OK', b' - "GET /[2 HTTP/1.1" 200 OK', b' - "GET / HTTP/1.1" 200 OK ', b" - GET"],
)
def test_another_tail_is_no_access_line(tail: bytes) -> None:
    remembered = made()
    remembered.learn_access(LEVEL, LEVEL + b"10.0.0.1:1", tail)  # type: ignore[attr-defined]
    assert remembered.tails[LEVEL] == {tail: -1}  # type: ignore[attr-defined]


def test_an_access_tail_has_its_path_and_status() -> None:
    remembered = made()
    for path in (b"/health", b"/generate"):
        remembered.learn_access(LEVEL, LEVEL + b"10.0.0.1:1", b' - "GET %s HTTP/1.1" 503 Service' % path)  # type: ignore[attr-defined]
    assert list(remembered.tails[LEVEL].values()) == [0, 1]  # type: ignore[attr-defined]
    assert remembered.paths == ["/health", "/generate"]  # type: ignore[attr-defined]
