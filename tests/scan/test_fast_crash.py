"""Logs whose lines mostly have no header are read fast as the exact reading reads them: tracebacks, bars, spam, repeats."""

from __future__ import annotations

import random

import pytest

from analyzer.scan.run import Eventful, Unit

pytest.importorskip("numba")
alike = pytest.importorskip("tests.scan.alike")
fast = pytest.importorskip("tests.scan.test_fast")

HEAD, DECODE, ACCESS, CHATTER, PREFILL = alike.HEAD, alike.DECODE, alike.ACCESS, alike.CHATTER, fast.PREFILL
assert_same, heard = alike.assert_same, fast.heard
STAMP = "[2026-02-17 10:02:52"
TRACEBACK = "Traceback (most recent call last):"
FRAMES = [
    '  File "/opt/sglang/srt/managers/scheduler.py", line 2884, in run_scheduler_process',
    "    scheduler.event_loop_overlap()",
    "           ^^^^^^^^^^^^^^^^^^^^^^^^^^",
    '  File "/opt/sglang/srt/models/deepseek_v2.py", line 1912, in forward',
    "    hidden_states = layer(positions, hidden_states)",
]
RAISED = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.96 GiB."
CHAIN = "During handling of the above exception, another exception occurred:"
FAILED = 'INFO:     10.0.3.77:53442 - "POST /v1/chat/completions HTTP/1.1" 500 Internal Server Error'
SPAM = "  triton_mm_{0} 0.0{1} ms {0}.9% ACC_TYPE='tl.float32', BLOCK_K=64, num_warps=4"
BAR = "\rLoading safetensors checkpoint shards:  {0}% Completed | 7/163 [00:07<01:03, 2.31it/s]"
TERMINATE = "terminate called after throwing an instance of 'c10::DistBackendError'"
FAILURE = "Failed to initialize NVML: Driver/library version mismatch"
CUT = "2025-08-12T10:00:00.000000000Z stdout P begins and "  # of a container's line, the rest of which follows
FORM = "Loading pt checkpoint shards: {} Completed | {}"
REQUEST, ANSWER = "Receive: obj=GenerateReqInput(text='", "Finish: obj=EmbeddingReqInput(text='"
ALONE = [TRACEBACK, *FRAMES, RAISED]
UNDER_A_HEADER = [HEAD + "Scheduler hit an exception: " + TRACEBACK, *FRAMES, RAISED]

PIECES = [
    ALONE,
    [*UNDER_A_HEADER, ""],
    [*UNDER_A_HEADER, "", ""],
    [*ALONE, "", "[rank1]:[E1102 10:00:00 ProcessGroupNCCL.cpp:5] x"],
    [TRACEBACK, *FRAMES[:2], "", *FRAMES[3:], RAISED],
    [""],
    ["", "\r", "   "],
    [HEAD + "Pyspy dump for PID 5:", 'Thread 0x7f (active): "MainThread"', "    run (a.py:5)", "", "Thread 0x8 (idle)", "    x (b.py:1)", ""],
    ALONE,
    [TRACEBACK, *FRAMES[:2], "ValueError: 5 is no rank"],
    [TRACEBACK, *FRAMES[:2], "KeyboardInterrupt"],
    UNDER_A_HEADER,
    UNDER_A_HEADER,
    [STAMP + " TP3] Scheduler hit an exception: " + TRACEBACK, *FRAMES, RAISED, ""],
    [STAMP + " TP3] Scheduler hit an exception: " + TRACEBACK, HEAD + "x: " + TRACEBACK, *FRAMES, RAISED, *FRAMES, RAISED],
    [*ALONE, "", CHAIN, "", *ALONE],
    [*ALONE, TERMINATE, CHAIN, *ALONE],
    [*ALONE, "CUDA kernel errors might be asynchronously reported at some other API call"],
    [*ALONE, "[rank3]: " + RAISED],
    [*ALONE[:-1], "a line of somebody else", RAISED],
    [*ALONE[:3]],
    [RAISED],
    [FAILED, *ALONE],
    [HEAD + "a step failed", *ALONE],
    [HEAD + "a step failed"],
    [TERMINATE] * 3,
    [TERMINATE, "Fatal Python error: Aborted", "", "Thread 0x00007f11 (most recent call first):", *FRAMES[:1], ""],
    ["$ nvidia-smi", "python3 -m sglang.launch_server --tp 8 \\", "  --mem-fraction-static 0.9"],
    ["bad bytes \udcff", "Possible solutions:", "1. set --mem-fraction-static to a smaller value", "Killed"],
    ["  server_args=ServerArgs(model_path='m', tp_size=8,", "  dp_size=2)"],
    *[[BAR[1:].format(percent).replace(" Completed", " 12") + end] for percent in ("", 5, 50) for end in ("", " ", "7")],
    [FORM.format("5%", "7/163"), FORM.format("50%", "7/163 [00:07<01:03,  2.31it/s]"), FORM.format("5 5%", "77/1"), FORM.format("5%5", "7")],
    ["100%|", "5%|##5 | 7/9", "5%5|##| 7", " 5%|5", "55%| |5/5", "5 %|##|", "%5|", "5%12|", "5% 1 2 |"],
    ["Capturing batches (bs=5 avail_mem=9.07 GB):  10%|1         | 1/9 [00:07<01:03,  2.31s/it]", "Capturing batches (bs=55 avail_mem=9.0 GB): 10%|         1| 10/9"],
    ["7", "77 7", "  7", "\t7 7\t", "7   ", "\r7", "0" * 40, " " * 40],
    ["  5 5 5 ", " 12", "12 ", "    "],
    [ACCESS, "    indented", "  1 further 2", "\tby a tab 3"],
    [ACCESS, "  5%|##5 | 7/9", "  55% 5| 7/9", " 12", ACCESS],
    [HEAD + DECODE, "    indented", "  1 further 2", "\tby a tab 3", HEAD + DECODE],
    [HEAD + PREFILL, "  CUDA out of memory. Tried to allocate 1.96 GiB.", "  12 errors", "  0 errors"],
    [HEAD + CHATTER, "    indented below what says nothing", "  12"],
    [ACCESS, "  further", *ALONE],
    [FAILED, "  further", *ALONE],
    [HEAD + DECODE, "  further", *ALONE],
    [*FRAMES[:2], *ALONE],
    [line for rank in range(8) for line in (f"{STAMP} TP{rank}] Scheduler hit an exception: {TRACEBACK}", *FRAMES, RAISED)],
    [line for rank in range(8) for line in (f"{STAMP} TP{rank}] a step failed: {TRACEBACK}", f"ValueError: {rank}")],
    [HEAD + "a step failed: " + TRACEBACK, "ValueError: one"],
    [HEAD + "a step failed: " + TRACEBACK, "ValueError: another"],
    [CUT, *UNDER_A_HEADER],
    [CUT + TRACEBACK, *ALONE],
    [CUT.replace(" P ", " F "), *UNDER_A_HEADER],
    [HEAD + REQUEST + "你好，世界。请介绍一下你自己')"],
    [HEAD + ANSWER + "模型加载失败：显存不足 🚀', x=1)", HEAD + REQUEST + "\udcef\udcbc\udc8c')"],
    [HEAD + REQUEST + cut + "')" for cut in ("\udcff", "\udc80", "\udce4\udcbd", "\udcf0\udc9f\udc9a", "\udce4")],
    [HEAD + REQUEST + cut + "')" for cut in ("\udcc0\udcaf", "\udcc1\udcbf", "\udce0\udc80\udcaf", "\udce0\udc9f\udcbf", "\udcf0\udc8f\udcbf\udcbf")],
    [HEAD + ANSWER + cut + "')" for cut in ("\udced\udca0\udc80", "\udced\udcbf\udcbf", "\udcf4\udc90\udc80\udc80", "\udcf5\udc80\udc80\udc80")],
    [HEAD + ANSWER + "\udced\udc9f\udcbf\udcee\udc80\udc80\udcf4\udc8f\udcbf\udcbf')"],
    [HEAD + REQUEST + "cut in a character \udce4\udcbd", HEAD + DECODE],
    [FAILURE, FAILURE + " 5", "5 " + FAILURE, FAILURE],
    [RAISED, "RuntimeError: CUDA error: out of memory", "Killed", RAISED.replace("1.96", "22.6"), RAISED.replace("1.96", "22")],
]  # fmt: skip


def log(chance: random.Random, size: int) -> list[str]:
    """Some seconds of a log: steady lines, and pieces of a crash among them or in a row."""
    lines: list[str] = []
    while len(lines) < size:
        second = f"[2026-02-17 10:{len(lines) // 60 % 60:02d}:{len(lines) % 60:02d}{chance.choice(['', ' TP0', ' DP1 TP3'])}] "
        kind = chance.random()
        if kind < 0.35:
            lines += [second + chance.choice([DECODE, PREFILL, CHATTER]) for _ in range(chance.randrange(1, 4))]
        elif kind < 0.5:
            lines += [ACCESS] * chance.randrange(1, 3)
        elif kind < 0.7:
            spam = chance.choice([SPAM, BAR, SPAM[2:]])
            lines += [
                spam.format(chance.randrange(100), chance.randrange(999)) for _ in range(chance.choice([1, 2, 30]))
            ]
        else:
            lines += chance.choice(PIECES) * chance.choice([1, 1, 2, 8])
    return lines


@pytest.mark.parametrize("seed", range(60))
def test_crashes_are_read_alike(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same logs every time
    assert_same(log(chance, 500), chance.choice([700, 5000, 1 << 20]))


@pytest.mark.parametrize("before", [HEAD + DECODE, ACCESS, FAILED, HEAD + CHATTER, HEAD + "a step failed", *ALONE[:1]])
@pytest.mark.parametrize("count", [1, 199, 200, 201, 450])
def test_as_many_lines_go_on_a_message_as_in_the_exact_reading(before: str, count: int) -> None:
    spam = [SPAM.format(n % 100, n) for n in range(count)]
    assert_same(
        [HEAD + DECODE, *spam[:3], HEAD + DECODE, before, *spam, HEAD + DECODE, ACCESS, *ALONE, ACCESS], 1 << 20
    )


def units(lines: list[str]) -> list[int]:
    """How many lines each traceback has that is read in one go, in order; all of them come several times."""
    quiet = [HEAD + CHATTER] * 3
    told = [each for each in heard(quiet + [*lines, *quiet] * 4) if isinstance(each.what, Unit)]
    taken = sorted((spot.number, each.what.lines) for each in told for spot in each.spots)
    return [size for number, size in taken if number <= len(quiet) + len(lines)]


def test_tracebacks_that_stand_by_themselves_are_read_in_one_go() -> None:
    said = [*ALONE, *ALONE, ACCESS, *UNDER_A_HEADER, "", *UNDER_A_HEADER]
    assert units(said) == [len(ALONE), len(ALONE), len(UNDER_A_HEADER), len(UNDER_A_HEADER)]


@pytest.mark.parametrize(
    "lines",
    [
        [*ALONE, CHAIN, *ALONE[1:]],
        [*ALONE, "a frobnicator failed"],
        [FAILED, *ALONE],
        [HEAD + "a step failed", *ALONE],
        ALONE[:-1],
        [TRACEBACK, RAISED.upper() + " \\"],
    ],
)
def test_a_traceback_that_something_may_belong_to_is_left(lines: list[str]) -> None:
    assert units(lines) == []
    assert_same([HEAD + DECODE, *lines, HEAD + DECODE])


def test_the_first_time_is_that_of_the_first_header_though_a_traceback_follows() -> None:
    rows = [f"[2026-02-17 10:04:{n:02d} TP1] {DECODE}" for n in range(20)]
    failed = [
        "[2026-02-17 10:05:01 TP1] Scheduler hit an exception: " + TRACEBACK,
        *FRAMES[:2],
        "RuntimeError: CUDA error: out of memory",
    ]
    lines = [*["    loading shard"] * 400, *rows, *failed, *rows, ""]
    assert_same("\n".join(lines).encode(), 1 << 20)


def test_of_many_events_of_a_pattern_the_first_and_the_last_are_kept() -> None:
    lines = []
    for n in range(600):
        row = f"[2026-02-17 10:{n // 60:02d}:{n % 60:02d} TP1] {DECODE}"
        lines += [row, row, *([TRACEBACK, *FRAMES[:2], "RuntimeError: " + FAILURE] if n % 2 else [FAILURE]), row, row]
    assert_same(lines, 1 << 20)


def failures(count: int, *, headed: bool) -> list[str]:
    """So many failures of one pattern: in two wordings, with digits of their own, and in tracebacks between them."""
    told = [FAILURE, FAILURE + " on host {}"]
    lines = []
    for n in range(count):
        row = f"[2026-02-17 11:{n // 60:02d}:{n % 60:02d} TP1] "
        kind = (n * n + n // 7) % 5
        unit = [TRACEBACK, *FRAMES[:2], "RuntimeError: " + told[n % 2].format(n % 3)]
        if headed and n % 4:
            unit[0] = f"[2026-02-17 11:{n // 60:02d}:{n % 60:02d} TP{n % 3}] x: {TRACEBACK}"
        lines += [row + DECODE, *(unit if kind == 0 else [told[kind % 2].format(n)]), row + DECODE]
    return lines


@pytest.mark.parametrize("headed", [False, True])
@pytest.mark.parametrize("count", [90, 210, 700])
def test_of_events_of_a_pattern_from_lines_and_tracebacks_the_first_and_the_last_are_kept(
    count: int,
    headed: bool,  # noqa: FBT001 - a parameter
) -> None:
    taken = heard([HEAD + CHATTER] * 3 + failures(count, headed=headed) + [HEAD + CHATTER] * 3)
    assert {type(each.what) for each in taken} >= {Eventful, Unit}
    found = assert_same(failures(count, headed=headed), 5000, 1 << 20).events
    assert sum(event.count for event in found if event.where.pattern == "driver-mismatch") == count


def test_of_two_wordings_the_last_events_of_both_are_among_the_last_of_their_pattern() -> None:
    lines = [HEAD + DECODE]
    for wording, times in ((FAILURE, 130), (FAILURE + " here", 120), (FAILURE, 2), (FAILURE + " here", 350)):
        lines += [line for _ in range(times) for line in (wording, HEAD + DECODE)]
    assert_same(lines, 1 << 20)


def test_a_traceback_without_frames_is_an_error_line_at_its_first_place_whichever_was_read_first() -> None:
    opened = HEAD + "a step failed: " + TRACEBACK
    several = [[opened, f"ValueError: {name}", HEAD + DECODE] for name in ("one", "another", "a third") * 3]
    assert_same([HEAD + DECODE, *(line for each in several for line in each)], 1 << 20)


def test_an_answer_that_ends_as_a_traceback_opens_is_left() -> None:
    said = "[2026-02-17 10:01:53 DP1 TP3 EP3] Finish: obj=EmbeddingReqInput(text='" + TRACEBACK
    opened = "[2026-02-17 10:05:54 TP1] Scheduler hit an exception: " + TRACEBACK
    assert_same([ACCESS, said, opened, "RuntimeError: CUDA error: out of memory", TRACEBACK], 1 << 20)


def test_a_traceback_in_which_another_opened_some_lines_before_may_go_on_is_left() -> None:
    opened = "[2026-02-17 10:05:16 TP1] Scheduler hit an exception: " + TRACEBACK
    raised = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.96 GiB."
    stranger = "kill_itself_when_parent_died is only supported in linux."
    assert_same([TRACEBACK, stranger, opened, raised, "  indented", HEAD + DECODE, TRACEBACK], 1 << 20)


CHATTERS = [HEAD + CHATTER] * 3


@pytest.mark.parametrize(
    "lines",
    [
        ["request failed: id 1a2"] * 4 + ["request failed: id 12a"] * 4,
        ["copy failed at 0x1a"] * 4 + ["copy failed at 5x1a"] * 4,
        ["copy failed: '" + "ab " * 27 + "1'"] * 4 + ["copy failed: '" + "ab " * 26 + "ab1 '"] * 4,
        ["DEBUG9 transfer failed"] * 3,
        ["Warning5: transfer failed"] * 3,
        ["transfer failed: no error7 was given"] * 3,
        ["error5_a=7 failed", "error_a=75 failed"] * 3,
        ["DEBUG 7 transfer failed at 5", "DEBU9G 7 transfer failed at 5"] * 3,
    ],
)
def test_errors_are_counted_by_the_wording_by_which_the_exact_reading_counts_them(lines: list[str]) -> None:
    assert_same([*CHATTERS, *[HEAD + line for line in lines * 3], HEAD + DECODE, *CHATTERS], 4096, 1 << 20)


@pytest.mark.parametrize(
    "lines",
    [
        [HEAD + "Possible solutions follow below", 'Thread 0x7f (active): "M"', "", "    thing failed here"],
        [*ALONE, "Try to allocate 5", HEAD + CHATTER],
        [HEAD + DECODE + "#failed-req: 0, ", *ALONE],
        [HEAD + DECODE + "#transfer-error: 0", *ALONE],
        [HEAD + DECODE + "#odd: 0", *ALONE],
    ],
)
def test_a_line_whose_message_goes_on_in_a_way_of_its_own_is_read_alike(lines: list[str]) -> None:
    assert_same([*[HEAD + DECODE, *lines, HEAD + DECODE] * 6, *CHATTERS], 4096, 1 << 20)


def test_blocks_of_very_short_lines_are_read_a_part_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pytest.importorskip("analyzer.scan.fast.blocks"), "MOST", 7)
    assert_same([*CHATTERS, *["x", "", HEAD + DECODE, ACCESS] * 30, *ALONE, *CHATTERS, *ALONE, *CHATTERS], 1 << 20)
