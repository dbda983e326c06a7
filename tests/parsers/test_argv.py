"""Command lines that start a server are found wherever they stand; lines that only speak of one are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.parsers.argv import command_line, continued, may_go_on

COMMAND = "python3 -m sglang.launch_server --model-path /m/K2.5 --tp 8"
WORDS = ("python3", "-m", "sglang.launch_server", "--model-path", "/m/K2.5", "--tp", "8")


@pytest.mark.parametrize(
    "text",
    [
        "/x/launch_server.py:54: UserWarning: 'python -m sglang.launch_server' is still supported, but 'sglang serve' is the recommended entrypoint.",
        "  Example: sglang serve --model-path <model> [options]",
        "sglang serve --model-path <model>",
        "usage: python -m sglang.launch_server --model-path MODEL",
        "./entrypoint.sh: line 47: 28 Killed python3 -m sglang.launch_server --tp 8",
        'python3 -m sglang.launch_server "$@"',
        "python3 -m sglang.launch_server ...",
        "ps aux | grep 'python3 -m sglang.launch_server --tp'",
        "pkill -f python3 -m sglang.launch_server --tp 8",
        "We ran python -m sglang.launch_server with eight ranks",
        '  File "/sgl-workspace/sglang/python/sglang/launch_server.py", line 14, in <module>',
        "python3 -m sglang.bench_serving --port 30000",
        "use sglang serve to start",
        "python3 -m sglang.launch_server_v2 --tp 8",
        "",
    ],
)
def test_a_line_that_starts_no_server_has_no_command(text: str) -> None:
    assert command_line(text) is None


@pytest.mark.parametrize(
    "text",
    [
        COMMAND,
        f"$ {COMMAND}",
        f"root@host-1:/diagnostic# {COMMAND}",
        f"(sglang) user@host:~$  {COMMAND}",
        f"bash-5.2# {COMMAND}",
        f"+ {COMMAND}",
        f"SGLANG_LOG_MS=1 nohup {COMMAND} > server.log 2>&1 &",
        f"{COMMAND} | tee server.log",
        f"docker run --gpus all -p 30000:30000 lmsysorg/sglang:v0.5.9 {COMMAND}",
        f"root  1187  9.8  0.3 61231844 1655200 ?    Ssl  10:02   1:22 {COMMAND}",
        f"sgl start command: {COMMAND}",
        f"cd /work && {COMMAND}; echo done",
    ],
)
def test_a_command_is_found_in_its_surroundings(text: str) -> None:
    assert command_line(text) == WORDS


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sglang serve --model-path m", ("sglang", "serve", "--model-path", "m")),
        (
            "/opt/venv/bin/python3.12 -u -m sglang.launch_server --tp 2",
            ("/opt/venv/bin/python3.12", "-u", "-m", "sglang.launch_server", "--tp", "2"),
        ),
        ("python -m sglang.launch_server", ("python", "-m", "sglang.launch_server")),
        (
            "python3 -m sglang_router.launch_router --prefill http://a:1",
            ("python3", "-m", "sglang_router.launch_router", "--prefill", "http://a:1"),
        ),
        (
            "python3 -m sglang.launch_server --override '{\"a\": 1}'",
            ("python3", "-m", "sglang.launch_server", "--override", '{"a": 1}'),
        ),
        (
            "python3 -m sglang.launch_server --chat-template 'cut by the wid",
            ("python3", "-m", "sglang.launch_server", "--chat-template", "'cut", "by", "the", "wid"),
        ),
    ],
)
def test_the_words_are_those_of_a_shell(text: str, words: tuple[str, ...]) -> None:
    assert command_line(text) == words


def test_a_command_over_lines_is_put_together() -> None:
    text = "python3 -m sglang.launch_server \\"
    for following in ("  --model-path /m/K2.5 \\", "  --tp 8"):
        assert may_go_on(text)
        longer = continued(text, following)
        assert longer is not None
        text = longer
    assert not may_go_on(text)
    assert command_line(text) == WORDS


def test_an_option_that_a_terminal_broke_is_put_together() -> None:
    longer = continued("python3 -m sglang.launch_server --model-path /m/K2.5 -", "-tp 8")
    assert longer is not None
    assert command_line(longer) == WORDS


def test_the_next_line_of_a_whole_command_is_another() -> None:
    assert continued(COMMAND, "--more") is None


@given(st.text(max_size=120), st.text(max_size=120))
def test_no_text_breaks_it(before: str, after: str) -> None:
    command_line(f"{before} python3 -m sglang.launch_server {after}")
