"""JSON read token by token, whole or cut."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from analyzer.parsers.json_outline import JsonOutline
from tests.parsers.build_blocks import texts


def scalars(text: str) -> dict[str, str]:
    return {".".join(map(str, leaf.path[1:])): leaf.value for leaf in JsonOutline(texts(text)).leaves}


WANTED = {"a": "1", "b.0.c": "x\ny", "b.1.c": "z", "d": "true"}
TEXT = json.dumps({"a": 1, "b": [{"c": "x\ny"}, {"c": "z"}], "d": True, "e": None, "f": {}, "g": []}, indent=4)


def test_it_is_the_same_in_one_line_or_in_many() -> None:
    assert scalars(TEXT) == scalars(json.dumps(json.loads(TEXT))) == WANTED


def test_it_may_begin_behind_its_first_brace_and_ends_with_its_last() -> None:
    behind = TEXT.removeprefix("{\n") + "\nINFO: started"
    outline = JsonOutline(texts(behind))
    assert scalars(behind) == WANTED
    assert outline.used == TEXT.count("\n")


def test_what_is_cut_tells_what_it_has() -> None:
    assert scalars("\n".join(TEXT.split("\n")[:5])) == {"a": "1", "b.0.c": "x\ny"}


def test_other_text_ends_it() -> None:
    assert JsonOutline(texts('{\n  "a": 1,\nTraceback (most recent call last):')).used == 2


@given(st.text(alphabet='{}[],:"\\ \nab1', max_size=200))
def test_any_text_is_survived(text: str) -> None:
    outline = JsonOutline(texts(text))
    assert 0 <= outline.used <= len(texts(text))


@given(
    st.recursive(
        st.text(max_size=5) | st.integers(0, 9), lambda inner: st.dictionaries(st.text("ab", min_size=1), inner)
    )
)
def test_every_scalar_is_found(value: object) -> None:
    def leaves(held: object) -> list[str]:
        return [leaf for one in held.values() for leaf in leaves(one)] if isinstance(held, dict) else [str(held)]

    whole = {"root": value}
    assert [leaf.value for leaf in JsonOutline(texts(json.dumps(whole, indent=1))).leaves] == leaves(whole)
