"""A request or an answer that the server logged is told by the words before a user's text, whatever that says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("numpy")
kernel = pytest.importorskip("analyzer.scan.fast.kernel")
texts = pytest.importorskip("analyzer.scan.fast.texts")
laid = pytest.importorskip("tests.scan.fast.laid")

REQUEST = b"Receive: obj=GenerateReqInput("
ANSWER = b"Finish: obj=GenerateReqInput("
FARTHEST = 200  # bytes of a message in which the bracket stands


def said(message: bytes) -> bool:
    """Whether a message is a request or an answer; where it is, the user's text begins behind the first bracket."""
    text, begin = laid.Laid(b"[a header] " + message + b"\n"), len(b"[a header] ")
    opens = kernel.says_whose(text.at, begin, text.size)
    assert opens in {0, begin + message.find(b"(") + 1}
    return bool(opens > 0)


def stays(line: bytes, begin: int = 0) -> bool:
    text = laid.Laid(line + b"\n")
    return texts.goes_not_on(text.at, begin, text.size)


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"Receive:",
        b"Receive: obj",
        b"Receive: obj=",
        b"Receive: obj=(",
        b"Receive: obj=GenerateReqInput",
        b"Receive: obj=None, out={}",
        b"Receive:obj=GenerateReqInput(text='a')",
        b"Receive:  obj=GenerateReqInput(text='a')",
        b"Receives: obj=GenerateReqInput(text='a')",
        b" Receive: obj=GenerateReqInput(text='a')",
        b"receive: obj=GenerateReqInput(text='a')",
        b"Received obj=GenerateReqInput(text='a')",
        b"Receive: object=GenerateReqInput(text='a')",
        b"Receive: oBj=GenerateReqInput(text='a')",
        b"Receive: rid=1, obj=GenerateReqInput(text='a')",
        b"Finish:  obj=GenerateReqInput(text='a')",
        b"Finish obj=GenerateReqInput(text='a')",
        b"Finish: obj=None, out={'text': 'a (b)'}",
        b"Finish: obj=Generate\x1b[1mReqInput(text='a')",
        b"Finish: obj=Generate\0ReqInput(text='a')",
        "Finish: obj=Générate(text='a')".encode(),
        b"Finish: obj=[2026-02-17 10:02:51] Killed (a)",
        REQUEST + b"text='\x1b[1mcoloured\x1b[0m')",
        REQUEST + b"text='a') \x1b",
        REQUEST + b"text='ends in a blank ",
        REQUEST + b"text='ends in a blank \r",
    ],
)
def test_another_message_is_no_request(message: bytes) -> None:
    assert not said(message)


@pytest.mark.parametrize("begin", [REQUEST, ANSWER])
@pytest.mark.parametrize(
    "text",
    [
        b"text='hello', sampling_params={})",
        b"text='[2026-02-17 10:02:51 TP3] Killed')",
        b"text='Decode batch. #running-req: 8, #token: 20253",
        b"text='Traceback (most recent call last):')",
        "text='grüße, 你好 🚀')".encode(),
        b"text='\xff\xfe\x80')",
        b"text='a\0b\x0c\x85')",
        b"",
        b"x",
        b"text='ends in a tab\t",
        b"text='ends in\r",
        b"text='ends in\r\r",
    ],
)
def test_a_request_or_an_answer_is_told_whatever_the_user_s_text(begin: bytes, text: bytes) -> None:
    assert said(begin + text)


@given(st.binary(max_size=80))
def test_any_text_without_colours_and_blank_at_its_end_is_a_user_s(text: bytes) -> None:
    text = text.replace(b"\n", b"")
    plain = b"\x1b" not in text and not text.rstrip(b"\r").endswith(b" ")
    assert said(REQUEST + text) == plain


@pytest.mark.parametrize("begin", [b"Receive: obj=", b"Finish: obj="])
@pytest.mark.parametrize("at", [FARTHEST - 2, FARTHEST - 1, FARTHEST, FARTHEST + 100])
def test_the_bracket_stands_near_the_beginning(begin: bytes, at: int) -> None:
    message = begin.ljust(at, b"x") + b"(text='a')"
    assert said(message) == (at < FARTHEST)


def test_a_line_may_be_as_long_as_the_text_that_is_kept_of_one() -> None:
    longest = REQUEST.ljust(kernel.LONGEST_SAID - 1, b"x")
    assert said(longest)
    assert not said(longest + b"x")


@pytest.mark.parametrize("size", range(20))
def test_colours_are_found_wherever_they_stand(size: int) -> None:
    for at in range(size):
        line = b"a" * at + b"\x1b" + b"a" * (size - at)
        assert not stays(line)
        assert stays(line, at + 1)


@pytest.mark.parametrize("byte", [0x1A, 0x1C, 0x0B, 0x5B, 0x3B, 0x9B, 0x00, 0xFF])
def test_other_bytes_are_no_colours(byte: int) -> None:
    assert all(stays(b"a" * at + bytes([byte]) + b"a" * 9) for at in range(10))


@pytest.mark.parametrize(
    ("line", "ends"),
    [(b"a", True), (b"a ", False), (b"a \r", False), (b"a \r\r", False), (b"a\r", True), (b" a", True), (b"a\t", True)],
)
def test_a_blank_at_the_end_may_mean_that_a_line_goes_on(line: bytes, ends: bool) -> None:  # noqa: FBT001 - a parameter
    assert stays(line) == ends
