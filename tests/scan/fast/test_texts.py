"""Lines end where they end, bytes are compared to the last one, and a number is read only where it is nothing else."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

np = pytest.importorskip("numpy")
texts = pytest.importorskip("analyzer.scan.fast.texts")
layout = pytest.importorskip("analyzer.scan.fast.layout")
laid = pytest.importorskip("tests.scan.fast.laid")
lexicon = pytest.importorskip("analyzer.scan.fast.lexicon")
compiled = pytest.importorskip("analyzer.scan.fast.compiled")

UNTOUCHED = -7
DIGITS = st.text("0123456789", min_size=1, max_size=18)
NUMBERS = st.one_of(
    DIGITS,
    st.builds("{}.{}".format, DIGITS, st.text("0123456789", max_size=7)),
    st.text("0123456789.-+eE_naifx ", max_size=18),
)


def number(text: str, places: int, behind: str = ", more\n") -> float | None:
    """The number in `text, …`; `None` where it is not read or does not end at the comma, as a form wants it to."""
    raw = text.encode()
    held = laid.Laid(raw + behind.encode())
    size, value = texts.value(held.at, 0, places)
    return value if size and size == len(raw) else None


def expected(text: str, places: int) -> float | None:
    """What Python reads, where the text is of up to fifteen characters and has so many decimals."""
    form = rf"[0-9]+\.[0-9]{{{places}}}" if places else "[0-9]+"
    return float(text) if re.fullmatch(form, text) and len(text) <= 15 else None


@pytest.mark.parametrize("text", ["", "-1", "+1", "1e5", "nan", "inf", "1.25", " 1", "1 ", "1_0", "0x1", "１", "True"])
def test_what_is_no_whole_number_is_not_read(text: str) -> None:
    assert number(text, 0) is None


@pytest.mark.parametrize("text", ["", "1", "1.2", "1.234", ".25", "1..25", "-1.25", "+1.25", "1.2e", "1.25%", "1,25"])
def test_a_number_of_other_decimals_is_not_read(text: str) -> None:
    assert number(text, 2) is None


@given(NUMBERS, st.integers(0, 6))
@example("12345678", 0)
@example("123456789", 0)
@example("123456789012345", 0)
@example("1234567890123456", 0)
@example("999999999999999", 0)
@example("12345678.25", 2)
@example("123456789012.25", 2)
@example("1234567890123.25", 2)
@example("0.000001", 6)
def test_numbers_of_up_to_fifteen_characters_are_read_as_python_reads_them(text: str, places: int) -> None:
    assert number(text, places) == expected(text, places)


@given(st.integers(0, 10**13 - 1), st.integers(1, 6))
def test_decimal_numbers_are_read_as_python_reads_them(value: int, places: int) -> None:
    digits = str(value).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}"
    assert number(text, places) == float(text)


@given(DIGITS, st.integers(0, 255).filter(lambda byte: not 48 <= byte <= 57), st.binary(min_size=8, max_size=8))
def test_a_number_ends_before_any_byte(text: str, byte: int, behind: bytes) -> None:
    held = laid.Laid(text.encode() + bytes([byte]) + behind)
    size, value = texts.value(held.at, 0, 0)
    if len(text) <= 15:
        assert (size, value) == (len(text), float(text))


@pytest.mark.parametrize(("text", "value"), [("True", 1.0), ("False", 0.0)])
def test_flags_are_read(text: str, value: float) -> None:
    assert number(text, layout.FLAG) == value


@pytest.mark.parametrize("text", ["", "Tru", "Fals", "Falsy", "true", "TRUE", "1", "0", "Maybe", "None"])
def test_other_words_are_no_flags(text: str) -> None:
    assert number(text, layout.FLAG) is None


@given(st.binary(max_size=40), st.integers(0, 9), st.integers(0, 9), st.binary(min_size=8, max_size=8))
def test_a_text_is_the_same_whatever_stands_around_it(text: bytes, at: int, begin: int, around: bytes) -> None:
    fixed, held = laid.Laid(b"." * begin + text, around), laid.Laid(b"?" * at + text, around[::-1])
    assert texts.same(held.at, at, held.limit, fixed.at, begin, len(text))


@given(st.binary(min_size=1, max_size=40), st.integers(0, 39), st.integers(0, 7), st.integers(0, 9))
def test_a_text_that_differs_in_one_bit_is_not_the_same(text: bytes, index: int, bit: int, at: int) -> None:
    index %= len(text)
    other = text[:index] + bytes((text[index] ^ 1 << bit,)) + text[index + 1 :]
    fixed, held = laid.Laid(text), laid.Laid(b"?" * at + other)
    assert not texts.same(held.at, at, held.limit, fixed.at, 0, len(text))


@pytest.mark.parametrize("size", range(20))
@pytest.mark.parametrize("behind", [7, 8])
def test_a_text_is_compared_only_where_eight_more_bytes_may_be_looked_at(size: int, behind: int) -> None:
    text = bytes(range(65, 65 + size))
    fixed, held = laid.Laid(text), laid.Laid(text, bytes(behind))
    assert texts.same(held.at, 0, held.limit, fixed.at, 0, size) == (behind == 8)


# A line feed, bytes that differ from it in one bit, and others that might be mistaken for it.
LIKE_FEEDS = st.lists(st.sampled_from(b"\n\n\r\x0b\x08\x8a\x4a\x00\xff\x09a"), max_size=60).map(bytes)


@given(LIKE_FEEDS, st.integers(0, 20))
def test_lines_end_at_their_line_feeds(text: bytes, begin: int) -> None:
    begin = min(begin, len(text))
    held, ends = laid.Laid(text, b"\n\n\n\n\n\n\n\n"), np.full(len(text) + 2, UNTOUCHED, np.int64)
    count = texts.end_lines(held.at, begin, len(text), compiled.address(ends))
    parts = text[begin:].split(b"\n")
    assert count == len(parts) - 1
    assert ends[1 : count + 1].tolist() == [begin + len(b"\n".join(parts[:n])) + 1 for n in range(1, count + 1)]
    assert ends[0] == UNTOUCHED
    assert (ends[count + 1 :] == UNTOUCHED).all()


@given(st.binary(max_size=30), st.integers(0, 5), st.binary(min_size=8, max_size=8))
def test_a_hash_is_of_the_bytes_and_nothing_around_them(text: bytes, at: int, behind: bytes) -> None:
    one, other = laid.Laid(text), laid.Laid(b"?" * at + text, behind)
    assert texts.mixed(one.at, 0, len(text)) == texts.mixed(other.at, at, at + len(text))


@given(st.binary(max_size=30))
def test_a_bare_hash_is_of_the_bytes_without_their_digits(text: bytes) -> None:
    bare = bytes(byte for byte in text if not 48 <= byte <= 57)
    one, other = laid.Laid(text), laid.Laid(bare)
    assert texts.mixed_bare(one.at, 0, len(text)) == texts.mixed_bare(other.at, 0, len(bare))
    assert texts.mixed_bare(one.at, 0, len(text))[1] == len(bare)


ZEROS = bytes.maketrans(b"123456789", b"000000000")


def zeroed(raw: bytes) -> bytes:
    """What the compiled pass makes of eight bytes."""
    return int(texts.zeroed(int.from_bytes(raw, "little"))).to_bytes(8, "little")


@pytest.mark.parametrize("around", [b"\x00", b"\xff", b"\x7f", b"\x80", b"0", b"9", b"/", b":"])
def test_every_byte_in_every_place_is_zeroed_as_python_does_it(around: bytes) -> None:
    for place, byte in itertools.product(range(8), range(256)):
        raw = around * place + bytes([byte]) + around * (7 - place)
        assert zeroed(raw) == raw.translate(ZEROS), raw.hex()


# Digits, bytes beside them, and both with one bit changed.
LIKE_DIGITS = st.sampled_from(b"0123456789/:;.8\xb0\xb9\x10\x19\x70\x79 a\x00\x7f\x80\xff")


@given(st.binary(min_size=8, max_size=8) | st.lists(LIKE_DIGITS, min_size=8, max_size=8).map(bytes))
def test_any_word_is_zeroed_as_python_does_it(raw: bytes) -> None:
    assert zeroed(raw) == raw.translate(ZEROS)
    assert zeroed(zeroed(raw)) == zeroed(raw)


@given(st.lists(LIKE_DIGITS, min_size=1, max_size=40).map(bytes), st.integers(0, 39), st.integers(0, 255))
def test_a_text_is_alike_only_where_it_has_the_same_zeros(text: bytes, index: int, byte: int) -> None:
    index %= len(text)
    other = text[:index] + bytes([byte]) + text[index + 1 :]
    learning = lexicon.Learning(alike=True)
    learning.add(text.translate(ZEROS), 5)
    held, among = learning.now(), laid.Laid(b"7" + other, b"78901234")
    same = other.translate(ZEROS) == text.translate(ZEROS)
    assert texts.number_of_alike(held.lexicon, among.at, 1, 1 + len(other)) == (5 if same else layout.UNKNOWN)


@given(st.binary(max_size=30), st.binary(min_size=8, max_size=8))
def test_an_alike_hash_is_of_the_bytes_with_zeros_for_their_digits(text: bytes, behind: bytes) -> None:
    zeros = text.translate(ZEROS)
    one, other = laid.Laid(b"7" + text, behind), laid.Laid(zeros)
    assert texts.mixed_alike(one.at, 1, 1 + len(text)) == texts.mixed_alike(other.at, 0, len(zeros))


def is_utf8(raw: bytes, behind: bytes = laid.BEHIND) -> bool:
    """What the compiled pass says of some bytes, behind others."""
    held = laid.Laid(b"\xff" + raw, behind)
    return bool(texts.is_utf8(held.at, 1, 1 + len(raw)))


def decodes(raw: bytes) -> bool:
    try:
        raw.decode("utf-8", "strict")
    except UnicodeDecodeError:
        return False
    return True


# Unicode 3.9, table 3-7: the bytes that a character begins with, and those that may follow each.
WELL_FORMED = [
    ((0x00, 0x7F),),
    ((0xC2, 0xDF), (0x80, 0xBF)),
    ((0xE0, 0xE0), (0xA0, 0xBF), (0x80, 0xBF)),
    ((0xE1, 0xEC), (0x80, 0xBF), (0x80, 0xBF)),
    ((0xED, 0xED), (0x80, 0x9F), (0x80, 0xBF)),
    ((0xEE, 0xEF), (0x80, 0xBF), (0x80, 0xBF)),
    ((0xF0, 0xF0), (0x90, 0xBF), (0x80, 0xBF), (0x80, 0xBF)),
    ((0xF1, 0xF3), (0x80, 0xBF), (0x80, 0xBF), (0x80, 0xBF)),
    ((0xF4, 0xF4), (0x80, 0x8F), (0x80, 0xBF), (0x80, 0xBF)),
]
# Bytes at which the table changes, one on either side.
EDGES = sorted({edge + by for row in WELL_FORMED for span in row for edge in span for by in (-1, 0, 1)} & {*range(256)})
CHARACTERS = st.characters(codec="utf-8").map(str.encode)
PIECES = st.one_of(CHARACTERS, st.binary(max_size=3), st.lists(st.sampled_from(EDGES), max_size=4).map(bytes))


@pytest.mark.parametrize("row", WELL_FORMED, ids=lambda row: f"{row[0][0]:02X}")
def test_every_edge_of_the_table_of_characters_is_as_unicode_has_it(row: tuple[tuple[int, int], ...]) -> None:
    for corner in itertools.product(*row):
        assert is_utf8(bytes(corner)), bytes(corner).hex()
        for at, (low, high) in enumerate(row):
            for wrong in {low - 1, high + 1, 0x00, 0x7F, 0xC0, 0xFF} - {*range(low, high + 1), -1, 256}:
                raw = bytes((*corner[:at], wrong, *corner[at + 1 :]))
                assert is_utf8(raw) == decodes(raw), raw.hex()


def test_every_pair_of_bytes_is_told_as_python_tells_it() -> None:
    for first, second in itertools.product(range(256), range(256)):
        for raw in (bytes((first, second)), bytes((first, second, 0x80)), bytes((first, second, 0xBF, 0x80))):
            assert is_utf8(raw) == decodes(raw), raw.hex()


def test_every_three_and_four_bytes_at_the_edges_are_told_as_python_tells_them() -> None:
    leads = [edge for edge in EDGES if edge >= 0xC0]
    for lead, *others in itertools.product(leads, EDGES, EDGES):
        raw = bytes((lead, *others))
        assert is_utf8(raw) == decodes(raw), raw.hex()
        assert is_utf8(raw + b"\x80") == decodes(raw + b"\x80"), raw.hex()


@given(st.lists(PIECES, max_size=12).map(b"".join), st.binary(min_size=8, max_size=8))
@example("模型加载失败 🚀".encode(), b"\x80" * 8)
@example(b"\xe4\xbd", b"\xa0" * 8)
@example(b"\xf0\x9f\x9a", b"\x80" * 8)
@example(b"a" * 7 + b"\xc3", b"\xa9" * 8)
@example(b"a" * 8 + b"\x80", b"a" * 8)
@example(b"\xed\xa0\x80\xed\xb0\x80", b"a" * 8)
@example(b"\xc0\x80", b"a" * 8)
def test_any_bytes_are_text_where_python_s_strict_decoder_takes_them(raw: bytes, behind: bytes) -> None:
    assert is_utf8(raw, behind) == decodes(raw)


@pytest.mark.parametrize("size", range(18))
def test_a_byte_that_is_no_text_is_found_wherever_it_stands(size: int) -> None:
    for at in range(size):
        raw = b"a" * at + b"\xe2\x82\xac" + b"a" * (size - at)
        assert is_utf8(raw)
        for cut in (raw.replace(b"\x82", b""), raw.replace(b"\xac", b""), raw.replace(b"\xe2", b"")):
            assert not is_utf8(cut)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_character_that_goes_on_behind_the_end_is_none(size: int) -> None:
    whole = "🚀".encode()
    for before in range(10):
        assert not is_utf8(b"a" * before + whole[:size], whole[size:] + laid.BEHIND)
