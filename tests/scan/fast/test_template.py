"""A line's form is taken only where the exact reading finds the same values in it."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.catalog.values import of_column

np = pytest.importorskip("numpy")
laid = pytest.importorskip("tests.scan.fast.laid")
template = pytest.importorskip("analyzer.scan.fast.template")

HEADS = {head.text: head for head in laid.CATALOG.heads}


def form(text: str, head: str = "Decode batch. ") -> object:
    return template.template_of(text.encode(), HEADS[head])


def cells(made: object, line: str) -> dict[str, float] | None:
    """What a line of a form says; `None` where it has another form."""
    found = laid.batch([made], line.encode() + b"\n")
    return found and found[2]


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
        "Decode batch. #running-req: 8, #tøken: 5, #queue-req: 0",
        "Decode batch. #running-req: 8, #queue-req: 0" + ", frobs: 1" * 200,
    ],
)
def test_a_line_with_anything_but_plain_values_has_no_form(text: str) -> None:
    assert form(text) is None


def test_a_form_reads_lines_that_differ_in_their_numbers_alone() -> None:
    made = form("Decode batch. #running-req: 8, token usage: 0.07, cuda graph: True, #queue-req: 0, ")
    assert cells(made, "Decode batch. #running-req: 50, token usage: 0.93, cuda graph: False, #queue-req: 117, ") == {
        "running_count": 50.0,
        "usage_ratio": 0.93,
        "graph_flag": 0.0,
        "queue_count": 117.0,
    }


@pytest.mark.parametrize(
    "line",
    [
        "Decode batch. #running-req: 50, token usage: 0.93, cuda graph: False, #queue-req: 117",
        "Decode batch. #running-req: 50, token usage: 0.93, cuda graph: False, #queue-req: 117,",
        "Decode batch. #running-req: 50, token usage: 0.93, cuda graph: False, #queue-req: 117, \r",
        "Decode batch. #running-req: 50, token usage: 0.93, cuda graph: False, #queue-req: 117, frobs: 1",
        "Decode batch. #queue-req: 50, token usage: 0.93, cuda graph: False, #running-req: 117, ",
        "Decode batch. #running-req: 50, token usage: 0.9, cuda graph: False, #queue-req: 117, ",
        "Decode batch. #running-req: 50, token usage: 0.93, cuda graph: Falsy, #queue-req: 117, ",
        "Decode batch. #running-req: 50, token usage: 0.93, cuda graph: False, #queue-req: , ",
        "Decode batch. #running-req: -5, token usage: 0.93, cuda graph: False, #queue-req: 117, ",
        "Decode batch. #running-req: 50, token usage: 0.93",
        "Decode batch. #running-req: ",
        "Decode batch, #running-req: 50, token usage: 0.93, cuda graph: False, #queue-req: 117, ",
        "Decode b",
    ],
)
def test_a_line_that_differs_in_anything_else_has_another_form(line: str) -> None:
    made = form("Decode batch. #running-req: 8, token usage: 0.07, cuda graph: True, #queue-req: 0, ")
    assert cells(made, line) is None


@given(st.data())
def test_a_line_that_differs_from_its_form_in_one_byte_between_the_numbers_is_not_read(data: st.DataObject) -> None:
    line = b"Decode batch. #running-req: 8, token usage: 0.07, cuda graph: True, #queue-req: 0, \n"
    fixed = [index for index, byte in enumerate(line) if byte not in b"0123456789"]
    index, byte = data.draw(st.sampled_from(fixed)), data.draw(st.integers(0, 255))
    other = line[:index] + bytes([byte]) + line[index + 1 :]
    found = laid.batch([form(line.decode().removesuffix("\n"))], other)
    assert (found is None) == (other != line)


def test_a_percentage_becomes_a_ratio_and_an_unknown_key_is_counted() -> None:
    made = form("Prefill batch. #new-seq: 9, cache hit rate: 25.0%, frobs: 3", "Prefill batch. ")
    assert made.unknown == Counter({"frobs": 1})  # type: ignore[attr-defined]
    read = cells(made, "Prefill batch. #new-seq: 1, cache hit rate: 12.5%, frobs: 4")
    assert read == {"new_seq_count": 1.0, "cache_hit_ratio": 0.125}


@given(st.integers(0, 10**7))
def test_a_percentage_is_the_ratio_of_the_exact_reading_to_the_last_bit(hundredths: int) -> None:
    made = form("Prefill batch. #new-seq: 9, cache hit rate: 23.35%, #queue-req: 0", "Prefill batch. ")
    rate = f"{hundredths // 100}.{hundredths % 100:02d}"
    read = cells(made, f"Prefill batch. #new-seq: 1, cache hit rate: {rate}%, #queue-req: 2")
    assert read == {"new_seq_count": 1.0, "cache_hit_ratio": of_column(f"{rate}%", "percent"), "queue_count": 2.0}


@pytest.mark.parametrize("text", ["1", "12345678", "123456789", "123456789012345", "1234567890123456"])
def test_long_whole_numbers_are_read_up_to_fifteen_digits(text: str) -> None:
    made = form("Decode batch. #token: 8, #queue-req: 0")
    read = cells(made, f"Decode batch. #token: {text}, #queue-req: 3")
    assert read == ({"tokens_token": float(text), "queue_count": 3.0} if len(text) < 16 else None)


@pytest.mark.parametrize(
    "text",
    ["1.25", "12345.67", "123456.78", "123456789012.34", "1.2345678", "12345678.9", "1e3456.78", "12345678901234.5"],
)
def test_long_decimal_numbers_are_read_with_as_many_decimals_as_the_form_has(text: str) -> None:
    made = form("Decode batch. gen throughput (token/s): 8.25, #queue-req: 0")
    read = cells(made, f"Decode batch. gen throughput (token/s): {text}, #queue-req: 3")
    plain = text[-3] == "." and text.replace(".", "").isdigit()
    assert read == ({"throughput_token_per_s": float(text), "queue_count": 3.0} if plain else None)
