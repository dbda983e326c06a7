"""Access lines are told by what stands behind their address, which the exact reading is asked about once."""

from __future__ import annotations

import pytest

from analyzer.catalog import Catalog
from analyzer.parsers.steady import Steady

np = pytest.importorskip("numpy")
access = pytest.importorskip("analyzer.scan.fast.access")
words = pytest.importorskip("analyzer.scan.fast.words")

LEVEL = "INFO:     "


class Counting(Steady):
    """Counts the questions."""

    asked = 0

    def access(self, text: str) -> tuple[str, float] | None:
        self.asked += 1
        return super().access(text)


def read(lines: list[str], known: Steady) -> tuple[object, list[int]]:
    """What the lines are: the tails, and of each line the number of its tail, or -1."""
    data = [f"{LEVEL}{line}\n".encode() for line in lines]
    ends = np.cumsum([len(line) for line in data])
    starts = np.concatenate(([0], ends[:-1]))
    tails = access.Tails(LEVEL.encode(), known)
    found = tails.read(words.Words(b"".join(data) + words.PAD), np.arange(len(lines)), starts, ends)
    numbers = dict(zip(found.lines.tolist(), found.tails.tolist(), strict=True))
    return tails, [numbers.get(line, -1) for line in range(len(lines))]


@pytest.mark.parametrize(
    "line",
    [
        '10.0.0.1:1 - "GET /a@b HTTP/1.1" 200 OK',
        '10.0.0.1:1 - "GET /[2 HTTP/1.1" 200 OK',
        '10.0.0.1:1 - "GET / HTTP/1.1" 200 OK ',
        "10.0.0.1:1 - GET",
        '[::1]:1 - "GET / HTTP/1.1" 200 OK',
        'host:1 - "GET / HTTP/1.1" 200 OK',
        ' - "GET / HTTP/1.1" 200 OK',
        "Started server process [28587]",
        "",
    ],
)
def test_another_line_is_no_access_line(line: str) -> None:
    assert read([line], Steady(Catalog.load()))[1] == [-1]


def test_an_access_line_has_its_path_and_status() -> None:
    lines = [f'10.0.0.{n}:4{n} - "GET {path} HTTP/1.1" 503 Service' for n in range(3) for path in ("/health", "/v1/m")]
    known = Counting(Catalog.load())
    tails, numbers = read(lines, known)
    assert numbers == [0, 1] * 3
    assert (tails.paths, tails.status) == (["/health", "/v1/m"], [503.0, 503.0])  # type: ignore[attr-defined]
    assert known.asked == 2
