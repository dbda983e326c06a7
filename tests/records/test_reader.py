"""Lines become records: split where two were glued, joined where one was broken, each at its time and rank."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.evidence import NO_RANK, Rank, Ref, Stamp
from analyzer.names import LATEST
from analyzer.parsers.block import Text
from analyzer.records import Reader, Record
from analyzer.scan import reach

HEAD = "[2026-02-17 10:02:51 TP1] "
FRAMES = ['  File "/a/scheduler.py", line 3, in run', "    go()"]


def read(*texts: str | Text) -> list[Record]:
    reader = Reader()
    records = []
    for number, text in enumerate(texts, start=1):
        line = (
            text if isinstance(text, Text) else Text(text, Ref("s", number, number, number * 100, number * 100 + 100))
        )
        records += reader.feed(line)
    return [*records, *reader.flush()]


def said(*texts: str | Text) -> list[str]:
    return [record.text for record in read(*texts)]


def test_a_line_without_a_header_has_the_time_before_but_not_its_rank() -> None:
    first, second = read(HEAD + "Load weight begin.", "Loading shards: 0%")
    assert (first.direct, first.rank, first.header) == (True, Rank(tp=1), "sglang")
    assert (second.stamp, second.direct, second.rank, second.header) == (first.stamp, False, NO_RANK, "")


def test_blank_lines_are_no_records() -> None:
    assert said("", HEAD + "a", "", "", "b") == ["a", "b"]


def test_glued_headers_split_a_line_into_records_of_one_ref_with_their_columns() -> None:
    bar = "shards: 100%| 4/4 [00:00<00:00, 1.17it/s]"
    first, second = read(bar + HEAD + "Scheduler hit an exception")
    assert (first.text, second.text) == (bar, "Scheduler hit an exception")
    assert (first.ref.line, second.ref.line) == (1, 1)
    assert (first.ref.column, second.ref.column) == (0, len(bar) + len(HEAD))
    assert (first.rank, second.rank) == (NO_RANK, Rank(tp=1))


def test_two_headed_messages_on_one_line_are_two_records() -> None:
    assert said(HEAD + "Decode batch. #queue-req: 0, " + HEAD + "Prefill batch.") == [
        "Decode batch. #queue-req: 0,",
        "Prefill batch.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "Receive: obj=GenerateReqInput(text=pasted log: [2025-01-01 10:00:00 TP0] Scheduler hit an exception",
        HEAD + "Finish: obj=GenerateReqInput(text='x'), out={'text': a [2025-01-01 10:00:00] Received sigquit",
        HEAD + '{"event": "request.received", "text": "x [2025-01-01 10:00:00] Received sigquit"}',
        HEAD + "Capture cuda graph bs [1, 2, 4, 8]",
    ],
)
def test_a_header_in_a_request_and_a_list_split_nothing(text: str) -> None:
    assert said(text) == [text.removeprefix(HEAD)]


def test_the_clock_inside_counts_where_a_collector_put_its_own_before() -> None:
    (record,) = read(
        '[2025-03-11 16:16:58] [2025-03-11 01:16:58] INFO:     192.0.2.1:0 - "POST /generate HTTP/1.1" 200 OK'
    )
    assert record.stamp is not None
    assert record.stamp.moment == datetime(2025, 3, 11, 1, 16, 58)


def test_a_traceback_belongs_to_the_record_that_announces_it() -> None:
    first, second = read(
        HEAD + "Scheduler hit an exception: Traceback (most recent call last):",
        *FRAMES,
        "RuntimeError: no",
        "",
        HEAD + "next",
    )
    assert first.more == [*FRAMES, "RuntimeError: no"]
    assert (first.ref.line, first.ref.last_line, first.ref.start, first.ref.end) == (1, 4, 100, 500)
    assert (first.rank, second.text) == (Rank(tp=1), "next")


def test_a_traceback_below_another_message_is_a_record_of_its_own() -> None:
    first, second = read(
        HEAD + "Decode batch. #running-req: 1", "Traceback (most recent call last):", *FRAMES, "EOFError"
    )
    assert first.more == []
    assert (second.more, second.rank) == ([*FRAMES, "EOFError"], NO_RANK)


def test_a_traceback_below_a_message_that_expects_one_is_joined() -> None:
    (record,) = read(
        HEAD + "ERROR:    Exception in ASGI application", "Traceback (most recent call last):", *FRAMES, "KeyError: 'x'"
    )
    assert record.more[-1] == "KeyError: 'x'"


def test_chained_tracebacks_are_one_record() -> None:
    chain = [
        "Traceback (most recent call last):",
        *FRAMES,
        "ValueError: first",
        "",
        "During handling of the above exception, another exception occurred:",
        "",
        "Traceback (most recent call last):",
        *FRAMES,
        "RuntimeError: second",
    ]
    (record,) = read(*chain)
    assert [record.text, *record.more] == chain


def test_a_message_of_several_lines_does_not_hide_the_next_link_of_the_chain() -> None:
    (record,) = read(
        "Traceback (most recent call last):", *FRAMES, "ValueError: first", "its second line", "",
        "The above exception was the direct cause of the following exception:", "", "Traceback (most recent call last):",
        *FRAMES, "RuntimeError: second",
    )  # fmt: skip
    assert record.more[-1] == "RuntimeError: second"


def test_two_tracebacks_in_a_row_are_two_records() -> None:
    one = ["Traceback (most recent call last):", *FRAMES, "EOFError"]
    assert [record.more[-1] for record in read(*one, *one)] == ["EOFError", "EOFError"]


def test_what_follows_a_traceback_is_read_by_itself() -> None:
    assert said("Traceback (most recent call last):", *FRAMES, "EOFError", "Killed", "bye") == [
        "Traceback (most recent call last):",
        "Killed",
        "bye",
    ]


def test_torchs_advice_below_an_exception_stays_with_it() -> None:
    (record,) = read(
        "Traceback (most recent call last):", *FRAMES, "RuntimeError: CUDA error: out of memory",
        "CUDA kernel errors might be asynchronously reported at some other API call.", "Compile with `TORCH_USE_CUDA_DSA`.",
    )  # fmt: skip
    assert len(record.more) == 5


def test_another_writers_line_inside_a_traceback_is_a_record_and_the_traceback_goes_on() -> None:
    stranger, traceback = read(
        HEAD + "Scheduler hit an exception: Traceback (most recent call last):",
        FRAMES[0],
        "Loading shards: 3%",
        FRAMES[1],
        "EOFError",
    )
    assert (stranger.text, stranger.rank) == ("Loading shards: 3%", NO_RANK)
    assert traceback.more == [*FRAMES, "EOFError"]


def test_frames_whose_head_is_lost_are_a_traceback() -> None:
    (record,) = read(*FRAMES, "EOFError")
    assert (record.text, record.more) == (FRAMES[0], [FRAMES[1], "EOFError"])


def test_a_traceback_that_lost_its_indentation_is_joined() -> None:
    (record,) = read("Traceback (most recent call last):", *(line.strip() for line in FRAMES), "EOFError")
    assert record.more == [FRAMES[0].strip(), "go()", "EOFError"]


def test_an_endless_traceback_keeps_its_ends() -> None:
    (record,) = read(
        "Traceback (most recent call last):",
        *(FRAMES[0].replace("3", str(n)) for n in range(5000)),
        "RecursionError: x",
    )
    assert len(record.more) == reach.MORE
    assert "line 0," in record.more[0]
    assert record.more[-1] == "RecursionError: x"
    assert record.ref.last_line == 5002


def test_an_export_with_the_newest_line_first_keeps_the_span_in_order() -> None:
    lines = ["Traceback (most recent call last):", *FRAMES, "EOFError"]
    (record,) = read(*(Text(text, Ref("s", 10 - n, 10 - n, 900 - n, 901 - n)) for n, text in enumerate(lines)))
    assert (record.ref.line, record.ref.last_line, record.ref.start, record.ref.end) == (7, 10, 897, 901)


def wrapped(text: str, second: int, line: int = 1, node: str = "") -> Text:
    return Text(text, Ref("s", line, line), Stamp("t", datetime(2026, 2, 17, 10, 2, second, 500_000)), node)


def test_a_wrappers_time_dates_a_line_where_its_clock_is_the_headers() -> None:
    _, record = read(wrapped(HEAD + "a", 51), wrapped("Killed", 57, 2))
    assert record.direct
    assert record.stamp is not None
    assert record.stamp.moment.second == 57


def test_a_wrappers_time_of_another_clock_dates_nothing() -> None:
    elsewhere = Text("Killed", Ref("s", 2, 2), Stamp("t", datetime(2026, 2, 18, 1, 3)))
    other = Text(HEAD + "a", Ref("s", 1, 1), Stamp("t", datetime(2026, 2, 18, 1, 2, 51)))
    first, record = read(other, elsewhere)
    assert (record.stamp, record.direct) == (first.stamp, False)


def test_nodes_that_speak_in_turn_are_read_apart() -> None:
    lines = [("n0", HEAD + "Scheduler hit an exception: Traceback (most recent call last):"), ("n1", "Killed"), ("n0", FRAMES[0]),
             ("n1", HEAD + "next"), ("n0", "EOFError")]  # fmt: skip
    records = read(*(Text(text, Ref("s", n, n), None, node) for n, (node, text) in enumerate(lines)))
    joined = next(record for record in records if record.more)
    assert (joined.node, joined.more) == ("n0", [FRAMES[0], "EOFError"])


def test_of_a_node_that_was_silent_while_a_thousand_spoke_what_was_waiting_is_given() -> None:
    """Its traceback stands alone then; nothing is lost, and nothing is held for every name that there ever was."""
    first = Text(HEAD + "Scheduler hit an exception: Traceback (most recent call last):", Ref("s", 1, 1), None, "n")
    others = [Text("loading", Ref("s", n, n), None, f"n{n}") for n in range(2, LATEST + 2)]
    reader = Reader()
    given = [record.text for line in (first, *others) for record in reader.feed(line)]
    assert given == [*["loading"] * (LATEST - 1), first.text.removeprefix(HEAD), "loading"]
    assert [*reader.flush()] == []


def test_time_only_headers_split_where_the_log_has_them() -> None:
    assert said("[14:39:01 TP0] a", "bar 1/2 [00:01<00:01][14:39:07 TP3] b") == ["a", "bar 1/2 [00:01<00:01]", "b"]


def test_a_gpu_number_gives_the_rank_and_the_time_before() -> None:
    _, record = read("[14:39:01] a", "[gpu=3] Init nccl begin.")
    assert (record.rank, record.direct, record.header) == (Rank(tp=3), False, "sglang")


PIECES = st.sampled_from(
    [
        HEAD,
        "[14:39:01 TP0] ",
        "Traceback (most recent call last):",
        *FRAMES,
        "RuntimeError: x",
        "",
        "word ",
        "[",
        "Receive: obj=",
        "it/s]",
    ]
)


@given(st.lists(st.lists(PIECES, max_size=4).map("".join), max_size=30))
def test_no_line_is_lost_and_none_is_said_twice(texts: list[str]) -> None:
    records = read(*(f"{text}w{number}." for number, text in enumerate(texts)))
    out = "\n".join("\n".join([record.text, *record.more]) for record in records)
    assert [out.count(f"w{number}.") for number in range(len(texts))] == [1] * len(texts)


@given(st.lists(st.text(max_size=80), max_size=20))
def test_any_text_is_read(texts: list[str]) -> None:
    for record in read(*texts):
        assert record.ref.line <= record.ref.last_line


class Run:
    """Lines of which none opens or ends anything."""

    def __init__(self, *lines: str, apart: bool = True, mute: bool = True) -> None:
        self.lines = [Text(line, Ref("s", number, number)) for number, line in enumerate(lines, start=50)]
        self.opens_apart = self.apart = apart
        self.mute = mute

    def __len__(self) -> int:
        return len(self.lines)

    def take(self) -> Text:
        return self.lines.pop(0)


def passed(run: Run, *before: str) -> tuple[bool, list[str], list[str]]:
    """Whether the run may pass behind these lines, what it ends, and whether it is known to be apart by then."""
    reader = Reader()
    for text in before:
        list(reader.feed(Text(text, Ref("s", 1, 1))))
    if not reader.may_pass(run):
        return False, [], []
    settled: list[str] = []
    ended = [record.text for record in reader.pass_by(run, lambda _: settled.append("now"))]
    return True, ended, settled


def test_a_run_ends_a_message_that_it_cannot_go_on() -> None:
    assert passed(Run("chatter", "more"), HEAD + "memory leak detected") == (True, ["memory leak detected"], ["now"])
    assert passed(Run("  chatter", apart=False), HEAD + "memory leak detected") == (False, [], [])
    assert passed(Run("chatter"), HEAD + "server_args=ServerArgs(tp_size=8, ")[0] is False


def test_a_run_goes_past_an_open_traceback_unless_it_is_too_long() -> None:
    opened = (HEAD + "Scheduler hit an exception: Traceback (most recent call last):", *FRAMES)
    head = "Scheduler hit an exception: Traceback (most recent call last):"
    assert passed(Run("chatter"), *opened) == (True, [], ["now"])
    assert passed(Run(*["chatter"] * 41), *opened) == (True, [head], ["now"])
    assert passed(Run("  chatter", apart=False), *opened)[0] is False
    assert passed(Run(*["chatter"] * 41, mute=False), *opened)[0] is False  # whose events come first would be open


def test_a_run_waits_with_an_ended_traceback_that_may_have_a_cause() -> None:
    ended = ("Traceback (most recent call last):", *FRAMES, "EOFError")
    chain = "During handling of the above exception, another exception occurred:"
    reader = Reader()
    for text in ended:
        assert not list(reader.feed(Text(text, Ref("s", 1, 1))))
    settled: list[str] = []
    assert not list(reader.pass_by(Run("chatter", "more"), lambda _: settled.append("now")))
    assert not list(reader.feed(Text(chain, Ref("s", 60, 60))))
    (record,) = reader.flush()
    assert record.more == [*FRAMES, "EOFError", "chatter", "more", chain]
    assert settled == []
    assert passed(Run(*["chatter"] * 17), *ended) == (True, ["Traceback (most recent call last):"], ["now"])
