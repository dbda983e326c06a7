"""Cited lines are read again as they stand in the source, wherever it lies."""

from __future__ import annotations

import gzip
from contextlib import closing
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from analyzer.bundle.gather import Bundle, gather
from analyzer.bundle.source import Compressed, InMemory, Source
from analyzer.evidence import Ref
from analyzer.scan import lines

if TYPE_CHECKING:
    from pathlib import Path

TEXT = b"first\r\nsecond \xc3\xa9\n\nfourth"


def refs_of(source: Source) -> list[Ref]:
    with closing(source.open()) as stream:
        return [Ref(source.name, line.number, line.number, line.start, line.end) for line in lines(stream)]


def test_lines_of_a_file_are_found_by_their_offsets(tmp_path: Path) -> None:
    path = tmp_path / "server.log"
    path.write_bytes(TEXT)
    bundle = gather([str(path)])
    first, second, third, fourth = refs_of(bundle.sources[0])
    assert bundle.lines([fourth, second]) == {second: "second é", fourth: "fourth"}
    assert bundle.lines([first, third]) == {first: "first", third: ""}


def test_a_span_of_lines_keeps_its_line_breaks() -> None:
    source = Source("a.log", 0, InMemory(TEXT))
    first, second, *_ = refs_of(source)
    span = first._replace(last_line=2, end=second.end)
    assert Bundle([source]).lines([span]) == {span: "first\r\nsecond é"}


def test_lines_of_compressed_data_are_found_in_one_pass() -> None:
    source = Source("a.log.gz", 0, Compressed(InMemory(gzip.compress(TEXT)), "gzip"))
    refs = refs_of(source)
    assert list(Bundle([source]).lines(refs).values()) == ["first", "second é", "", "fourth"]


def test_a_source_that_is_gone_and_a_line_behind_the_end_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "server.log"
    path.write_bytes(TEXT)
    bundle = gather([str(path)])
    assert bundle.lines([Ref("other.log", 1, 1, 0, 5), Ref("server.log", 9, 9, 900, 950)]) == {}
    refs = refs_of(bundle.sources[0])
    path.unlink()
    assert bundle.lines(refs) == {}


@given(st.lists(st.text(alphabet="ab é\t", max_size=30), min_size=1, max_size=20))
def test_what_was_scanned_is_what_is_read_again(texts: list[str]) -> None:
    source = Source("a.log", 0, InMemory("\n".join(texts).encode()))
    scanned = {Ref("a.log", x.number, x.number, x.start, x.end): x.text for x in lines(source.open())}
    assert Bundle([source]).lines(scanned) == scanned


@given(
    st.lists(st.text(alphabet="ab é\u0a00\t", max_size=30), min_size=1, max_size=20),
    st.sampled_from(["utf-8", "utf-16"]),
)
def test_a_line_without_offsets_is_found_by_its_number(texts: list[str], encoding: str) -> None:
    # U+0A00 holds the byte of a line end, which ends no line
    source = Source("a.log", 0, InMemory("\n".join(["first line", *texts]).encode(encoding)))
    scanned = {Ref("a.log", x.number, x.number): x.text for x in lines(source.open())}
    assert Bundle([source]).lines(scanned) == scanned


def test_numbers_are_counted_over_all_pieces_of_a_large_source() -> None:
    # 100,000 lines of 7 bytes are read in three pieces of 256 KiB
    source = Source("a.log", 0, InMemory(b"".join(b"%06d\n" % n for n in range(1, 100_001))))
    asked = [Ref("a.log", n, n) for n in (1, 37_450, 37_449, 100_000)]
    assert list(Bundle([source]).lines(asked).values()) == ["000001", "037450", "037449", "100000"]


def test_a_number_behind_the_end_is_left_out_and_both_kinds_of_citing_go_together() -> None:
    source = Source("a.log", 0, InMemory(TEXT))
    second = refs_of(source)[1]
    span, behind = Ref("a.log", 1, 2), Ref("a.log", 9, 9)
    assert Bundle([source]).lines([second, span, behind]) == {second: "second é", span: "first\r\nsecond é"}


@given(
    st.lists(st.text(alphabet="ab é\u0a00\t", max_size=30), min_size=1, max_size=20),
    st.sampled_from(["utf-8", "utf-16"]),
    st.sampled_from(["plain", "gzip"]),
)
def test_a_line_of_which_only_the_beginning_is_known_is_read_to_its_end(
    texts: list[str], encoding: str, packing: str
) -> None:
    data = "\n".join(["first line", *texts]).encode(encoding)
    origin = Compressed(InMemory(gzip.compress(data)), "gzip") if packing == "gzip" else InMemory(data)
    source = Source("a.log", 0, origin)
    scanned = {Ref("a.log", x.number, x.number, x.start): x.text for x in lines(source.open()) if x.end > x.start}
    assert Bundle([source]).lines(scanned) == scanned


def test_of_a_line_without_an_end_no_more_is_read_than_of_others(tmp_path: Path) -> None:
    path = tmp_path / "server.log"
    path.write_bytes(b"short\n" + b"x" * 100_000 + b"\nlast\n")
    long, last = Ref("server.log", 2, 2, 6), Ref("server.log", 3, 3, 100_007)
    assert gather([str(path)]).lines([long, last]) == {long: "x" * 64 * 1024, last: "last"}


def test_several_lines_without_an_end_are_found_by_their_numbers() -> None:
    span = Ref("a.log", 2, 4, 7)
    assert Bundle([Source("a.log", 0, InMemory(TEXT))]).lines([span]) == {span: "second é\n\nfourth"}
