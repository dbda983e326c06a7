"""Dumps of torch's flight recorder: JSON and pickle, hostile ones included."""

from __future__ import annotations

import json
import os
import pickle
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.bundle import gather
from analyzer.catalog import Catalog
from analyzer.parsers import parse
from analyzer.parsers.flight_recorder import events, may_be

if TYPE_CHECKING:
    from pathlib import Path


def entry(number: int, state: str, operation: str = "all_reduce", **more: Any) -> dict[str, Any]:
    group = {"pg_id": 0, "process_group": ["0", "default_pg"], "is_p2p": False}
    return {**group, "collective_seq_id": number, "profiling_name": f"nccl:{operation}", "state": state, **more}


def dump(*entries: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"version": "2.9", "nccl_version": "2.26.2", "entries": list(entries), **more}


WAITS = dump(
    entry(41, "completed"),
    entry(42, "started", "_all_gather_base"),
    pg_status={"0": {"last_enqueued_collective": 42, "last_started_collective": 42, "last_completed_collective": 41}},
)


class Runs:
    """What a hostile pickle would have run."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, ("touch it-ran",)


@pytest.mark.parametrize("data", [b"{}", b'{"model": "x"}', b"[1]", b"\x80\x04N.", b"[2026-02-17 10:00:00] pg_status"])
def test_other_files_are_no_dump(data: bytes) -> None:
    assert not may_be(data)


@pytest.mark.parametrize("name", ["nccl_trace_rank_3", "node1/nccl_trace_rank_3.json", "dump_3"])
@pytest.mark.parametrize("data", [json.dumps(WAITS).encode(), pickle.dumps(WAITS)])
def test_both_forms_say_how_far_the_rank_came(data: bytes, name: str) -> None:
    assert may_be(data)
    [fact] = events(data, name)
    assert (fact.name, fact.value) == ("flight 3", "0 42 41 _all_gather_base")


def test_without_a_status_the_states_of_the_entries_tell() -> None:
    [fact] = events(json.dumps(dump(entry(7, "completed"), entry(8, "scheduled"))).encode(), "rank0")
    assert fact.value == "0 8 7 all_reduce"


def test_sends_and_receives_are_not_counted() -> None:
    [fact] = events(json.dumps(dump(entry(7, "completed"), entry(9, "started", is_p2p=True))).encode(), "rank0")
    assert fact.value == "0 7 7 -"


def test_a_file_whose_name_tells_no_rank_is_refused() -> None:
    with pytest.raises(ValueError, match="does not tell whose rank"):
        events(json.dumps(WAITS).encode(), "trace.json")


def test_a_pickle_that_would_run_something_is_refused_and_runs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"names \w+\.system"):
        events(pickle.dumps(dump(entry(1, "started"), pg_status=Runs())), "rank1")
    assert list(tmp_path.iterdir()) == []


@given(st.binary(max_size=200))
def test_any_bytes_behind_the_mark_are_read_or_refused(data: bytes) -> None:
    for head in (b'{"nccl_version": ', b"\x80\x04nccl_version"):
        with pytest.raises(ValueError, match=r"flight recorder|no entries"):
            events(head + data, "rank1")


def test_a_dump_is_read_as_a_source_and_a_broken_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "nccl_trace_rank_0").write_bytes(pickle.dumps(WAITS))
    (tmp_path / "nccl_trace_rank_1").write_bytes(pickle.dumps(WAITS)[:-9])
    catalog = Catalog.load()
    whole, cut = (parse(source, catalog) for source in gather([str(tmp_path)]).sources)
    assert (whole.kind, len(whole.events), whole.errors) == ("flight-recorder", 1, [])
    assert cut.events == []
    assert "nccl_trace_rank_1" in cut.errors[0]
