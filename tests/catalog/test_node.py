"""A wrong key of a pattern file is named with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.catalog.node import Node
from analyzer.errors import PatternError

if TYPE_CHECKING:
    from collections.abc import Callable

NODE = Node({"a": 1, "b": ["x", ""], "c": "text", "d": {"e": 5}}, "f.toml: pattern p")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: NODE.text("a"),
        lambda: NODE.texts("b"),
        lambda: NODE.flag("c"),
        lambda: NODE.table("c"),
        lambda: NODE.tables("d"),
        lambda: NODE.only("a", "b", "c"),
    ],
)
def test_a_wrong_type_or_an_unknown_key_names_its_place(wrong: Callable[[], object]) -> None:
    with pytest.raises(PatternError, match=r"^f\.toml: pattern p: [abcd]: "):
        wrong()


def test_what_is_allowed_is_said() -> None:
    with pytest.raises(PatternError, match=r"d: unknown key \(allowed: a, b, c\)"):
        NODE.only("a", "b", "c")


def test_a_missing_key_is_empty() -> None:
    empty = Node({}, "f.toml")
    assert (empty.text("x", "y"), empty.texts("x"), empty.flag("x"), empty.tables("x")) == ("y", (), False, [])


def test_one_text_is_a_list_of_one() -> None:
    assert NODE.texts("c") == ("text",)
