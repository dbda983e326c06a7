"""What holds for every block parser: it never raises, it moves on, and it leaves the others' outputs alone."""

from __future__ import annotations

import importlib
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.evidence import Ref
from analyzer.parsers.block import Around, Text
from analyzer.parsers.blocks import block_parsers
from tests.parsers.build_blocks import around, claims, read, texts
from tests.parsers.snapshots import SAMPLES
from tests.parsers.variants import VARIANTS

PLACES = (
    around(),
    around("free -g"),
    around("cat /sys/fs/cgroup/memory.max"),
    around("nvidia-smi --query-gpu=index,name"),
)

LOG_LINES = (
    "Loading safetensors checkpoint shards:  50% Completed | 2/4 [00:04<00:04, 2.00s/it]",
    'INFO:     127.0.0.1:40000 - "GET /health HTTP/1.1" 200 OK',
    "Capturing batches (bs=160 avail_mem=5.12 GB):   4%|▍         | 1/23 [00:01<00:22,  1.02s/it]",
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.10 GiB",
    '  File "/usr/lib/python3.12/threading.py", line 1075, in _bootstrap_inner',
    "Traceback (most recent call last):",
    "Killed",
    '/entrypoint.sh: line 14:     7 Killed                  python3 -m sglang.launch_server "$@"',
    "gpu-a28:4176:4516 [6] misc/shmutils.cc:113 NCCL WARN Error while creating shared memory segment /dev/shm/nccl-Qm6x2T",
    "KV Cache is allocated. #tokens: 20000, K size: 0.02 GB, V size: 0.02 GB",
    "[aiter] import [module_aiter_core] under /sgl-workspace/aiter/aiter/jit/module_aiter_core.so",
    "Memory: 449 GiB in total, 439 used, free 8, shared 0",
    "the total used free shared memory is 449 GB",
    "Name: the server that hangs",
    "process 1187 was killed, total 439 of 449 used",
    "+-----------------------------------------------------------------------------------------+",
    '{"text": "MemTotal:       131072000 kB", "rid": "a"}',
    "- docker run with --memory=100g did not help",
    "export PATH so that HOME is found, then curl: it says 200",
    "max_total_num_tokens=116171, chunked_prefill_size=8192, max_prefill_tokens=16384, context_len=262144",
)
OUTPUTS = [
    pytest.param(name, text, id=f"{name}-{number}")
    for name in SAMPLES
    for number, text in enumerate((SAMPLES[name], *VARIANTS.get(name, ())))
]


def test_every_parser_has_a_sample_and_every_sample_a_parser() -> None:
    kinds = {parser.kind for parser in block_parsers()}
    assert kinds == {importlib.import_module(f"analyzer.parsers.{name}").KIND for name in SAMPLES}


@pytest.mark.parametrize("name", SAMPLES)
def test_lines_of_a_log_are_nobodys_block(name: str) -> None:
    assert not [line for line in LOG_LINES if claims(name, line)]


@pytest.mark.parametrize(("name", "text"), OUTPUTS)
def test_the_first_line_of_an_output_is_claimed_by_its_parser_alone(name: str, text: str) -> None:
    head = texts(text)[0].text
    assert [other for other in SAMPLES if claims(other, head)] == [name]


@pytest.mark.parametrize(("name", "text"), OUTPUTS)
def test_an_output_is_understood_to_its_last_line(name: str, text: str) -> None:
    block = read(name, text)
    assert (block.lines, block.understood) == (len(texts(text)),) * 2
    assert block.events


@pytest.mark.parametrize(("name", "text"), OUTPUTS)
def test_an_output_ends_where_the_log_goes_on(name: str, text: str) -> None:
    whole = len(texts(text))
    for line in LOG_LINES[:12]:
        assert read(name, f"{text.strip(chr(10))}\n{line}").lines == whole, line


@pytest.mark.parametrize(("name", "text"), OUTPUTS)
@pytest.mark.parametrize(
    "echo", ["$ nvidia-smi", "+ nvidia-smi", "=== disk ===", "# 09:01:10", "root@host-1:~# dmesg -T"]
)
def test_an_output_ends_at_the_next_echo_or_banner(name: str, text: str, echo: str) -> None:
    whole = len(texts(text))
    assert read(name, f"{text.strip(chr(10))}\n{echo}").lines == whole


@pytest.mark.parametrize(("name", "text"), OUTPUTS)
def test_events_point_at_lines_of_their_block(name: str, text: str) -> None:
    block = read(name, text)
    assert all(1 <= event.where.ref.line <= block.lines for event in block.events)
    assert all(len(event.text) <= 400 for event in block.events)


class Edit(NamedTuple):
    """One damage done to a text: at a line, at a character, of a kind."""

    kind: str
    line: int
    at: int
    text: str
    other: str


EDITS = st.builds(
    Edit,
    kind=st.sampled_from(["cut", "spoil", "insert", "drop", "borrow", "repeat"]),
    line=st.integers(0, 30),
    at=st.integers(0, 90),
    text=st.text(max_size=12),
    other=st.sampled_from(sorted(SAMPLES)),
)


def damaged(lines: list[str], edits: list[Edit]) -> list[str]:
    """The lines after all edits; at least one is left."""
    for edit in edits:
        number = edit.line % len(lines)
        line = lines[number]
        borrowed = [other.text for other in texts(SAMPLES[edit.other])]
        now = {
            "cut": [line[: edit.at]],
            "spoil": [line[: edit.at] + edit.text + line[edit.at + len(edit.text) :]],
            "insert": [edit.text, line],
            "drop": [] if len(lines) > 1 else [line],
            "borrow": [borrowed[edit.at % len(borrowed)], line],
            "repeat": [line, line],
        }[edit.kind]
        lines = [*lines[:number], *now, *lines[number + 1 :]]
    return lines


@settings(max_examples=200)
@given(edits=st.lists(EDITS, max_size=6), place=st.sampled_from(PLACES))
def test_any_damage_leaves_a_block_and_no_exception(edits: list[Edit], place: Around) -> None:
    for name, sample in SAMPLES.items():
        module = importlib.import_module(f"analyzer.parsers.{name}")
        drawn = damaged([line.text for line in texts(sample)], edits)
        lines = [Text(line, Ref("s", number, number)) for number, line in enumerate(drawn, 1)]
        module.claims(drawn[0], place)
        block = module.reads(lines, place)
        assert 1 <= block.lines <= len(lines), name
        assert 0 <= block.understood <= block.lines, name


@settings(max_examples=200)
@given(drawn=st.lists(st.text(max_size=60), min_size=1, max_size=5))
def test_any_text_leaves_a_block_and_no_exception(drawn: list[str]) -> None:
    lines = [Text(line, Ref("s", number, number)) for number, line in enumerate(drawn, 1)]
    for name in SAMPLES:
        module = importlib.import_module(f"analyzer.parsers.{name}")
        module.claims(drawn[0], around())
        assert 1 <= module.reads(lines, around()).lines <= len(lines), name
