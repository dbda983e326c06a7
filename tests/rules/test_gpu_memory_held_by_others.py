"""Memory in other hands: by an error's own figures, by what was free before, by listings; and what is not held."""

from __future__ import annotations

import pytest

from analyzer.events import Failure, GpuProcess, ServerReady
from analyzer.vocabulary import Status
from tests.build import size, tp, where
from tests.rules.answers import answers, cleared, failure, found, numbers
from tests.rules.launched import begun, capacity, card, joined, loaded, oom

RULE = "gpu-memory-held-by-others"
NO_ROOM = failure("kv-pool-no-room", "RuntimeError: Not enough memory.", 30, "10:04:02")


def unbalanced() -> Failure:
    return failure("gpu-memory-unbalanced", "ValueError: The memory capacity is unbalanced.", 30, "10:03:15")


def holder(gib: str, command: str = "python3") -> GpuProcess:
    return GpuProcess(
        where=where(9, source="nvidia-smi.txt"), gpu="0", pid=811, command=command, used=size(f"{gib} GiB", 9)
    )


def test_a_launch_without_an_error_accuses_nobody() -> None:
    assert answers(RULE, begun("40 GiB"), outside=(card("0", "80 GiB", "70 GiB"),)) == []


def test_the_cpu_engine_has_no_gpu_to_share() -> None:
    assert answers(RULE, begun("9 GiB"), NO_ROOM, values={"device": "cpu"}) == []


def test_contexts_of_sibling_ranks_are_not_others() -> None:
    # 80 − 0.1 − 75 = 4.9 GiB; eight ranks may hold 8 × 0.6 GiB beside 10% of the card
    ranks = [begun("79 GiB", 4 + i, tp(i)) for i in range(8)]
    full = oom("10:03:30", 40, tp(0), wanted="1 GiB", total="80 GiB", free="0.1 GiB", in_use="75 GiB")
    assert "contexts included" in cleared(RULE, *ranks, full)


def test_in_a_container_this_process_s_own_memory_is_not_taken_for_another_s() -> None:
    # no `this process has`: 287.98 − 3.88 − 280.38 = 3.72 GiB are contexts and libraries
    full = oom(
        "10:03:30", wanted="12 GiB", total="287.98 GiB", free="3.88 GiB", allocated="280.38 GiB", reserved="6 MiB"
    )
    assert "contexts included" in cleared(RULE, joined("3.3 GiB"), begun("284.1 GiB"), full)


def test_a_neighbour_beside_whom_the_server_was_sized_is_no_cause_while_serving() -> None:
    ready = ServerReady(where=where(11, "10:04:40"))
    # 80 − 0.1 − 39.9 = 40 in other hands, 80 − 40.5 = 39.5 of them before
    full = oom("10:30:00", wanted="1 GiB", total="80 GiB", free="0.1 GiB", in_use="39.9 GiB")
    [verdict] = answers(RULE, begun("40.5 GiB"), capacity(1000, "1 GiB"), ready, full)
    assert "in use before loading" in getattr(verdict, "why", "")


def test_growth_while_serving_is_a_hint_only_since_the_main_process_may_be_it() -> None:
    ready = ServerReady(where=where(11, "10:04:40"))
    full = oom("10:30:00", wanted="1 GiB", total="80 GiB", free="0.1 GiB", in_use="59 GiB")
    assert found(RULE, begun("79.5 GiB"), ready, full).status is Status.HYPOTHESIS


def test_an_error_s_own_figures_establish_it() -> None:
    full = oom("10:03:22", wanted="130 MiB", total="23.49 GiB", free="0.05 GiB", in_use="9.12 GiB")
    verdict = found(RULE, begun("9.01 GiB"), full)
    assert verdict.status is Status.ESTABLISHED
    # 23.49 − 0.05 − 9.12
    assert numbers(verdict)["in other hands"] == pytest.approx(14.32 * 2**30)
    assert verdict.not_known


def test_a_listed_process_of_that_size_is_named() -> None:
    full = oom("10:03:22", wanted="130 MiB", total="23.49 GiB", free="0.05 GiB", in_use="9.12 GiB")
    verdict = found(RULE, begun("9.01 GiB"), full, outside=(holder("13.9"), holder("9.1", "sglang::scheduler")))
    assert "(python3, pid 811)" in verdict.summary
    assert verdict.not_known == ()


def test_what_was_missing_before_loading_supports_it_where_a_refusal_followed() -> None:
    # 80 − 40 − 1 = 39 in other hands; 5 − 40 × 0.1 … the pool would fit with 39 × 0.9 more
    events = (joined("1 GiB"), begun("40 GiB"), loaded("3 GiB", "37 GiB"), NO_ROOM)
    verdict = found(RULE, *events, values={"mem_fraction_static": 0.9}, outside=(card("0", "80 GiB", "41 GiB"),))
    assert verdict.status is Status.SUPPORTED
    assert numbers(verdict)["in other hands before loading"] == 39 * 2**30
    assert "kv-pool-no-room" in verdict.explains


def test_an_error_while_loading_that_names_no_process_is_such_a_refusal() -> None:
    # 80 − 40 − 1 = 39 in other hands before the weights
    lacking = oom("10:04:00", wanted="1 GiB", total="80 GiB", free="0.1 GiB")
    verdict = found(RULE, joined("1 GiB"), begun("40 GiB"), lacking)
    assert verdict.status is Status.SUPPORTED
    assert numbers(verdict)["in other hands before loading"] == 39 * 2**30


def test_where_there_would_be_no_room_with_it_either_it_is_a_hint_only() -> None:
    # rest 1 − 60 × 0.8 = −47; with 19 GiB more it grows by 19 × 0.2 = 3.8
    events = (joined("1 GiB"), begun("60 GiB"), loaded("1 GiB", "59 GiB"), NO_ROOM)
    verdict = found(RULE, *events, values={"mem_fraction_static": 0.2}, outside=(card("0", "80 GiB", "20 GiB"),))
    assert verdict.status is Status.HYPOTHESIS
    assert verdict.explains == ()


def test_a_gpu_that_is_full_before_the_weights_is_others() -> None:
    assert found(RULE, joined("0.3 GiB"), oom("10:03:12")).status is Status.SUPPORTED


def test_an_occupied_card_explains_unequal_memory() -> None:
    cards = (card("0", "80 GiB", "0.1 GiB"), card("1", "80 GiB", "30 GiB", 3))
    verdict = found(RULE, joined("1 GiB"), unbalanced(), outside=cards)
    assert "30 GiB in use on GPU 1" in verdict.summary
    assert "gpu-memory-unbalanced" in verdict.explains


def test_idle_cards_do_not() -> None:
    cards = (card("0", "16 GiB", "3 MiB"), card("1", "24 GiB", "3 MiB", 3))
    assert answers(RULE, joined("1 GiB"), unbalanced(), outside=cards) == []


def test_a_server_that_had_loaded_its_own_model_does_not_blame_others_for_it() -> None:
    cards = (card("0", "80 GiB", "70 GiB"), card("1", "80 GiB", "60 GiB", 3))
    assert answers(RULE, loaded("40 GiB", "38 GiB"), unbalanced(), outside=cards) == []


def test_unequal_loads_are_a_hint() -> None:
    ends = (loaded("25 GiB", "183 GiB", 6, tp(0)), loaded("12 GiB", "196 GiB", 7, tp(1)))
    verdict = found(RULE, *ends, NO_ROOM)
    assert verdict.status is Status.HYPOTHESIS
    # 196 − 183
    assert numbers(verdict)["difference between ranks with equal shards"] == 13 * 2**30
