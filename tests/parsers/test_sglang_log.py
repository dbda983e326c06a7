"""One text source is read to its end: records, rows, snapshots and commands between the lines of a log."""

from __future__ import annotations

from typing import TypeVar

import pytest

from analyzer.bundle import InMemory
from analyzer.catalog import Catalog
from analyzer.events import (
    ArgumentsPrinted,
    CgroupMemory,
    ClockRead,
    CommandLine,
    ErrorLine,
    Event,
    ExceptionRaised,
    MemorySnapshot,
    ProcessListed,
    WeightLoadBegun,
)
from analyzer.evidence import Rank
from analyzer.names import LATEST
from analyzer.parsers import blocks, sglang_log
from analyzer.parsers.sglang_log import LogReader
from analyzer.parsers.texts import Texts

E = TypeVar("E", bound=Event)
CATALOG = Catalog.load()
HEAD = "[2026-02-17 10:02:51 TP1] "
FREE = [
    "               total        used        free      shared  buff/cache   available",
    "Mem:             449         439           8           0           0           9",
    "Swap:              0           0           0",
]
TRACEBACK = [
    HEAD + "Scheduler hit an exception: Traceback (most recent call last):",
    '  File "/opt/sglang/srt/managers/scheduler.py", line 3, in run_scheduler_process',
    "    scheduler = Scheduler(server_args)",
    "ValueError: something that no pattern knows",
]


def read(*lines: str) -> LogReader:
    reader = LogReader(Texts("server.log", InMemory("\n".join(lines).encode()).open()), CATALOG)
    reader.read()
    assert not reader.errors
    return reader


def found(kind: type[E], *lines: str) -> list[E]:
    return [event for event in read(*lines).events if isinstance(event, kind)]


def test_an_empty_source_says_nothing() -> None:
    reader = read("")
    assert (reader.events, reader.recognised, reader.first, dict(reader.kinds)) == ([], 0, None, {})


def test_a_milestone_is_an_event_at_its_rank_and_time() -> None:
    (event,) = found(WeightLoadBegun, HEAD + "Load weight begin. avail mem=94.08 GB")
    assert event.where.rank == Rank(tp=1)
    assert event.where.stamp is not None
    assert event.where.stamp.text == "2026-02-17 10:02:51"


def test_steady_lines_are_rows_and_no_events() -> None:
    reader = read(
        HEAD
        + "Decode batch. #running-req: 8, #token: 20253, token usage: 0.07, gen throughput (token/s): 386.24, #queue-req: 0, "
    )
    (row,) = reader.rows.frames()["DecodeBatch"].to_dicts()
    assert (row["running_count"], row["usage_ratio"], row["tp"], row["line"]) == (8.0, 0.07, 1, 1)
    assert reader.events == []
    assert reader.recognised == 1


def test_arguments_are_read_with_the_header_or_without() -> None:
    line = "server_args=ServerArgs(model_path='m', tp_size=8)"
    first, second = found(ArgumentsPrinted, HEAD + line, line)
    assert first.values == second.values == {"model_path": "m", "tp_size": 8}


def test_arguments_that_a_terminal_broke_are_whole() -> None:
    (event,) = found(
        ArgumentsPrinted,
        HEAD + "server_args=ServerArgs(model_path='m', host='192.0.2.1', tp_si",
        "ze=8, dp_size=2, trust=True)",
    )
    assert event.values == {"model_path": "m", "host": "192.0.2.1", "tp_size": 8, "dp_size": 2, "trust": True}


def test_a_traceback_is_an_exception_and_no_error_line() -> None:
    reader = read(*TRACEBACK)
    (event,) = [event for event in reader.events if isinstance(event, ExceptionRaised)]
    assert (event.process, event.type, event.frames) == (
        "scheduler",
        "ValueError",
        ("scheduler.py:run_scheduler_process",),
    )
    assert not [event for event in reader.events if isinstance(event, ErrorLine)]
    assert reader.recognised == 4


def test_an_error_that_nothing_claims_is_kept() -> None:
    (event,) = found(ErrorLine, HEAD + "Load weight begin. avail mem=94.08 GB", "frobnicator failed with code 7")
    assert (event.text, event.where.direct) == ("frobnicator failed with code 7", False)


@pytest.mark.parametrize(
    "before", [[], ["$ free -g"], ["# 10:12 stuck"], [HEAD + "Load weight begin. avail mem=94.08 GB"]]
)
def test_a_snapshot_between_log_lines_is_read_by_its_parser(before: list[str]) -> None:
    (event,) = found(MemorySnapshot, *before, *FREE, HEAD + "Decode batch. #running-req: 8")
    assert event.where.ref.line == len(before) + 2
    assert event.total is not None
    assert event.total.value == 449 * 2**30


def test_what_follows_a_snapshot_is_read_as_a_log() -> None:
    assert len(found(WeightLoadBegun, *FREE, "", HEAD + "Load weight begin. avail mem=94.08 GB")) == 1


def test_a_banners_time_is_a_clock_and_dates_the_snapshot() -> None:
    reader = read("# 09:12 server B stuck", *FREE)
    (clock,) = [event for event in reader.events if isinstance(event, ClockRead)]
    (memory,) = [event for event in reader.events if isinstance(event, MemorySnapshot)]
    assert clock.label == "09:12 server B stuck"
    assert memory.where.stamp == clock.where.stamp


def test_a_banner_right_below_a_log_line_dates_what_follows_it() -> None:
    (memory,) = found(MemorySnapshot, HEAD + "Load weight begin. avail mem=94.08 GB", "# 10:31:05 stuck", *FREE)
    assert memory.where.stamp is not None
    assert memory.where.stamp.text == "10:31:05"


def test_a_snapshot_right_below_a_log_line_has_its_time() -> None:
    (memory,) = found(MemorySnapshot, HEAD + "Load weight begin. avail mem=94.08 GB", *FREE)
    assert memory.where.stamp is not None
    assert memory.where.stamp.text == "2026-02-17 10:02:51"


def test_a_command_is_found_on_one_line_and_over_several() -> None:
    words = ("python3", "-m", "sglang.launch_server", "--model-path", "m", "--tp", "8")
    for lines in (
        ["$ python3 -m sglang.launch_server --model-path m --tp 8"],
        ["python3 -m sglang.launch_server \\", "  --model-path m \\", "  --tp 8"],
        [
            "docker run --gpus all \\",
            "  lmsysorg/sglang:v0.5.9 \\",
            "  python3 -m sglang.launch_server --model-path m --tp 8",
        ],
        ["root@host:~# python3 -m sglang.launch_server --model-path m -", "-tp 8"],
    ):
        (event,) = found(CommandLine, *lines)
        assert event.argv == words
        assert (event.where.ref.line, event.where.ref.last_line) == (1, len(lines))


def test_a_line_that_ends_in_a_backslash_is_no_command_by_that() -> None:
    assert found(CommandLine, "a path \\", HEAD + "Load weight begin. avail mem=94.08 GB") == []


def test_a_listed_process_is_listed_once() -> None:
    lines = ["    PID    PPID STAT   RSS CMD", "      1       0 Ssl  1601224 python3 -m sglang.launch_server --tp 8"]
    assert len(found(ProcessListed, *lines)) == 1


def test_events_come_in_the_order_of_lines() -> None:
    lines = [
        event.where.ref.line
        for event in read(*FREE, *TRACEBACK, "frobnicator failed", HEAD + "Load weight begin. avail mem=9 GB").events
    ]
    assert lines == sorted(lines)


def test_kinds_are_counted_by_their_lines() -> None:
    assert read(*FREE, HEAD + "Load weight begin. avail mem=94.08 GB").kinds.most_common() == [
        ("free", 3),
        (sglang_log.KIND_OF_LOG, 1),
    ]


def test_a_parser_that_fails_costs_its_block_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> blocks.Parser:
        raise RuntimeError("a bug")

    monkeypatch.setattr(sglang_log, "claimant", broken)
    reader = LogReader(
        Texts("server.log", InMemory("\n".join([*FREE, HEAD + "Load weight begin. avail mem=9 GB"]).encode()).open()),
        CATALOG,
    )
    reader.read()
    assert reader.errors[0].startswith("server.log:1: a snapshot could not be read (RuntimeError('a bug'))")
    assert len([event for event in reader.events if isinstance(event, WeightLoadBegun)]) == 1


def test_a_bare_number_below_its_command_is_an_output() -> None:
    reader = read("$ cat /sys/fs/cgroup/memory.max", "107374182400")
    limits = [e.limit for e in reader.events if isinstance(e, CgroupMemory)]
    assert [limit.value for limit in limits if limit] == [100 * 2**30]


def test_the_same_number_elsewhere_is_no_output() -> None:
    assert not [e for e in read("a line", "107374182400").events if isinstance(e, CgroupMemory)]


def test_a_date_above_a_snapshot_dates_it() -> None:
    reader = read("$ date", "Tue Feb 17 10:12:41 UTC 2026", "$ free -g", *FREE)
    snapshot = next(e for e in reader.events if isinstance(e, MemorySnapshot))
    assert snapshot.where.stamp is not None
    assert snapshot.where.stamp.moment.isoformat() == "2026-02-17T10:12:41"


def test_what_stands_around_is_kept_for_the_nodes_that_spoke_last() -> None:
    """There may be a million of them in one file."""
    reader = read(*(f"[pod/gpu-{n}/sglang] nothing that is known" for n in range(LATEST + 50)))
    held = reader._surroundings.keys() - {""}  # noqa: SLF001 - no output shows what is kept
    assert held == {f"gpu-{n}" for n in range(50, LATEST + 50)}
