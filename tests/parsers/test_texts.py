"""A source's lines come without their wrappers, whole, and in the order in which they were written."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from analyzer.bundle import InMemory
from analyzer.evidence import Stamp
from analyzer.parsers.block import Text
from analyzer.parsers.texts import Texts, newest_first

HEAD = "[2026-02-17 10:02:51 TP1] "


def read(*texts: str) -> Texts:
    return Texts("server.log", InMemory("\n".join(texts).encode()).open())


def at(*seconds: int) -> list[Stamp | None]:
    return [Stamp("t", datetime(2026, 2, 17, 10, 0, second)) for second in seconds]


@pytest.mark.parametrize(
    "stamps",
    [
        [],
        [None] * 10,
        at(1, 2, 3, 4, 5),
        at(5, 5, 5, 5),
        at(*range(30, 50), *range(10, 40)),
        at(9, 8, 9, 8, 9, 8, 9, 8),
        at(3, 2, 1),
    ],
    ids=["none", "undated", "forth", "one second", "a second launch", "skewed ranks", "too few"],
)
def test_a_log_in_its_order_is_not_newest_first(stamps: list[Stamp | None]) -> None:
    assert not newest_first(stamps)


def test_times_that_run_backwards_are_newest_first() -> None:
    assert newest_first(at(9, 8, 8, 7, 6, 5, 4))


def test_an_export_with_the_newest_line_first_is_turned_and_keeps_its_numbers() -> None:
    lines = [f"ERROR 2025-04-05T00:01:{second:02d}.5Z line at {second}" for second in (19, 18, 17, 16, 15, 14)]
    texts = read(*lines)
    assert [(text.ref.line, text.text) for text in texts] == [(n, f"line at {20 - n}") for n in (6, 5, 4, 3, 2, 1)]
    assert texts.newest_first


def test_a_plain_line_keeps_its_place() -> None:
    (text,) = read(HEAD + "Load weight begin. ")
    assert text.text == HEAD + "Load weight begin."
    assert (text.ref.source, text.ref.line, text.ref.start, text.ref.end) == ("server.log", 1, 0, 45)


def test_what_cri_cut_is_whole_again() -> None:
    texts = read(
        "2026-02-17T10:02:51.0Z stdout P " + HEAD + "server_args=Ser",
        "2026-02-17T10:02:51.0Z stdout P verArgs(tp_si",
        "2026-02-17T10:02:51.0Z stdout F ze=8)",
        "2026-02-17T10:02:52.0Z stdout F next",
    )
    first, second = texts
    assert first.text == HEAD + "server_args=ServerArgs(tp_size=8)"
    assert (first.ref.line, first.ref.last_line, second.ref.line) == (1, 3, 4)


def test_a_json_message_with_line_breaks_is_several_texts_of_one_line() -> None:
    entry = json.dumps({"message": "Traceback\n  frame\nEOFError", "time": "2026-02-17T10:02:51Z"})
    assert [(text.ref.line, text.text) for text in read(entry)] == [(1, "Traceback"), (1, "  frame"), (1, "EOFError")]


def test_a_line_that_a_terminals_width_broke_is_whole_again() -> None:
    start = "[rank0]:[E304 01:44:37 x.cpp:1] " + "word " * 24 + "OpType=_ALLGATHER_B"
    texts = read(start.ljust(200), "ASE, NumelIn=8080".ljust(200), "[rank1]:[E304 next".ljust(200))
    assert [text.text for text in texts] == [start + "ASE, NumelIn=8080", "[rank1]:[E304 next"]


def test_padded_lines_that_end_by_themselves_stay_apart() -> None:
    lines = ["x" * 120 + " end.", "y" * 110 + " end.", "  z" * 40]
    assert [text.text for text in read(*(line.ljust(200) for line in lines))] == lines


def test_damage_and_wrappers_are_counted() -> None:
    stream = InMemory(b"2026-02-17T10:02:51Z stdout F ok\n\xff\xfe\xff\n" + b"x" * 70_000 + b"\n").open()
    texts = Texts("s", stream)
    assert len(list(texts)) == 3
    assert (texts.lines, texts.undecodable, texts.cut, dict(texts.layers)) == (3, 3, 1, {"cri": 1})


def test_a_block_of_the_journal_is_its_message_and_all_its_lines_count_with_it() -> None:
    head = "Mon 2025-01-20 15:05:58.411543 UTC [s=3c16;i=f293a2;b=5431]"
    texts = read(head, "    PRIORITY=6", f"    MESSAGE={HEAD}begin", "    _HOSTNAME=gpu-1", head, "    MESSAGE=end")
    first, second = texts
    assert (first.text, first.node, first.ref.line, first.ref.last_line) == (f"{HEAD}begin", "gpu-1", 1, 4)
    assert (second.text, second.node, second.ref.line, second.ref.last_line) == ("end", "", 5, 6)
    assert dict(texts.layers) == {"journald": 2}


def test_rows_that_come_newest_first_are_turned_and_their_lines_are_not() -> None:
    rows = [f'2026-08-26T14:50:{second}Z,"at {second}\nbelow {second}"' for second in range(19, 10, -1)]
    texts = read("Date,Message", *"\n".join(rows).split("\n"))
    assert [text.text for text in texts if text.text][:4] == ["at 11", "below 11", "at 12", "below 12"]
    assert texts.explained == 1, "the header"


def test_a_message_of_several_lines_stays_in_order_where_the_newest_is_first() -> None:
    lines = [json.dumps({"message": f"at {n}\nbelow {n}", "time": f"2026-02-17T10:02:{n}Z"}) for n in range(19, 10, -1)]
    assert [text.text for text in read(*lines)][:2] == ["at 11", "below 11"]


def test_rows_whose_last_cell_has_no_end_break_off() -> None:
    texts = read("Date,Message", "2026-08-26T14:50:57Z,a", '2026-08-26T14:50:57Z,"Traceback')
    assert [text.text for text in texts] == ["", "a", "Traceback"]
    assert texts.breaks_off(ended=False)


def test_hosts_are_named_where_their_outputs_are_mixed() -> None:
    rows = (
        "               total        used        free      shared  buff/cache   available",
        "Mem:            2015         215        1701           5          99        1800",
        "Swap:              0           0           0",
    )
    texts = read(*(f"{host}: {row}" for row in rows for host in ("alpha", "beta")))
    assert [(text.node, text.text.strip()[:4]) for text in texts][:3] == [
        ("alpha", "tota"),
        ("beta", "tota"),
        ("alpha", "Mem:"),
    ]
    assert texts.hosts == {"alpha", "beta"}


@pytest.mark.parametrize("above", ["{} | CHANGED | rc=0 >>\n", ""], ids=["ansible", "pdsh"])
def test_a_container_below_a_host_is_no_host(above: str) -> None:
    before = "" if above else "{}: "
    blocks = [
        above.format(host)
        + "\n".join(f"{before.format(host)}[pod/{name}/c] {HEAD}x" for _ in range(3) for name in names)
        for host, names in (("kube3", ("sglang-0", "router")), ("kube2", ("sglang-1", "router")))
    ]
    texts = read(*"\n".join(blocks).split("\n"))
    assert {text.node for text in texts if isinstance(text, Text) and text.text} == {"sglang-0", "sglang-1", "router"}
    assert texts.hosts == {"kube2", "kube3"}


def test_entries_of_a_list_on_one_line_have_their_own_times_and_origins() -> None:
    """1780678811 is 2026-06-05 17:00:11."""
    entries = [{"date": 1780678811 + n, "log": f"[pod/p{n}/c] said {n}\nmore", "host": f"h{n}"} for n in range(3)]
    entries[1]["log"] = "said 1"
    for above in ([], ["==> node1 <==", "a", "==> node2 <=="]):
        texts = read(*above, json.dumps(entries))
        shown = [
            (text.text, text.stamp and text.stamp.moment.second, text.node)
            for text in texts
            if isinstance(text, Text) and text.text not in ("", "a")
        ]
        assert shown == [
            ("said 0", 11, "p0"), ("more", 11, "p0"), ("said 1", 12, "h1"), ("said 2", 13, "p2"), ("more", 13, "p2"),
        ]  # fmt: skip
        assert list(texts.origins)[-3:] == ["p0", "h1", "p2"]


@pytest.mark.parametrize("name", ["alpha{}", "gpu{}", "job-{}"])
def test_hosts_behind_a_file_s_beginning_are_hosts(name: str) -> None:
    """500 hosts with three lines each: the first 66 are whole in the first 200 lines."""
    rows = (
        "               total        used        free      shared  buff/cache   available",
        "Mem:            2015         215        1701           5          99        1800",
        "Swap:              0           0           0",
    )
    names = [name.format(n) for n in range(500)]
    texts = read(*(f"{host}: {row}" for host in names for row in rows))
    assert [text.node for text in texts if isinstance(text, Text)] == [host for host in names for _ in rows]
    assert texts.hosts == set(names)
