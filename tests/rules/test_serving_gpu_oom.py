"""Out of GPU memory while serving, told from the launch's phases and from errors that were survived."""

from __future__ import annotations

from analyzer.events import Failure, RequestsRetracted, ServerReady
from analyzer.vocabulary import Status
from tests.build import size, where
from tests.rules.answers import answers, cleared, found, numbers
from tests.rules.batches import decode
from tests.rules.launched import begun, capacity, crash, loaded, oom, pooled

RULE = "serving-gpu-oom"
READY = ServerReady(where=where(11, "10:04:40"))
LAUNCH = (
    begun("78.6 GiB"),
    loaded("46.7 GiB", "31.9 GiB"),
    pooled(168_747, "41.2"),
    capacity(168_747, "3.55 GiB", chunked_prefill=16384),
    READY,
)
FULL = {"wanted": "4.53 GiB", "total": "79.11 GiB", "free": "2.15 GiB", "in_use": "76.95 GiB"}


def test_a_full_kv_pool_is_no_lack_of_gpu_memory() -> None:
    words = RequestsRetracted(where=where(20, "10:06:00"), text="Decode out of memory happened. #retracted_reqs: 1")
    pool = Failure(where=where(21, "10:06:01"), topic="kv-allocation-failure", text="Prefill out of memory.")
    assert "no allocation on a GPU failed" in cleared(RULE, *LAUNCH, words, pool)


def test_an_error_during_the_launch_is_another_finding() -> None:
    assert answers(RULE, begun("78.6 GiB"), oom("10:03:30", **FULL)) == []


def test_an_error_after_which_the_server_went_on_is_not_its_end() -> None:
    rows = decode(running_count=[4.0] * 20)
    assert "no allocation on a GPU failed" in cleared(RULE, *LAUNCH, oom("10:06:00", **FULL), tables=rows)


def test_what_was_left_and_what_was_lacking_make_the_remedy() -> None:
    verdict = found(RULE, *LAUNCH, oom("10:06:00", **FULL), values={"mem_fraction_static": 0.93})
    assert verdict.status is Status.ESTABLISHED
    assert "3.55 GiB were left after the launch" in verdict.summary
    assert verdict.sum == "4.53 GiB asked for − 2.15 GiB free = 2.4 GiB lacking"
    # 0.93 − 2.38 ÷ 78.6 − 0.02 = 0.8797; half of 16,384 is 8,192
    assert [remedy.after for remedy in verdict.remedy[:2]] == ["0.87", "8192"]


def test_the_server_s_own_first_request_counts_as_serving() -> None:
    launch = (begun("78.6 GiB"), loaded("46.7 GiB", "31.9 GiB"))
    found(
        RULE, *launch, oom("10:04:35", **FULL), crash("10:04:35", "scheduler.py:event_loop_overlap", "qwen3.py:forward")
    )


def test_an_error_without_sizes_supports_it_only() -> None:
    verdict = found(RULE, *LAUNCH, oom("10:06:00", free="78 MiB"))
    assert verdict.status is Status.SUPPORTED
    assert numbers(verdict)["free at that moment"] == 78 * 2**20
    assert verdict.not_known


def test_much_room_that_vanished_is_called_a_growth() -> None:
    roomy = (begun("284 GiB"), capacity(3_000_000, "56.4 GiB"), READY)
    assert "something grew outside of the pools" in found(RULE, *roomy, oom("10:50:00")).explanation


def test_memory_reserved_in_pieces_brings_the_allocator_s_setting() -> None:
    verdict = found(RULE, *LAUNCH, oom("10:06:00", **FULL, allocated="60 GiB", reserved="14 GiB"))
    assert any("expandable_segments" in remedy.action for remedy in verdict.remedy)


def test_another_process_that_grew_meanwhile_may_be_the_server_s_own() -> None:
    # 79.11 − 0.1 − 58 = 21.01 in other hands, 79.11 − 78.6 = 0.51 of them before loading
    images = oom("10:50:00", wanted="1 GiB", total="79.11 GiB", free="0.1 GiB", in_use="58 GiB")
    assert "own main process" in found(RULE, *LAUNCH, images).explanation


def test_batch_lines_without_a_launch_are_enough_to_call_it_serving() -> None:
    rows = decode(running_count=[4.0] * 6)
    assert size("1 GiB").value
    found(RULE, oom("10:09:00", line=500, **FULL), tables=rows)
