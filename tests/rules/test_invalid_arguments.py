"""Configurations that the server refuses, by its words or by where it raises."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import ServerReady
from analyzer.vocabulary import Status
from tests.build import tp, where
from tests.rules.answers import answers, cleared, failure, found, numbers, raised, report_on, root_of

if TYPE_CHECKING:
    from pathlib import Path

    from analyzer.events import Failure

RULE = "invalid-arguments"
NODES = "AssertionError: tp_size must be divisible by number of nodes"
START = "python3 -m sglang.launch_server --model-path /m"


def refused(detail: str, text: str = "", line: int = 9) -> Failure:
    return failure(RULE, text or f"ValueError: {detail}", line, "10:00:00", detail=detail)


def test_a_warning_about_an_argument_is_cleared() -> None:
    assert "worked on" in cleared(RULE, refused("--x is not supported"), ServerReady(where=where(30, "10:02:00")))


def test_a_request_that_is_refused_while_serving_is_no_configuration() -> None:
    request = refused("Input is not supported with this model", "ValueError: Input is not supported with this model")
    assert "did not end the server" in cleared(RULE, ServerReady(where=where(3, "09:59:50")), request)


def test_an_assertion_elsewhere_is_no_refusal() -> None:
    assert answers(RULE, raised("AssertionError", "", 5, "10:00:00", frames=("batch.py:prepare",))) == []


def test_an_error_of_the_model_inside_the_checks_is_left_to_its_own_finding() -> None:
    error = raised("ValueError", "model type", 5, "10:00:00", frames=("server_args.py:__post_init__",), process="main")
    assert answers(RULE, error, failure("model-not-supported", "ValueError: model type", 5, "10:00:00")) == []


def test_a_check_without_known_words_is_told_by_its_place() -> None:
    error = raised(
        "ValueError", "flux must be set", 5, "10:00:00", frames=("validation_hook.py:check",), process="main"
    )
    verdict = found(RULE, error)
    assert verdict.summary == "the server refused its configuration: flux must be set"
    assert verdict.status is Status.ESTABLISHED


def test_ranks_that_the_nodes_do_not_divide_get_numbers_of_nodes_that_do() -> None:
    verdict = found(RULE, refused(NODES.partition(": ")[2], NODES), argv=f"{START} --tp 8 --nnodes 3 --node-rank 0")
    assert numbers(verdict) == {"tp_size": 8, "nnodes": 3, "ranks per node": 8 / 3}
    remedy = verdict.remedy[0]
    assert remedy.action.startswith("start on 1 or 2 or 4 or 8 nodes"), "the divisors of 8"
    assert remedy.command_line == f"{START} --tp 8 --nnodes 2 --node-rank 0", "2 and 4 are as near to 3"


def test_of_two_switches_that_exclude_each_other_one_is_dropped_from_the_command() -> None:
    text = "The arguments enable-hierarchical-cache and disable-radix-cache are mutually exclusive"
    remedy = found(RULE, refused(text), argv=f"{START} --enable-hierarchical-cache --disable-radix-cache").remedy[0]
    assert remedy.action == "drop one of --enable-hierarchical-cache and --disable-radix-cache"
    assert remedy.command_line == f"{START} --enable-hierarchical-cache"


def test_an_unknown_flag_gets_the_nearest_known_one() -> None:
    remedy = found(RULE, refused("unrecognized arguments: --max-total-token-count 4096")).remedy[0]
    assert (remedy.before, remedy.after) == ("--max-total-token-count", "--max-total-tokens")


def test_a_rank_without_a_gpu_of_its_own_is_set_against_what_was_asked_for(tmp_path: Path) -> None:
    log = (
        "[2026-02-17 10:00:00] server_args=ServerArgs(model_path='/m', tp_size=16, port=30000)\n"
        "[2026-02-17 10:00:10 TP8] Scheduler hit an exception: Traceback (most recent call last):\n"
        '  File "/x/sglang/srt/managers/scheduler.py", line 2439, in run_scheduler_process\n'
        "    scheduler = Scheduler(\n"
        "torch.AcceleratorError: CUDA error: invalid device ordinal\n"
        "\n"
        "[2026-02-17 10:00:11] Received sigquit from a child process. It usually means the child failed.\n"
    )
    listing = "GPU 0: NVIDIA L4 (UUID: GPU-1)\n"
    report = report_on(tmp_path, server_log=log, list_txt=listing)
    assert (report.verdict.outcome, report.verdict.finding) == ("launch-failed", RULE)
    assert report.verdict.status == "supported", "a driver that lost its cards says the same"
    assert ("tp_size", 16) in {(step.name, step.value) for step in root_of(report).calculation}


def test_a_weight_that_the_ranks_do_not_divide_is_the_configuration_s() -> None:
    text = "Weight input_size_per_partition = 14784 is not divisible by min_thread_k = 128"
    line = failure(
        RULE, f"ValueError: {text}. Consider reducing tensor_parallel_size", 66, "10:00:00", tp(0), detail=text
    )
    assert found(RULE, line).summary == f"the server refused its configuration: {text}"


REQUEST = """\
[2026-02-17 10:00:00] server_args=ServerArgs(model_path='/m', tp_size=1, port=30000)
[2026-02-17 10:01:00] The server is fired up and ready to roll!
[2026-02-17 10:02:30] ERROR:    Exception in ASGI application
Traceback (most recent call last):
  File "/x/uvicorn/protocols/http/httptools_impl.py", line 401, in run_asgi
    result = await app(
  File "/x/sglang/srt/entrypoints/openai/serving_chat.py", line 88, in handle
    raise ValueError("x")
ValueError: Tool choice is not supported with this model
"""


def test_a_request_that_fails_in_such_words_leaves_the_server_ready(tmp_path: Path) -> None:
    report = report_on(tmp_path, server_log=REQUEST)
    assert (report.verdict.outcome, report.verdict.finding) == ("ready", None)


def test_no_visible_gpu_is_no_matter_of_arguments_where_the_driver_does_not_start() -> None:
    unseen = failure(RULE, "RuntimeError: No accelerator (CUDA) is available.", 9, "10:00:00", pattern="no-such-gpu")
    assert found(RULE, unseen).summary.startswith("a rank does not see a GPU of its own")
    text = "Error 802: system not yet initialized"
    driver = failure("package-mismatch", text, 8, "10:00:00", pattern="driver-mismatch")
    assert "CUDA itself does not start" in cleared(RULE, driver, unseen)
