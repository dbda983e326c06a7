"""A line's form is taken only where the exact reading finds the same values in it."""

from __future__ import annotations

from collections import Counter

import pytest

from analyzer.catalog import Catalog

np = pytest.importorskip("numpy")
template = pytest.importorskip("analyzer.scan.fast.template")
words = pytest.importorskip("analyzer.scan.fast.words")

HEADS = {head.text: head for head in Catalog.load().heads}


def form(text: str, head: str = "Decode batch. ") -> object:
    return template.template_of(text.encode(), HEADS[head])


@pytest.mark.parametrize(
    "text",
    [
        "Decode batch. ",
        "Decode batch. frobs: 1",
        "Decode batch. #running-req: 8, #running-req: 9",
        "Decode batch. #token: 8, #full token: 9",
        "Decode batch. #running-req: 8 of 9, #queue-req: 0",
        "Decode batch. #running-req: 8, said: nothing, #queue-req: 0",
        "Decode batch. #running-req: True, #queue-req: 0",
        "Decode batch. #running-req: 8, cuda graph: 1",
        "Decode batch. #running-req: 8, #queue-req: 0, and more",
        "Decode batch. #running-req: 8, #queue-req: 0.1234567",
    ],
)
def test_a_line_with_anything_but_plain_values_has_no_form(text: str) -> None:
    assert form(text) is None


def test_a_form_reads_lines_that_differ_in_their_numbers_alone() -> None:
    made = form("Decode batch. #running-req: 8, token usage: 0.07, cuda graph: True, #queue-req: 0, ")
    lines = [
        b"Decode batch. #running-req: 50, token usage: 0.93, cuda graph: False, #queue-req: 117, \n",
        b"Decode batch. #running-req: 50, token usage: 0.93, cuda graph: False, #queue-req: 117\n",
        b"Decode batch. #queue-req: 50, token usage: 0.93, cuda graph: False, #running-req: 117, \n",
        b"Decode batch. #running-req: 50, token usage: 0.9, cuda graph: False, #queue-req: 117, \n",
    ]
    starts = 8 + np.array([0, *np.cumsum([len(line) for line in lines])[:-1]])
    plain, columns = made.read(words.Words(b"a header" + b"".join(lines) + words.PAD), starts)  # type: ignore[attr-defined]
    assert plain.tolist() == [True, False, False, False]
    assert {name: values[0].item() for name, values in columns.items()} == {
        "running_count": 50.0,
        "usage_ratio": 0.93,
        "graph_flag": False,
        "queue_count": 117.0,
    }


def test_a_percentage_becomes_a_ratio_and_an_unknown_key_is_counted() -> None:
    made = form("Prefill batch. #new-seq: 9, cache hit rate: 25.0%, frobs: 3", "Prefill batch. ")
    assert made.unknown == Counter({"frobs": 1})  # type: ignore[attr-defined]
    line = b"Prefill batch. #new-seq: 1, cache hit rate: 12.5%, frobs: 4\n"
    _, columns = made.read(words.Words(b"a header" + line + words.PAD), np.array([8]))  # type: ignore[attr-defined]
    assert columns["cache_hit_ratio"].tolist() == [0.125]


@pytest.mark.parametrize("text", ["12345678", "123456789", "123456789012345", "1234567890123456"])
def test_long_whole_numbers_are_read_up_to_fifteen_digits(text: str) -> None:
    made = form("Decode batch. #token: 8, #queue-req: 0")
    line = f"Decode batch. #token: {text}, #queue-req: 3\n".encode()
    plain, columns = made.read(words.Words(b"a header" + line + words.PAD), np.array([8]))  # type: ignore[attr-defined]
    assert plain.tolist() == [len(text) < 16]
    if plain[0]:
        assert columns["tokens_token"].tolist() == [float(text)]


@pytest.mark.parametrize("text", ["12345.67", "123456.78", "123456789012.34", "1.2345678", "12345678.9", "1e3456.78"])
def test_long_decimal_numbers_are_read_with_as_many_decimals_as_the_form_has(text: str) -> None:
    made = form("Decode batch. gen throughput (token/s): 8.25, #queue-req: 0")
    line = f"Decode batch. gen throughput (token/s): {text}, #queue-req: 3\n".encode()
    plain, columns = made.read(words.Words(b"a header" + line + words.PAD), np.array([8]))  # type: ignore[attr-defined]
    assert plain.tolist() == [text[-3] == "." and text.replace(".", "").isdigit()]
    if plain[0]:
        assert columns["throughput_token_per_s"].tolist() == [float(text)]
