"""Lines that belong together are told from lines of another writer."""

from __future__ import annotations

import pytest

from analyzer.records import multiline


@pytest.mark.parametrize(
    "text",
    [
        'INFO:     127.0.0.1:5 - "GET /health HTTP/1.1" 200 OK',
        "WARNING: Logging before InitGoogleLogging() is written to STDERR",
        "Killed",
        "Loading safetensors checkpoint shards: 100% Completed | 4/4",
        "[rank3]:[E227 16:30:43.5 ProcessGroupNCCL.cpp:1785] timeout",
        "Fatal Python error: Aborted",
        "OK",
    ],
)
def test_another_writers_line_does_not_end_a_traceback(text: str) -> None:
    assert not multiline.ends_traceback(text) or text in {"Killed", "OK"}


@pytest.mark.parametrize(
    "text",
    [
        "RuntimeError: CUDA error",
        "torch.distributed.DistStoreError: wait timeout",
        "AssertionError",
        "asyncio.exceptions.CancelledError",
        "_get_exception_class.<locals>.Derived: missing 1 argument",
        "OSError: [Errno 28] No space left on device",
    ],
)
def test_the_name_of_an_exception_ends_a_traceback(text: str) -> None:
    assert multiline.ends_traceback(text)


@pytest.mark.parametrize(
    ("head", "text"),
    [
        ("Load weight begin. avail mem=38.97 GB", "Loading safetensors checkpoint shards:   0% Completed | 0/4"),
        ("Capture cuda graph begin.", "  0%|          | 0/23 [00:00<?, ?it/s]"),
        ("Init torch distributed begin.", "[Gloo] Rank 0 is connected to 7 peer ranks."),
        ("The server is fired up and ready to roll!", "Killed"),
        ("Decode batch. #running-req: 1", "key=value from another writer"),
    ],
)
def test_what_another_writer_puts_below_a_message_does_not_belong_to_it(head: str, text: str) -> None:
    assert not multiline.continues(head, text)


@pytest.mark.parametrize(
    ("head", "text"),
    [
        ("Prefill out of memory. Try to lower your batch size.", "Try to allocate 4096 tokens."),
        ("Prefill out of memory. Try to lower your batch size.", "Available tokens: 120"),
        ("token_to_kv_pool_allocator memory leak detected!", "available_size=10, evictable_size=3"),
        ("Pyspy dump for PID 9427:", "Process 9427: sglang::scheduler_TP0"),
        ("Some message", "    with an indented line"),
        ("server_args=ServerArgs(model_path='x', tp_siz", "e=8, dp_size=1, host='0.0.0.0')"),
    ],
)
def test_the_further_lines_of_a_message_belong_to_it(head: str, text: str) -> None:
    assert multiline.continues(head, text)
