"""Every line of a text is told apart by its bytes, and what is not known yet is learned once."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from analyzer.evidence import NO_RANK, Rank
from analyzer.scan import silence

np = pytest.importorskip("numpy")
chunk = pytest.importorskip("analyzer.scan.fast.chunk")
kernel = pytest.importorskip("analyzer.scan.fast.kernel")
layout = pytest.importorskip("analyzer.scan.fast.layout")
laid = pytest.importorskip("tests.scan.fast.laid")

LEFT, DATED, UNDATED, SILENT, SAID = layout.LEFT, layout.DATED, layout.UNDATED, layout.SILENT, layout.SAID
LETTERS = str.maketrans("01234567", "qwxzkvjy")  # of which nothing is made that means anything
HEAD = "[2026-02-17 10:02:51 TP1] "
LINES = [
    HEAD + "Decode batch. #running-req: 8, #token: 20253, #queue-req: 0",
    "[2026-02-17 10:02:51] radix cache evict 17 pages",
    'INFO:     10.0.0.1:41 - "GET /health HTTP/1.1" 200 OK',
    'INFO:     10.0.0.1/2:41 - "GET /health HTTP/1.1" 200 OK',
    "[2026-02-17 10:02:52 DP1 TP4 EP4] Decode batch. #running-req: 9, #token: 20253, #queue-req: 0",
    "[2026-02-17 10:02:52 DP1 TP4 EP4] Decode batch. #running-req: nine, #token: 20253, #queue-req: 0",
    '[2026-02-17 10:02:52] INFO:     10.0.0.1:41 - "GET /health HTTP/1.1" 200 OK',
    '\x1b[32mINFO\x1b[0m:     10.0.0.1:41 - "\x1b[1mGET /health HTTP/1.1\x1b[0m" \x1b[32m200 OK\x1b[0m',
    HEAD + "Receive: obj=GenerateReqInput(text='hello')",
    HEAD + "Load weight begin. avail mem=94.08 GB",
    "[2026-02-17 10:02:52",
    "",
]
KINDS = [DATED, SILENT, UNDATED, LEFT, DATED, LEFT, DATED, UNDATED, SAID, LEFT, LEFT, layout.BLANK]
AGAIN = [layout.SPOKEN if line.endswith("94.08 GB") else kind for line, kind in zip(LINES, KINDS, strict=True)]


def test_kinds_of_lines() -> None:
    assert laid.told(LINES, laid.remembering()).kind.tolist() == KINDS


def test_times_and_ranks_of_dated_lines() -> None:
    memory = laid.remembering()
    found = laid.told(LINES, memory)
    assert [memory.ranks[found.label[line]] for line in (0, 1, 4)] == [Rank(tp=1), NO_RANK, Rank(dp=1, tp=4, ep=4)]
    first = datetime(2026, 2, 17, 10, 2, 51, tzinfo=UTC).timestamp()
    assert found.seconds[[0, 1, 4]].tolist() == [first, first, first + 1]


def test_a_message_begins_behind_its_plain_header() -> None:
    found = laid.told(LINES, laid.remembering())
    for line, at in zip(LINES, found.message.tolist(), strict=True):
        said = line.partition("] ")[2][:6].encode() if line.startswith("[20") else b""
        assert found.text[at : at + len(said)] == said
        assert (at > 0) == bool(said)


def test_rows_of_steady_lines() -> None:
    found = laid.told(LINES, laid.remembering())
    counts = {name: found.count(table) for table, name in enumerate(laid.WIDTHS)}
    assert counts == {"DecodeBatch": 2, "PrefillBatch": 0, "Access": 3}


def test_without_lessons_a_line_says_what_it_lacks() -> None:
    memory = laid.remembering()
    asked = laid.untold(LINES).read(memory.now()).ask.tolist()
    tail = layout.A_TAIL
    assert [asked[line] for line in (0, 1, 2, 4, 6, 7)] == [
        layout.A_DAY,
        layout.A_DAY,
        tail,
        layout.A_DAY,
        layout.A_DAY,
        tail,
    ]
    memory.learn_day(LINES[0].encode())
    assert laid.untold(LINES).read(memory.now()).ask[[0, 1, 4]].tolist() == [layout.A_RANK] * 3
    memory.learn_rank(LINES[0].encode())
    memory.learn_rank(LINES[1].encode())
    asked = laid.untold(LINES).read(memory.now()).ask.tolist()
    assert (asked[0], asked[1], asked[8], asked[9]) == (
        layout.A_FORM,
        layout.A_WORDING,
        layout.A_SPEAKER,
        layout.A_WORDING,
    )


def test_all_that_lines_lack_is_learned_once() -> None:
    known = laid.Counting()
    memory = laid.remembering(known)
    first = laid.told(LINES * 3, memory)
    assert first.kind.tolist() == [*KINDS, *AGAIN, *AGAIN], "what patterns may claim is asked for when it comes again"
    assert len(known.asked) == len(set(known.asked)), "each once"
    known.asked.clear()
    assert laid.told(LINES, memory).kind.tolist() == AGAIN
    assert not known.asked


@pytest.mark.parametrize(
    "line", [line for line, kind in zip(LINES, KINDS, strict=True) if kind not in {LEFT, layout.BLANK}]
)
def test_each_lesson_stands_by_itself(line: str) -> None:
    found = laid.told([line], laid.remembering())
    assert found.kind.tolist() == [KINDS[LINES.index(line)]]


def test_what_was_told_by_older_knowledge_is_told_again_by_newer() -> None:
    known = laid.Counting()
    memory = laid.remembering(known)
    old = memory.now()
    first, second = laid.untold(LINES).read(old), laid.untold(LINES).read(old)
    first.teach(memory)
    known.asked.clear()
    assert second.kind.tolist() != KINDS
    second.teach(memory)
    assert second.kind.tolist() == AGAIN
    assert not known.asked


def test_what_was_learned_for_another_chunk_changes_no_line_that_was_told() -> None:
    memory = laid.remembering()
    found = laid.told(LINES, memory)
    counts = [found.count(table) for table in range(len(laid.WIDTHS))]
    laid.told([HEAD + "Decode batch. #token: 5, #running-req: 1", HEAD + "said otherwise"], memory)
    found.teach(memory)
    assert found.kind.tolist() == AGAIN
    assert [found.count(table) for table in range(len(laid.WIDTHS))] == counts


def test_many_lines_that_lack_different_things_are_all_told() -> None:
    lines = [HEAD + f"evicts {oct(n).translate(LETTERS)} pages" for n in range(1500)]
    lines += [f"[2026-02-17 10:02:51 TP{n}] radix cache evict" for n in range(700)]
    assert set(laid.told(lines, laid.remembering()).kind.tolist()) == {SILENT}


@pytest.mark.parametrize("behind", [0, 7, 8])
def test_a_line_near_the_end_of_the_text_is_left(behind: int) -> None:
    text = laid.joined(LINES[:2] * 2)
    found = chunk.Chunk(text + b"a line that begins"[:behind], laid.ends_of(text))
    memory = laid.remembering()
    found.read(memory.now()).teach(memory)
    assert found.kind.tolist() == [DATED, SILENT, DATED, SILENT if behind == 8 else LEFT]


def test_lines_behind_others_of_a_text_are_told_by_themselves() -> None:
    text = laid.joined(LINES)
    memory = laid.remembering()
    found = chunk.Chunk(text + laid.BEHIND, laid.ends_of(text)[4:])
    found.read(memory.now()).teach(memory)
    assert (len(found.kind), found.kind.tolist()) == (len(LINES) - 4, KINDS[4:])


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("evicts pages", SILENT),
        ("evicts pages\r", SILENT),
        ("evicts pages ", LEFT),
        ("evicts pages \r", LEFT),
        ("evicts pages\t", LEFT),
        (" evicts pages", LEFT),
        ("17 evicts pages", LEFT),
        ("evi5 pages", LEFT),
        ("evic5 pages", SILENT),
        ("evicts 5 pages", SILENT),
        ("evicts p", LEFT),
        ("evicts pa", SILENT),
        ("evicts [pages", LEFT),
        ("evicts\tpages", LEFT),
        ("evicts \x1b[1mpages", LEFT),
        ("evicts pagés", LEFT),
        ("evicts pages and raises RuntimeError: no pages", LEFT),
        ("x" * (kernel.LONGEST_SILENT - 1), SILENT),
        ("x" * kernel.LONGEST_SILENT, LEFT),
        ("", LEFT),
    ],
)
def test_a_message_of_a_silent_wording_says_nothing(message: str, kind: int) -> None:
    assert laid.told([HEAD + message], laid.remembering()).kind.tolist() == [kind]


def test_lines_without_a_header_are_told_by_their_wording_when_it_comes_again() -> None:
    lines = [
        "scheduler 1 evicts pages",
        "another text",
        "scheduler 22 evicts pages",
        "\x1b[1mscheduler 3 evicts\x1b[0m",
    ]
    memory = laid.remembering()
    laid.told(lines, memory)
    found = laid.told(lines, memory)
    assert found.kind.tolist() == [layout.HUSHED] * 4
    assert found.flags.tolist() == [silence.APART] * 3 + [silence.APART | silence.COLOURED]


def test_a_line_without_a_header_is_told_as_its_wording_is_judged() -> None:
    lines = [
        "scheduler 1 evicts",
        "  further",
        "x",
        "Killed",
        "ValueError: no pages",
        "key: [value]",
        '{"a": 1}',
        "\udcff",
    ]
    lines += ["x" * kernel.LONGEST_HUSHED, "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.96 GiB."]
    memory = laid.remembering()
    for _ in range(2):
        found = laid.told(lines, memory)
    for line, kind, flags in zip(lines, found.kind.tolist(), found.flags.tolist(), strict=True):
        raw = line.encode(errors="surrogateescape")
        bare = raw.translate(None, b"0123456789")
        verdict = memory.silent[bare] if len(raw) < kernel.LONGEST_HUSHED else silence.LOUD
        verdict = memory.silent.ask(raw, bare) if verdict & silence.ASK else verdict
        assert (kind, flags) == (layout.HUSHED if verdict else LEFT, verdict), line


def test_an_empty_line_is_one_at_once() -> None:
    assert laid.told(["", "\r", " "], laid.remembering()).kind.tolist() == [layout.BLANK, layout.BLANK, LEFT]


def test_the_first_line_of_a_wording_without_a_header_is_left() -> None:
    memory = laid.remembering()
    assert [laid.told(["scheduler 1 evicts"], memory).kind.tolist() for _ in range(3)] == [
        [LEFT],
        *[[layout.HUSHED]] * 2,
    ]


def lacks(lines: list[str], memory: object) -> list[int]:
    """What has to be learned for each line, before anything is."""
    return laid.untold(lines).read(memory.now()).ask.tolist()  # type: ignore[attr-defined, no-any-return]


def numbered(count: int, line: str) -> list[str]:
    """Lines of the wording of one with a 17, each with digits in places of its own."""
    before, _, behind = line.rpartition("17")
    return [before + "1" * n + behind for n in range(1, count + 1)]


def test_a_message_asks_for_its_wording_and_then_for_its_shape() -> None:
    memory = laid.remembering()
    laid.told([HEAD + "evicts pages"], memory)
    line = HEAD + "drops 17 pages"
    assert lacks([line], memory) == [layout.A_WORDING]
    memory.learn_wording(b"drops 17 pages")
    assert lacks([line], memory) == [layout.A_SHAPE]
    assert laid.untold([line]).read(memory.now()).kind.tolist() == [SILENT], "it is told without it"
    assert laid.told([line], memory).kind.tolist() == [SILENT]
    others = [HEAD + said for said in ("drops 17 pages", "drops 42 pages", "drops 5 pages", "drops 17 page")]
    assert lacks(others, memory) == [layout.NOTHING, layout.NOTHING, layout.A_SHAPE, layout.A_WORDING]


def test_a_line_without_a_header_asks_for_its_wording_and_then_for_its_shape() -> None:
    memory = laid.remembering()
    line = "scheduler 17 evicts"
    assert lacks([line], memory) == [layout.A_HUSH]
    assert [memory.learn_hush(line.encode()) for _ in range(2)] == [False, True]
    assert lacks([line], memory) == [layout.A_SHAPE]
    assert laid.told([line], memory).kind.tolist() == [layout.HUSHED]
    others = ["scheduler 42 evicts", "scheduler 5 evicts", "scheduler 17 evict", HEAD + line]
    assert lacks(others, memory) == [layout.NOTHING, layout.A_SHAPE, layout.A_HUSH, layout.A_DAY]


@pytest.mark.parametrize("line", [HEAD + "evicts 17 pages", "scheduler 17 evicts", HEAD + "evicts [17 pages"])
def test_a_line_is_the_same_by_its_wording_and_by_its_shape_however_many_these_are(line: str) -> None:
    memory = laid.remembering()
    for _ in range(2):  # what has no header is judged when it comes again
        laid.told([HEAD + "drops pages", "another text", HEAD + "drops 17 pages", line], memory)
    before = laid.untold(numbered(70, line)).read(memory.now())
    assert set(before.ask.tolist()) == {layout.NOTHING, layout.A_SHAPE}
    after = laid.told(numbered(70, line), memory)
    for name in ("kind", "flags", "form", "message", "seconds"):
        assert getattr(after, name).tolist() == getattr(before, name).tolist(), name
    assert set(lacks(numbered(80, line), memory)) == {layout.NOTHING}


@pytest.mark.parametrize("count", [1, 2, 63, 64, 65, 66])
def test_a_wording_is_asked_for_sixty_four_shapes_and_once_for_another(count: int) -> None:
    memory = laid.remembering()
    line = HEAD + "evicts 17 pages"
    assert set(laid.told(numbered(count, line), memory).kind.tolist()) == {SILENT}
    more = layout.A_SHAPE if count <= 64 else layout.NOTHING
    assert lacks(numbered(67, line), memory) == [layout.NOTHING] * count + [more] * (67 - count)


def test_a_loud_wording_is_left_in_every_shape() -> None:
    memory = laid.remembering()
    lines = numbered(70, HEAD + "evicts [17 pages")
    assert [set(laid.told(lines, memory).kind.tolist()) for _ in range(2)] == [{LEFT}, {LEFT}]
    assert set(laid.untold(lines).read(memory.now()).ask.tolist()) == {layout.NOTHING}


def test_shapes_of_messages_that_may_not_be_told_by_their_wording_change_nothing() -> None:
    memory = laid.remembering()
    laid.told([HEAD + "evicts 17 pages", HEAD + "evict 17 pages"], memory)
    lines = [HEAD + said for said in ("evicts 17 pages ", " evicts 17 pages", "1victs 17 pages", "evicts17 pages\r")]
    assert laid.told(lines, memory).kind.tolist() == [LEFT, LEFT, LEFT, SILENT]


@pytest.mark.parametrize(
    ("line", "kind", "flags"),
    [
        (HEAD + "Load weight begin. avail mem=94.08 GB", layout.SPOKEN, silence.KNOWN),
        (HEAD + "frobnicator failed 5", layout.SPOKEN, 0),
        (HEAD + "KV Cache is allocated. 5", SILENT, 0),
        (HEAD + "evicts 17 pages", SILENT, 0),
        ("CUDA error: out of memory", layout.HUSHED, silence.APART | silence.KNOWN | silence.EVENTS),
        ("scheduler 17 evicts", layout.HUSHED, silence.APART),
    ],
)
def test_a_line_has_the_form_it_was_answered_with_when_it_comes_again(line: str, kind: int, flags: int) -> None:
    memory = laid.remembering()
    before = [HEAD + "drops pages", "another text", HEAD + "health check failed"]
    laid.told([*before, line], memory)
    found = []
    for lines in ([*before, line], [line], [line], [line]):  # the first one is asked for by itself where it must be
        chunk = laid.told(lines, memory)
        found.append((int(chunk.kind[-1]), int(chunk.flags[-1]), int(chunk.form[-1])))
    assert lacks([line], memory) == [layout.NOTHING]
    assert {*found} == {(kind, flags, found[0][2])}
    assert found[0][2] >= 0
