"""Rows of a log store's CSV are the lines in them, at the time and from the host that their columns tell."""

from __future__ import annotations

from datetime import datetime

import pytest

from analyzer.layers.csv_rows import Header, Rows, told
from tests.layers.entries import Line, all_of, said

BEGUN = "[2026-08-26 14:50:57 TP0] Init torch distributed begin."
FRAMES = 'Traceback (most recent call last):\n  File ""a.py"", line 1, in f\nValueError: x'


def rows(text: str) -> Rows[Line]:
    header = told(text.split("\n"))
    assert header
    return Rows(header)


@pytest.mark.parametrize(
    ("header", "row", "host"),
    [
        ('"Date","Time","Line","tsNs","id"', f'"2026-08-26T14:50:57.348Z","2026-08-26 16:50:57.348","{BEGUN}","1787755857348000000","17ab3c-1"', ""),
        ('"labels","Time","Line","tsNs","id"', f'"{{""pod"":""llm-0""}}","1787755857348","{BEGUN}","1787755857348000000","1"', "llm-0"),
        ('"Date","Host","Service","Content"', f'"2026-08-26T14:50:57.348Z","gpu-1","sglang","{BEGUN}"', "gpu-1"),
        ("Date,Host,Service,Status,Message", f"2026-08-26T14:50:57.348Z,gpu-1,sglang,error,{BEGUN}", "gpu-1"),
        ('"@timestamp","message","kubernetes.pod.name"', f'"Aug 26, 2026 @ 14:50:57.348","{BEGUN}","llm-0"', "llm-0"),
        ("timestamp,message", f"1787755857348,{BEGUN}", ""),
        ("_time;host;_raw", f"2026-08-26T14:50:57.348+00:00;gpu-1;{BEGUN}", "gpu-1"),
        ("sep=,\nTime,Line", f"2026-08-26 14:50:57.348,{BEGUN}", ""),
    ],
    ids=["explore", "inspector", "datadog", "datadog with status", "kibana", "cloudwatch", "splunk", "for a spreadsheet"],
)  # fmt: skip
def test_a_row_is_its_text_with_time_and_host(header: str, row: str, host: str) -> None:
    entries = all_of(rows(f"{header}\n{row}"), f"{header}\n{row}\n")
    assert [found for found in said(entries) if found[1]] == [(host, BEGUN)]
    peeled = entries[-1][0].peeled
    assert peeled
    assert peeled.stamp
    assert peeled.stamp.moment == datetime(2026, 8, 26, 14, 50, 57, 348000)


def test_a_cell_of_several_lines_is_one_message_whose_lines_keep_their_places() -> None:
    text = f'Date,Host,Message\n2026-08-26T14:50:57Z,gpu-1,"{FRAMES}"\n2026-08-26T14:50:58Z,gpu-1,{BEGUN}\n'
    _, entry, last = all_of(rows(text), text)
    assert said([entry]) == [("gpu-1", FRAMES.replace('""', '"'))]
    assert [piece.line.number for piece in entry] == [2, 3, 4]
    assert said([last]) == [("gpu-1", BEGUN)]


def test_a_cell_that_is_cut_off_gives_what_it_holds() -> None:
    text = f'Date,Host,Message\n2026-08-26T14:50:57Z,gpu-1,"{FRAMES}"\n2026-08-26T14:50:58Z,gpu-1,"Traceback\n  File'
    reader = rows(text)
    assert said(all_of(reader, text))[-1] == ("gpu-1", "Traceback\n  File")
    assert reader.open


def test_a_quote_that_never_closes_does_not_take_the_next_rows() -> None:
    text = 'Date,Host,Message\n2026-08-26T14:50:57Z,gpu-1,a 5" disk\n' + "2026-08-26T14:50:58Z,gpu-1,b\n" * 3
    assert said(all_of(rows(text), text))[1:] == [("gpu-1", 'a 5" disk')] + [("gpu-1", "b")] * 3


@pytest.mark.parametrize(
    "head",
    [
        "Time,sglang:token_usage\n2026-08-26 14:50:57,0.5",
        "Series,Time,Value\na,2026-08-26 14:50:57,1",
        "timestamp, name, memory.used [MiB]\n2026/08/26 14:50:57, GPU, 1",
        "Date,Message\nno time,said",
        "Date,Message",
        f"{BEGUN}\n{BEGUN}",
        '{"time": "2026-08-26T14:50:57Z", "message": "a"}',
        "",
    ],
)
def test_other_tables_are_left_alone(head: str) -> None:
    assert told(head.split("\n")) is None


def test_what_is_no_row_stays_as_it_is() -> None:
    header = Header.of("Date,Message")
    assert header
    entries = all_of(Rows[Line](header), "Date,Message\n\n2026-08-26T14:50:57Z,a,b\n2026-08-26T14:50:57Z,a\n")
    assert said(entries) == [("", ""), ("", "a")]
