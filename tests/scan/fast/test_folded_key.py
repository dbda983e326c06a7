"""A wrapper is known by its bytes but for the time of day; what is left behind it is what the line would have been."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")
folded_key = pytest.importorskip("analyzer.scan.fast.folded_key")
compiled = pytest.importorskip("analyzer.scan.fast.compiled")
laid = pytest.importorskip("tests.scan.fast.laid")

HEADED = "[2026-02-17 10:02:51 TP1] Decode batch"


def key(wrapper: str, rest: str = HEADED, most: int = 120, numbers: int = 0) -> tuple[str | None, str, float]:
    """What a wrapper is known by, what is left of the line, and the microseconds of its day."""
    text = (wrapper + rest).encode()
    placed, written = laid.Laid(text + b"\n"), np.zeros(256, np.uint8)
    end = len(wrapper.encode()) if most == 120 else len(text)
    at, size, micros = folded_key.key_of(
        placed.at, 0, end, compiled.address(written), 0, most, folded_key.UNTIMED, numbers
    )
    return bytes(written[:size]).decode() if size >= 0 else None, text[at:].decode(), micros


@pytest.mark.parametrize(
    ("wrapper", "known", "micros"),
    [
        ("sglang-1  | ", "sglang-1  | ", folded_key.UNTIMED),
        ("Feb 17 10:02:51 gpu7 sglang[411]: ", "Feb 17 00:00:00 gpu7 sglang[411]: ", (10 * 3600 + 2 * 60 + 51) * 10**6),
        ("2026-02-17T00:00:01.5Z stderr F ", "2026-02-17T00:00:00.0Z stderr F ", 1_500_000),
        ("2026-02-17T00:00:01,250 ", "2026-02-17T00:00:00,0 ", 1_250_000),
        ("2026-02-17T00:00:00.123456789+02:00 ", "2026-02-17T00:00:00.0+02:00 ", 123_456),
        ("2026-02-17T00:00:00.1234567891Z ", "2026-02-17T00:00:00.1234567891Z ", 0),  # ten decimals are no time's
        ("2026-02-17T24:00:00Z ", "2026-02-17T24:00:00Z ", folded_key.UNTIMED),  # nor are 24 hours
        ("10:00:01 10:00:02 ", "00:00:00 10:00:02 ", 36_001_000_000),  # the second time is no clock's
    ],
)
def test_the_time_of_day_is_left_out_of_what_a_wrapper_is_known_by(wrapper: str, known: str, micros: float) -> None:
    assert key(wrapper) == (known, HEADED, micros)


@pytest.mark.parametrize("wrapper", ["\x1b[36msglang-1 | \x1b[0m", "sgläng-1 | "])
def test_colours_and_other_letters_are_no_wrapper_s(wrapper: str) -> None:
    assert key(wrapper)[0] is None


def test_before_a_line_without_a_header_a_wrapper_ends_where_the_one_before_did() -> None:
    wrapper = "2026-02-17T10:02:51.000000123Z stderr F "
    known = "2026-02-17T00:00:00.0Z stderr F "
    assert key(wrapper, "INFO: x", most=len(known))[:2] == (known, "INFO: x")


@pytest.mark.parametrize(
    ("line", "place"),
    [
        (f"sglang-1  | {HEADED}", 12),
        (HEADED, 0),
        ("sglang-1  | a line without one, long enough to hold one", 0),
        ('10.0.0.1 - - [20/Feb/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12345', 0),
        ("sglang-1  | values [2026-02-17 and so on, and so on, and so on]", 0),
        (f"{'x' * 121}{HEADED}", 0),
        ("sglang-1  | [2026-02-17 10:02:51] x", 0),  # shorter than any header with its message
    ],
)
def test_a_header_is_looked_for_behind_what_may_be_a_wrapper(line: str, place: int) -> None:
    placed = laid.Laid(line.encode() + b"\n")
    assert folded_key.header_behind(placed.at, 0, placed.size, 120) == place


@pytest.mark.parametrize(
    ("wrapper", "known"),
    [
        ('{"log":{"offset":217},"a":3,"b":"4","c":[5,6],"d":7.5,"e":8}', '{"log":{"offset":0},"a":0,"b":"4","c":[5,6],"d":7.5,"e":0}'),
        ('{"offset": 217, "x": 4}', '{"offset": 0, "x": 0}'),
        ('{"a":"x\\":5,"}', '{"a":"x\\":5,"}'),  # the quote belongs to the text
        ('5,{"a":5', '5,{"a":5'),
    ],
)  # fmt: skip
def test_whole_numbers_of_json_are_left_out(wrapper: str, known: str) -> None:
    assert key(wrapper, numbers=1)[0] == known
    assert key(wrapper)[0] == wrapper
