"""What lines say is told once for each voice of a stream: where its first and its last lines stand, and how many are between."""

from __future__ import annotations

import random
from itertools import chain
from typing import Any

import pytest

from analyzer.bundle import InMemory
from analyzer.evidence import NO_RANK, Rank
from analyzer.scan import lines as exactly
from analyzer.scan.run import Eventful, Heard, Said, Unit

np = pytest.importorskip("numpy")
blocks = pytest.importorskip("analyzer.scan.fast.blocks")
chunk = pytest.importorskip("analyzer.scan.fast.chunk")
hearing = pytest.importorskip("analyzer.scan.fast.hearing")
laid = pytest.importorskip("tests.scan.fast.laid")
layout = pytest.importorskip("analyzer.scan.fast.layout")
reader = pytest.importorskip("analyzer.scan.fast.reader")

KEPT = 3  # lines of a voice that are wanted at each end, in place of a hundred
WORDS = ["", " TP1", " DP1 TP4"]
RANKS = [NO_RANK, Rank(tp=1), Rank(dp=1, tp=4)]
STEADY = "[2026-02-17 10:00:00] Decode batch. #running-req: 8, #token: 20253, #queue-req: 0"
FAILURE = "Failed to initialize NVML: Driver/library version mismatch"
TRACEBACK = ["Traceback (most recent call last):", '  File "a.py", line 3, in run', "    run()", "ValueError: no"]
BEGINNINGS = ["Receive: obj=GenerateReqInput(", "Finish: obj=EmbeddingReqInput("]


def listening() -> Any:
    known = laid.Counting()
    known.kept = KEPT
    known.on = True
    return laid.remembering(known)


def heard(texts: list[str], piece: int = 1 << 20) -> list[Heard]:
    """What a stream says whose lines are not the first of their kind."""
    memory = listening()
    memory.silent.on = True
    stream = InMemory(laid.joined(texts)).open()
    found = list(reader.scan(stream, memory.known, memory.silent, 0, piece))
    return [item for item in found if isinstance(item, Heard)]


def header(second: int, rank: int = 0) -> str:
    return f"[2026-02-17 10:{second // 60 % 60:02d}:{second % 60:02d}{WORDS[rank]}] "


def spoken(count: int, seed: int = 0) -> list[str]:
    """Steady lines, and among them requests and answers, failures and tracebacks of several ranks."""
    chance = random.Random(seed)  # noqa: S311 - the same lines every time
    found = []
    for second in range(count):
        head = header(second, chance.randrange(3))
        found += chance.choice([
            [head + chance.choice(BEGINNINGS) + f"text='你好 {second}')"],
            [FAILURE],
            [FAILURE + f" on host {second}"],
            TRACEBACK,
            [head + "a step failed: " + TRACEBACK[0], *TRACEBACK[1:]],
        ])  # fmt: skip
        found.append(header(second) + STEADY.partition("] ")[2])
    return found


def voices(found: list[Heard]) -> list[Any]:
    return [each.what for each in found]


def test_lines_that_say_nothing_are_not_heard() -> None:
    assert heard([STEADY] * 20) == []
    assert heard([]) == []


def test_a_request_says_its_beginning_by_kind_and_rank() -> None:
    texts = [header(n, n % 3) + BEGINNINGS[n // 3 % 2] + f"text='{n}')" for n in range(6)]
    found = heard([STEADY, STEADY, *texts, *texts, STEADY, STEADY])
    assert {each.what: [spot.number for spot in each.spots] for each in found} == {
        Said(BEGINNINGS[n // 3], RANKS[n % 3]): [3 + n, 9 + n] for n in range(6)
    }


def test_of_a_voice_the_first_and_the_last_lines_are_given_and_the_others_counted() -> None:
    texts = [header(n) + BEGINNINGS[0] + f"text='{n}')" for n in range(20)]
    (found,) = heard([STEADY, STEADY, *texts, STEADY, STEADY])
    assert [spot.number for spot in found.spots] == [3, 4, 5, 20, 21, 22]
    assert [spot.stamp.text[-2:] for spot in found.spots] == ["00", "01", "02", "17", "18", "19"]
    assert found.passed == 20 - 2 * KEPT


@pytest.mark.parametrize("count", range(2 * KEPT + 2))
def test_few_lines_of_a_voice_are_all_given(count: int) -> None:
    texts = [header(n) + BEGINNINGS[0] + f"text='{n}')" for n in range(count)]
    numbers = [
        (spot.number, each.passed) for each in heard([STEADY, STEADY, *texts, STEADY, STEADY]) for spot in each.spots
    ]
    expected = [3 + n for n in range(count)]
    passed = max(0, count - 2 * KEPT)
    kept = expected[:KEPT] + expected[KEPT:][-KEPT:]
    assert numbers == [(number, passed) for number in kept]


def test_a_failure_says_which_patterns_claim_it_and_each_line_keeps_its_digits() -> None:
    texts = [FAILURE + f" on host {n}" for n in range(5)]
    (found,) = heard([STEADY, STEADY, *chain.from_iterable((text, STEADY) for text in texts * 3), STEADY])
    assert isinstance(found.what, Eventful)
    assert found.what.says.patterns == ("driver-mismatch",)
    assert (found.what.headed, found.what.rank) == (False, NO_RANK)
    assert [spot.raw.decode() for spot in found.spots[-3:]] == texts[-3:]


def test_a_traceback_says_its_bytes_under_a_header_with_the_rank_of_that() -> None:
    several = [[header(n, n % 3) + "a step failed: " + TRACEBACK[0], *TRACEBACK[1:], STEADY] for n in range(9)]
    found = heard([STEADY, STEADY, *chain.from_iterable(several), STEADY])
    raw = laid.joined(["a step failed: " + TRACEBACK[0], *TRACEBACK[1:]])
    assert sorted(voices(found), key=lambda what: RANKS.index(what.rank)) == [
        Unit(raw, headed=True, lines=4, rank=rank) for rank in RANKS
    ]
    for each in found:
        for spot in each.spots:
            assert (spot.number - 3) % 5 == 0
            assert spot.end - spot.start == spot.column + len(raw)


@pytest.mark.parametrize("piece", [700, 3000, 1 << 20])
@pytest.mark.parametrize("seed", range(6))
def test_every_line_that_is_heard_stands_where_the_exact_reading_has_it(seed: int, piece: int) -> None:
    texts = [*spoken(10, 99), STEADY, STEADY, *spoken(80, seed)]
    exact = list(exactly(InMemory(laid.joined(texts)).open()))
    found = heard(texts, piece)
    assert {type(what) for what in voices(found)} == {Said, Unit, Eventful}
    assert len(set(voices(found))) >= len(BEGINNINGS) + 2
    for each in found:
        numbers = [spot.number for spot in each.spots]
        assert numbers == sorted(numbers)
        assert len(numbers) <= 2 * KEPT
        assert each.passed == 0 or len(numbers) == 2 * KEPT
        for spot in each.spots:
            line = exact[spot.number - 1]
            lines = each.what.lines if isinstance(each.what, Unit) else 1
            assert (spot.start, spot.end) == (line.start, exact[spot.number - 2 + lines].end)
            message = line.text[spot.column :]
            if isinstance(each.what, Unit):
                assert each.what.raw.decode().startswith(message + "\n")
                assert (spot.column > 0) == each.what.headed
            elif isinstance(each.what, Said):
                assert message.startswith(each.what.text)
            else:
                assert spot.raw.decode() == message == line.text
            if spot.column:
                assert line.text.startswith("[" + spot.stamp.text)


def test_lines_of_two_blocks_are_one_voice() -> None:
    memory = listening()
    listened = hearing.Hearing(memory)
    texts = [header(n) + BEGINNINGS[0] + f"text='{n}')" for n in range(8)]
    for number, some in ((1, texts[:5]), (100, texts[5:])):
        block = next(iter(blocks.blocks(InMemory(laid.joined(["", STEADY, *some, STEADY])).open(), 1 << 20)))
        told = chunk.Chunk(block.text, block.ends).read(memory.now())
        told.teach(memory)
        dated = told.settle()
        lines = np.flatnonzero(told.kind == layout.SAID)
        listened.take(block._replace(number=number), told, dated, lines)
    (found,) = listened.heard()
    assert len(found.spots) + found.passed == 8
    assert [spot.stamp.text[-2:] for spot in found.spots] == ["00", "01", "02", "05", "06", "07"]
    listened.take(block, told, dated, np.array([], np.int64))
    assert [*listened.heard()] == [found], "nothing more was said"
