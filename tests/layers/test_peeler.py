"""Wrappers come off in any order, and the ambiguous ones only where the file's head shows them."""

from __future__ import annotations

import json
from datetime import datetime
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.layers import Peeled, Peeler, peel

HEADED = "[2025-08-12 10:00:14 TP0] Init torch distributed begin."
PROGRESS = "Loading safetensors checkpoint shards:   0% Completed | 0/4 [00:00<?, ?it/s]"


@pytest.mark.parametrize(
    "text",
    [
        HEADED,
        PROGRESS,
        "[gpu=0] Init nccl begin.",
        "[rank3]:[E227 16:30:43.526290891 ProcessGroupNCCL.cpp:1785] [PG ID 2] timeout",
        '  File "/a/b.py", line 12, in run',
        "| 0   N/A  N/A      4170      C   sglang::scheduler_TP0               70000MiB |",
        "eth0 | up",
        "1: lo: <LOOPBACK,UP> mtu 65536",
        "> not a quote",
        'INFO:     127.0.0.1:5 - "GET /health HTTP/1.1" 200 OK',
        "{'model_path': 'x'}",
    ],
)
def test_a_line_without_wrappers_stays_as_it_is(text: str) -> None:
    assert peel(text) == Peeled(text)


@pytest.mark.parametrize("text", [f"│ {HEADED}         │", f"{HEADED}         │", f"┃ {HEADED} ┃"])
def test_the_frame_of_a_pane_comes_off_on_both_sides(text: str) -> None:
    peeled = peel(text)
    assert peeled.text == HEADED
    assert "frame" in peeled.names


def test_a_line_by_itself_needs_no_peeler_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    peel("a")
    monkeypatch.setattr("analyzer.layers.peeler.Peeler", None)
    assert peel("(Engine pid=9, ip=192.0.2.7) b").node == "192.0.2.7"


def test_a_line_that_only_ends_in_such_a_character_stays() -> None:
    assert peel("a │ b │").text == "a │ b │"


def test_origins_are_told_apart_by_whatever_stands_before_their_lines() -> None:
    head = [f"2025-08-12T10:00:14Z {name} {text}" for name in ("sgl/a/0x", "sgl/b/1y") for text in [HEADED] * 3 + ["a"]]
    peeler = Peeler(head)
    assert [peeler.peel(text).node for text in head] == ["sgl/a/0x"] * 4 + ["sgl/b/1y"] * 4
    assert [peeler.peel(text).text for text in head] == ([HEADED] * 3 + ["a"]) * 2


def test_what_stands_before_few_headers_is_no_origin() -> None:
    head = [*[HEADED] * 6, *[f"Loading: 100% {HEADED}"] * 3, *[f"compiling kernels {HEADED}"] * 3]
    assert not Peeler(head).told


def test_services_are_told_behind_the_time_of_a_journal() -> None:
    head = [f"Aug 12 10:00:14 inf07 up[7]: \x1b[33msgl-{name}  | \x1b[0m{HEADED}" for name in "ababab"]
    assert [Peeler(head).peel(text).node for text in head] == [f"sgl-{name}" for name in "ababab"]


def test_a_time_in_brackets_before_every_line_is_no_header_of_its_own() -> None:
    head = [f"[2025-08-12 10:00:14] {text}" for text in [HEADED] * 3 + ["  work()"]]
    peeler = Peeler(head)
    assert [peeler.peel(text).text for text in head] == [HEADED] * 3 + ["  work()"]
    assert not Peeler(["[2025-08-12 10:00:14] server_args=x", *[HEADED] * 3]).told


def test_messages_alone_in_quotes_are_unquoted() -> None:
    head = [json.dumps(f"{text}\n") for text in [HEADED] * 3 + ['  File "a.py"']]
    peeler = Peeler(head)
    assert [peeler.peel(text).text for text in head] == [HEADED] * 3 + ['  File "a.py"']
    assert peel(head[-1]).text == head[-1]


WRAPS = {
    "cri": lambda text: f"2025-08-12T10:00:14.5Z stdout F {text}",
    "json": lambda text: json.dumps({"message": text, "time": "2025-08-12T10:00:14.5Z"}),
    "ray": lambda text: f"(Engine pid=9, ip=192.0.2.7) {text}",
    "syslog": lambda text: f"Aug 12 10:00:14 inf07 sgl[1]: {text}",
}


@pytest.mark.parametrize("names", list(permutations(WRAPS, 3)), ids="-".join)
def test_wrappers_come_off_in_any_order(names: tuple[str, ...]) -> None:
    text = HEADED
    for name in reversed(names):
        text = WRAPS[name](text)
    peeled = Peeler([text]).peel(text)
    assert peeled.text == HEADED
    assert peeled.names == names
    assert peeled.stamp is not None


def test_colours_are_taken_off_inside_and_outside() -> None:
    peeled = peel("\x1b[36m(Engine pid=9, ip=192.0.2.7)\x1b[0m \x1b[1;33mwarned\x1b[0m")
    assert (peeled.text, peeled.names) == ("warned", ("ansi", "ray"))


def test_trailing_blanks_go_and_a_terminals_padding_is_named() -> None:
    assert peel("queue-req: 0, ") == Peeled("queue-req: 0,")
    assert peel("line" + " " * 40) == Peeled("line", names=("padding",))


def test_compose_is_believed_where_headers_stand_behind_the_service() -> None:
    head = [f"sglang-1  | {HEADED}"] * 3 + [PROGRESS] * 20
    peeler = Peeler(head)
    assert peeler.peel("sglang-1  | Killed") == Peeled("Killed", None, "sglang-1", ("compose",))
    assert peeler.peel(PROGRESS) == Peeled(PROGRESS)


def test_a_table_with_bars_is_not_compose() -> None:
    table = ["name  | value", "a     | 1", "b     | 2", "---", "x", "y", "z"]
    assert Peeler(table).peel(table[0]) == Peeled(table[0])


def test_numbers_that_grow_before_headers_are_those_of_grep() -> None:
    head = [f"{n}:{HEADED}" for n in (3, 17, 118)]
    assert Peeler(head).peel(head[1]) == Peeled(HEADED, names=("grep",))


def test_numbers_that_repeat_before_headers_are_tasks() -> None:
    head = [f"{n}: {HEADED}" for n in (0, 1, 0, 1)]
    assert Peeler(head).peel(head[1]) == Peeled(HEADED, None, "1", ("slurm",))


def test_a_numbered_list_of_something_else_stays() -> None:
    head = ["1: lo    inet 127.0.0.1/8", "2: eth0    inet 192.0.2.7/24", "3: ib0    inet 198.51.100.7/24"]
    assert Peeler(head).peel(head[0]) == Peeled(head[0])


def test_quote_marks_are_believed_where_many_lines_have_them() -> None:
    head = ["my server crashed:", "", "> " + HEADED, "> Killed", "> "]
    assert Peeler(head).peel("> Killed") == Peeled("Killed", names=("markdown",))


def test_an_unknown_prefix_before_most_headers_is_learned() -> None:
    head = [f"<worker-{n}> {HEADED}" for n in (1, 2, 10)] + ["<worker-1> Killed"]
    assert Peeler(head).peel("<worker-3> Killed") == Peeled("Killed", None, "worker-3", ("prefix",))


def test_bars_that_headers_are_glued_to_are_no_prefix() -> None:
    head = [f"100%|██| 4/4 [00:0{n}<00:00]{HEADED}" for n in range(3)] + [HEADED] * 9
    assert Peeler(head).peel(head[0]) == Peeled(head[0])


FREE = (
    "               total        used        free      shared  buff/cache   available",
    "Mem:            2015         215        1701           5          99        1800",
    "Swap:              0           0           0",
)


def kind_of(text: str) -> str:
    """What two parsers of snapshots would say."""
    return "free" if text.startswith("      ") else "uptime" if " up " in text else ""


@pytest.mark.parametrize(
    "head",
    [
        [f"{host}: {line}" for line in FREE for host in ("alpha", "beta")],
        [f"{host}: {line}" for host in ("192.0.2.1", "192.0.2.2") for line in FREE],
        [f"{host}: {HEADED}" for host in ("alpha", "beta") * 3],
        ["alpha:  10:30:01 up 5 days", "beta:  10:30:01 up 9 days", "root@head:~# pdsh -a uptime"],
        [f"{host}: 2025-08-12T10:00:14.5Z stderr F {HEADED}" for host in ("alpha", "beta") * 3],
    ],
    ids=["snapshots mixed", "snapshots in turn", "logs", "a line each", "logs of a runtime"],
)
def test_words_before_the_same_outputs_are_hosts(head: list[str]) -> None:
    peeler = Peeler(head, kind_of)
    peeled = peeler.peel(head[0])
    assert (peeled.node, peeled.names[0]) == (head[0].partition(": ")[0], "host")
    assert peeler.peel(f"gamma: {HEADED}").node == "gamma", "a record behind a further word makes it a host"
    assert peeler.peel("TypeError: x") == Peeled("TypeError: x")


@pytest.mark.parametrize(
    "head",
    [
        [f"{word}: {HEADED}" for word in ("INFO", "WARNING") * 3],
        [f"{word}: {HEADED}" for word in ("stdout", "stderr") * 3],
        [f"{word}: {HEADED}" for word in ("ray", "kernel") * 3],
        [f"{word}: {HEADED}" for word in ("TypeError", "ValueError") * 3],
        [f"{word}: {HEADED}" for word in ("rank0", "rank1") * 3],
        [f"{word}: {HEADED}" for word in ("gpu0", "gpu1") * 3],
        [f"rank{n}: {line}" for n in range(2) for line in FREE],
        [f"{word}: {HEADED}" for word in ("I", "W") * 3],
        [f"10:02:{second}: {HEADED}" for second in (51, 52) * 3],
        [f"t10h02m{second}: {HEADED}" for second in (51, 52) * 3],
        [f"at10:02:{second}: {line}" for second in (51, 52) for line in FREE],
        ["Mem: 2015 215", "Swap: 0 0", FREE[0]] * 3,
        ["date: 10:30:01 up 5 days", f"free: {FREE[0]}", f"free: {FREE[1]}", "date: b"] * 3,
        [f"alpha: {line}" for line in FREE] + [f"beta: {line}" for line in ("a", "b", "c")],
        [f"alpha: {line}" for line in FREE] * 3,
        ["alpha:  10:30:01 up 5 days", "beta:  10:30:01 up 9 days"],
        [f"{host}: {HEADED}" for host in ("alpha", "beta") * 3] + [HEADED] * 10,
        ["model: a", "tokenizer: b", "device: cuda"] * 3,
    ],
    ids=[
        "levels", "streams", "programs", "exceptions", "ranks", "devices", "snapshots of ranks", "letters", "times", "times in letters", "times behind a word", "free itself",
        "labels of a script", "something else below", "one host", "a line each", "few of the lines", "settings",
    ],
)  # fmt: skip
def test_other_words_before_a_colon_are_no_hosts(head: list[str]) -> None:
    peeler = Peeler(head, kind_of)
    assert not any("host" in peeler.peel(text).names for text in head)


def test_a_json_document_over_many_lines_gives_its_messages() -> None:
    entries = [{"insertId": "a1", "textPayload": f"{HEADED}\nline {n}", "labels": {"pod": "p"}} for n in range(3)]
    lines = json.dumps(entries, indent=2).split("\n")
    peeler = Peeler(lines)
    assert [peeler.peel(line).text for line in lines if peeler.peel(line).text] == [
        f"{HEADED}\nline {n}" for n in range(3)
    ]


def test_a_json_document_of_something_else_stays() -> None:
    lines = json.dumps([{"message": "Back-off restarting", "count": 3}] * 5, indent=2).split("\n")
    assert [Peeler(lines).peel(line).text for line in lines] == lines


def test_the_year_of_syslog_times_comes_from_the_headers() -> None:
    head = [f"Aug 12 10:00:14 inf07 sgl[1]: {HEADED}", "Aug 12 10:00:20 inf07 systemd[1]: sgl.service: Failed"]
    stamp = Peeler(head).peel(head[1]).stamp
    assert stamp is not None
    assert stamp.moment == datetime(2025, 8, 12, 10, 0, 20)


@given(st.lists(st.text(max_size=80), max_size=8), st.text(max_size=200))
def test_no_text_breaks_it_and_a_peeled_line_is_peeled(head: list[str], text: str) -> None:
    peeler = Peeler(head)
    once = peeler.peel(text)
    assert len(once.names) <= 18  # at most eight wrappers, colours, padding


@pytest.mark.parametrize(
    "prefix", ["Apr 10 09:00:2{n} ", "09:00:2{n} ", "171234567{n}.25 ", "[{n}] 09:00:0{n} | ", "10.04.2026 09:00:2{n};"]
)
def test_a_time_before_each_line_is_nobody_s_name(prefix: str) -> None:
    head = [prefix.format(n=n) + HEADED for n in range(6)]
    peeler = Peeler(head)
    assert {peeler.peel(text).node for text in head} == {""}
    assert {peeler.peel(text).text for text in head} == {HEADED}
