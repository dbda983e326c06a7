"""Process listings of `ps`."""

from __future__ import annotations

import pytest

from analyzer.events import CommandLine, ProcessListed
from tests.parsers.build_blocks import KIB, claims, of, read, value
from tests.parsers.snapshots import SAMPLES

AUX = (
    "root        1187  9.8  0.3 61231844 1655200 ?    Ssl  10:02   1:22 "
    "python3 -m sglang.launch_server --model-path /models/m --tp 8"
)
EF = "root      5254  3247  3 15:14 pts/0    00:00:05 python3 train.py"
CONTAINER = """
    PID    PPID STAT   RSS CMD
      1       0 Ssl  1601224 python3 -m sglang.launch_server --model-path Qwen/Qwen3-32B-FP8 --tp 8
    306       1 Zl          0 [sglang::schedul] <defunct>
"""


@pytest.mark.parametrize(
    "line",
    [
        "    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND",
        "COMMAND  PID USER   FD   TYPE DEVICE SIZE/OFF NODE NAME",
        "  PID User     Command                         Swap      USS      PSS      RSS",
        "[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name",
        "PID 1187 was killed ? maybe",
        "what is the PID of the COMMAND",
    ],
)
def test_other_tables_and_sentences_are_no_listing(line: str) -> None:
    assert not claims("ps", line)


def test_columns_are_read_by_the_header() -> None:
    first, second = of(ProcessListed, read("ps", SAMPLES["ps"]))
    assert (first.pid, first.parent, first.state, first.user) == (4100, 1, "Ssl", "root")
    assert (value(first.resident), value(first.elapsed), value(first.cpu)) == (1980440 * KIB, 21 * 60 + 21, 0.004)
    assert (second.state, second.command) == ("Z", "[sglang::schedul] <defunct>")


def test_a_row_of_ps_aux_needs_no_header() -> None:
    block = read("ps", AUX)
    (process,) = of(ProcessListed, block)
    assert (process.pid, value(process.resident), process.started) == (1187, 1655200 * KIB, "10:02")
    assert of(CommandLine, block)[0].argv[-4:] == ("--model-path", "/models/m", "--tp", "8")


def test_a_row_of_ps_ef_needs_no_header() -> None:
    (process,) = of(ProcessListed, read("ps", EF))
    assert (process.pid, process.parent, process.command) == (5254, 3247, "python3 train.py")


def test_a_user_s_own_columns_are_read() -> None:
    server, dead = of(ProcessListed, read("ps", CONTAINER))
    assert (server.pid, value(server.resident)) == (1, 1601224 * KIB)
    assert (dead.state, value(dead.resident)) == ("Zl", 0)


def test_listings_in_one_file_stay_apart() -> None:
    text = SAMPLES["ps"].strip("\n")
    assert {process.snapshot for process in of(ProcessListed, read("ps", text))} == {1}
    assert read("ps", f"{text}\n\n{text}").lines == 3


def test_rows_of_another_layout_are_another_listing() -> None:
    assert read("ps", f"{AUX}\n{EF}").lines == 1
