"""An answer is walked through up to its last bracket: entries are found in it, lines around it stay, damage is told."""

from __future__ import annotations

import json
import time
import tracemalloc

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from analyzer.bundle import InMemory
from analyzer.bundle.answer import Answer
from analyzer.bundle.answer_document import begins
from tests.bundle.answers import BEGUN, SEARCHED, read, searched


@pytest.mark.parametrize(
    "head",
    [
        '{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,"2"]]}]}}',
        '{"status":"success","data":{"resultType":"vector","result":[]}}',
        '{"log":"a \\"took\\":1, said","stream":"stderr","time":"2026-06-05T17:00:11Z"}',
        '{"message": "{\\"took\\":1,\\"hits\\":{\\"hits\\":[", "time": "2026-06-05T17:00:11Z"}',
        '{"took_ms": 3, "hits": 9}',
        '{"events":[{"type":"Warning","object":{}}]}',
        "a\nb\nc\nd\ne\n" + SEARCHED,
        f'{BEGUN} {{"took":2,"hits":{{"hits":[]}}}}',
        "took 3 s",
        "",
    ],
)
def test_other_json_and_logs_are_no_answers(head: str) -> None:
    assert not begins(head.encode())


@pytest.mark.parametrize(
    "head",
    [
        SEARCHED,
        '{\n  "took" : 2,\n  "timed_out" : false,',
        '{"_scroll_id":"FGluY2x1ZGVf","took":2,',
        '{"responses":[{"took":2,"hits":{}}]}',
        '{"hits":{"total":{"value":1},"hits":[{"_index":"a"}]}}',
        '{"status":"success","data":{"resultType":"streams","result":[]}}',
        '{\n  "events": [\n    {\n      "logStreamName": "2024/12/08/a",',
        "$ curl -s localhost:9200/logs/_search\n" + SEARCHED,
        '\ufeff{"streams":[{"stream":{"pod":"p"},"values":[]}]}',
    ],
)
def test_answers_are_known_by_their_beginning(head: str) -> None:
    assert begins(head.encode())


def test_events_of_cloudwatch_are_entries() -> None:
    event = {"logStreamName": "2024/12/08/a", "timestamp": 1702000000000, "message": BEGUN, "eventId": "12345"}
    streams = [{"logStreamName": "2024/12/08/a", "searchedCompletely": True}]
    document = json.dumps({"events": [event] * 3, "searchedLogStreams": streams}, indent=2)
    assert read(document.encode()) == ([event] * 3, "")


def test_lines_around_the_answers_stay() -> None:
    """Two answers, one of them with more on its last line, between an echo and what somebody pasted below.

    The entry of the second one has the time of the first one's first.
    """
    lines = [
        "$ curl -s localhost:9200/logs/_search",
        searched(["a", "b"]),
        "",
        f"{searched(['c'])} 100  4242",
        BEGUN,
        "  indented {",
    ]
    stream = Answer(InMemory("\n".join(lines).encode())).open()
    text = stream.read(1 << 20).decode().split("\n")
    assert [line if "_source" not in line else json.loads(line)["_source"]["message"] for line in text] == [
        lines[0], "a", "c", "b", " 100  4242", BEGUN, "  indented {", "",
    ]  # fmt: skip


def test_aggregations_with_brackets_in_their_texts_are_passed_over() -> None:
    document = json.loads(searched(["a"]))
    document["aggregations"] = {"b": {"buckets": [{"key": 'x"}]}{["hits":[', "doc_count": 3}] * 9999}}
    assert [e["_id"] for e in read((json.dumps(document) + "\n" + searched(["b"])).encode())[0]] == ["0", "0"]


def test_what_is_cut_off_is_told() -> None:
    whole = searched(["a", "b", "c"])
    entries, damage = read(whole[: whole.index('"c"')].encode())
    assert (len(entries), damage) == (2, "cut off: the answer ends inside an entry")


def test_a_damaged_entry_is_counted_and_the_next_ones_are_read() -> None:
    entries, damage = read(searched(["x" * 200] * 9).replace('"_id": "4"', '"_id" "4"').encode())
    assert [entry["_id"] for entry in entries] == ["0", "1", "2", "3", "5", "6", "7", "8"]
    assert damage == "damaged: 1 entry of the answer cannot be read"


PARTS = [
    *'{}[]":,\\ \n', '"hits":[', '"values":[', '"stream":{', '"timestamp":', '"message":"', "[" * 700, '{"a":' * 700, "]" * 700,
    "}" * 700, "9" * 19, "9" * 400, "9" * 5000, "1.5", "NaN", "-Infinity", "true", "x" * 70_000, " " * 2000,
    '{"timestamp":1.5},', '{"_source":{"time":"', '{"_index":1,',
]  # fmt: skip


@given(st.lists(st.sampled_from(PARTS), max_size=30).map("".join))
@example('"hits":[{"n":' + "9" * 5000 + "}]")
@example('"hits":[{"timestamp":"' + "9" * 5000 + '"},{"timestamp":1.5}]')
@example('"hits":[{"timestamp":' + "9" * 400 + '},{"timestamp":1.5},{"timestamp":NaN},{"timestamp":true}]')
@example('"hits":[{"message":"' + "x" * 70_000 + '","n":' + "[" * 700 + "]" * 700 + "}]")
@example('"hits":[' + '{"_index":' * 20_000)
def test_no_text_breaks_it(text: str) -> None:
    stream = Answer(InMemory((SEARCHED + "{" + text).encode())).open()
    while stream.read(4096):
        pass


def test_a_number_longer_than_python_takes_is_kept_as_a_text() -> None:
    """Python refuses more than 4300 digits."""
    entries, damage = read(searched(["a", "b"]).replace('"_id": "0"', f'"_id": {"9" * 5000}').encode())
    assert ([entry["_id"] for entry in entries], damage) == (["9" * 5000, "1"], "")


def test_an_entry_with_more_brackets_in_another_than_a_log_has_is_counted_and_the_next_is_read() -> None:
    text = searched(["a", "b", "c"]).replace('"_id": "1"', '"_id": ' + "[" * 150 + "]" * 150)
    entries, damage = read(text.encode())
    assert [entry["_id"] for entry in entries] == ["0", "2"]
    assert damage == "damaged: 1 entry of the answer cannot be read"


def seconds(data: str) -> float:
    """The time that reading takes, of this process alone."""
    began = time.process_time()
    stream = Answer(InMemory(data.encode())).open()
    while stream.read(65536):
        pass
    return time.process_time() - began


@pytest.mark.parametrize(
    "text",
    [
        searched(["a"]) + "\n" * 60_000 + "b",
        SEARCHED + '{"hits":[' + '{"_index":1,"x":' * 100_000,
        SEARCHED + '{"x":"' + "y" * 4_000_000,
        '{"streams":[' + '{"stream":{"a":' * 200_000,
        SEARCHED + '{"hits":[' + '{"_index":[' * 900 + "1," * 1_000_000 + "}",
    ],
    ids=[
        "blank lines",
        "brackets in brackets",
        "a string without end",
        "labels in labels",
        "an error far in",
    ],
)
def test_time_grows_with_the_text_and_no_faster(text: str) -> None:
    """Some tenths of a second; where each step looks at all the rest it is many seconds."""
    assert seconds(text) < 4


def test_a_beginning_of_blanks_is_quick_to_tell() -> None:
    began = time.process_time()
    assert not begins(b'{"responses":' + b" " * 60_000 + b"x")
    assert time.process_time() - began < 1


def test_a_string_without_end_takes_no_more_memory_than_a_few_reads() -> None:
    """It has 8 MB; a read has 256 KB."""
    data = (SEARCHED + '{"x":"' + "\\n" * 4_000_000).encode()
    tracemalloc.start()
    stream = Answer(InMemory(data)).open()
    while stream.read(65536):
        pass
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 4_000_000


def test_an_escape_at_the_end_of_a_read_does_not_end_the_string() -> None:
    """The quote that ends each of these strings is the one behind `end`."""
    for shift in range(4):
        text = SEARCHED + '{"x":"' + "y" * shift + '\\"' * 200_000 + 'end","hits":[{"_index":1}]}}'
        assert read(text.encode()) == ([{"_index": 1}], "")


def test_utf_16_is_read_as_well() -> None:
    entries, damage = read(searched([BEGUN]).encode("utf-16"))
    assert (len(entries), damage) == (1, "")
