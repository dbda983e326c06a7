"""A text in JSON is written as it was before it was escaped, where its wrapper is known and it is one line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

np = pytest.importorskip("numpy")
enclosed = pytest.importorskip("analyzer.scan.fast.enclosed")
compiled = pytest.importorskip("analyzer.scan.fast.compiled")
folded_key = pytest.importorskip("analyzer.scan.fast.folded_key")
layout = pytest.importorskip("analyzer.scan.fast.layout")
lexicon = pytest.importorskip("analyzer.scan.fast.lexicon")
laid = pytest.importorskip("tests.scan.fast.laid")

HEADED = "[2026-02-17 10:02:51 TP1] Decode batch"
BEFORE, BEHIND = '{"log":"', '\\n","stream":"stderr","time":"2026-02-17T10:02:51.5Z"}'
KEY = '{"log":"\x01\\n","stream":"stderr","time":"2026-02-17T00:00:00.0Z"}'
MICROS = (10 * 3600 + 2 * 60 + 51) * 10**6 + 500_000


def taken_out(line: str, before: int = 0, *, behind: bytes = laid.BEHIND) -> tuple[int, str, float, int]:
    """The number of the wrapper, the text, the time, the column; `before`: what is known of the line before."""
    data = line.encode(errors="surrogateescape") + b"\n"
    placed, room, key = laid.Laid(data, behind), np.zeros(len(data) + 99, np.uint8), np.zeros(9000, np.uint8)
    learning, state = lexicon.Learning(), np.array([120, before, 0, 0, 0, 0])
    learning.add(KEY.encode(), 7)
    learning.add(BEFORE.encode() + bytes([enclosed.KNOWN_BEFORE]), 0)
    held = learning.now()
    places = [compiled.address(each) for each in (room, state, state, state, state, state, key, state)]
    bared = layout.Bared(1, *places)
    number, end, micros, column = enclosed.take_out(placed.at, placed.limit, 0, placed.size, 0, held.lexicon, bared)
    return number, room[:end].tobytes().decode(errors="surrogateescape"), micros, column


@pytest.mark.parametrize("behind", [laid.BEHIND, b""])
def test_a_text_with_a_header_is_found_by_it(behind: bytes) -> None:
    assert taken_out(f"{BEFORE}{HEADED}{BEHIND}", behind=behind) == (7, f"{HEADED}\n", MICROS, 8)


@pytest.mark.parametrize("before", [0, 8])
def test_one_without_is_found_where_the_one_before_was(before: int) -> None:
    number, text, _, column = taken_out(f"{BEFORE}no header{BEHIND}", before)
    assert (number, text, column) == ((7, "no header\n", 8) if before else (-1, "", 0))


@pytest.mark.parametrize(
    ("escaped", "text", "column"),
    [
        (r"\"a\" \\ \/ \t \u001b[0m \u003c\u00e9\u2588.\r", '"a" \\ / \t \x1b[0m <é█.\r', 0),
        ("é" * 39 + r"\"", "é" * 39 + '"', 0),
        ("é" * 40 + r"\"", "é" * 40 + '"', 8),  # the exact reading looks for forty characters
        ("a", "a", 8),
        ("", "", 8),
        ("a ", "a ", 8),
        (r"a\r", "a\r", 0),
    ],
)
def test_escapes_are_undone(escaped: str, text: str, column: int) -> None:
    number, written, _, found = taken_out(f"{BEFORE}{escaped}{BEHIND}", 8)
    assert (number, written, found) == (7, f"{text}\n", column)


@pytest.mark.parametrize(
    "escaped",
    [r"a\nb", r"\ud83d\ude00", r"a\u0000", r"a\u000a", r"a\x", r"a\u00", r"a\u00zz", "a\tb", "a\x1bb", "a  ", r"a \r\r", "a é", r"a\t", r"a\b", "a │", r"\\"],
)  # fmt: skip
def test_what_is_no_line_of_a_log_is_left(escaped: str) -> None:
    assert taken_out(f"{BEFORE}{escaped}{BEHIND}", 8)[0] < 0


@pytest.mark.parametrize("behind", [BEHIND.replace("stderr", "stdout"), BEHIND[2:], BEHIND.replace(":51.5", "")])
def test_another_wrapper_is_asked_about(behind: str) -> None:
    assert taken_out(f"{BEFORE}no header{behind}", 8)[0] == folded_key.ASKS
    assert taken_out(f"{BEFORE}{HEADED}{behind}")[0] == folded_key.ASKS


@pytest.mark.parametrize("line", ['{"log":"', '{"log":"a', '{"log":"a\\', '{"log":"a\\n', "{", '{"log":"a"'])
def test_a_line_that_is_cut_off_is_left(line: str) -> None:
    assert taken_out(line, 8, behind=b"")[0] < 0


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=90), st.booleans())
def test_a_text_is_what_the_reader_of_json_makes_of_it_or_is_left(text: str, ascii_alone: bool) -> None:  # noqa: FBT001
    text = f"{HEADED}{text}"
    written = json.dumps(text, ensure_ascii=ascii_alone)[1:-1]
    number, found, _, column = taken_out(f"{BEFORE}{written}{BEHIND}", 8, behind=b"")
    if number >= 0:
        assert found == f"{text}\n"
        assert column == max(0, f"{BEFORE}{written}{BEHIND}".find(text[:40]))


@given(st.binary(max_size=120))
def test_whatever_the_bytes_nothing_breaks(data: bytes) -> None:
    taken_out((BEFORE.encode() + data.replace(b"\n", b"")).decode(errors="surrogateescape"), 8, behind=b"")
