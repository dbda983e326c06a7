"""Whether an error's words name something outside the program's own state."""

from __future__ import annotations

import pytest

from analyzer.coverage.decisive import decisive


@pytest.mark.parametrize(
    "text",
    [
        "page_size must be >= 1, got 3",
        "sub-pool names must be unique; got x",
        "The host memory slots should be in SYNCED state",
        "unknown compressed KV layout",
        "double free? mamba_index is None",
        "wait_stream hook is gone",
        "expected 2D buffer, got 3D",
    ],
)
def test_the_program_s_own_state_is_not_decisive(text: str) -> None:
    assert not decisive(text)


@pytest.mark.parametrize(
    "text",
    [
        "MP mode requires --lmcache-config-file",
        "SGLANG_TIMEOUT_KEEP_ALIVE must be positive",
        "checkpoint-engine is not installed",
        "Not enough host memory available",
        "Failed to connect to metadata server",
        "KV layout mismatch: prefill server has a, but decode server has b",
        "the V4.1 KV cache layouts need an SM100 / SM103 GPU",
        "Quantization method not found: unknown quantization method x",
        "HiSparse spec swap currently supports DSA caches only.",
        "LoRA radix cache doesn't support hierarchical cache",
    ],
)
def test_what_the_reader_can_change_is_decisive(text: str) -> None:
    assert decisive(text)
