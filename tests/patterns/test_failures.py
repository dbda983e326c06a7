"""The shipped failure patterns together: their topics, their double meanings, records of several lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.catalog import Catalog
from analyzer.events import Failure, GpuOutOfMemory
from analyzer.evidence import Ref
from analyzer.recognise import Recogniser
from analyzer.records import Record
from analyzer.vocabulary import FINDINGS

if TYPE_CHECKING:
    from analyzer.events import Event


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return Catalog.load()


def events(catalog: Catalog, text: str) -> list[Event]:
    """The events of a record whose first line is the first of `text`."""
    first, *more = text.split("\n")
    reader = Recogniser(catalog, "log")
    reader.see(Record(Ref("log", 1, 1 + len(more)), first, more))
    return reader.finish()


def topics(catalog: Catalog, text: str) -> set[str]:
    """What the failures of a record speak of."""
    return {event.topic for event in events(catalog, text) if isinstance(event, Failure)}


def test_a_request_slots_error_is_no_gpu_oom(catalog: Catalog) -> None:
    """The old wordings say `Out of memory` of the KV pool's bookkeeping."""
    found = events(catalog, "RuntimeError: Out of memory. Please set a smaller number for `--max-running-requests`.")
    assert [type(event) for event in found] == [Failure]


def test_every_topic_of_a_failure_is_a_finding(catalog: Catalog) -> None:
    named = {
        str(variant.constants["topic"])
        for pattern in catalog.patterns
        if pattern.event == "Failure"
        for variant in pattern.variants
    }
    assert named <= FINDINGS.keys()


def test_a_watchdog_that_met_an_illegal_access_gives_both(catalog: Catalog) -> None:
    line = (
        "[rank4]:[E724 13:09:57.7 ProcessGroupNCCL.cpp:1895] [PG ID 2 PG GUID 3 Rank 4] Process group watchdog thread "
        "terminated with exception: CUDA error: an illegal memory access was encountered"
    )
    assert topics(catalog, line) == {"collective-timeout", "illegal-memory-access"}


def test_a_capture_that_ran_out_of_memory_gives_the_place_and_the_figures(catalog: Catalog) -> None:
    """Tracebacks are chained: the first error and the one raised in its place are both read."""
    chained = (
        "Scheduler hit an exception: Traceback (most recent call last):\n"
        '  File "/srv/runner.py", line 9, in capture\n'
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 448.00 MiB. GPU 7 has a total capacity of "
        "95.00 GiB of which 123.00 MiB is free.\n"
        "\n"
        "During handling of the above exception, another exception occurred:\n"
        "\n"
        "Traceback (most recent call last):\n"
        '  File "/srv/runner.py", line 12, in __init__\n'
        "Exception: Capture cuda graph failed: CUDA out of memory. Tried to allocate 448.00 MiB."
    )
    found = events(catalog, chained)
    assert topics(catalog, chained) == {"graph-capture-failed"}
    (oom,) = [event for event in found if isinstance(event, GpuOutOfMemory)]
    assert oom.wanted is not None
    assert oom.wanted.value == 448 * 2**20
    assert oom.free is not None
    assert oom.free.value == 123 * 2**20


def test_a_leak_is_read_with_its_whole_account(catalog: Catalog) -> None:
    line = (
        "ValueError: token_to_kv_pool_allocator memory leak detected! self.max_total_num_tokens=1000, "
        "available_size=600, evictable_size=330, protected_size=20"
    )
    (leak,) = events(catalog, line)
    assert isinstance(leak, Failure)
    assert leak.limit is not None
    missing = leak.limit.value - sum(part.value for part in (leak.available, leak.evictable, leak.protected) if part)
    assert missing == 1000 - (600 + 330 + 20)


def test_a_traceback_is_read_where_an_export_stripped_its_indentation(catalog: Catalog) -> None:
    stripped = (
        "Scheduler hit an exception: Traceback (most recent call last):\n"
        'File "/srv/llama.py", line 503, in load_weights\n'
        "param = params_dict[name]\n"
        "KeyError: 'model.layers.78.mlp.gate_up_proj.input_scale'"
    )
    assert topics(catalog, stripped) == {"checkpoint-unreadable"}


def test_a_fatal_error_is_seen_between_two_writers(catalog: Catalog) -> None:
    """Ranks that die together write into each other's lines."""
    assert topics(catalog, "__triton_launcher (total: Fatal Python error: 203Aborted)") == {"scheduler-crashed"}


def test_a_pool_without_room_names_the_fraction_that_would_do(catalog: Catalog) -> None:
    line = (
        "ValueError: Loaded weights leave no GPU memory for the KV cache under --mem-fraction-static=0.70. "
        "Raise --mem-fraction-static above 0.820 (minimum viable = 1 - available/pre = 0.8101)."
    )
    (failure,) = events(catalog, line)
    assert isinstance(failure, Failure)
    assert failure.ratio is not None
    assert float(failure.ratio.value) == pytest.approx(0.70)
    assert failure.needed is not None
    assert float(failure.needed.value) == pytest.approx(0.82)
