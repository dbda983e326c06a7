"""Weights that do not fit, told from memory in other hands and from errors of other phases."""

from __future__ import annotations

from dataclasses import replace

from analyzer.events import ServerReady
from analyzer.vocabulary import Status
from tests.build import tp, where
from tests.rules.answers import answers, cleared, found, numbers
from tests.rules.launched import begun, crash, loaded, oom, pooled

RULE = "weights-exceed-gpu-memory"
FULL = {"wanted": "448 MiB", "total": "39.39 GiB", "free": "182 MiB", "in_use": "39.2 GiB"}


def test_a_log_that_says_nothing_of_weights_says_nothing() -> None:
    assert answers(RULE) == []


def test_weights_that_were_loaded_are_cleared_even_where_a_later_phase_ran_out() -> None:
    late = oom("10:04:20", **FULL)
    events = (begun("39 GiB"), loaded("10 GiB", "29 GiB"), late, crash("10:04:20", "cuda_graph_runner.py:capture"))
    assert cleared(RULE, *events) == "the weights were loaded"


def test_a_card_half_in_other_hands_is_no_matter_of_the_weights() -> None:
    # 23.49 − 0.05 − 9.12 = 14.32
    held = oom("10:03:22", wanted="130 MiB", total="23.49 GiB", free="0.05 GiB", in_use="9.12 GiB")
    assert cleared(RULE, begun("9.01 GiB"), held) == "14.3 GiB of the GPU are in other hands"


def test_an_error_that_the_server_survived_is_not_taken_for_its_end() -> None:
    worked_on = ServerReady(where=where(90, "10:05:00"))
    assert answers(RULE, begun("39 GiB"), oom("10:03:22", **FULL), worked_on) == []


def test_an_error_without_a_time_and_without_a_traceback_is_a_guess() -> None:
    undated = replace(oom("10:03:22", **FULL), where=where(20))
    assert found(RULE, begun("39 GiB"), undated).status is Status.HYPOTHESIS
    traced = replace(crash("10:03:22", "loader.py:load_weights"), where=where(20))
    assert found(RULE, begun("39 GiB"), undated, traced).status is Status.ESTABLISHED


def test_an_error_while_loading_is_found_on_all_ranks_at_once() -> None:
    ranks = [
        e
        for i in range(2)
        for e in (
            begun("39 GiB", 4 + i, tp(i)),
            oom("10:03:22", 20 + i, tp(i), **FULL),
            crash("10:03:22", line=20 + i, rank=tp(i)),
        )
    ]
    verdict = found(RULE, *ranks, values={"tp_size": 2})
    assert verdict.status is Status.ESTABLISHED
    assert "(2 ranks)" in verdict.summary
    # 448 − 182 = 266 MiB
    assert verdict.sum == "0.44 GiB asked for − 0.18 GiB free = 0.26 GiB lacking"
    assert numbers(verdict)["capacity of the GPU"] == 39.39 * 2**30
    assert verdict.remedy[0].after == "4"


def test_no_memory_fraction_is_offered_for_weights() -> None:
    verdict = found(RULE, begun("39 GiB"), oom("10:03:22", **FULL), values={"mem_fraction_static": 0.9})
    assert "no value of it helps" in verdict.explanation
    assert "mem_fraction_static" not in {remedy.argument for remedy in verdict.remedy}


def test_frames_say_that_it_was_loading_where_a_paste_has_no_times() -> None:
    [verdict] = answers(
        RULE, oom("10:03:00"), crash("10:03:00", "loader.py:load_model", "fp8.py:create_weights", "x.py:empty")
    )
    assert "the weights do not fit" in getattr(verdict, "summary", "")


def test_a_draft_that_meets_the_pool_is_a_matter_of_the_fraction() -> None:
    first = (begun("78 GiB"), loaded("46 GiB", "32 GiB"), pooled(400_000, "36"))
    second = oom("10:05:00", wanted="2 GiB", total="79 GiB", free="1 GiB", in_use="77.8 GiB")
    verdict = found(
        RULE,
        *first,
        second,
        crash("10:05:00", "eagle_worker.py:__init__", "loader.py:load_model"),
        values={"mem_fraction_static": 0.9},
    )
    assert "draft" in verdict.summary
    # 0.9 − (2 − 1) ÷ 78 − 0.02 = 0.867
    assert verdict.remedy[0].after == "0.86"


def test_an_error_that_does_not_say_whose_the_memory_was_supports_it_only() -> None:
    bare = found(RULE, begun("9.21 GiB"), oom("10:04:20", wanted="448 MiB"))
    told = found(RULE, begun("39 GiB"), oom("10:04:20", **FULL))
    assert (bare.status, told.status) == (Status.SUPPORTED, Status.ESTABLISHED)
