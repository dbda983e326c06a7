"""Records become rows and events; what only looks like one stays silent."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.catalog import Catalog
from analyzer.catalog.read import read
from analyzer.events import GraphCaptureProgress, Notice, WatchdogFired, WeightsLoaded
from analyzer.evidence import Rank, Ref
from analyzer.folded import KEPT
from analyzer.names import APART
from analyzer.recognise import Recogniser
from analyzer.records import Record

if TYPE_CHECKING:
    from analyzer.events import Event

TEXT = """
[[pattern]]
id = "decode"
table = "DecodeBatch"
speaker = "scheduler"
form = "fields"
heads = ["Decode batch. ", "Decode batch, ", "Decode batch ["]
ignored = ["mamba num"]
fields.running = { keys = ["#running-req"], unit = "count" }
fields.tokens = { keys = ["#token"], unit = "token" }
fields.usage = { keys = ["token usage"], unit = "ratio" }
fields.graph = { keys = ["cuda graph"], unit = "flag" }
fields.throughput = { keys = ["gen throughput (token/s)"], unit = "token/s" }

[[pattern]]
id = "access"
table = "Access"
literal = " HTTP/"
regex = '[\\\\d.:]+ - "[A-Z]+ (?<path>[^ "]+) HTTP/[\\\\d.]+" (?<status>\\\\d+)'
captures = { path = "text", status = "count" }

[[pattern]]
id = "weights"
event = "WeightsLoaded"
speaker = "scheduler"
literal = "Load weight end."
since = "0.5.9"
regex = 'Load weight end\\\\. elapsed=(?<elapsed>[\\\\w.]+) s(?:, avail mem=(?<free>[\\\\d.]+) GB)?'
captures = { elapsed = "s", free = "GiB" }

[[pattern]]
id = "bar"
event = "GraphCaptureProgress"
at = "anywhere"
literal = "Capturing"
regex = 'Capturing (?<done>\\\\d+)/(?<total>\\\\d+)'
captures = { done = "count", total = "count" }

[[pattern]]
id = "watchdog"
event = "WatchdogFired"
literal = "Watchdog timeout"
set = { soft = true, timeout = "300 s", name = "5 s" }
regex = 'Watchdog timeout'

[[pattern]]
id = "prompt"
event = "Notice"
private = true
literal = "Prompt:"
regex = 'Prompt: \\\\w*'

[[pattern]]
id = "noise"
harmless = "says nothing"
literal = "[noise]"
regex = '\\\\[noise\\\\]'
""".replace("\\\\", "\\")
CATALOG = Catalog(tuple(read(TEXT, "f.toml")))


def record(text: str, *more: str, line: int = 1, rank: int | None = None) -> Record:
    return Record(Ref("server.log", line, line + len(more), column=10), text, list(more), rank=Rank(tp=rank))


def row(text: str) -> dict[str, float | str | bool] | None:
    seen = Recogniser(CATALOG, "server.log").see(record(text))
    return seen.row[1] if seen.row else None


def events(*records: Record) -> list[Event]:
    recogniser = Recogniser(CATALOG, "server.log")
    for item in records:
        recogniser.see(item)
    return recogniser.finish()


@pytest.mark.parametrize(
    "text",
    [
        "Receive: obj=GenerateReqInput(text='Decode batch. #running-req: 1, #token: 2')",
        " Decode batch. #running-req: 1",
        "Decode batches. #running-req: 1",
        "what does Decode batch. #running-req: 1 mean",
        "Decode batch. nothing that is a pair",
        "",
    ],
)
def test_a_line_that_imitates_a_batch_line_is_no_row(text: str) -> None:
    assert row(text) is None


def test_a_batch_line_gives_its_columns_in_any_order() -> None:
    expected = {"running_count": 12.0, "tokens_token": 3456.0, "usage_ratio": 0.04, "graph_flag": True}
    assert row("Decode batch. #running-req: 12, #token: 3456, token usage: 0.04, cuda graph: True") == expected
    assert row("Decode batch, cuda graph: True, token usage: 0.04, #token: 3456, #running-req: 12, ") == expected
    assert row("Decode batch [40], #token: 3456, cuda graph: True, #running-req: 12, token usage: 0.04") == expected


@pytest.mark.parametrize(
    "end", [", #tok", ", #token", ", #token:", ", #token: ", ", token usage: 0.", ", token usage: nan"]
)
def test_the_broken_pair_of_a_cut_batch_line_is_dropped(end: str) -> None:
    assert row("Decode batch. #running-req: 12" + end) == {"running_count": 12.0}


def test_keys_that_no_column_takes_are_counted() -> None:
    recogniser = Recogniser(CATALOG, "server.log")
    for _ in range(2):
        recogniser.see(record("Decode batch. #running-req: 1, new key: 5, mamba num: 3"))
    assert recogniser.unknown_keys == {"new key": 2}


def test_an_access_line_is_a_row_by_its_regex() -> None:
    seen = Recogniser(CATALOG, "server.log").see(record('127.0.0.1:5 - "GET /health HTTP/1.1" 503 Service Unavailable'))
    assert seen.row == ("Access", {"path": "/health", "status_count": 503.0})
    assert seen.understood == 1


def test_an_event_knows_where_it_stands_and_who_said_it() -> None:
    (event,) = events(record("Load weight end. elapsed=94.49 s, avail mem=30.67 GB", line=7, rank=3))
    assert isinstance(event, WeightsLoaded)
    assert (event.where.ref.line, event.where.ref.column, event.where.rank.tp) == (7, 10, 3)
    assert (event.where.speaker, event.where.pattern, event.where.since) == ("scheduler", "weights", "0.5.9")
    assert event.elapsed is not None
    assert event.elapsed.origin == (event.where.ref, "94.49 s")


def test_a_capture_that_took_no_part_and_a_number_that_is_none_leave_the_default() -> None:
    (event,) = events(record("Load weight end. elapsed=nan s"))
    assert isinstance(event, WeightsLoaded)
    assert event.elapsed is None
    assert event.free is None


def test_constants_fill_fields_by_their_kind() -> None:
    (event,) = events(record("Watchdog timeout"))
    assert isinstance(event, WatchdogFired)
    assert event.soft is True
    assert event.timeout is not None
    assert event.timeout.value == 300
    assert event.name == "5 s", "a text field keeps a text that looks like an amount"


def test_every_frame_of_a_bar_is_an_event_at_its_own_column() -> None:
    first, last = events(record("Capturing 1/9\rCapturing 2/9[aiter] x"))
    assert isinstance(last, GraphCaptureProgress)
    assert (first.text, last.text) == ("Capturing 1/9", "Capturing 2/9[aiter] x")
    assert (first.where.ref.column, last.where.ref.column) == (10, 10 + len("Capturing 1/9\r"))


def test_a_long_line_is_cut_around_the_match() -> None:
    (event,) = events(record("x" * 1000 + "Capturing 2/9" + "y" * 1000))
    assert len(event.text) == 400
    assert "Capturing 2/9" in event.text


def test_what_follows_a_private_match_is_never_quoted() -> None:
    (event,) = events(record("Prompt: Tell me a secret"))
    assert isinstance(event, Notice)
    assert event.text == "Prompt: Tell"


def test_a_harmless_line_is_understood_and_says_nothing() -> None:
    recogniser = Recogniser(CATALOG, "server.log")
    seen = recogniser.see(record("[noise] 1", "[noise] 2"))
    assert (seen.harmless, seen.understood, recogniser.finish()) == (True, 2, [])


def test_an_unknown_line_is_not_understood_however_often_it_comes() -> None:
    recogniser = Recogniser(CATALOG, "server.log")
    assert [recogniser.see(record("hello")).understood for _ in range(3)] == [0, 0, 0]


def test_repeats_are_folded_per_process_and_pattern() -> None:
    many = [record("Load weight end. elapsed=1 s", line=n, rank=0) for n in range(1, 1001)]
    found = events(*many, record("Watchdog timeout", line=1001, rank=0))
    weights = [event for event in found if isinstance(event, WeightsLoaded)]
    assert [event.where.ref.line for event in weights] == [*range(1, KEPT + 1), *range(1000 - KEPT + 1, 1001)]
    assert weights[KEPT - 1].count == 1 + 1000 - 2 * KEPT, "it stands for those that were dropped behind it"
    assert sum(event.count for event in weights) == 1000
    assert isinstance(found[-1], WatchdogFired)


def test_lines_that_say_the_same_give_the_events_of_each_and_are_asked_only_for_those_that_stay() -> None:
    one, other = Recogniser(CATALOG, "a.log"), Recogniser(CATALOG, "a.log")
    asked: list[int] = []
    told = []
    for n in range(1, 501):
        said = record(f"Capturing 1/9\rCapturing {n}/9[aiter] x", line=n, rank=2)
        claims = one.claims(said.text)
        one.take(claims, said)
        told.append((n, lambda n=n, answer=(claims, said): asked.append(n) or answer))
    other.merge(["bar", "bar"], (Rank(tp=2), ""), told, 0)
    kept = other.finish()
    assert repr(kept) == repr(one.finish())
    assert len(kept) == 2 * KEPT, "two events of a line, of a hundred lines in all"
    assert set(asked) == {*range(1, 51), *range(451, 501)}


def test_lines_that_are_passed_over_count_for_each_of_their_events() -> None:
    text = "Capturing 1/9\rCapturing 2/9"
    claims = CATALOG.matcher.claims(text)
    told = [(n, lambda n=n: (claims, record(text, line=n))) for n in [*range(1, 101), *range(401, 501)]]
    recogniser = Recogniser(CATALOG, "server.log")
    recogniser.merge(["bar", "bar"], (Rank(), ""), told, 300)
    assert sum(event.count for event in recogniser.finish()) == 2 * 500


def test_a_claim_without_a_name_gives_no_event_and_its_place_stays_its_own() -> None:
    text = "Capturing 1/9\rCapturing 2/9"
    claims = CATALOG.matcher.claims(text)
    recogniser = Recogniser(CATALOG, "server.log")
    recogniser.merge(["", "bar"], (Rank(), ""), [(7, lambda: (claims, record(text, line=7)))], 0)
    (event,) = recogniser.finish()
    assert isinstance(event, GraphCaptureProgress)
    assert (event.where.ref.line, event.where.ref.column) == (7, 10 + len("Capturing 1/9\r"))


def test_lines_of_other_ranks_are_another_process() -> None:
    claims = CATALOG.matcher.claims("Watchdog timeout")
    recogniser = Recogniser(CATALOG, "server.log")
    for rank in (0, 1):
        told = [(n, lambda n=n: (claims, record("Watchdog timeout", line=n))) for n in range(rank + 1, 401, 2)]
        recogniser.merge(["watchdog"], (Rank(tp=rank), ""), told, 0)
    assert [event.where.ref.line for event in recogniser.finish()] == list(range(1, 401))


def test_two_hundred_events_of_each_process_stay_as_they_are() -> None:
    found = events(*(record("Watchdog timeout", line=n, rank=n % 2) for n in range(1, 401)))
    assert [event.where.ref.line for event in found] == list(range(1, 401))
    assert {event.count for event in found} == {1}


def test_finishing_twice_gives_the_same() -> None:
    recogniser = Recogniser(CATALOG, "server.log")
    for line in range(1, 302):
        recogniser.see(record("Watchdog timeout", line=line))
    assert [event.count for event in recogniser.finish()] == [event.count for event in recogniser.finish()]


@given(
    st.lists(st.text() | st.sampled_from(["Decode batch. #token: ", "Load weight end. elapsed=", "Capturing 1/", "\r"]))
)
def test_no_text_makes_the_recogniser_raise(parts: list[str]) -> None:
    item = record("".join(parts), *parts)
    recogniser = Recogniser(CATALOG, "server.log")
    for one in (item, replace(item, more=[])):
        assert 0 <= recogniser.see(one).understood <= 1 + len(parts)
    recogniser.finish()


def test_lines_of_other_nodes_are_another_process() -> None:
    claims = CATALOG.matcher.claims("Watchdog timeout")
    recogniser = Recogniser(CATALOG, "server.log")
    for node in ("node-1", "node-2"):
        told = [(n, lambda n=n: (claims, record("Watchdog timeout", line=n))) for n in range(1, 201)]
        recogniser.merge(["watchdog"], (Rank(), node), told, 300)
    assert sum(event.count for event in recogniser.finish()) == 2 * 500
    assert len(recogniser.finish()) == 2 * 2 * KEPT, "the first and the last of each"


def test_a_million_names_are_no_million_folds() -> None:
    """What the first nodes say is folded for each; what all others say is folded together, and counted."""
    recogniser = Recogniser(CATALOG, "server.log")
    nodes = APART + 10 * KEPT
    for n in range(1, nodes + 1):
        recogniser.see(replace(record("Watchdog timeout", line=n), node=f"node-{n}"))
    found = recogniser.finish()
    assert len(found) == APART + 2 * KEPT
    assert sum(event.count for event in found) == nodes
    assert found[-1].where.node == f"node-{nodes}", "each keeps its own name"
