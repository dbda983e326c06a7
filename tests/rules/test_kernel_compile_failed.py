"""Kernels that could not be built, or do not fit the chip."""

from __future__ import annotations

import pytest

from analyzer.events import KernelCompile
from tests.build import size, tp, where
from tests.rules.answers import answers, failure, found, numbers

RULE = "kernel-compile-failed"


def test_slow_compilation_is_no_failure() -> None:
    assert answers(RULE, KernelCompile(where=where(5, "10:00:00"), what="DeepGEMM")) == []


def test_on_chip_memory_is_told_from_every_other_kind() -> None:
    text = (
        "triton.runtime.errors.OutOfResources: out of resource: shared memory, Required: 131072, Hardware limit: 65536."
    )
    sizes = {"wanted": size("131072 B", 181), "total": size("65536 B", 181)}
    verdict = found(RULE, failure(RULE, text, 181, "10:00:00", tp(0), detail="shared memory", **sizes))
    assert numbers(verdict) == {"wanted by one kernel block": 131072, "limit of the chip": 65536}
    assert verdict.summary == "a kernel wants 131,072 bytes of on-chip shared memory, the GPU has 65,536 bytes"
    assert "not RAM, not /dev/shm" in verdict.explanation


@pytest.mark.parametrize(("detail", "tool"), [("ninja", "ninja"), ("/usr/local/cuda/bin/nvcc", "nvcc")])
def test_a_build_tool_that_is_not_there_is_named(detail: str, tool: str) -> None:
    text = f"FileNotFoundError: [Errno 2] No such file or directory: '{detail}'"
    verdict = found(RULE, failure(RULE, text, 20, "10:00:34", detail=detail))
    assert verdict.summary == f"a kernel could not be built: the build tool {tool} could not be run"
    assert tool in verdict.remedy[0].action


def test_any_other_failed_build_points_to_the_compiler_s_own_words() -> None:
    line = failure(RULE, "RuntimeError: Ninja build failed. Ninja output:", 20, "10:00:34", detail="Ninja build failed")
    assert "compiler's message" in found(RULE, line).remedy[0].action
