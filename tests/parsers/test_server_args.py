"""The `server_args=` line gives its values in both forms, and the whole ones of a cut line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.evidence import Ref, Where
from analyzer.parsers.server_args import arguments

if TYPE_CHECKING:
    from analyzer.events import ArgumentsPrinted

WHERE = Where(Ref("server.log", 1, 1))


def read(text: str) -> ArgumentsPrinted:
    event = arguments(text, WHERE)
    assert event is not None
    return event


@pytest.mark.parametrize(
    "text",
    [
        "Load weight begin. avail mem=38.97 GB",
        "server_args",
        "server_args=",
        "server_args=ServerArgs()",
        "server_args={}",
        "scheduler = Scheduler(server_args, port_args, gpu_id)",
        "server_args=server_args",
        "x" * 200 + " server_args=ServerArgs(tp_size=8)",
    ],
)
def test_other_lines_print_no_arguments(text: str) -> None:
    assert arguments(text, WHERE) is None


def test_the_call_form_gives_literals() -> None:
    event = read(
        "server_args=ServerArgs(model_path='/m/K2.5', tp_size=8, mem_fraction_static=0.93, host=None, trust=True)"
    )
    assert event.values == {
        "model_path": "/m/K2.5",
        "tp_size": 8,
        "mem_fraction_static": 0.93,
        "host": None,
        "trust": True,
    }
    assert (event.form, event.cut) == ("call", False)


def test_the_dict_form_gives_literals_and_nested_records() -> None:
    event = read(
        "server_args={'model_path': 'm', 'tp_size': 8, 'cuda_graph_config': {'decode': {'max_bs': 64}, 'x': [1, 2]}}"
    )
    assert event.values == {
        "model_path": "m",
        "tp_size": 8,
        "cuda_graph_config": {"decode": {"max_bs": 64}, "x": [1, 2]},
    }
    assert (event.form, event.cut) == ("dict", False)


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("torch.bfloat16", "torch.bfloat16"),
        ("<Mode.AUTO: 'a, b'>", "<Mode.AUTO: 'a, b'>"),
        ("Nested(a=1, b=(2, 3))", "Nested(a=1, b=(2, 3))"),
        ("'it\\'s, (odd)'", "it's, (odd)"),
        ('"two = 2, three"', "two = 2, three"),
        ("{'a': [1, (2,)]}", {"a": [1, (2,)]}),
        ("['x', 'y']", ["x", "y"]),
        ("nan", "nan"),
        ("-1", -1),
    ],
)
@pytest.mark.parametrize(
    "form", ["server_args=ServerArgs(a=1, odd={}, b=2)", "server_args={{'a': 1, 'odd': {}, 'b': 2}}"]
)
def test_a_value_that_is_no_literal_stays_text(form: str, raw: str, value: Any) -> None:
    assert read(form.format(raw)).values == {"a": 1, "odd": value, "b": 2}


@pytest.mark.parametrize(
    "text",
    [
        "server_args=ServerArgs(a=1, b='two', c='thr",
        "server_args=ServerArgs(a=1, b='two', c=",
        "server_args=ServerArgs(a=1, b='two', model",
        "server_args={'a': 1, 'b': 'two', 'c': {'d': 1, 'e",
        "server_args=ServerArgs(a=1, b='two', ...",
        "server_args=ServerArgs(a=1, ..., b='two')",
        "server_args=ServerArgs(a=1, b='two', c=[1, 2",
    ],
)
def test_a_cut_line_gives_the_pairs_that_are_whole(text: str) -> None:
    event = read(text)
    assert (event.values, event.cut) == ({"a": 1, "b": "two"}, True)


def test_what_follows_the_closing_bracket_is_no_argument() -> None:
    assert read("server_args=ServerArgs(tp_size=8) [2025-01-01 10:00:00] x=1").values == {"tp_size": 8}


def test_nothing_of_a_line_is_executed() -> None:
    event = read("server_args=ServerArgs(a=__import__('os').system('exit 3'), b=1)")
    assert event.values == {"a": "__import__('os').system('exit 3')", "b": 1}


def test_deep_nesting_is_text() -> None:
    deep = "[" * 5000 + "]" * 5000
    assert read(f"server_args=ServerArgs(a={deep}, b=1)").values == {"a": deep, "b": 1}


@given(st.text(alphabet="server_args=ServerArgs({[]})'\",: \\<>1a", max_size=120))
def test_no_text_breaks_it(text: str) -> None:
    arguments("server_args=ServerArgs(" + text, WHERE)
    arguments("server_args={" + text, WHERE)


@given(
    st.dictionaries(
        st.from_regex(r"[a-z_]{1,8}", fullmatch=True),
        st.one_of(st.integers(), st.text(max_size=20), st.none(), st.lists(st.booleans())),
        min_size=1,
    )
)
def test_what_python_prints_is_read_back(values: dict[str, Any]) -> None:
    call = ", ".join(f"{name}={value!r}" for name, value in values.items())
    assert read(f"server_args=ServerArgs({call})").values == values
    assert read(f"server_args={values!r}").values == values


def test_a_number_that_python_would_not_write_stays_a_text() -> None:
    long = "0x" + "f" * 4000  # some 4,800 digits
    assert read(f"server_args=ServerArgs(tp_size={long}, dp_size=2)").values == {"tp_size": long, "dp_size": 2}
