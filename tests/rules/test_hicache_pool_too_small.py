"""Host pools that do not hold more tokens than the device pool."""

from __future__ import annotations

from analyzer.events import HostPoolSmall, KvPoolAllocated, MemorySnapshot
from tests.build import size, tp, where
from tests.rules.answers import answers, cleared, failure, found, numbers

RULE = "hicache-pool-too-small"
TEXT = "AssertionError: The host memory should be larger than the device memory with the current protocol"
LINE = failure(RULE, TEXT, 29, "10:05:18", tp(0))
POOL = KvPoolAllocated(
    where=where(18, "10:05:00", tp(0)),
    tokens=size("746553 token", 18),
    k_size=size("45.57 GiB", 18),
    v_size=size("45.57 GiB", 18),
)
START = "python3 -m sglang.launch_server --model-path /m --tp 2 --enable-hierarchical-cache --hicache-size 20"


def test_a_server_without_such_a_pool_says_nothing() -> None:
    assert answers(RULE, POOL) == []


def test_the_later_warning_is_no_cause_of_anything() -> None:
    tokens = {"host_tokens": size("152588 token", 20), "device_tokens": size("746553 token", 20)}
    why = cleared(RULE, POOL, HostPoolSmall(where=where(20, "10:05:00"), **tokens))
    assert why.startswith("only a warning in this release: 152,588 tokens on the host, 746,553 tokens on the GPU")


def test_both_sides_are_counted_in_tokens_at_the_bytes_of_the_device_pool() -> None:
    verdict = found(RULE, POOL, LINE, argv=START)
    each = 2 * 45.57 * 2**30 / 746553
    assert numbers(verdict)["tokens of the host pool"] == int(20e9 / each), "20 GB at 131,084 bytes per token"
    assert numbers(verdict)["tokens of the device pool"] == 746553


def test_the_smallest_size_is_the_next_whole_gb_above_the_device_pool() -> None:
    remedy = found(RULE, POOL, LINE, argv=START).remedy[0]
    assert (remedy.before, remedy.after) == ("20", "98"), "2 × 45.57 GiB are 97.86 GB"
    assert remedy.command_line == START.replace("--hicache-size 20", "--hicache-size 98")


def test_a_size_that_the_host_cannot_hold_for_all_ranks_is_not_advised() -> None:
    total = {"total": size("128 GiB", 2, "free.txt"), "available": size("120 GiB", 2, "free.txt")}
    host = MemorySnapshot(where=where(2, source="free.txt"), tool="free", **total)
    advice = found(RULE, POOL, LINE, argv=START, outside=(host,)).remedy
    assert not any(r.argument == "hicache_size" and r.after for r in advice)
    # 20 GB ÷ (2 × 45.57 GiB ÷ 746,553) = 152,574 tokens, of which 19 of 20 are 144,945
    assert (advice[0].argument, advice[0].after) == ("max_total_tokens", "144000")
    assert "196 GB for all ranks" in advice[0].action, "2 × 98 GB are 182.5 GiB"
    assert "128 GiB" in advice[0].action


def test_without_the_pool_s_size_a_ratio_is_what_can_be_said() -> None:
    assert found(RULE, LINE).remedy[0].argument == "hicache_ratio"
