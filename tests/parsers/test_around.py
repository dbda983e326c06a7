"""Echoed commands and banners are told from log lines, with the times that they print."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.evidence import Ref, Stamp
from analyzer.parsers.around import Seen, Surroundings, banner, echoed, time_in
from analyzer.parsers.block import Text

HEADED = Stamp("10:06:42", datetime(2026, 2, 17, 10, 6, 42))


def line(text: str, number: int = 1) -> Text:
    return Text(text, Ref("s", number, number))


@pytest.mark.parametrize(
    "text",
    [
        "[2026-02-17 10:02:51 TP1] Load weight begin.",
        "[aiter] import [module]",
        "+-----------------------------------------+",
        "|=========================================|",
        "Mem:             449         439           8",
        "",
        "user@example.com wrote this",
        "(EngineCore pid=7) loading",
        "-rw-r--r-- 1 root root 12 a.log",
        "START",
    ],
)
def test_other_lines_say_nothing(text: str) -> None:
    assert Surroundings("s").see(line(text)) is None


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("$ free -g", "free -g"),
        ("# free -g", "free -g"),
        ("root@host-1:~# nvidia-smi", "nvidia-smi"),
        ("(base) user@host:/data/x$ df -h", "df -h"),
        ("[root@host-1 ~]# dmesg -T", "dmesg -T"),
        ("root@host-1 ~ # dmesg -T", "dmesg -T"),
        ("user@host-1 /data/x % dmesg -T", "dmesg -T"),
        ("bash-5.2# ps aux", "ps aux"),
        ("+ vmstat 1 5", "vmstat 1 5"),
        ("root@host-1:~#", ""),
    ],
)
def test_a_prompt_echoes_a_command(text: str, command: str) -> None:
    assert echoed(text) == command


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("=== node0 ===", "node0"),
        ("--- memory ---", "memory"),
        ("##### GPUs #####", "GPUs"),
        ("# 08:58 before starting server B", "08:58 before starting server B"),
        ("# on the host", "on the host"),
        ("START 23:37:33 INT4", "23:37:33 INT4"),
    ],
)
def test_a_banner_says_what_follows(text: str, label: str) -> None:
    assert banner(text) == label
    assert echoed(text) is None


@pytest.mark.parametrize("label", ["on the host", "Mar 5", "port 30000", "v0.5.9", "16:9 screens of 1:2"])
def test_a_label_without_a_time_has_none(label: str) -> None:
    assert time_in(label) is None


@pytest.mark.parametrize(
    ("label", "moment"),
    [
        ("08:58 before starting", datetime(1900, 1, 1, 8, 58)),
        ("09:01:10", datetime(1900, 1, 1, 9, 1, 10)),
        ("at 2026-02-17 10:12:41", datetime(2026, 2, 17, 10, 12, 41)),
        ("Tue Nov  4 12:00:05 2025", datetime(2025, 11, 4, 12, 0, 5)),
    ],
)
def test_a_labels_time_is_read(label: str, moment: datetime) -> None:
    stamp = time_in(label)
    assert stamp is not None
    assert stamp.moment == moment


def test_a_block_stands_under_its_command_and_banner() -> None:
    surroundings = Surroundings("snap.txt")
    assert surroundings.see(line("# 09:12 server B stuck")) == Seen(
        label="09:12 server B stuck", stamp=time_in("09:12")
    )
    assert surroundings.see(line("$ free -g")) == Seen(command="free -g")
    around = surroundings.around(line("Mem: 1"))
    assert (around.source, around.command, around.label) == ("snap.txt", "free -g", "09:12 server B stuck")
    assert around.stamp is not None
    assert around.stamp.moment.time().isoformat() == "09:12:00"


def test_only_the_line_below_an_echo_answers_it() -> None:
    surroundings = Surroundings("s")
    assert not surroundings.echoed_just_now(line("x", 1))
    surroundings.see(line("$ cat memory.max", 1))
    assert surroundings.echoed_just_now(line("107374182400", 2))
    assert not surroundings.echoed_just_now(line("x", 3))


def test_a_time_that_a_command_printed_dates_what_follows() -> None:
    surroundings = Surroundings("s")
    surroundings.dated(HEADED)
    surroundings.dated(None)
    assert surroundings.around(line("x")).stamp == HEADED


def test_a_time_further_down_begins_another_look() -> None:
    surroundings = Surroundings("s")
    for text in ("=== before ===", "$ free -g", "$ date", "Tue Feb 17 10:12:41 UTC 2026"):
        surroundings.see(line(text))
    surroundings.dated(HEADED)
    around = surroundings.around(line("x"))
    assert (around.label, around.stamp) == ("", HEADED)


def test_a_time_right_below_a_banner_is_the_banners() -> None:
    surroundings = Surroundings("s")
    for text in ("=== before ===", "$ date -u", "Tue Feb 17 10:12:41 UTC 2026"):
        surroundings.see(line(text))
    surroundings.dated(HEADED)
    assert surroundings.around(line("x")).label == "before"


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("server.log", ""),
        ("memory.txt", ""),
        ("memory.max", "cat memory.max"),
        ("b.tar!sys/fs/cgroup/memory.events.txt", "cat sys/fs/cgroup/memory.events"),
    ],
)
def test_the_name_of_a_copied_cgroup_file_stands_for_its_command(name: str, command: str) -> None:
    surroundings = Surroundings(name)
    assert surroundings.around(line("x")).command == command
    assert surroundings.echoed_just_now(line("x")) == bool(command)


def test_the_title_of_watch_names_command_and_time() -> None:
    surroundings = Surroundings("s")
    seen = surroundings.see(line("Every 1.0s: free -h            gpu-1: Fri Dec 19 14:23:21 2025"))
    assert seen is not None
    assert (seen.command, seen.stamp and seen.stamp.moment) == ("free -h", datetime(2025, 12, 19, 14, 23, 21))
    assert surroundings.around(line("x")).stamp == seen.stamp
    assert surroundings.see(line("Every 10 s: free -h")) is None


def test_a_new_banner_ends_the_command_above_it() -> None:
    surroundings = Surroundings("s")
    surroundings.see(line("$ free -g"))
    surroundings.see(line("=== disks ==="))
    assert surroundings.around(line("x")).command == ""


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("=== nproc ===", "nproc"),
        ("--- cat /proc/loadavg ---", "cat /proc/loadavg"),
        ("==> /proc/loadavg <==", "cat /proc/loadavg"),
        ("=== getconf PAGE_SIZE ===", "getconf PAGE_SIZE"),
        ("=== top of the log ===", ""),
        ("=== nproc of the second host ===", ""),
        ("==> /var/log/server.log <==", ""),
    ],
)
def test_a_banner_may_be_the_command_itself_or_a_file_of_the_kernel_s(text: str, command: str) -> None:
    surroundings = Surroundings("s")
    surroundings.see(line(text))
    assert surroundings.around(line("x")).command == command


def test_a_log_header_ends_what_was_echoed_and_gives_the_time() -> None:
    surroundings = Surroundings("s")
    surroundings.see(line("# 09:12 stuck"))
    surroundings.see(line("$ free -g"))
    surroundings.logged()
    around = surroundings.around(line("x"), HEADED)
    assert (around.command, around.label, around.stamp) == ("", "", HEADED)


@given(st.text(max_size=300))
def test_no_text_breaks_it(text: str) -> None:
    surroundings = Surroundings("s")
    surroundings.see(line(text))
    surroundings.see(line("# " + text))
    time_in(text)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("$ ansible all -a 'free -m'", "free -m"),
        ('root@head:~# for h in a b; do ssh $h "free -m"; done', "free -m"),
        ("$ pdsh -w a,b free -m", "pdsh -w a,b free -m"),
        ("$ grep 'ssh' x", "grep 'ssh' x"),
    ],
)
def test_what_is_quoted_for_another_host_is_the_command(text: str, command: str) -> None:
    assert echoed(text) == command
