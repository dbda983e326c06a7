"""The answer of a log store is its entries, a line each, however long its one line is, in the order of their times."""

from __future__ import annotations

import json
import pickle
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.bundle import InMemory, opened
from analyzer.bundle.answer import Answer, is_answer

BEGUN = "[2026-06-05 17:00:11 TP0] Init torch distributed begin."
SEARCHED = '{"took":2,"timed_out":false,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0},"hits":'


def searched(messages: list[str], *, newest_first: bool = False) -> str:
    hits = [
        {"_index": "logs", "_id": str(n), "_source": {"@timestamp": f"2026-06-05T17:{n // 60:02d}:{n % 60:02d}.987Z", "message": text}}
        for n, text in enumerate(messages)
    ]  # fmt: skip
    shown = hits[::-1] if newest_first else hits
    total = {"value": len(hits), "relation": "eq"}
    return SEARCHED + json.dumps({"total": total, "max_score": None, "hits": shown}) + "}"


def ranged(*streams: tuple[dict[str, str], list[list[object]]]) -> str:
    result = [{"stream": labels, "values": values} for labels, values in streams]
    return json.dumps(
        {"status": "success", "data": {"resultType": "streams", "result": result, "stats": {"summary": {}}}}
    )


def read(data: bytes) -> tuple[list[dict[str, object]], str]:
    """The entries, and what was wrong."""
    stream = Answer(InMemory(data)).open()
    text = b""
    while more := stream.read(4096):
        text += more
    stream.close()
    return [json.loads(line) for line in text.splitlines()], stream.damage


@pytest.mark.parametrize(
    "head",
    [
        '{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[1,"2"]]}]}}',
        '{"status":"success","data":{"resultType":"vector","result":[]}}',
        '{"log":"a \\"took\\":1, said","stream":"stderr","time":"2026-06-05T17:00:11Z"}',
        '{"message": "{\\"took\\":1,\\"hits\\":{\\"hits\\":[", "time": "2026-06-05T17:00:11Z"}',
        '{"took_ms": 3, "hits": 9}',
        f'{BEGUN} {{"took":2,"hits":{{"hits":[]}}}}',
        "took 3 s",
        "",
    ],
)
def test_other_json_and_logs_are_no_answers(head: str) -> None:
    assert not is_answer(head.encode())


@pytest.mark.parametrize(
    "head",
    [
        SEARCHED,
        '{\n  "took" : 2,\n  "timed_out" : false,',
        '{"_scroll_id":"FGluY2x1ZGVf","took":2,',
        '{"responses":[{"took":2,"hits":{}}]}',
        '{"hits":{"total":{"value":1},"hits":[{"_index":"a"}]}}',
        '{"status":"success","data":{"resultType":"streams","result":[]}}',
        '\ufeff{"streams":[{"stream":{"pod":"p"},"values":[]}]}',
    ],
)
def test_answers_are_known_by_their_beginning(head: str) -> None:
    assert is_answer(head.encode())


@pytest.mark.parametrize("indent", [None, 2])
def test_hits_are_lines_whether_the_answer_is_laid_out_or_on_one_line(indent: int | None) -> None:
    document = json.dumps(json.loads(searched([BEGUN, 'said "hits":[ and\nmore'])), indent=indent)
    entries, damage = read(document.encode())
    assert [entry["_source"]["message"] for entry in entries] == [BEGUN, 'said "hits":[ and\nmore']  # type: ignore[index]
    assert not damage


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


def test_utf_16_is_read_as_well() -> None:
    entries, damage = read(searched([BEGUN]).encode("utf-16"))
    assert (len(entries), damage) == (1, "")


def test_an_answer_of_many_megabytes_on_one_line_is_read_whole() -> None:
    """Twenty thousand times 200 characters are 4 MB: sixty times what a line may hold."""
    entries, damage = read(searched([f"{n:06d}" + "x" * 194 for n in range(20_000)]).encode())
    assert (len(entries), damage) == (20_000, "")


def test_a_message_that_is_longer_than_a_line_is_cut_and_stays_an_entry() -> None:
    entries, _ = read(searched(["[2026-06-05" + "\\" * 200_000, "b"]).encode())
    cut = entries[0]["_source"]["message"]  # type: ignore[index]
    assert cut.startswith("[2026-06-05")
    assert len(json.dumps(entries[0])) <= 64 * 1024


def test_what_is_cut_off_is_told() -> None:
    whole = searched(["a", "b", "c"])
    entries, damage = read(whole[: whole.index('"c"')].encode())
    assert (len(entries), damage) == (2, "cut off: the answer ends inside an entry")


def test_a_damaged_entry_is_counted_and_the_next_ones_are_read() -> None:
    entries, damage = read(searched(["x" * 200] * 9).replace('"_id": "4"', '"_id" "4"').encode())
    assert [entry["_id"] for entry in entries] == ["0", "1", "2", "3", "5", "6", "7", "8"]
    assert damage == "damaged: 1 entry of the answer cannot be read"


def test_an_answer_is_a_source_of_its_entries() -> None:
    bundle = opened("answer.json", searched([BEGUN]).encode())
    assert [source.name for source in bundle.sources] == ["answer.json!entries"]
    assert bundle.size is None
    assert pickle.loads(pickle.dumps(bundle.sources[0])).open().read(12) == b'{"_index":"l'  # noqa: S301 - our own


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


@given(st.text(alphabet='{}[]":,\\ ahits1values', max_size=200))
def test_no_text_breaks_it(text: str) -> None:
    read((SEARCHED + text).encode())
