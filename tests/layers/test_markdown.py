"""What people put around pasted lines is taken off; what only looks like it stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.layers import markdown, peel

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.layers import Peeled

HEADED = "[2025-08-12 10:00:14 TP0] Init torch distributed begin."
RAISED = "RuntimeError: CUDA error: no kernel image is available for execution on the device"


@pytest.mark.parametrize(
    ("layer", "text"),
    [
        (markdown.markup, "`torch_dtype` is deprecated! Use `dtype` instead!"),
        (markdown.markup, "<unknown function> + 0xe4271b"),
        (markdown.coded, "`torch_dtype` is deprecated! Use `dtype` instead!"),
        (markdown.coded, "` is not a sign"),
        (markdown.coded, "```python"),
        (markdown.titled, "# free -g"),
        (markdown.titled, "### Describe the bug"),
        (markdown.titled, "# [Feature] catch ValueError: too many ranks"),
        (markdown.titled, "# note: RuntimeError: seen yesterday"),
        (markdown.titled, HEADED),
        (markdown.cited, "> GET /health HTTP/1.1"),
        (markdown.cited, "> we saw RuntimeError: no room"),
        (markdown.led, "Error: `torch_dtype` is deprecated"),
        (markdown.led, "Errors such as `ValueError: x` are caught"),
    ],
)
def test_a_line_without_the_marks_stays(layer: Callable[[str], Peeled | None], text: str) -> None:
    assert layer(text) is None


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        (f"# [Bug] {RAISED}", RAISED),
        (f"[Bug] {RAISED}", RAISED),
        (f"## {RAISED}", RAISED),
        ("# [Bug] RTX 5090: RMSNorm failed", "RTX 5090: RMSNorm failed"),
        (
            "# torch.distributed.DistStoreError: 1/2 clients joined",
            "torch.distributed.DistStoreError: 1/2 clients joined",
        ),
        (f"`{RAISED}`", RAISED),
        (f"```{RAISED}```", RAISED),
        (f"`{HEADED}", HEADED),
        (f">{HEADED}", HEADED),
        (f"> > {RAISED}", RAISED),
        ("> Traceback (most recent call last):", "Traceback (most recent call last):"),
        (f"Error message: `{RAISED}`.", RAISED),
    ],
)
def test_a_pasted_line_loses_its_marks(text: str, inner: str) -> None:
    assert peel(text).text == inner


def test_many_quoted_lines_lose_their_marks() -> None:
    peeled = markdown.quoted(f"> > {HEADED}")
    assert peeled is not None
    assert peeled.text == HEADED


@pytest.mark.parametrize(
    "line", ["```", "```text", "<details>", "</details>", "<summary>server log</summary>", "<pre>"]
)
def test_markup_around_a_pasted_log_is_empty(line: str) -> None:
    peeled = markdown.markup(line)
    assert peeled is not None
    assert peeled.text == ""


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("`[2025-11-03 11:56:54] Scheduler hit", "[2025-11-03 11:56:54] Scheduler hit"),
        ("`RuntimeError: use `--x`. free=1`", "RuntimeError: use `--x`. free=1"),
        ("`torch.OutOfMemoryError: CUDA", "torch.OutOfMemoryError: CUDA"),
    ],
)
def test_a_record_or_an_error_loses_the_mark_of_code_around_it_whatever_stands_inside(line: str, text: str) -> None:
    peeled = markdown.coded(line)
    assert peeled is not None
    assert peeled.text == text


@pytest.mark.parametrize("line", ["`--tp` is 8", "```RuntimeError: x"])
def test_other_code_in_a_text_is_left_as_it_is(line: str) -> None:
    assert markdown.coded(line) is None
