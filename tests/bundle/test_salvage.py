"""A zip without its directory still gives its entries."""

from __future__ import annotations

import io
import random
import zipfile

from hypothesis import given
from hypothesis import strategies as st

from analyzer.bundle import InMemory
from analyzer.bundle.salvage import entries


class Pipe(io.RawIOBase):
    """Somewhere to write that cannot be sought, so that sizes follow the data, as when `zip` writes into a pipe."""

    def __init__(self) -> None:
        self.data = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        self.data += data
        return len(data)


def headless(*files: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED, piped: bool = False) -> bytes:
    out = Pipe() if piped else io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files:
            archive.writestr(name, data)
    whole = bytes(out.data) if isinstance(out, Pipe) else out.getvalue()
    return whole[: whole.index(b"PK\x01\x02")]


def contents(data: bytes) -> list[tuple[str, bytes, str]]:
    found = []
    for entry in entries(InMemory(data)):
        if entry.origin is None:
            found.append((entry.name, b"", entry.why))
            continue
        stream = entry.origin.open()
        read = b""
        while more := stream.read(4096):
            read += more
        found.append((entry.name, read, stream.damage))
    return found


LOG = b"[2026-02-17 10:06:42 TP0] Load weight begin.\n" * 400
NOISE = random.Random(1).randbytes(300_000)  # noqa: S311 - no secret; does not shrink, so its end lies beyond one chunk


def test_deflated_and_stored_entries_are_read() -> None:
    assert contents(headless(("a/x.log", LOG), ("y.log", NOISE))) == [("a/x.log", LOG, ""), ("y.log", NOISE, "")]
    assert contents(headless(("x.log", LOG), method=zipfile.ZIP_STORED)) == [("x.log", LOG, "")]


def test_entries_whose_sizes_follow_them_are_read() -> None:
    assert contents(headless(("x.log", LOG), ("y.log", NOISE), piped=True)) == [
        ("x.log", LOG, ""),
        ("y.log", NOISE, ""),
    ]


def test_the_entry_in_which_the_file_ends_is_read_up_to_there_and_marked() -> None:
    data = headless(("x.log", LOG), ("y.log", NOISE))
    first, (name, read, damage) = contents(data[:-100_000])
    assert first == ("x.log", LOG, "")
    assert name == "y.log"
    assert NOISE.startswith(read)
    assert len(read) > 150_000
    assert damage == "cut off: the deflate data ends before its end mark"


def test_an_unusual_compression_is_refused_by_name() -> None:
    data = headless(("x.log", LOG), ("y.log", LOG), method=zipfile.ZIP_BZIP2)
    assert [(name, why) for name, _, why in contents(data)] == [
        ("x.log", "an unusual compression"),
        ("y.log", "an unusual compression"),
    ]


@given(st.binary(max_size=200), st.integers(0, 400))
def test_any_bytes_behind_a_header_are_survived(junk: bytes, cut: int) -> None:
    for _, read, _ in contents(headless(("x.log", LOG), piped=True)[:cut] + junk):
        assert len(read) <= len(LOG) + 200 * len(junk) + 70_000
