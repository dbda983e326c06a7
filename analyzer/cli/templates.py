"""The forms into which a report can be filled."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.contract import Report


class Template(StrEnum):
    """What the document is to be filled into."""

    SGLANG_BUG = "sglang-bug"
    POSTMORTEM = "postmortem"


def renderer(template: Template) -> Callable[[Report], str]:
    """The function that fills it in."""
    from analyzer.report.form import render

    return partial(render, template.value)
