"""The exact reading is asked once for each form, and its answer holds for what differs in nothing that matters."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from analyzer.evidence import NO_RANK, Rank
from analyzer.scan import silence

np = pytest.importorskip("numpy")
laid = pytest.importorskip("tests.scan.fast.laid")
beside = pytest.importorskip("analyzer.scan.fast.beside")
texts = pytest.importorskip("analyzer.scan.fast.texts")
layout = pytest.importorskip("analyzer.scan.fast.layout")
memory = pytest.importorskip("analyzer.scan.fast.memory")
wordings = pytest.importorskip("analyzer.scan.fast.wordings")

OPENING = b"[2026-02-17 10:02:51"
DECODE = b"Decode batch. #running-req: 8, #queue-req: 0"


def silent(remembered: object, message: bytes) -> bool:
    """Whether a message that was learned says nothing."""
    held = remembered.now()  # type: ignore[attr-defined]
    return laid.told_by(held.learned.messages, message).flags == silence.SILENT  # type: ignore[no-any-return]


def label(remembered: object, words: bytes) -> int:
    """The label of what stands between a header's time and its bracket."""
    text, held = laid.Laid(words), remembered.now()  # type: ignore[attr-defined]
    return texts.number_of(held.learned.ranks, text.at, 0, text.size, text.limit)


def midnight(remembered: object, number: int) -> tuple[bytes, float]:
    """A day that was learned, and when it begins."""
    days, midnights = remembered.now().arrays[:2]  # type: ignore[attr-defined]
    return days[number].tobytes()[:12], float(midnights[number])


def test_a_wording_is_asked_once() -> None:
    known = laid.Counting()
    remembered = laid.remembering(known)
    taught = [remembered.learn_wording(b"radix cache evict %d pages" % n) for n in range(9)]
    assert taught == [True] + [False] * 8
    assert known.asked == ["silent radix cache evict 0 pages"]
    assert [silent(remembered, b"radix cache evict %d pages" % n) for n in range(9)] == [True] * 9
    assert not silent(remembered, b"radix cache evicts 1 pages")


@pytest.mark.parametrize("message", [b"evicts a[2", "evicts grüße".encode(), b"evicts a\x1b[1mb", b"evicts a\tb"])
def test_what_a_wording_does_not_settle_is_never_silent(message: bytes) -> None:
    known = laid.Counting()
    remembered = laid.remembering(known)
    assert remembered.learn_wording(message)
    assert not silent(remembered, message)
    assert not known.asked


@pytest.mark.parametrize("message", [b"Load weight begin. avail mem=94.08 GB", b"server_args=ServerArgs(a=1)", DECODE])
def test_a_wording_that_says_something_is_known_to_do_so(message: bytes) -> None:
    remembered = laid.remembering()
    assert remembered.learn_wording(message)
    assert not silent(remembered, message)


def test_a_carriage_return_makes_another_wording_that_says_the_same() -> None:
    remembered = laid.remembering()
    assert remembered.learn_wording(b"evicts 17 pages")
    assert not silent(remembered, b"evicts 17 pages\r")
    assert remembered.learn_wording(b"evicts 17 pages\r")
    assert silent(remembered, b"evicts 18 pages\r")


@pytest.mark.parametrize("words", [b".123", b",5", b" TP1 ", b" [2026-02-17 10:02:51", b"TP1", b" \xff", b" gpu=1"])
def test_what_changes_the_time_or_is_no_rank_is_another_header(words: bytes) -> None:
    remembered = laid.remembering()
    assert remembered.learn_rank(OPENING + words + b"] a")
    assert label(remembered, words) == -1
    assert remembered.ranks == []


def test_ranks_are_those_of_the_header_and_asked_for_once() -> None:
    remembered = laid.remembering()
    lines = [OPENING + words + b"] a" for words in (b" DP1 TP4 EP4", b",5", b"", b" TP2", b" DP1 TP4 EP4")]
    assert [remembered.learn_rank(line) for line in lines] == [True, True, True, True, False]
    assert remembered.ranks == [Rank(dp=1, tp=4, ep=4), NO_RANK, Rank(tp=2)]
    assert [label(remembered, words) for words in (b" DP1 TP4 EP4", b",5", b"", b" TP2", b" TP3")] == [0, -1, 1, 2, -2]


def test_the_time_of_an_opening_is_that_of_its_header() -> None:
    known = laid.Counting()
    remembered = laid.remembering(known)
    assert [remembered.time(OPENING).text for _ in range(3)] == ["2026-02-17 10:02:51"] * 3
    assert len(known.asked) == 1


def test_a_day_begins_at_midnight_and_one_that_is_not_in_the_calendar_does_not() -> None:
    remembered = laid.remembering()
    assert remembered.learn_day(OPENING + b" TP1] a")
    assert remembered.learn_day(b"[2026-02-31 10:02:51] a")
    assert midnight(remembered, 0) == (b"[2026-02-17 ", datetime(2026, 2, 17, tzinfo=UTC).timestamp())
    assert midnight(remembered, 1)[0] == b"[2026-02-31 "
    assert np.isnan(midnight(remembered, 1)[1])
    assert not remembered.learn_day(b"[2026-02-17 23:00:00] b")


def test_a_form_is_learned_from_a_batch_line_that_has_one() -> None:
    remembered = laid.remembering()
    assert not remembered.learn_form(b"Decode batch. #running-req: eight, #queue-req: 0")
    assert not remembered.learn_form(b"Decode bits. #running-req: 8, #queue-req: 0")
    assert remembered.learn_form(DECODE)
    assert remembered.now().learned.forms.length == len(remembered.templates) == 1


def test_forms_without_end_are_no_forms() -> None:
    with pytest.MonkeyPatch.context() as patch:
        for most in ("_MOST", "_MOST_TEMPLATES", "_MOST_DAYS"):
            patch.setattr(memory, most, 2)
        patch.setattr(wordings, "_MOST", 2)
        remembered = laid.remembering()
        pages = [remembered.learn_wording(b"evicts pages" + b"x" * n) for n in range(4)]
        ranks = [remembered.learn_rank(OPENING + b" TP%d] a" % n) for n in range(4)]
        days = [remembered.learn_day(b"[2026-02-0%d 10:00:00] a" % n) for n in range(1, 5)]
        forms = [remembered.learn_form(DECODE + b", frobs: 1" * n) for n in range(4)]
        assert pages == ranks == days == forms == [True, True, False, False]
        stamps = [remembered.time(b"[2026-02-17 10:00:0%d" % n).text for n in range(9)]
        assert stamps == [f"2026-02-17 10:00:0{n}" for n in range(9)]


def test_what_is_known_stays_as_it_is_when_more_is_learned() -> None:
    remembered = laid.remembering()
    before = remembered.now()
    assert remembered.now() is before
    remembered.learn_day(OPENING)
    remembered.learn_rank(OPENING + b" TP1] a")
    remembered.learn_form(DECODE)
    remembered.learn_wording(b"evicts pages")
    remembered.learn_tail(0, b'INFO:     10.0.0.1:1 - "GET / HTTP/1.1" 200 OK')
    assert (before.learned.day_count, before.learned.forms.length) == (0, 0)
    assert laid.told_by(before.learned.messages, b"evicts pages") == (layout.A_WORDING, -1, -1)
    after = remembered.now()
    assert after is not before
    assert (after.learned.day_count, after.learned.forms.length) == (1, 1)
    assert silent(remembered, b"evicts pages")
    assert remembered.tails.paths == ["/"]


def test_lines_without_a_header_are_judged_when_their_wording_comes_again() -> None:
    remembered = laid.remembering()
    lines = [b"    scheduler.py line %d of a text" % n for n in range(3)]
    assert [remembered.learn_hush(line) for line in lines] == [False, True, False]


@pytest.mark.parametrize("opening", [b"[2026-02-31 10:02:51", b"no time at all here.", b"[2026-02-17 10:02:xx"])
def test_what_is_no_opening_of_a_header_has_no_time(opening: bytes) -> None:
    with pytest.raises(ValueError, match="no time"):
        laid.remembering().time(opening)


def speaker(remembered: object, beginning: bytes) -> int:
    """The number of a beginning of requests or answers."""
    text, held = laid.Laid(beginning), remembered.now()  # type: ignore[attr-defined]
    return texts.number_of(held.learned.speakers, text.at, 0, text.size, text.limit)


def test_each_beginning_of_requests_and_answers_has_a_number() -> None:
    remembered = laid.remembering()
    beginnings = [
        b"Receive: obj=GenerateReqInput(",
        b"Finish: obj=GenerateReqInput(",
        b"Finish: obj=EmbeddingReqInput(",
    ]
    assert [remembered.learn_speaker(beginning) for beginning in beginnings * 2] == [True] * 3 + [False] * 3
    assert [speaker(remembered, beginning) for beginning in beginnings] == [0, 1, 2]
    assert speaker(remembered, b"Receive: obj=EmbeddingReqInput(") == layout.UNKNOWN


def judged(remembered: object, line: bytes, times: int = 3) -> list[tuple[int, int, int]]:
    """The kind, the flags and the form of a line without a header each time that it comes."""
    found = [laid.told([line.decode()], remembered) for _ in range(times)]
    return [(int(chunk.kind[0]), int(chunk.flags[0]), int(chunk.form[0])) for chunk in found]


FAILURE = "Failed to initialize NVML: Driver/library version mismatch"


def test_a_line_that_gives_events_has_the_number_of_what_it_says() -> None:
    remembered = laid.remembering()
    lines = [FAILURE, FAILURE + " on host {0}", "CUDA error: out of memory"]
    found = [judged(remembered, line.format(digit).encode())[-1] for digit in (1, 2, 3) for line in lines]
    assert {kind for kind, _, _ in found} == {layout.HUSHED}
    assert {flags for _, flags, _ in found} == {silence.APART | silence.KNOWN | silence.EVENTS}
    said = [remembered.says(form).patterns for _, _, form in found]
    assert said == [("driver-mismatch",), ("driver-mismatch",), ("gpu-oom-without-figures",)] * 3


def test_what_lines_of_a_wording_are_is_asked_again_where_their_digits_stand_elsewhere() -> None:
    remembered = laid.remembering()
    asked: list[bytes] = []
    ask = remembered.silent.ask
    remembered.silent.ask = lambda raw, bare: asked.append(raw) or ask(raw, bare)
    line = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {} GiB."
    for amount in ("1.96", "2.97", "3.98", "4.99", "22.5", "33.6", "44.7", "5.55"):
        judged(remembered, line.format(amount).encode(), 1)
    assert {raw.split()[-2] for raw in asked} <= {b"1.96", b"2.97", b"3.98", b"4.99", b"22.5", b"33.6", b"44.7"}
    assert b"5.55" not in {raw.split()[-2] for raw in asked}, "its answer was known"


def test_a_shape_is_learned_where_its_wording_is_known() -> None:
    remembered = laid.remembering()
    message = b"evicts 17 pages"
    assert not remembered.learn_shape(message, headed=True)
    remembered.learn_wording(message)
    before = remembered.now()
    assert laid.told_by(before.learned.messages, message) == (layout.A_SHAPE, silence.SILENT, 0)
    assert [remembered.learn_shape(b"evicts %d pages" % n, headed=True) for n in (17, 42, 5)] == [True, False, True]
    assert laid.told_by(before.learned.messages, message).ask == layout.A_SHAPE, "it stays as it is"
    assert laid.told_by(remembered.now().learned.messages, b"evicts 99 pages") == (layout.NOTHING, silence.SILENT, 0)


def test_a_message_s_shape_is_not_that_of_a_line_without_a_header() -> None:
    remembered = laid.remembering()
    line = b"scheduler 1 evicts pages"
    remembered.learn_wording(line)
    assert not remembered.learn_shape(line, headed=False)
    assert [remembered.learn_hush(line) for _ in range(2)] == [False, True]
    assert [remembered.learn_shape(line, headed=headed) for headed in (False, True)] == [True, True]
    held = remembered.now().learned
    told = [laid.told_by(words, line) for words in (held.messages, held.hushes)]
    assert told == [(layout.NOTHING, silence.SILENT, 0), (layout.NOTHING, silence.APART, 0)]


def test_what_is_learned_twice_leaves_what_is_known_as_it_is() -> None:
    remembered = laid.remembering()
    remembered.learn_wording(b"evicts 17 pages")
    remembered.learn_shape(b"evicts 17 pages", headed=True)
    held = remembered.now()
    assert not remembered.learn_wording(b"evicts 5 pages")
    assert not remembered.learn_shape(b"evicts 42 pages", headed=True)
    assert remembered.now() is held


TRACEBACK = b'Traceback (most recent call last):\n  File "a.py", line 3, in run\n    run()\nValueError: no\n'


def test_a_traceback_is_known_when_it_comes_again_under_a_header_or_without_one() -> None:
    remembered = laid.remembering()
    other = TRACEBACK.replace(b"no", b"other")
    for _ in range(3):
        first, second = (remembered.learn_traceback(raw, headed=True) for raw in (TRACEBACK, other))
    assert (first, second) == (0, 1)
    for _ in range(3):
        bare = remembered.learn_traceback(other, headed=False)
    assert bare == 0
    held, text = remembered.now().learned, laid.Laid(other)
    known = [texts.number_of(among, text.at, 0, text.size, text.limit) for among in (held.headed, held.bare)]
    assert known == [1, 0]


def test_what_is_more_than_a_traceback_is_refused_for_good() -> None:
    remembered = laid.remembering()
    more = TRACEBACK + b"another line\n"
    assert [remembered.learn_traceback(more, headed=False) for _ in range(4)] == [layout.REFUSED] * 4


def test_of_tracebacks_without_end_no_more_are_known() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory, "_MOST_TRACEBACKS", 2)
        remembered = laid.remembering()
        several = [TRACEBACK.replace(b"no", b"other %d" % n) for n in range(4)]
        for _ in range(3):
            found = [remembered.learn_traceback(raw, headed=False) for raw in several]
        assert found[:2] == [0, 1]
        assert all(number < 0 for number in found[2:])


def test_a_pair_is_kept_where_its_answer_holds_for_all_lines_of_the_wording() -> None:
    remembered = laid.remembering()
    remembered.learn_pair(3, 7, "  further", joins=True)
    remembered.learn_pair(3, 8, "  other", joins=False)
    remembered.learn_pair(3, 9, "further", joins=True)
    remembered.learn_pair(3, 10, "  55%| |", joins=True)
    remembered.learn_before(3, expects=True)
    remembered.learn_before(4, expects=False)
    pairs = remembered.now().learned.pairs
    asked = [(3, 7), (3, 8), (3, 9), (3, 10), (4, 7), (3, layout.BEFORE), (4, layout.BEFORE), (5, layout.BEFORE)]
    unknown = layout.UNKNOWN
    assert [beside.answer_of(pairs, *pair) for pair in asked] == [1, 0, unknown, unknown, unknown, 1, 0, unknown]


def test_what_was_known_before_stays_as_it_is_when_lines_beside_others_are_learned() -> None:
    remembered = laid.remembering()
    before = remembered.now()
    remembered.learn_pair(3, 7, "  further", joins=True)
    remembered.learn_speaker(b"Receive: obj=A(")
    for _ in range(3):
        remembered.learn_traceback(TRACEBACK, headed=False)
    text = laid.Laid(TRACEBACK)
    assert beside.answer_of(before.learned.pairs, 3, 7) == layout.UNKNOWN
    assert texts.number_of(before.learned.bare, text.at, 0, text.size, text.limit) == layout.UNKNOWN
    assert beside.answer_of(remembered.now().learned.pairs, 3, 7) == 1
    assert texts.number_of(remembered.now().learned.bare, text.at, 0, text.size, text.limit) == 0
