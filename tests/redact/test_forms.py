"""The forms of `patterns/secrets/` find what their samples hide, and nothing in their decoys."""

from __future__ import annotations

import pytest

from analyzer.catalog.node import Node
from analyzer.catalog.wording import compiled, objection
from analyzer.errors import PatternError
from analyzer.redact.forms import Form, Forms, _form, shipped

FORMS = shipped().forms
IDS = [form.id for form in FORMS]


def hidden(form: Form, line: str) -> tuple[str, ...]:
    """What one form alone finds in a line."""
    alone = Forms((form,), shipped().keep)
    return tuple(line[part.start : part.end] for part in alone.parts(line, form.kinds))


@pytest.mark.parametrize("form", FORMS, ids=IDS)
def test_a_decoy_is_left_alone(form: Form) -> None:
    assert {decoy: hidden(form, decoy) for decoy in form.decoys} == dict.fromkeys(form.decoys, ())


@pytest.mark.parametrize("form", FORMS, ids=IDS)
def test_a_sample_hides_what_it_says(form: Form) -> None:
    assert [hidden(form, sample.line) for sample in form.samples] == [sample.hides for sample in form.samples]


@pytest.mark.parametrize("form", FORMS, ids=IDS)
def test_an_expression_keeps_the_rules_of_pattern_files(form: Form) -> None:
    assert objection(form.regex) == ""


@pytest.mark.parametrize("form", FORMS, ids=IDS)
def test_no_expression_runs_away_on_a_long_text(form: Form) -> None:
    """A `TimeoutError` would name the expression that backtracks."""
    for seed in (*form.literals, *(sample.line for sample in form.samples), "a", "1.", "'\\'", "[1, ", "a=", "/a"):
        for text in (seed * 9999, seed + "a" * 16384, seed + "\\" * 16384, seed[:-1] * 9999):
            for _ in compiled(form.regex).finditer(text[:16384], timeout=5):
                pass


def test_every_id_is_given_once() -> None:
    assert len(set(IDS)) == len(IDS)


def test_a_reference_is_no_secret() -> None:
    kept = [
        value
        for value in ("None", "$HF_TOKEN", "<set to the key>", "****", "API_KEY")
        if shipped().kept("secret", value)
    ]
    assert kept == ["None", "$HF_TOKEN", "<set to the key>", "****", "API_KEY"]
    assert not shipped().kept("secret", "hunter2")


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ({"id": "x", "literal": "a", "regex": "(?P<secret>a)"}, "sample: is missing"),
        ({"id": "x", "literal": "a", "regex": "a", "sample": [{"line": "a"}]}, "each capture is named"),
        ({"id": "x", "literal": "a", "regex": "(?P<key>a)", "sample": [{"line": "a"}]}, "each capture is named"),
        ({"id": "x", "regexp": "a"}, "unknown key"),
    ],
)
def test_a_wrong_form_is_refused_with_its_key(table: dict[str, object], complaint: str) -> None:
    with pytest.raises(PatternError, match=complaint):
        _form(Node(table, "tokens.toml"))


def test_forms_narrowed_to_a_text_find_all_of_its_lines_values() -> None:
    """Upper and lower case of a literal count where they count among all forms."""
    lines = [line for form in FORMS for sample in form.samples for line in (sample.line, sample.line.upper())]
    kinds = frozenset(kind for form in FORMS for kind in form.kinds)
    alone = Forms(FORMS, shipped().keep)
    narrowed = Forms(FORMS, shipped().keep).among("\n".join(lines))
    assert [narrowed.parts(line, kinds) for line in lines] == [alone.parts(line, kinds) for line in lines]


def test_forms_narrowed_to_an_empty_text_are_none() -> None:
    assert Forms(FORMS, shipped().keep).among("").forms == ()


@pytest.mark.parametrize("form", FORMS, ids=IDS)
def test_a_literal_stands_in_one_line(form: Form) -> None:
    """Which forms a text can have is told from its lines, each looked at once."""
    assert not any("\n" in literal for literal in form.literals)
