"""A catalog finds its patterns by head and by id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.catalog import Catalog
from analyzer.catalog.read import read

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """
[[pattern]]
id = "decode"
table = "DecodeBatch"
form = "fields"
heads = ["Decode batch. ", "Decode batch ["]
ignored = ["mamba num"]
fields.running = { keys = ["#running-req"], unit = "count" }
fields.usage = { keys = ["token usage", "full token usage"], unit = "ratio" }
"""


def test_heads_know_every_key_of_their_columns_and_those_without_one() -> None:
    (head, _) = Catalog(tuple(read(TEXT, "f.toml"))).heads
    columns = {key: column.name if column else None for key, column in head.columns.items()}
    assert columns == {
        "mamba num": None,
        "#running-req": "running_count",
        "token usage": "usage_ratio",
        "full token usage": "usage_ratio",
    }


def test_pairs_are_split_whatever_stands_between_head_and_first_key() -> None:
    plain, counted = Catalog(tuple(read(TEXT, "f.toml"))).heads
    assert counted.text == "Decode batch ["
    assert counted.pairs("Decode batch [12], #running-req: 1, token usage: 0.5, ") == [
        ("#running-req", "1"),
        ("token usage", "0.5"),
    ]
    assert plain.pairs("Decode batch. #running-req: 1, token us") == [("#running-req", "1")]


def test_a_folder_of_the_user_is_loaded_instead_of_the_shipped_one(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(TEXT, "utf-8")
    assert [pattern.id for pattern in Catalog.load([tmp_path]).patterns] == ["decode"]
    assert "weights-loaded" in {pattern.id for pattern in Catalog.load().patterns}
