"""Access lines are told by what stands behind their address, which the exact reading is asked about once."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy")
kernel = pytest.importorskip("analyzer.scan.fast.kernel")
layout = pytest.importorskip("analyzer.scan.fast.layout")
laid = pytest.importorskip("tests.scan.fast.laid")
memory = pytest.importorskip("analyzer.scan.fast.memory")
tails = pytest.importorskip("analyzer.scan.fast.tails")

PLAIN, COLOURED = (level.decode() for level in tails.LEVELS)
GET = '"\x1b[1mGET /health HTTP/1.1\x1b[0m" \x1b[32m200 OK\x1b[0m'


def read(lines: list[str], known: object, level: int = 0) -> tuple[object, list[int]]:
    """The tails, and of each line the number of its tail: below zero where it is no access line."""
    asked = tails.Tails(known)
    return asked, [_number(asked, (PLAIN, COLOURED)[level] + line, level) for line in lines]


def _number(asked: object, line: str, level: int) -> int:
    text = line.encode()
    placed, at, end = laid.Laid(text + b"\n"), len(tails.LEVELS[level]), len(text) + 1

    def number() -> int:
        held = asked.now()[level]  # type: ignore[attr-defined]
        return kernel.access(placed.at, at, end, placed.limit, held.lexicon)

    if number() == layout.UNKNOWN:
        assert asked.learn(level, text)  # type: ignore[attr-defined]
    return number()


@pytest.mark.parametrize(
    "line",
    [
        '10.0.0.1:1 - "GET /a@b HTTP/1.1" 200 OK',
        '10.0.0.1:1 - "GET /[2 HTTP/1.1" 200 OK',
        '10.0.0.1:1 - "GET / HTTP/1.1" 200 OK ',
        '10.0.0.1:1 - "GET / HTTP/1.1" 200 OK\t',
        '10.0.0.1:1 - "GET /ä HTTP/1.1" 200 OK',
        '10.0.0.1:1 - "GET /\x1b[1m HTTP/1.1" 200 OK',
        '10.0.0.1:1 -  "GET / HTTP/1.1" 200 OK',
        '10.0.0.1:1\t- "GET / HTTP/1.1" 200 OK',
        "10.0.0.1:1 - GET",
        "10.0.0.1:1",
        "10.0.0.1:1 ",
        '[::1]:1 - "GET / HTTP/1.1" 200 OK',
        'host:1 - "GET / HTTP/1.1" 200 OK',
        '10.0.0.1/2:1 - "GET / HTTP/1.1" 200 OK',
        ' - "GET / HTTP/1.1" 200 OK',
        '100.100.100.100:123456789 - "GET / HTTP/1.1" 200 OK',
        '10.0.0.1:1 - "GET /' + "x" * kernel.LONGEST_ACCESS + ' HTTP/1.1" 200 OK',
        "Started server process [28587]",
        "",
    ],
)
def test_another_line_is_no_access_line(line: str) -> None:
    assert read([line], laid.Counting())[1][0] < 0


def test_an_access_line_has_its_path_and_status() -> None:
    lines = [f'10.0.0.{n}:4{n} - "GET {path} HTTP/1.1" 503 Service' for n in range(3) for path in ("/health", "/v1/m")]
    known = laid.Counting()
    asked, numbers = read(lines, known)
    assert numbers == [0, 1] * 3
    assert (asked.paths, asked.status) == (["/health", "/v1/m"], [503.0, 503.0])  # type: ignore[attr-defined]
    assert known.asked == [f"access {PLAIN}{line}" for line in lines[:2]]


def test_a_line_that_is_no_access_line_is_asked_for_once() -> None:
    known = laid.Counting()
    lines = [f'10.0.0.1:{n} - "GET / HTTP/1.1" said something else' for n in range(3)]
    assert read(lines, known)[1] == [-1] * 3
    assert len(known.asked) == 1


def test_colours_belong_to_the_level_that_has_them() -> None:
    asked, numbers = read([f"10.0.0.1:1 - {GET}", '10.0.0.1:1 - "GET / HTTP/1.1" 200 OK'], laid.Counting(), 1)
    assert numbers == [0, -1]
    assert (asked.paths, asked.status) == (["/health"], [200.0])  # type: ignore[attr-defined]


def test_levels_share_their_numbers_but_not_their_tails() -> None:
    asked = tails.Tails(laid.Counting())
    assert asked.learn(0, f'{PLAIN}10.0.0.1:1 - "GET /a HTTP/1.1" 200 OK'.encode())
    assert asked.learn(1, f"{COLOURED}10.0.0.1:1 - {GET}".encode())
    assert asked.paths == ["/a", "/health"]
    assert [len(held.arrays[1]) - 1 for held in asked.now()] == [1, 1]


def test_a_carriage_return_is_no_part_of_what_a_line_says() -> None:
    asked, numbers = read([f'10.0.0.1:1 - "GET / HTTP/1.1" 200 OK{end}' for end in ("", "\r")], laid.Counting())
    assert numbers == [0, 1]
    assert asked.paths == ["/", "/"]  # type: ignore[attr-defined]


def test_what_is_known_is_not_learned_again() -> None:
    asked = tails.Tails(laid.Counting())
    line = f'{PLAIN}10.0.0.1:1 - "GET /a HTTP/1.1" 200 OK'.encode()
    assert [asked.learn(0, line) for _ in range(2)] == [True, False]


def test_tails_without_end_are_no_forms() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tails, "_MOST", 2)
        asked = tails.Tails(laid.Counting())
        lines = [f'{PLAIN}10.0.0.1:1 - "GET /{n} HTTP/1.1" 200 OK'.encode() for n in range(4)]
        assert [asked.learn(0, line) for line in lines] == [True, True, False, False]
    assert asked.paths == ["/0", "/1"]


@pytest.mark.parametrize("size", [kernel.LONGEST_ADDRESS - 1, kernel.LONGEST_ADDRESS, kernel.LONGEST_ADDRESS + 1])
def test_an_address_is_no_longer_than_addresses_are(size: int) -> None:
    line = f'{"1" * size} - "GET / HTTP/1.1" 200 OK'.encode()
    placed, none = laid.Laid(line + b"\n"), tails.Tails(laid.Counting()).now()[0]
    known = kernel.access(placed.at, 0, len(line) + 1, placed.limit, none.lexicon)
    assert known == (layout.UNKNOWN if size <= kernel.LONGEST_ADDRESS else -1)


@pytest.mark.parametrize("byte", [byte for byte in range(256) if byte != 0x0A])
def test_an_address_is_made_of_digits_points_and_colons(byte: int) -> None:
    line = b"10.0" + bytes([byte]) + b'0.1:1 - "GET'
    placed, none = laid.Laid(line + b"\n"), tails.Tails(laid.Counting()).now()[0]
    number = kernel.access(placed.at, 0, len(line) + 1, placed.limit, none.lexicon)
    assert number == (layout.UNKNOWN if chr(byte) in "0123456789.: " else -1)
