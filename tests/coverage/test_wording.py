"""What an expression prints is known up to the values that only a run gives."""

from __future__ import annotations

import ast

import pytest

from analyzer.coverage.wording import Hole, Wording, letters, wordings

NAMES: dict[str, tuple[Wording, ...]] = {"role": (("draft",), ("target",))}


def said(source: str) -> tuple[Wording, ...]:
    return wordings(ast.parse(source, mode="eval").body, NAMES)


@pytest.mark.parametrize("source", ["x", "f(x)", "a / b", "x.y[3]", "str(x)"])
def test_a_value_alone_has_no_text(source: str) -> None:
    assert said(source) == ((Hole(source),),)
    assert letters(said(source)[0]) == 0


@pytest.mark.parametrize(
    ("source", "pieces"),
    [
        ("'avail mem'", ("avail mem",)),
        ("'first ' 'second'", ("first second",)),
        ("'a' + x + 'b'", ("a", Hole("x"), "b")),
        ("f'mem={free:.2f} GB'", ("mem=", Hole("free", spec=".2f"), " GB")),
        ("f'{size=}'", ("size=", Hole("size", "r"))),
        ("'%d of %s' % (done, name)", (Hole("done", spec="d"), " of ", Hole("name"))),
        ("'%.1f%%' % share", (Hole("share", spec=".1f"), "%")),
        ("'code: {}'.format(res.status)", ("code: ", Hole("res.status"))),
        ("'{0} {name:.2f} {{}}'.format(a, name=b)", (Hole("a"), " ", Hole("b", spec=".2f"), " {}")),
        ("', '.join(['a', x])", ("a, ", Hole("x"))),
        ("' padded '.strip()", (" padded ",)),
    ],
)
def test_a_text_keeps_its_words_and_holds_its_values_open(source: str, pieces: Wording) -> None:
    assert said(source) == (pieces,)


def test_a_choice_has_two_wordings() -> None:
    assert said('f\'Capture {"cpu" if cpu else "cuda"} graph\'') == (("Capture cpu graph",), ("Capture cuda graph",))


def test_a_variable_stands_for_the_texts_that_it_holds() -> None:
    assert said("f'{role} model'") == (("draft model",), ("target model",))
    assert said("f'{role!r} model'") == ((Hole("role", "r"), " model"),)


def test_a_table_of_texts_stands_for_each_of_them() -> None:
    assert said("defaultdict(lambda: 'cuda graph', {'cpu': 'cpu graph'})") == (("cuda graph",), ("cpu graph",))


def test_alternatives_are_bounded() -> None:
    assert len(said(" + '-' + ".join(["role"] * 9))) == 8
