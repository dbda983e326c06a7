"""The general wordings of a refusal claim what refuses a configuration, and no other program's errors."""

from __future__ import annotations

import pytest

from analyzer.catalog import Catalog

MATCHER = Catalog.load().matcher
GENERAL = {"arguments-refused", "pd-peers-mismatched", "storage-settings-refused"}
FRAMES = ['  File "/srv/app.py", line 7, in step', "    step()"]


def claimers(line: str) -> set[str]:
    return {claim.pattern.id for claim in MATCHER.claims("Traceback (most recent call last):", [*FRAMES, line])}


@pytest.mark.parametrize(
    "line",
    [
        "RuntimeError: CUDA error: operation not supported",
        "ValueError: type fp8e4nv not supported in this architecture. The supported fp8 dtypes are ('fp8e4b15', 'fp8e5')",
        "RuntimeError: torch._scaled_mm is only supported on CUDA devices with compute capability >= 9.0 or 8.9",
        "NotImplementedError: Could not run 'aten::mm' with arguments from the 'SparseCUDA' backend.",
        "RuntimeError: Tensors of the same index must be on the same device and layout, got strided",
        "RuntimeError: NCCL error: unhandled system error (run with NCCL_DEBUG=INFO for details)",
        "torch.OutOfMemoryError: CUDA out of memory. See documentation for Memory Management and PYTORCH_CUDA_ALLOC_CONF",
        "RuntimeError: [/pytorch/gloo/transport/tcp/pair.cc:553] Connection closed by peer [192.0.2.9]:41223",
        "RuntimeError: The size of tensor a (4096) must match the size of tensor b (2048) at non-singleton dimension 1",
        "AssertionError: size mismatch, got input (8), mat (8x4096), vec (2048)",
        "ValueError: The checkpoint you are trying to load has model type `qwen9` but Transformers does not recognize this architecture.",
        "RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.",
        "ValueError: Not enough host memory available. Requesting 300.00 GB but only have 83.10 GB free. Please reduce the size of the hierarchical cache.",
        "ValueError: User-provided file is not supported",
    ],
)
def test_an_error_that_refuses_no_configuration_is_left_to_others(line: str) -> None:
    assert not claimers(line) & GENERAL


@pytest.mark.parametrize(
    "line",
    [
        "NotImplementedError: MiniMax-M3 sparse HiCache does not support pipeline parallelism (pp_size>1) yet.",
        "AssertionError: LoRA radix cache doesn't support hierarchical cache",
        "ValueError: Unsupported layout: page_head",
        "AssertionError: simm storage backend only support page first or page first direct layout",
        "ValueError: Encoder DP mode requires --dp-size > 1 and --tp-size 1; got dp_size=1, tp_size=2.",
        "RuntimeError: Staging buffer is not supported on device type 'cpu' (supported: cuda). Unset SGLANG_DISAGG_STAGING_BUFFER to disable it.",
        "ValueError: The environment variable 'MOONCAKE_MASTER' is not set.",
        "ValueError: SGLANG_NPU_HICACHE_MAMBA_IO must be one of ['auto'], got 'x'.",
    ],
)
def test_a_feature_or_an_argument_beside_words_that_refuse_it_is_a_refusal(line: str) -> None:
    assert claimers(line) == {"arguments-refused"}


@pytest.mark.parametrize(
    "line",
    [
        "RuntimeError: MiniMax sparse PD requires matching attention TP sizes: prefill=4, decode=8.",
        "RuntimeError: PD disagg: heterogeneous TP not supported for MiniMax state yet.",
        "ValueError: NIXL PD transfer: decode registered fewer KV regions (60) than prefill (61); unexpected geometry",
        "RuntimeError: KV item lengths (prefill=64, decode=32) do not split into 4 and 8 heads of 32 total with page_size=64",
    ],
)
def test_two_sides_that_are_not_alike_are_a_mismatch_of_peers(line: str) -> None:
    assert claimers(line) == {"pd-peers-mismatched"}
