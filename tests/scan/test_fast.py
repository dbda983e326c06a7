"""What is read fast is cell for cell what the exact reading gives, and what is not surely the same is left to it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.bundle import InMemory
from analyzer.scan.run import Heard, Run

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest.importorskip("numpy")
fast = pytest.importorskip("analyzer.scan.fast")
alike = pytest.importorskip("tests.scan.alike")

CATALOG, STAMP, HEAD, DECODE = alike.CATALOG, alike.STAMP, alike.HEAD, alike.DECODE
ACCESS, CHATTER = alike.ACCESS, alike.CHATTER
read, assert_same = alike.read, alike.assert_same
NEWER = "Decode batch, #running-req: 12, #full token: 345678, full token usage: 0.04, accept len: 2.81, accept rate: 0.70, cuda graph: True, gen throughput (token/s): 123456.78, #queue-req: 0"
COUNTED = "Decode batch [120], #running-req: 1, #token: 9, token usage: 0.19, npu graph: False, gen throughput (token/s): 12.50, #queue-req: 3"
PREFILL = "Prefill batch. #new-seq: 9, #new-token: 8192, #cached-token: 1055, cache hit rate: 23.35%, token usage: 0.00, #running-req: 1, #queue-req: 6"
COLOURED = (
    '\x1b[32mINFO\x1b[0m:     10.0.3.77:1 - "\x1b[1mGET /health HTTP/1.1\x1b[0m" \x1b[32m503 Service Unavailable\x1b[0m'
)


def scanned(lines: list[str]) -> Iterator[object]:
    """What the fast reading gives, from the first line on."""
    from analyzer.parsers.silent import Silent
    from analyzer.parsers.steady import Steady

    steady, silent = Steady(CATALOG), Silent(CATALOG)
    steady.on = silent.on = True
    stream = InMemory("".join(line + "\n" for line in lines).encode()).open()
    return fast.scan(stream, steady, silent, 0)


def runs(lines: list[str]) -> Iterator[Run]:
    return (item for item in scanned(lines) if isinstance(item, Run))


def heard(lines: list[str]) -> list[Heard]:
    return [item for item in scanned(lines) if isinstance(item, Heard)]


def taken(lines: list[str]) -> int:
    """How many of the lines are read fast; the first two and the last of a piece never are."""
    return sum(run.lines for run in runs([HEAD + CHATTER, HEAD + CHATTER, *lines, HEAD + CHATTER]))


@pytest.mark.parametrize(
    "message",
    [
        "Decode batch. #running-req: -8, #token: 20253, token usage: 0.07, #queue-req: 0, ",
        "Decode batch. #running-req: 8, #token: 2e5, token usage: 0.07, #queue-req: 0, ",
        "Decode batch. #running-req: 8, #token: nan, token usage: 0.07, #queue-req: 0, ",
        "Decode batch. #running-req: 8, #token: 20253, token usage: inf, #queue-req: 0, ",
        "Decode batch. #running-req: 8, #token: 20253, token usage: .07, #queue-req: 0, ",
        "Decode batch. #running-req: 8, #token: 20253, token usage: 0., #queue-req: 0, ",
        "Decode batch. #running-req: 8, #token: 20253, token usage: 0.07, cuda graph: maybe, #queue-req: 0, ",
        "Decode batch. #running-req: 8, #token: 20253, token usa",
        "Decode batch. #running-req: 8, #running-req: 9, token usage: 0.07, #queue-req: 0, ",
        "Decode batch. #running-req: 8, #token: 20253 tokens, #queue-req: 0, ",
        "Decode batch. #running-req: 8, #token: 12345678901234567, #queue-req: 0, ",
        "Decode batch. #running-req: 8, #tøken: 5, #queue-req: 0, ",
        "Prefill batch(mixed #running-req: 7). #new-seq: 9, #new-token: 8192, #queue-req: 6",
        "Load weight begin. avail mem=94.08 GB",
        "frobnicator failed",
        "Receive: obj=GenerateReqInput(text='" + DECODE + "')",
    ],
)
def test_a_message_that_is_not_of_the_plain_form_is_left(message: str) -> None:
    assert taken([HEAD + message]) == 0
    assert_same([HEAD + DECODE, HEAD + message, HEAD + DECODE])


@pytest.mark.parametrize(
    "line",
    [
        STAMP + ".123] " + DECODE,
        "[10:02:51 TP1] " + DECODE,
        "[2026-02-31 10:02:51 TP1] " + DECODE,
        "[2026-02-17T10:02:51 TP1] " + DECODE,
        STAMP + " TP1]" + DECODE,
        STAMP + " encode_dp_worker[1]] " + DECODE,
        DECODE,
        "[gpu=0] " + DECODE,
        "5%|# | 1/9 [00:01<00:09, 1.00it/s]" + HEAD + DECODE,
        'INFO:     [2001:db8::1]:55822 - "GET /health HTTP/1.1" 200 OK',
        'INFO:     10.0.0.1:1 - "GET /user@host HTTP/1.1" 200 OK',
        "INFO:     Started server process [28587]",
    ],
)
def test_a_line_under_another_header_is_left(line: str) -> None:
    assert taken([line]) == 0
    assert_same([HEAD + DECODE, line, HEAD + DECODE, ACCESS])


def test_two_orders_of_keys_that_are_equally_long_are_not_mistaken_for_one_another() -> None:
    one = "Decode batch. #running-req: 8, #token: 20253, token usage: 0.07, #prealloc-req: 3, #transfer-req: 5, #queue-req: 0, "
    two = "Decode batch. #running-req: 8, #token: 20253, token usage: 0.07, #transfer-req: 3, #prealloc-req: 5, #queue-req: 0, "
    lines = [HEAD + one, HEAD + two] * 3
    assert taken(lines) == 6
    rows = read(lines, fast_from=0).tables["DecodeBatch"]
    assert rows["prealloc_count"].to_list() == [3.0, 5.0] * 3
    assert rows["transfer_count"].to_list() == [5.0, 3.0] * 3


@pytest.mark.parametrize("message", [DECODE, NEWER, COUNTED, PREFILL, CHATTER, DECODE.rstrip(" ,"), DECODE + "\r"])
def test_a_plain_line_is_read_fast(message: str) -> None:
    assert taken([HEAD + message] * 5) == 5
    assert_same([HEAD + message] * 5)


def test_access_lines_are_read_fast_behind_a_dated_line() -> None:
    dated = STAMP + "] " + ACCESS
    assert taken([dated, ACCESS, COLOURED, ACCESS]) == 4
    assert_same([dated, ACCESS, COLOURED, ACCESS, HEAD + DECODE, ACCESS])


@pytest.mark.parametrize(
    "left",
    [
        "I0217 10:02:59.000000   139 socket.cpp:1] a line with the time of another writer",
        HEAD + "a message [2026-02-17 10:03:01 TP3] and another",
        HEAD + "a message in \x1b[1mcolours\x1b[0m",
        HEAD
        + "padded, and long enough to be a terminal's full line, so that it may well go on in the next   "
        + 20 * " ",
    ],
)
def test_an_access_line_behind_a_line_that_may_change_the_time_is_left(left: str) -> None:
    assert taken([left, ACCESS, ACCESS]) == 0
    assert_same([HEAD + DECODE, left, ACCESS, ACCESS, HEAD + DECODE])


@pytest.mark.parametrize(
    "left",
    [
        HEAD + "Load weight begin. avail mem=94.08 GB",
        "[2026-02-17 10:02:59] Receive: obj=GenerateReqInput(text='" + HEAD + DECODE + "', x=1)",
    ],
)
def test_an_access_line_has_the_time_of_the_headed_line_before_it_whatever_that_says(left: str) -> None:
    assert taken([left, ACCESS, ACCESS]) == 2 + ("Receive: " in left)  # a request is read fast itself
    assert_same([HEAD + DECODE, left, ACCESS, ACCESS, HEAD + DECODE])


def test_a_steady_line_before_a_line_without_a_header_is_left_as_the_two_may_be_one_record() -> None:
    frame = '  File "scheduler.py", line 3, in run'
    assert taken([HEAD + DECODE, HEAD + DECODE, frame, HEAD + DECODE]) == 2
    assert_same([HEAD + DECODE, HEAD + DECODE, frame, HEAD + DECODE])


def test_a_line_whose_beginning_a_runtime_cut_off_is_left() -> None:
    part = "2025-08-12T10:00:00.000000000Z stdout P begins and "
    assert taken([part, HEAD + DECODE, HEAD + DECODE]) == 1
    assert_same([HEAD + DECODE, part, HEAD + DECODE, HEAD + DECODE])


@pytest.mark.parametrize(
    "text",
    [
        "Receive: obj=GenerateReqInput(rid='1', text='[2026-02-17 10:02:51 TP3] Killed', x=1)",
        "Receive: obj=GenerateReqInput(rid='1', text='ends in bad bytes \udcff\udcfe",
        "Finish: obj=GenerateReqInput(rid='1'), out={'text': 'CUDA out of memory.'}",
        "Finish: obj=None, out={}",
        "Receive: obj=" + "x" * 300,
        "Receive: obj=GenerateReqInput(text='ends in blanks" + " " * 60,
        "Receive: obj=GenerateReqInput(text='\x1b[1mcoloured\x1b[0m')",
        "Receive: obj=GenerateReqInput(text='" + "longer than any text that is kept " * 3000,
    ],
)
def test_a_logged_request_is_the_same_event_whatever_its_text_says(text: str) -> None:
    assert_same([HEAD + DECODE, HEAD + text, HEAD + DECODE, HEAD + text, ACCESS, ACCESS, HEAD + DECODE])
    assert_same([HEAD + DECODE, HEAD + text, "and goes on in a second line", HEAD + DECODE, HEAD + text])


def test_a_snapshot_ends_before_the_steady_lines_below_it() -> None:
    snapshot = ["$ free -g", "       total        used        free", "Mem:     449         439           8"]
    assert_same([HEAD + DECODE, *snapshot, HEAD + DECODE, ACCESS, HEAD + DECODE])


def test_unknown_keys_are_counted() -> None:
    lines = [HEAD + f"Decode batch. #running-req: {n}, frobs: {n}, #queue-req: 0, " for n in range(7)]
    assert read(lines, fast_from=0).unknown_keys == {"frobs": 7}


def test_a_file_in_wrappers_or_newest_first_is_read_exactly() -> None:
    wrapped = [f"engine-1  | [2026-02-17 10:02:{n % 60:02d} TP1] {DECODE}" for n in range(300)]
    assert_same("\n".join(wrapped).encode())
    newest = [f"[2026-02-17 10:{59 - n // 60:02d}:{59 - n % 60:02d} TP1] {DECODE}" for n in range(300)]
    assert_same("\n".join(newest).encode())


def test_a_line_longer_than_any_piece_is_one_line() -> None:
    assert_same([HEAD + DECODE, "x" * 700_000, HEAD + DECODE, HEAD + DECODE], 5000)


NUMBERS = st.sampled_from(
    ["0", "7", "20253", "99999999", "123456789", "-1", "1e3", "nan", "0.5", "1234567.25", "0.123456", "True", ""]
)
KEYS = st.sampled_from(
    [
        "#running-req",
        "#token",
        "token usage",
        "accept len",
        "cuda graph",
        "#queue-req",
        "frobs",
        "gen throughput (token/s)",
        "mem usage",
    ]
)
HEADS = st.sampled_from(["Decode batch. ", "Decode batch, ", "Decode batch [7], ", "Prefill batch. ", "Prefil batch. "])
TAILS = st.sampled_from(["", ", ", ",", "  ", "\r", ", \r", ", and more"])


@st.composite
def batches(draw: st.DrawFn) -> str:
    pairs = draw(st.lists(st.tuples(KEYS, NUMBERS), min_size=1, max_size=6))
    return draw(HEADS) + ", ".join(f"{key}: {number}" for key, number in pairs) + draw(TAILS)


OPENINGS = st.sampled_from(
    [
        HEAD,
        HEAD,
        STAMP + "] ",
        "[2026-02-17 10:02:52 DP1 TP4 EP4] ",
        "[2026-02-17 10:02:50 PP1 TP0] ",
        "[10:02:51 TP1] ",
        "",
        "[gpu=1] ",
    ]
)


@settings(max_examples=40)
@given(st.lists(st.tuples(OPENINGS, batches()), min_size=1, max_size=30), st.integers(300, 6000))
def test_any_batch_line_has_the_cells_of_the_exact_reading(lines: list[tuple[str, str]], piece: int) -> None:
    assert_same([opening + message for opening, message in lines], piece)


OTHERS = [
    ACCESS,
    ACCESS,
    COLOURED,
    STAMP + "] " + ACCESS,
    HEAD + "KV cache pool is full. Retract requests. #retracted_reqs: 3, #new_token_ratio: 0.43 -> 0.83",
    HEAD + "Scheduler hit an exception: Traceback (most recent call last):",
    '  File "/opt/sglang/srt/managers/scheduler.py", line 3, in run_scheduler_process',
    "    scheduler = Scheduler(server_args)",
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.96 GiB.",
    "",
    "Killed",
    "I0217 10:02:55.123456 811 file.cc:12] a line of another writer",
    "[2026-02-17 10:02:59] Receive: obj=GenerateReqInput(text='" + HEAD + DECODE + "', x=1)",
    HEAD + "a message [2026-02-17 10:03:01 TP3] " + DECODE,
    "WARNING:  Invalid HTTP request received.",
    "bad bytes \udcff\udcfe",
    HEAD + "bad bytes \udcff\udcfe in a message",
    "$ free -g",
    "              total        used        free      shared  buff/cache   available",
    "Mem:             449         439           8           0           0           9",
    '{"log":"Decode batch. #running-req: 1","stream":"stderr"}',
    '{"log":"' + DECODE + '\\n","stream":"stderr","time":"2026-02-17T10:02:51Z"}',
    "2025-08-12T10:00:00.000000000Z stdout P begins and ",
    "2025-08-12T10:00:01.000000000Z stdout F ends",
    HEAD + "padded to the width of a terminal that is very wide, as copied from the screen by a person who was in a hurry      " + " " * 9,
    "python3 -m sglang.launch_server --model-path m \\",
    HEAD + "server_args=ServerArgs(model_path='m', tp_size=8)",
    HEAD + CHATTER + " and " + "error 5",
    HEAD + "Traceback (most recent call last):",
    "During handling of the above exception, another exception occurred:",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
def test_mixed_logs_are_read_alike(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same logs every time
    lines = []
    for number in range(400):
        head = f"[2026-02-17 10:{number // 60:02d}:{number % 60:02d}{chance.choice(['', ' TP0', ' DP1 TP3 EP3'])}] "
        if chance.random() < 0.15:
            lines.append(chance.choice(OTHERS))
        else:
            lines.append(
                chance.choice([head + DECODE, head + NEWER, head + COUNTED, head + PREFILL, head + CHATTER, ACCESS])
            )
    assert_same(lines, chance.choice([400, 3000, 1 << 20]))


def test_every_sample_of_the_steady_patterns_is_read_alike() -> None:
    samples = [sample.text for pattern in CATALOG.patterns if pattern.heads for sample in pattern.samples]
    assert len(samples) > 5
    assert_same([HEAD + text for text in samples for _ in range(3)])


ZEROS = str.maketrans("123456789", "000000000")
SAID = ["evicts {} pages of {}", "evicts [{} pages {}", "frobnicator failed {} of {}", "KV Cache is allocated. {} {}"]
SAID += ["Load weight begin. avail mem={}.{} GB", "health {} check {} failed"]
ALONE = [
    "scheduler {} evicts {}",
    "CUDA error: out of memory {}{}",
    "  further {} of {}",
    "Tried to allocate {}.{} GiB",
]
ALONE += ["torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {}.{} GiB.", "Killed {}{}"]


def shaped(chance: random.Random, count: int) -> Iterator[str]:
    """Lines of few wordings and very many shapes, at times that are mostly those of the line before."""
    second = 0
    for _ in range(count):
        second = (second + chance.choice([0, 0, 0, 1, 60, 3600, 86400, -1])) % (9 * 86400)
        day, clock = 10 + second // 86400, f"{second // 3600 % 24:02d}:{second // 60 % 60:02d}:{second % 60:02d}"
        digits = ["".join(chance.choices("0123456789", k=chance.randrange(14))) for _ in range(2)]
        head = f"[2026-02-{day} {clock}{chance.choice(['', ' TP1', ' TP2'])}] "
        said = chance.choice([head + chance.choice(SAID), head + chance.choice(SAID), chance.choice(ALONE)])
        yield from [said.format(*digits), chance.choice([head + DECODE, ACCESS, said.format(1, 2)])]


@pytest.mark.parametrize("seed", range(3))
def test_lines_of_many_shapes_and_changing_times_are_the_same_cell_for_cell(seed: int) -> None:
    lines = [*shaped(random.Random(seed), 700)]  # noqa: S311 - the same lines every time
    assert len({line.partition("] ")[2].translate(ZEROS) for line in lines}) > 64 * len(SAID) // 2
    assert_same(lines, 4096, 1 << 20)
