"""Requests and answers that the server logged are the same events, whatever the user's text says and does."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("numpy")
alike = pytest.importorskip("tests.scan.alike")

STAMP, HEAD, DECODE, ACCESS, CHATTER = alike.STAMP, alike.HEAD, alike.DECODE, alike.ACCESS, alike.CHATTER
HEADERS = [f"{STAMP}{words}] " for words in ("", " TP1", " DP1 TP4 EP4", " PP1 TP0", " TokenizerManager", ".123", "]")]
BEGINNINGS = ["Receive: obj=GenerateReqInput(", "Finish: obj=GenerateReqInput(", "Finish: obj=EmbeddingReqInput("]
TEXTS = [
    "text='hello', sampling_params={'temperature': 0})",
    "text='grüße, 你好 🚀')",
    "text='\udcff\udcfe')",
    "text='cut in the middle of a character \udcf0\udc9f",
    "text='" + HEAD + "Killed')",
    "text='" + HEAD + DECODE + "')",
    HEAD + DECODE,
    "text='" + ACCESS + "')",
    "text='CUDA out of memory. Tried to allocate 1.96 GiB.')",
    "text='Traceback (most recent call last):",
    "text='Scheduler hit an exception: Traceback (most recent call last):",
    "text='python3 -m sglang.launch_server --model-path m --tp 8')",
    "server_args=ServerArgs(model_path='m', tp_size=8))",
    "text='$ free -g')",
    "text='\x1b[1mcoloured\x1b[0m')",
    "text='ends in blanks" + " " * 60,
    "text='padded to the width of a terminal" + " " * 100,
    "text='ends in a backslash \\",
    "text='ends in a return\r",
    "text='a return\rinside')",
    "text='other line breaks \x0b\x0c\x1c\x85\u2028')",
    "text='a hole \0\0\0')",
    "text='Receive: obj=GenerateReqInput(text=1)')",
    'text=\'{"event": "request.received", "rid": 1}\')',
    "text='\ufeff')",
    "",
    "text='" + "long " * 12_000 + "')",
    "text='" + "longer than what is kept " * 3000 + "')",
]
NAMES = [
    "Receive: obj=\x1b[1mGenerateReqInput\x1b[0m(text='a')",
    "Receive: obj=Gen\0erate(text='a')",
    "Receive: obj=Générate(text='a')",
    "Receive: obj=\udcffGenerate(text='a')",
    "Receive: obj=None, rid=1 (text='a')",
    "Receive: obj=(text='a')",
    "Receive: obj=",
    "Receive: obj",
    "Receive: rid=1",
    "Receive: ",
    "Finish: obj=x " + HEAD + "Killed (a)",
    "Finish: obj=x CUDA out of memory. (a)",
    "Finish: obj=x Scheduler hit an exception: Traceback (most recent call last):",
    "Finish: obj=None Load weight begin. avail mem=94.08 GB (a)",
    'Finish: obj=  File "scheduler.py", line 3 (a)',
    "Finish: obj=A\rB(a)",
    "Finish: obj=A\u2028B(a)",
    "Finish: obj= Receive: obj=GenerateReqInput(text='a')",
    'Finish: obj={"event": "request.received"} (a)',
    "Receive: obj=" + "x" * 180 + "(text='a')",
    "Receive: obj=" + "x" * 190 + "(text='a')",
]  # fmt: skip
BEHIND = [ACCESS, "and a second line of it", "", "Killed", "  indented", "Traceback (most recent call last):", CHATTER]


@pytest.mark.parametrize("header", HEADERS[:-1])
@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_a_request_has_its_place_time_and_rank(header: str, beginning: str) -> None:
    said = [header + beginning + text for text in TEXTS[:6]]
    lines = [line for one in said for line in (HEAD + DECODE, one, one, ACCESS)]
    exact = alike.assert_same(lines, 700, 4096, 1 << 20)
    assert "RequestLogged" in repr(exact.events)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("beginning", BEGINNINGS[:2])
def test_a_user_s_text_is_read_by_nobody(beginning: str, text: str) -> None:
    said = HEAD + beginning + text
    alike.assert_same([HEAD + DECODE, said, HEAD + DECODE, said, said, ACCESS, ACCESS, HEAD + DECODE], 4096, 1 << 20)


@pytest.mark.parametrize("message", NAMES)
def test_what_is_not_surely_a_request_is_left(message: str) -> None:
    alike.assert_same([HEAD + DECODE, HEAD + message, HEAD + DECODE, HEAD + message, ACCESS, ACCESS, HEAD + DECODE])


@pytest.mark.parametrize("behind", BEHIND)
def test_a_request_before_a_line_without_a_header_is_one_record_with_it(behind: str) -> None:
    said = HEAD + BEGINNINGS[0] + "text='goes on"
    alike.assert_same([HEAD + DECODE, said, behind, HEAD + DECODE, ACCESS, said, behind, behind, said, said])
    alike.assert_same([*[HEAD + DECODE, said] * 4, behind, *[said] * 3, behind])


@pytest.mark.parametrize("behind", BEHIND)
def test_a_request_at_the_end_of_a_log_is_there(behind: str) -> None:
    said = HEAD + BEGINNINGS[0] + "text='the end"
    alike.assert_same("\n".join([*alike.PRELUDE, HEAD + DECODE, said, behind]).encode())
    alike.assert_same("\n".join([*alike.PRELUDE, HEAD + DECODE, said, behind, said]).encode())


def test_more_requests_than_are_kept_are_the_first_and_the_last_of_each_rank() -> None:
    lines = [f"{HEADERS[n % 3]}{BEGINNINGS[n % 2]}rid='{n}')" for n in range(1000)]
    exact = alike.assert_same([line for one in lines for line in (HEAD + DECODE, one)], 2000, 30_000, 1 << 20)
    assert sum(event.count for event in exact.events if type(event).__name__ == "RequestLogged") == 1000


@pytest.mark.parametrize("seed", range(6))
def test_requests_among_other_lines_are_read_alike(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same logs every time
    others = [ACCESS, HEAD + DECODE, HEAD + DECODE, HEAD + CHATTER, *BEHIND]
    lines = []
    for _ in range(300):
        said = chance.choice(HEADERS) + chance.choice(
            [*NAMES, *(chance.choice(BEGINNINGS) + text for text in TEXTS[:-2])]
        )
        lines.append(chance.choice([said, said, *others]))
    alike.assert_same(lines, chance.choice([600, 3000]), 1 << 20)


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(HEADERS),
            st.sampled_from(["Receive: obj=", "Finish: obj=", *BEGINNINGS]),
            st.binary(max_size=40).map(lambda raw: raw.replace(b"\n", b" ").decode(errors="surrogateescape")),
            st.sampled_from(["", "", *BEHIND]),
        ),
        max_size=12,
    )
)
def test_any_bytes_of_a_user_are_read_alike(said: list[tuple[str, str, str, str]]) -> None:
    lines = [line for header, begin, text, behind in said for line in (header + begin + text, behind or HEAD + DECODE)]
    alike.assert_same([HEAD + DECODE, *lines, HEAD + DECODE, HEAD + DECODE], 500, 1 << 20)
