"""A log read in runs of silent lines is the log read line by line: same events, rows, counts and times."""

from __future__ import annotations

import random
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pytest

from analyzer import parsers
from analyzer.bundle import InMemory, Source
from analyzer.catalog import Catalog
from analyzer.evidence import Ref
from analyzer.parsers import texts
from analyzer.parsers.block import Text
from analyzer.parsers.hush import Hush
from analyzer.parsers.silent import Silent
from analyzer.scan import Line, lines, silence
from tests.samples import CASES, SAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterator

CATALOG = Catalog.load()
HEAD = "[2026-02-17 10:0{}:{:02} TP{}] "
STACK = (
    "Traceback (most recent call last):",
    '  File "/opt/sglang/srt/managers/scheduler.py", line 2884, in run_scheduler_process',
    "    scheduler.event_loop_overlap()",
    "RuntimeError: NCCL error: unhandled system error",
)
FURTHER = (
    "",
    "Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.",
    "During handling of the above exception, another exception occurred:",
    "Process 1: still there",
    '  File "/opt/sglang/srt/managers/scheduler.py", line 1, in lost',
    "$ date",
    "root@node1:~# free -g",
    "               total        used        free      shared  buff/cache   available",
    "Mem:             449         439           8           0           0           9",
    "python3 -m sglang.launch_server --model-path m \\",
    "  --tp 8",
    "Killed",
    "a line of a terminal that was copied and filled up with blanks to its width, which is a hundred and ten" + " " * 9,
    "goes on in the next one of the same width, as its first letter and the last of that one tell everybody ",
    "I0217 10:03:01.123456  1634 rdma_context.cpp:100] a glog line has a time of its own",
    "203",
    "\ufeffwith a mark",
)


def chatter(chance: random.Random) -> str:
    number = chance.randrange(10 ** chance.choice([1, 2, 4]))
    return chance.choice(
        [
            f"[aiter] shape is M:{number}, N:7168, K:2048 dtype='torch.bfloat16'",
            f"  triton_mm_{number} 0.0{number} ms {number}.9% ACC_TYPE='tl.float32', BLOCK_K=64",
            f"\x1b[32mautotune\x1b[0m picked config {number}",
            "terminate called after throwing an instance of 'c10::DistBackendError'",
            f"[Gloo] Rank {number} is connected to 7 peer ranks. Expected number of connected peer ranks is : 7",
            f"\rLoading safetensors checkpoint shards:  {number % 100}% Completed | 7/163 [00:07<01:03, 2.31it/s]",
            f"libibverbs: Warning: Driver {number} does not support the kernel ABI",
            f"allocator: reused {number} blocks",
        ]
    )


def crash_log(seed: int, size: int) -> bytes:
    """Headers, stacks, snapshots, and chatter in runs of all lengths, cut short here and there."""
    chance = random.Random(seed)  # noqa: S311 - the same log every time
    found: list[str] = [HEAD.format(0, 0, 0) + "Load weight begin."] * 201
    while len(found) < size:
        found += [chatter(chance) for _ in range(chance.choice([1, 1, 2, 5, 30, 90]))]
        head = HEAD.format(chance.randrange(9), chance.randrange(60), chance.randrange(4))
        kind = chance.random()
        if kind < 0.3:
            found.append(head + chance.choice(["Load weight begin.", "memory leak detected", "Pyspy dump for PID 7:"]))
        elif kind < 0.5:
            found += [head + "Scheduler hit an exception: " + STACK[0], *STACK[1 : chance.randrange(2, 5)]]
        elif kind < 0.7:
            found += STACK[: chance.randrange(1, 5)]
        elif kind < 0.75:
            found.append(head + "Decode batch, #running-req: 8, #token: 912, token usage: 0.22, #queue-req: 3")
        else:
            found += chance.sample(FURTHER, chance.randrange(1, 4))
    return "\n".join(found).encode()


def sample_logs() -> Iterator[bytes]:
    """The samples' texts one behind the other, each twice, the chatter of others between them."""
    chance = random.Random(5)  # noqa: S311 - the same order every time
    texts_ = [path.read_bytes() for name in sorted(CASES) for path in sorted((SAMPLES / name).rglob("*.*"))]
    plain = [text for text in texts_ if b"\0" not in text and not text.startswith(b"\x1f\x8b")]
    for begin in range(0, len(plain), 40):
        parts = [part for text in plain[begin : begin + 40] for part in (text, text)]
        yield crash_log(begin, 300) + b"\n" + b"\n".join(chance.sample(parts, len(parts)))


def read(data: bytes) -> dict[str, Any]:
    parsed = parsers.parse(Source("server.log", len(data), InMemory(data)), CATALOG)
    found = {field.name: getattr(parsed, field.name) for field in fields(parsed)}
    tables = {name: [*map(str, rows.rows())] for name, rows in found.pop("tables").items()}
    return {name: repr(value) for name, value in found.items()} | {"tables": tables}


def read_line_by_line(data: bytes, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    with monkeypatch.context() as patch:
        patch.setattr(texts, "_scanned", lambda stream, *_: lines(stream))
        return read(data)


def passed_over(data: bytes, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, Any], int]:
    """The reading, and how many lines were in runs."""
    counts: list[int] = []
    init = Hush.__init__

    def counting(self: Hush, run: silence.Silence, *args: Any) -> None:
        counts.append(len(run))
        init(self, run, *args)

    with monkeypatch.context() as patch:
        patch.setattr(Hush, "__init__", counting)
        return read(data), sum(counts)


@pytest.mark.parametrize("seed", range(4))
def test_a_crash_log_is_read_alike(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    data = crash_log(seed, 2000)
    monkeypatch.setattr(silence.scan, "__defaults__", ([256 * 1024, 997][seed % 2],))
    found, silent = passed_over(data, monkeypatch)
    assert silent > 500
    assert found == read_line_by_line(data, monkeypatch)


def test_the_samples_are_read_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    for data in sample_logs():
        assert read(data) == read_line_by_line(data, monkeypatch)


def test_a_million_lines_of_one_error_keep_two_hundred_events() -> None:
    """The first and the last hundred stay; one carries the count of the rest, which costs no memory."""
    error = b"terminate called after throwing an instance of 'c10::DistBackendError'\n"
    bar = b"[Gloo] Rank 3 is connected to 7 peer ranks. Expected number of connected peer ranks is : 7\n"
    data = (HEAD.format(0, 0, 0) + "Load weight begin.\n").encode() * 200 + (error + bar) * 20_000
    parsed = parsers.parse(Source("server.log", len(data), InMemory(data)), CATALOG)
    events = [event for event in parsed.events if event.where.pattern == "ranks-connected"]
    assert (len(events), sum(event.count for event in events)) == (200, 20_000)
    assert [events[0].where.ref.line, events[-1].where.ref.line] == [202, 40_200]
    assert parsed.recognised == 40_200


def test_a_line_taken_out_of_a_run_is_the_text_that_it_would_have_been() -> None:
    piece = silence.Piece(b"one\ntwo\n", 5, 100, Silent(CATALOG))
    hush = Hush(silence.Silence(piece, 0, 2), lambda raw: (raw.decode(), []), "s", _text)
    assert hush.take() == Text("one", Ref("s", 5, 5, 100, 104))
    assert (len(hush), hush.number) == (1, 6)


def _text(line: Line) -> Text:
    return Text(line.text, Ref("s", line.number, line.number, line.start, line.end))
