"""Tracebacks that two ranks wrote at once come apart again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from analyzer.evidence import Rank, Ref
from analyzer.parsers.block import Text
from analyzer.records import Reader
from analyzer.records.tangled import untangled

if TYPE_CHECKING:
    from analyzer.records import Record

RUN = '  File "/s/scheduler.py", line 3100, in run_scheduler_process'
LOOP = '  File "/s/scheduler.py", line 900, in event_loop_overlap'
A = [RUN, "    scheduler.event_loop_overlap()", LOOP, "    self.run_batch(batch)", "RuntimeError: no room"]
B = [*A[:-1], "RuntimeError: no room either"]


def read(*lines: str) -> list[Record]:
    reader = Reader()
    texts = [Text(line, Ref("server.log", number, number)) for number, line in enumerate(lines, 1)]
    return [*(record for text in texts for record in reader.feed(text)), *reader.flush()]


def test_frames_in_turn_go_to_one_each() -> None:
    tangled = [line for pair in zip(A, B, strict=True) for line in pair]
    assert untangled(tangled, 2) == [A, B]


def test_one_that_runs_ahead_leaves_the_rest_to_the_other() -> None:
    assert untangled([*A[:3], *B[:2], *A[3:], *B[2:]], 2) == [A, B]


@given(st.lists(st.sampled_from([*A, "", "other"]), max_size=30), st.integers(1, 4))
def test_no_line_is_lost_or_made(lines: list[str], count: int) -> None:
    assert sorted(line for one in untangled(lines, count) for line in one) == sorted(lines)


def test_each_rank_gets_its_own_exception() -> None:
    heads = [
        f"[2026-02-17 10:06:42 TP{n}] Scheduler hit an exception: Traceback (most recent call last):" for n in (0, 1)
    ]
    tangled = [line for pair in zip(A, B, strict=True) for line in pair]
    records = read(*heads, *tangled, "[2026-02-17 10:06:43] Received sigquit from a child process.")
    assert [(r.rank, r.more) for r in records[:2]] == [(Rank(tp=0), B), (Rank(tp=1), A)]
    assert records[2].text.startswith("Received sigquit")


def test_a_head_whose_lines_never_came_stays_a_record() -> None:
    head = "[2026-02-17 10:06:42 TP0] Scheduler hit an exception: Traceback (most recent call last):"
    records = read(head, head.replace("TP0", "TP1"), *A, "[2026-02-17 10:06:43] next")
    assert [(r.rank.tp, len(r.more)) for r in records] == [(0, 0), (1, 5), (None, 0)]
