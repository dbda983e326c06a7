"""A finished document is searched as its reader can read it."""

from __future__ import annotations

import pytest

from analyzer.redact.second_look import readings


@pytest.mark.parametrize(
    "written",
    [
        "at gpu-w07.acme.com now",
        r"at gpu\-w07\.acme\.com now",
        "at gpu-w07&#46;acme&#x2e;com now",
        r"at gpu-w07\u002eacme.com now",
        "at gpu-w07.\u200bacme.com now",
        "at gpu-w07%2Eacme.com now",
        "at gpu-w07.ac\n       me.com now",
        "> at gpu-w07.acme.com\n> now",
        "at \x1b[1mgpu-w07\x1b[0m.acme.com now",
        r"line\ngpu-w07.acme.com\nline",
    ],
)
def test_escapes_and_line_breaks_hide_nothing(written: str) -> None:
    assert any("gpu-w07.acme.com" in reading for reading in readings(written))


def test_an_escaped_line_end_parts_words() -> None:
    assert any(" gpu-w07 " in reading for reading in readings(r"it\ngpu-w07\nsaid"))


def test_a_name_of_several_words_is_found_over_a_line_break() -> None:
    assert any("my secret" in reading for reading in readings("tell my\n    secret"))
