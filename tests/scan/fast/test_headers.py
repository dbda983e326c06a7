"""Headers of many lines are read at once as the exact reading reads each of them, or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.catalog import Catalog
from analyzer.parsers.steady import Steady

np = pytest.importorskip("numpy")
headers = pytest.importorskip("analyzer.scan.fast.headers")
memory = pytest.importorskip("analyzer.scan.fast.memory")
words = pytest.importorskip("analyzer.scan.fast.words")

KNOWN = Steady(Catalog.load())


def read(lines: list[str]) -> dict[int, tuple[float, object, int]]:
    """Of each line with a plain header its time, its rank, and where its message begins."""
    data = [line.encode() + b"\n" for line in lines]
    starts = np.concatenate(([0], np.cumsum([len(line) for line in data])[:-1]))
    remembered = memory.Memory(KNOWN)
    found = headers.headed(words.Words(b"".join(data) + words.PAD), np.arange(len(lines)), starts, remembered)
    ranks = [remembered.ranks[label] for label in found.label]
    places = (found.message - starts[found.lines]).tolist()
    return {
        line: (time, rank, at)
        for line, time, rank, at in zip(found.lines.tolist(), found.seconds.tolist(), ranks, places, strict=True)
    }


@pytest.mark.parametrize(
    "line",
    [
        "[2026-02-31 10:02:51] a",
        "[2026-02-17 24:02:51] a",
        "[2026-02-17 10:60:51] a",
        "[2026-02-17 10:02:60] a",
        "[2026-02-17 10:02-51] a",
        "[2026-02-17 1a:02:51] a",
        "[2026-02-17T10:02:51] a",
        "[2026-02-17 10:02:51.5] a",
        "[2026-02-17 10:02:51 TP1]a",
        "[2026-02-17 10:02:51 TP1",
        "[2026-02-17 10:02:51 a name far too long to be a rank in this] a",
    ],
)
def test_another_header_is_left_out(line: str) -> None:
    assert read([line]) == {}


RANKS = st.sampled_from(["", " TP0", " TP1", " DP1 TP4 EP4", " PP1 TP0", " ATTN_CP1", " tp", " TP99999999", " X[1]"])
TIMES = st.datetimes(
    min_value=__import__("datetime").datetime(2020, 1, 1), max_value=__import__("datetime").datetime(2030, 1, 1)
)


@given(st.lists(st.tuples(TIMES, RANKS), min_size=1, max_size=40))
def test_times_and_ranks_are_those_of_the_exact_reading(heads: list[tuple[object, str]]) -> None:
    lines = [f"[{moment:%Y-%m-%d %H:%M:%S}{rank}] said" for moment, rank in heads]
    found = read(lines)
    for index, line in enumerate(lines):
        at, stamp, rank = KNOWN.header(line)  # type: ignore[misc]
        if index in found:
            assert found[index] == (KNOWN.seconds(stamp), rank, at)  # type: ignore[arg-type]
        else:
            assert "]" in heads[index][1]
