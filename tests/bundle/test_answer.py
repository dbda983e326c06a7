"""The answer of a log store is its entries, a line each, however long its one line is, in the order of their times."""

from __future__ import annotations

import json
import pickle
import tracemalloc
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.bundle import InMemory, opened
from analyzer.bundle.answer import Answer, begins
from tests.bundle.answers import BEGUN, SEARCHED, ranged, read, searched


@pytest.mark.parametrize("indent", [None, 2])
def test_hits_are_lines_whether_the_answer_is_laid_out_or_on_one_line(indent: int | None) -> None:
    document = json.dumps(json.loads(searched([BEGUN, 'said "hits":[ and\nmore'])), indent=indent)
    entries, damage = read(document.encode())
    assert [entry["_source"]["message"] for entry in entries] == [BEGUN, 'said "hits":[ and\nmore']  # type: ignore[index]
    assert not damage


@pytest.mark.parametrize(
    "document",
    [
        [{"line": BEGUN, "timestamp": "1780678811987000000", "fields": {}}, {"line": "a", "timestamp": "1780678812000000000"}],
        [{"log": BEGUN, "time": "2026-06-05T17:00:11.987Z"}, {"log": "a", "time": "2026-06-05T17:00:12Z"}],
        [{"id": "x", "content": {"timestamp": t, "message": m}} for t, m in (("2026-06-05T17:00:11Z", BEGUN), ("2026-06-05T17:00:12Z", "a"))],
        {"data": [{"id": "x", "type": "log", "attributes": {"timestamp": "2026-06-05T17:00:11Z", "message": BEGUN, "attributes": {"data": [1]}}}, {"id": "y", "attributes": {"message": "a"}}], "meta": {"data": [3]}},
        {"results": [[{"field": "@timestamp", "value": "2026-06-05 17:00:11.987"}, {"field": "@message", "value": BEGUN}], [{"field": "@message", "value": "a"}]], "status": "Complete"},
    ],
    ids=["Grafana's download", "docker's lines in a list", "Datadog's download", "Datadog's answer", "Insights"],
)  # fmt: skip
def test_entries_in_lists_of_other_names_are_lines(document: object) -> None:
    entries, damage = read(json.dumps(document, separators=(",", ":")).encode())
    shown = [json.dumps(entry) for entry in entries]
    assert [next(text for text in (BEGUN, "a") if f'"{text}"' in entry) for entry in shown] == [BEGUN, "a"]
    assert not damage


@pytest.mark.parametrize("text", ['[{"line": 5}]', '[{"Id":"x","Log":"a"}]', '{"data":[{"id":"m"}],"object":"list"}'])
def test_other_lists_are_no_answers(text: str) -> None:
    assert not begins(text.encode())


def test_the_direction_of_the_answer_stays() -> None:
    entries, _ = read(searched([str(n) for n in range(100)], newest_first=True).encode())
    assert [entry["_id"] for entry in entries] == [str(n) for n in range(99, -1, -1)]


def test_streams_of_loki_are_merged_by_time() -> None:
    """Three nanoseconds apart: a float would not tell them apart."""
    errors: list[list[object]] = [["1780678811987000007", "c", {"trace": "x"}], ["1780678811987000001", "a"]]
    entries, _ = read(
        ranged(({"pod": "p", "level": "error"}, errors), ({"pod": "p"}, [["1780678811987000004", "b"]])).encode()
    )
    assert [entry["line"] for entry in entries] == ["c", "b", "a"]
    assert entries[0]["labels"] == {"pod": "p", "level": "error", "trace": "x"}


def test_an_answer_of_many_megabytes_on_one_line_is_read_whole() -> None:
    """Twenty thousand times 200 characters are 4 MB: sixty times what a line may hold."""
    entries, damage = read(searched([f"{n:06d}" + "x" * 194 for n in range(20_000)]).encode())
    assert (len(entries), damage) == (20_000, "")


def test_a_message_that_is_longer_than_a_line_is_cut_and_stays_an_entry() -> None:
    entries, _ = read(searched(["[2026-06-05" + "\\" * 200_000, "b"]).encode())
    cut = entries[0]["_source"]["message"]  # type: ignore[index]
    assert cut.startswith("[2026-06-05")
    assert len(json.dumps(entries[0])) <= 64 * 1024


def test_an_answer_is_a_source_of_its_entries() -> None:
    bundle = opened("answer.json", searched([BEGUN]).encode())
    assert [source.name for source in bundle.sources] == ["answer.json!entries"]
    assert bundle.size is None
    assert pickle.loads(pickle.dumps(bundle.sources[0])).open().read(12) == b'{"_index":"l'  # noqa: S301 - our own


def test_entries_of_a_byte_each_are_not_all_held() -> None:
    """600,000 of them: each takes some hundred bytes, whatever its line has."""
    stream = Answer(InMemory(f'{SEARCHED}{{"hits":[{"1," * 600_000}'.encode())).open()
    tracemalloc.start()
    stream.read(10)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 64_000_000


def test_times_of_all_kinds_are_put_in_one_order() -> None:
    """17:00:10.5 in seconds, 17:00:11 in milliseconds, 17:00:12 spelled out, 17:00:13 in nanoseconds; 1780678800 is 17:00."""
    times: list[object] = [1780678810.5, 1780678813000000000, 1780678811000, "2026-06-05T17:00:12Z", 1780678814]
    entries, _ = read(json.dumps({"took": 1, "hits": {"hits": [{"time": time} for time in times]}}).encode())
    assert [entry["time"] for entry in entries] == [times[0], times[2], times[3], times[1], times[4]]


@given(st.lists(st.integers(0, 30)), st.sampled_from([1, -1]))
def test_no_entry_is_lost_and_times_run_in_one_direction(seconds: list[int], direction: int) -> None:
    given_order = sorted(seconds)[::direction]
    values: list[list[object]] = [[f"17806788{second:02d}000000000", str(second)] for second in given_order]
    entries, _ = read(ranged(({"a": "b"}, values[::2]), ({"a": "c"}, values[1::2])).encode())
    times = [int(str(entry["line"])) for entry in entries]
    assert sorted(times) == sorted(seconds)
    falls = [later < earlier for earlier, later in pairwise(times)]
    rises = [later > earlier for earlier, later in pairwise(times)]
    assert not (any(falls) and any(rises))
