"""Lines that look like failures and are none: advice, hints, harmless errors, other people's words."""

from __future__ import annotations

from typing import Final

import pytest

from analyzer.catalog import Catalog
from analyzer.evidence import Ref
from analyzer.recognise import Recogniser
from analyzer.records import Record

# Events that say that something broke, was refused, or was killed.
ACCUSING: Final = frozenset(
    {
        "Failure",
        "GpuFault",
        "GpuOutOfMemory",
        "HealthFailed",
        "HostPoolRefused",
        "KilledPrinted",
        "OrchestratorAct",
        "ProbeFailed",
        "RankDead",
        "StopRequested",
        "WatchdogFired",
        "Complaint",
    }
)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return Catalog.load()


def accusations(catalog: Catalog, text: str, *more: str) -> list[str]:
    """The accusing events that a record gives, as `class:pattern`."""
    reader = Recogniser(catalog, "log")
    reader.see(Record(Ref("log", 1, 1 + len(more)), text, list(more)))
    found = ((type(event).__name__, event.where.pattern) for event in reader.finish())
    return [f"{name}:{pattern}" for name, pattern in found if name in ACCUSING]


@pytest.mark.parametrize(
    "advice",
    [
        "Possible solutions:",
        "1. set --mem-fraction-static to a smaller value (e.g., 0.8 or 0.7)",
        "3. disable torch compile by not using --enable-torch-compile",
        "If exit code is -9 (SIGKILL), a common cause is the OS OOM killer.",
        "Run `dmesg -T | grep -i oom` to check.",
        "You need to set proper --max-total-tokens to avoid the out-of-memory error.",
        "Consider increasing --hicache-ratio (or --hicache-size) for higher L2 cache hit rate.",
        "If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",
        "For debugging consider passing CUDA_LAUNCH_BLOCKING=1",
    ],
)
def test_advice_accuses_nobody(catalog: Catalog, advice: str) -> None:
    assert accusations(catalog, advice) == []


@pytest.mark.parametrize(
    "noise",
    [
        "Ignore import error when loading sglang.srt.models.mamba: No module named 'cutlass'",
        "Failed to import amdsmi with ModuleNotFoundError(\"No module named 'amdsmi'\")",
        "Fail to set RLIMIT_NOFILE: current limit exceeds maximum limit",
        (
            "Setup Custom allreduce failed with invalid argument. To silence this warning, specify "
            "--disable-custom-all-reduce explicitly."
        ),
        (
            "Failed to load generation config for org/model: org/model does not appear to have a file named "
            "generation_config.json."
        ),
        'HTTP Request: GET https://huggingface.co/api/models/org/model "HTTP/1.1 404 Not Found"',
        (
            "host-1:75204:75204 [0] NCCL INFO NET/Plugin: Plugin load returned 2 : libnccl-net.so: cannot open shared "
            "object file: No such file or directory"
        ),
        "E0726 08:27:24.151448 16369 rdma_context.cpp:243] Failed to register memory 0x778f: Cannot allocate memory [12]",
        "Lost connection with prefill instance (bootstrap_addr: 192.0.2.1:8998), 0 requests affected",
        "Port 30001 is already in use, trying port 30002",
        "nanobind: leaked 4 instances!",
        'INFO:     192.0.2.7:4711 - "GET /health HTTP/1.1" 503 Service Unavailable',
        "KV cache pool is full. Retract requests. #retracted_reqs: 1, #new_token_ratio: 0.6348 -> 0.7838",
        (
            "Signal handler is not added because the engine is not in the main thread. This disables the SIGQUIT handler "
            "for cleaning up the process tree when a child process fails."
        ),
    ],
)
def test_harmless_errors_of_healthy_servers_accuse_nobody(catalog: Catalog, noise: str) -> None:
    assert accusations(catalog, noise) == []


@pytest.mark.parametrize(
    "words",
    [
        "CUDA error: an illegal memory access was encountered",
        "Not enough host memory available. Requesting 300.00 GB but only have 4.00 GB free",
        "Killed",
        "Watchdog timeout (self.watchdog_timeout=300)",
        "Received sigquit from a child process. It usually means the child failed.",
        "OSError: [Errno 28] No space left on device",
        "Nothing happens, we killed it",
    ],
)
def test_the_words_of_a_users_prompt_accuse_nobody(catalog: Catalog, words: str) -> None:
    dump = f"Receive: obj=GenerateReqInput(rid='7', text='Explain this log:\\n{words}', sampling_params={{}})"
    assert accusations(catalog, dump) == []


@pytest.mark.parametrize(
    "prose",
    [
        "each scheduler uses 103 GB RAM, is this a leak?",
        "tokens/s keeps going down, is something leaking?",
        "we did not change anything since March.",
        "#token keeps rising although all requests finish with 200. KV leak? RAG workload with long documents.",
    ],
)
def test_a_persons_questions_are_no_evidence(catalog: Catalog, prose: str) -> None:
    assert accusations(catalog, prose) == []


def test_a_source_line_of_a_traceback_is_not_what_was_raised(catalog: Catalog) -> None:
    frames = [
        '  File "/srv/engine.py", line 7, in register',
        '    raise RuntimeError("Mooncake memory registration failed.")',
    ]
    assert accusations(catalog, "Traceback (most recent call last):", *frames, "KeyError: 'x'") == []
