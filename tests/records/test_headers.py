"""Headers of every release are read, and brackets that are no header are left in the text."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.evidence import NO_RANK, Rank
from analyzer.records import headers


@pytest.mark.parametrize(
    "text",
    [
        "[00:00<?, ?it/s]",
        "[01:02:03<00:10, 2.81s/it]",
        "[Gloo] Rank 0 is connected to 7 peer ranks.",
        "[aiter] import [module_custom_all_reduce]",
        "[rank3]:[E227 16:30:43.526290891 ProcessGroupNCCL.cpp:1785] timeout",
        "[2025-13-40 10:00:00] no such day",
        "[2025-03-11T16:16:58] a collector's",
        "[ 12345.678901] Out of memory: Killed process 7",
        "INFO 02-26 06:24:24 [__init__.py:241] Automatically detected",
        "WARNING: Logging before InitGoogleLogging() is written to STDERR",
        "",
    ],
)
def test_what_is_no_header_is_none(text: str) -> None:
    header = headers.at_start(text)
    assert header is None or header.stamp is None


@pytest.mark.parametrize(
    ("text", "rank", "message"),
    [
        ("[2026-02-17 10:02:51 TP1] Init", Rank(tp=1), "Init"),
        ("[2026-02-17 10:02:51] Init", NO_RANK, "Init"),
        ("[2026-02-17 10:02:51.123 DP1 PP0 TP3 EP3] Init", Rank(dp=1, pp=0, tp=3, ep=3), "Init"),
        ("[2026-02-17 10:02:51 DP0 TP5 EP5 PP1] Init", Rank(dp=0, pp=1, tp=5, ep=5), "Init"),
        ("[2026-02-17 10:02:51 PP0 ATTN_CP1 MOE_DP2 TP3] Init", Rank(pp=0, attn_cp=1, moe_dp=2, tp=3), "Init"),
        ("[2026-02-17 10:02:51 encode_dp_worker[1]] Init", NO_RANK, "Init"),
        ("[2026-02-17 10:02:51 encode_server] Init", NO_RANK, "Init"),
        ("[2026-02-17 10:02:51 DisaggregationMode.DECODE TP3] Init", Rank(tp=3), "Init"),
    ],
)
def test_dated_headers_give_time_rank_and_message(text: str, rank: Rank, message: str) -> None:
    header = headers.at_start(text)
    assert header is not None
    assert header.stamp is not None
    assert header.stamp.moment.replace(microsecond=0) == datetime(2026, 2, 17, 10, 2, 51)
    assert (header.rank, text[header.end :], header.name) == (rank, message, "sglang")


def test_a_time_only_header_is_undated() -> None:
    header = headers.at_start("[14:39:07 TP3] Init nccl begin.")
    assert header is not None
    assert header.stamp is not None
    assert (header.stamp.dated, header.rank) == (False, Rank(tp=3))


@pytest.mark.parametrize("text", ["[gpu=2] Init nccl begin.", "[gpu_id=2] Set cuda device.", "[TP2] Init"])
def test_a_gpu_number_alone_is_a_header_without_a_time(text: str) -> None:
    header = headers.at_start(text)
    assert header is not None
    assert (header.stamp, header.rank) == (None, Rank(tp=2))


@pytest.mark.parametrize(
    "text", ["[2025-09-01 10:00:00] INFO:     Started server process [1]", "INFO:     Started server process [1]"]
)
def test_uvicorns_lines_are_told_and_keep_their_level(text: str) -> None:
    header = headers.at_start(text)
    assert header is not None
    assert header.name == "uvicorn"
    assert text[header.end :] == "INFO:     Started server process [1]"


def test_a_header_glued_to_a_bar_is_found() -> None:
    text = "shards: 100%| 4/4 [00:00<00:00, 1.17it/s][2026-05-25 17:42:26 TP0] Scheduler hit an exception"
    header = headers.inside(text, 0, dated=True)
    assert header is not None
    assert text[header.end :] == "Scheduler hit an exception"


@pytest.mark.parametrize(
    "text",
    [
        "text='[2026-05-25 17:42:26 TP0] Scheduler hit an exception'",
        'said "[2026-05-25 17:42:26] Received sigquit"',
        r"output: first\n[2026-05-25 17:42:26] Received sigquit",
        "f([2026-05-25 17:42:26])",
        "sizes [256, 224, 208]",
        "between [2026-05-25] and [2026-05-26]",
    ],
)
def test_a_header_inside_a_string_is_none(text: str) -> None:
    assert headers.inside(text, 0, dated=True) is None


@pytest.mark.parametrize(
    ("text", "name", "moment"),
    [
        (
            "[rank7]:[E304 01:44:37.572929000 ProcessGroupNCCL.cpp:2168] failure",
            "torch",
            datetime(2025, 3, 4, 1, 44, 37),
        ),
        ("[rank1]:[W1208 00:55:32.4 socket.cpp:487] [c10d]", "torch", datetime(2025, 12, 8, 0, 55, 32)),
        ("I0802 14:05:08.029270 20178 transfer_engine_impl.cpp:183] Transfer", "glog", datetime(2025, 8, 2, 14, 5, 8)),
        ("INFO 03-04 09:02:43 [__init__.py:190] detected", "vllm", datetime(2025, 3, 4, 9, 2, 43)),
    ],
)
def test_other_writers_times_are_completed_by_the_year(text: str, name: str, moment: datetime) -> None:
    found = headers.of_other_writer(text, 2025)
    assert found is not None
    assert (found[0], found[1].moment) == (name, moment)
    assert headers.of_other_writer(text, None) is None


@pytest.mark.parametrize("text", ["[rank7]:[E3399 01:44:37.5 x]", "Loading", "I9902 14:05:08.0 1 a.cpp:1] x"])
def test_another_writers_impossible_time_is_none(text: str) -> None:
    assert headers.of_other_writer(text, 2025) is None


@given(st.text(alphabet="[]0123456789-: TPD.x", max_size=60))
def test_no_text_breaks_it(text: str) -> None:
    headers.at_start(text)
    headers.inside(text, 0, dated=True)
    headers.inside(text, 0, dated=False)
    headers.of_other_writer(text, 2025)
