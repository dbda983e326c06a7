"""A joined traceback names its process, the exception that was raised first, and the way to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.evidence import Rank, Ref
from analyzer.parsers.traceback import dump, exception, process_of
from analyzer.records import Record

if TYPE_CHECKING:
    from analyzer.events import ExceptionRaised

START = "Traceback (most recent call last):"


def frames(*names: str) -> list[str]:
    return [line for name in names for line in (f'  File "/opt/sglang/srt/{name}.py", line 7, in {name}', "    step()")]


def raised(text: str, *more: str) -> ExceptionRaised:
    event = exception(Record(Ref("s", 1, 9), text, list(more), rank=Rank(tp=3)))
    assert event is not None
    return event


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("Decode batch. #running-req: 1", []),
        (
            "Pyspy dump for PID 9427:",
            ["Process 9427: sglang", 'Thread 9427 (idle): "MainThread"', "    recv (zmq/socket.py:12)"],
        ),
        ("RuntimeError: no traceback with it", []),
        (START, []),
    ],
)
def test_a_record_without_frames_tells_of_no_exception(text: str, more: list[str]) -> None:
    assert exception(Record(Ref("s", 1, 1), text, more)) is None


@pytest.mark.parametrize(
    ("head", "process"),
    [
        ("Scheduler hit an exception: ", "scheduler"),
        ("TpModelWorkerClient hit an exception: ", "scheduler"),
        ("DetokenizerManager hit an exception: ", "detokenizer"),
        ("TokenizerManager hit an exception: ", "tokenizer"),
        ("DataParallelController hit an exception: ", "controller"),
        ("", ""),
        ("Exception in thread Thread-4: ", ""),
    ],
)
def test_the_head_names_the_process(head: str, process: str) -> None:
    event = raised(head + START, *frames("run"), "EOFError")
    assert (event.process, event.where.speaker, event.where.rank) == (process, process, Rank(tp=3))
    assert process_of(head) == process


def test_type_message_and_frames_are_those_of_the_exception() -> None:
    event = raised(
        START, *frames("scheduler", "loader"), "torch.OutOfMemoryError: CUDA out of memory. Tried: 2 GiB", "more of it"
    )
    assert (event.type, event.message) == ("torch.OutOfMemoryError", "CUDA out of memory. Tried: 2 GiB")
    assert event.frames == ("scheduler.py:scheduler", "loader.py:loader")
    assert event.text == "torch.OutOfMemoryError: CUDA out of memory. Tried: 2 GiB"


def test_of_a_chain_the_first_is_the_root_and_the_last_the_text() -> None:
    event = raised(
        "Scheduler hit an exception: " + START, *frames("pool"), "RuntimeError: no memory", "",
        "During handling of the above exception, another exception occurred:", "", START, *frames("capture"),
        "Exception: Capture cuda graph failed: no memory",
    )  # fmt: skip
    assert (event.type, event.message, event.frames) == ("RuntimeError", "no memory", ("pool.py:pool",))
    assert event.text == "Exception: Capture cuda graph failed: no memory"


def test_an_exception_without_a_message_has_none() -> None:
    event = raised(START, *frames("run"), "AssertionError")
    assert (event.type, event.message, event.text) == ("AssertionError", "", "AssertionError")


def test_a_traceback_that_was_cut_has_frames_and_no_type() -> None:
    event = raised(START, *frames("run", "go"))
    assert (event.type, event.frames) == ("", ("run.py:run", "go.py:go"))


def test_a_deep_traceback_keeps_its_outermost_and_its_innermost_frames() -> None:
    event = raised(START, *frames(*(f"f{n}" for n in range(40))), "EOFError")
    assert event.frames == tuple(f"f{n}.py:f{n}" for n in (*range(6), *range(22, 40)))


@pytest.mark.parametrize("head", ["ERROR:    Exception in ASGI application", "Task exception was never retrieved"])
def test_a_writer_that_goes_on_is_told(head: str) -> None:
    assert raised(head, START, *frames("app"), "KeyError: 'x'").handled


def test_a_process_that_dies_of_it_did_not_handle_it() -> None:
    assert not raised("Scheduler hit an exception: " + START, *frames("run"), "EOFError").handled


@given(
    st.lists(
        st.one_of(st.text(max_size=40), st.sampled_from([START, '  File "/a.py", line 1, in f', "EOFError", "A: b"])),
        max_size=20,
    )
)
def test_no_text_breaks_it(more: list[str]) -> None:
    exception(Record(Ref("s", 1, 1), START, more))


@pytest.mark.parametrize(
    ("function", "process"),
    [
        ("run_scheduler_process", "scheduler"),
        ("event_loop_overlap", "scheduler"),
        ("run_detokenizer_process", "detokenizer"),
        ("prepare_server_args", "main"),
        ("run_asgi", ""),
    ],
)
def test_without_a_head_the_function_that_is_a_process_s_whole_life_names_it(function: str, process: str) -> None:
    assert raised(START, *frames(function, "forward"), "RuntimeError: x").process == process


def test_the_launcher_s_own_file_names_the_main_process_in_any_part_of_a_chain() -> None:
    lines = [*frames("tokenization"), "TypeError: x", "", *frames("launch_server"), "ImportError: y"]
    assert raised(START, *lines).process == "main"


def test_of_a_long_way_the_event_loop_stands_last_among_the_outermost_functions() -> None:
    names = [*(f"wrapper{i}" for i in range(9)), "event_loop_overlap", *(f"f{i}" for i in range(30))]
    kept = raised(START, *frames(*names), "RuntimeError: x").frames
    assert kept[4:7] == ("wrapper4.py:wrapper4", "event_loop_overlap.py:event_loop_overlap", "f12.py:f12")
    assert kept[-1] == "f29.py:f29"


def test_a_head_that_names_a_process_needs_no_frames() -> None:
    event = raised(f"Scheduler hit an exception: {START}", "RuntimeError: Failed to set up the store")
    assert (event.process, event.type, event.message) == ("scheduler", "RuntimeError", "Failed to set up the store")
    assert event.frames == ()


def test_a_head_that_names_the_process_tells_of_its_end_although_all_below_is_cut() -> None:
    event = raised(f"Scheduler hit an exception: {START}", '  File "/opt/sgl')
    assert (event.process, event.type, event.frames) == ("scheduler", "", ())


@pytest.mark.parametrize(
    ("frame", "process"),
    [
        ('  File "/opt/other/engine/loader.py", line 7, in load_model', ""),
        ('  File "/opt/sglang/srt/lora/lora.py", line 7, in load_lora', ""),
        ('  File "/opt/sglang/srt/model_loader/loader.py", line 7, in load_model', "scheduler"),
        ('  File "/opt/other/__init__.py", line 7, in <module>', ""),
        ('  File "/opt/site-packages/sglang/__init__.py", line 5, in <module>', "main"),
    ],
)
def test_a_step_of_a_start_in_sglang_s_own_code_names_the_process(frame: str, process: str) -> None:
    assert raised(START, frame, "    step()", "KeyError: 'x'").process == process


def test_a_traceback_copied_out_of_a_json_string_keeps_its_escapes() -> None:
    lines = [
        '  File \\"/srt/managers/scheduler.py\\", line 9, in event_loop_normal',
        "    result = self.run_batch(batch)",
        "A: b",
    ]
    assert raised(START, *lines).frames == ("scheduler.py:event_loop_normal",)


def test_a_loop_whose_frame_was_cut_off_is_known_by_the_line_that_entered_it() -> None:
    entered = [*frames("run_scheduler_process"), "    scheduler.event_loop_overlap()", *frames("decorate_context")]
    cut = raised(f"Scheduler hit an exception: {START}", *entered)
    assert (cut.type, cut.frames[-1]) == ("", "scheduler.py:event_loop_overlap")
    whole = raised(START, *entered, *frames("event_loop_overlap"), "A: b")
    assert whole.frames == (
        "run_scheduler_process.py:run_scheduler_process",
        "decorate_context.py:decorate_context",
        "event_loop_overlap.py:event_loop_overlap",
    )


def test_where_a_scheduler_was_made_is_known_by_the_line_that_made_it() -> None:
    cut = raised(
        f"Scheduler hit an exception: {START}", *frames("run_scheduler_process"), "    scheduler = Scheduler(a)"
    )
    assert cut.frames[-1] == "scheduler.py:__init__"


def test_a_thread_of_a_process_that_crashed_is_told_from_its_outermost_call_on() -> None:
    more = ['  File "/srt/managers/scheduler.py", line 9 in event_loop_normal', '  File "<string>", line 1 in <module>']
    stood = dump(Record(Ref("s", 1, 3), '  File "/torch/cuda/streams.py", line 224 in synchronize', more))
    assert stood is not None
    assert stood.value == "scheduler.py:event_loop_normal\nstreams.py:synchronize"


def test_a_thread_that_loads_a_model_is_the_server_s_in_sglang_s_own_code() -> None:
    frame = '  File "/opt/{}/loader.py", line 377 in load_model'
    assert dump(Record(Ref("s", 1, 1), frame.format("sglang/srt/model_loader"), [])) is not None
    assert dump(Record(Ref("s", 1, 1), frame.format("other/engine"), [])) is None


def test_another_program_s_thread_is_nobody_s() -> None:
    assert dump(Record(Ref("s", 1, 1), '  File "/usr/lib/python3.10/threading.py", line 953 in run', [])) is None
