"""Wrappers are asked about once, and taken off where they change nothing; the rest of a block is left."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

np = pytest.importorskip("numpy")
wrapping = pytest.importorskip("analyzer.scan.fast.wrapping")
laid = pytest.importorskip("tests.scan.fast.laid")
layers = pytest.importorskip("analyzer.layers")

HEADED = "[2026-02-17 10:02:51 TP1] Decode batch. #running-req: 8, #queue-req: 0"
ACCESS = 'INFO:     10.0.0.1:41 - "GET /health HTTP/1.1" 200 OK'


class Asked(laid.Counting):  # type: ignore[misc]
    def __init__(self, head: list[str]) -> None:
        super().__init__()
        self.wear(layers.Peeler(head))

    def wrapper(self, before: str, behind: str = "") -> Any:
        self.asked.append(before + behind)
        return super().wrapper(before, behind)


def off(lines: list[str], known: Any) -> tuple[list[str], Any]:
    text = laid.joined(lines)
    taken = wrapping.Wrapping(known)
    bare = taken.off(text, laid.ends_of(text))
    cut = bare.ends.tolist()
    assert [bare.text[begin:end][-1:] for begin, end in pairwise(cut)] == [b"\n"] * len(lines)
    return bare.text.decode(errors="surrogateescape").split("\n")[:-1], (bare, taken)


def test_a_wrapper_is_asked_about_once_whatever_the_time_in_it() -> None:
    lines = [f"2026-02-17T10:02:5{n}.{n}{'7' * n}Z stderr F {HEADED}" for n in range(9)]
    known = Asked(lines)
    left, (bare, taken) = off(lines, known)
    assert left == [HEADED] * 9
    assert known.asked == ["2026-02-17T10:02:50.0Z stderr F ", "2026-02-17T00:00:00.0Z stderr F "]
    # 17 February 2026 begins 20,501 days after 1970: 56 years of 365 days, 14 leap days, 31 + 16 days of the year
    midnight = (56 * 365 + 14 + 31 + 16) * 86400
    assert bare.seconds.tolist()[:2] == [midnight + 36170.0, midnight + 36171.17]
    assert taken.names(bare.wrapper) == {"cri": 9}


def test_lines_without_a_header_lose_the_wrapper_of_the_line_before() -> None:
    left, (bare, _) = off([f"sglang-1  | {HEADED}", f"sglang-1  | {ACCESS}"], Asked([f"sglang-1  | {HEADED}"] * 3))
    assert left == [HEADED, ACCESS]
    assert np.isnan(bare.seconds).all(), "it tells no time"


@pytest.mark.parametrize(
    "other",
    [
        HEADED,  # without a wrapper it is of another origin
        f"router-1  | {HEADED}",
        f"\x1b[36msglang-1  | \x1b[0m{HEADED}",
        f"sglang-1  | {HEADED}  ",  # blanks that a terminal may have added
        f"sglang-1  | {HEADED} │",
    ],
)
def test_a_line_with_another_wrapper_is_left(other: str) -> None:
    head = [f"sglang-1  | {HEADED}"] * 3
    left, (bare, _) = off([*head, other], Asked(head))
    assert left[3] == "{"
    assert bare.wrapper.tolist()[3] < 0


def test_the_same_origin_written_otherwise_is_learned_as_well() -> None:
    left, (bare, _) = off([f"sglang-1  | {HEADED}", f"sglang-1 | {HEADED}"], Asked([f"sglang-1  | {HEADED}"] * 3))
    assert left == [HEADED, HEADED]
    assert bare.wrapper.tolist() == [0, 1]


@pytest.mark.parametrize("wrapper", ["2026-02-17T10:02:51.1Z stderr P ", "(Actor pid=4, ip=10.0.0.1) ", '{"log":"'])
def test_what_may_change_the_line_behind_it_is_no_wrapper_to_take_off(wrapper: str) -> None:
    line = wrapper + HEADED
    assert off([line] * 3, Asked([line] * 3))[0] == ["{"] * 3


@pytest.mark.parametrize(
    "wrapper",
    [
        "2026-02-17T10:02:51+0000 gpu-1 sglang[4]: <30>Feb 17 10:02:53 gpu-1 sglang[4]: ",  # the inner time counts
        "2026-02-17T10:02:51Z stderr F 2026-02-17T00:00:00Z ",  # as it does where the outer one stands still
    ],
)
def test_a_wrapper_with_two_times_is_left(wrapper: str) -> None:
    assert off([wrapper + HEADED] * 3, Asked([wrapper + HEADED] * 3))[0] == ["{"] * 3


def test_where_each_line_has_a_wrapper_of_its_own_no_more_are_asked_about() -> None:
    lines = [f"[pod/llm-{'abcdefghij'[n % 10]}{'klmnopqrst'[n // 10 % 10]}{n}/c] {HEADED}" for n in range(1000)]
    known = Asked(lines)
    off(lines, known)
    assert len(known.asked) == 2 * (64 + 1000 // 200), "each as it is, and without its time"


def docker(text: str, number: int, stream: str = "stderr") -> str:
    return json.dumps({"log": f"{text}\n", "stream": stream, "time": f"2026-02-17T10:02:5{number}.{number}Z"})


def test_a_wrapper_of_json_is_asked_about_once_for_each_stream_whatever_the_times_in_it() -> None:
    texts = [HEADED, ACCESS, "", 'a "b"'] * 2
    lines = [docker(text, number, "stdout" if text == ACCESS else "stderr") for number, text in enumerate(texts)]
    known = Asked(lines)
    left, (bare, taken) = off(lines, known)
    assert left == texts
    around = '{{"log": "\\n", "stream": "{}", "time": "2026-02-17T{}Z"}}'
    first, zero = around.format("stderr", "10:02:50.0"), around.format("stderr", "00:00:00.0")
    other, none = around.format("stdout", "10:02:51.1"), around.format("stdout", "00:00:00.0")
    assert known.asked == [first, zero, zero, other, none, none]
    assert (bare.seconds - bare.seconds[0]).tolist() == pytest.approx([n * 1.1 for n in range(8)])
    assert taken.names(bare.wrapper) == {"json": 8}
    assert bare.columns.tolist() == [9, 0, 9, 0] * 2, "a text with escapes is not found in its line"


@pytest.mark.parametrize(
    "entry",
    [
        {"log": HEADED, "stream": "stderr", "time": "2026-02-17T10:02:51Z"},  # docker cut it
        {"message": HEADED, "ts": 1786000000},  # a time that is no clock's
        {"message": HEADED, "timestamp": 17, "time": "2026-02-17T10:02:51Z"},  # which it may be on another line
        {"message": HEADED, "timestamp": "2026-02-17T10:02:51Z", "@timestamp": "2026-02-17T10:02:52Z"},
        {"text": HEADED, "time": "2026-02-17T10:02:51Z"},
        {"message": "a", "body": HEADED, "time": "2026-02-17T10:02:51Z"},
        {"message": HEADED, "time": "2026-02-17T10:02:51Z", "host": "gpü"},
    ],
)
def test_json_that_says_more_than_a_text_and_its_time_is_left(entry: dict[str, object]) -> None:
    lines = [json.dumps(entry, ensure_ascii=False)] * 3
    assert off(lines, Asked(lines))[0] == ["{"] * 3


def test_numbers_in_json_are_other_ones_on_each_line() -> None:
    lines = [
        json.dumps({"@timestamp": f"2026-02-17T10:02:5{n}Z", "log": {"offset": 7**n}, "message": f"{HEADED}{n}"})
        for n in range(9)
    ]
    known = Asked(lines)
    assert off(lines, known)[0] == [f"{HEADED}{n}" for n in range(9)]
    assert len(known.asked) == 3
