"""Of many forms a line has the first that it fits, and its values go where that form wants them."""

from __future__ import annotations

from collections import Counter

import pytest

np = pytest.importorskip("numpy")
forms = pytest.importorskip("analyzer.scan.fast.forms")
laid = pytest.importorskip("tests.scan.fast.laid")
template = pytest.importorskip("analyzer.scan.fast.template")

HEADS = {head.text: head for head in laid.CATALOG.heads}
LINES = {
    "Decode batch. #running-req: 1, #queue-req: 2": "Decode batch. ",
    "Decode batch. #queue-req: 1, #running-req: 2": "Decode batch. ",
    "Decode batch, #running-req: 1, cuda graph: True, #queue-req: 2": "Decode batch, ",
    "Decode batch [7], #running-req: 1, npu graph: False, #queue-req: 2": "Decode batch [",
    "Prefill batch. #new-seq: 1, cache hit rate: 3.50%, #new-token: 2": "Prefill batch. ",
    "Prefill batch. #new-seq: 1, #new-token: 2": "Prefill batch. ",
}
TEMPLATES = [template.template_of(line.encode(), HEADS[head]) for line, head in LINES.items()]


def test_no_form_is_found_where_none_is_known() -> None:
    assert laid.batch([], b"Decode batch. #running-req: 1, #queue-req: 2\n") is None


@pytest.mark.parametrize("number", range(len(LINES)))
def test_a_line_has_the_form_that_it_taught(number: int) -> None:
    line = [*LINES][number].encode() + b"\n"
    table, form, _ = laid.batch(TEMPLATES, line)
    assert (table, form) == ("PrefillBatch" if number >= 4 else "DecodeBatch", number)


def test_values_go_into_the_columns_of_their_form() -> None:
    read = [laid.batch(TEMPLATES, line.encode() + b"\n")[2] for line in LINES]
    assert read == [
        {"running_count": 1.0, "queue_count": 2.0},
        {"queue_count": 1.0, "running_count": 2.0},
        {"running_count": 1.0, "graph_flag": 1.0, "queue_count": 2.0},
        {"running_count": 1.0, "graph_flag": 0.0, "queue_count": 2.0},
        {"new_seq_count": 1.0, "new_token": 2.0, "cache_hit_ratio": 0.035},
        {"new_seq_count": 1.0, "new_token": 2.0},
    ]


def test_a_form_that_fits_only_at_first_leaves_no_value_behind() -> None:
    longer = template.template_of(b"Decode batch. #running-req: 1, #token: 5, #queue-req: 2", HEADS["Decode batch. "])
    assert laid.batch([longer, TEMPLATES[0]], b"Decode batch. #running-req: 3, #queue-req: 4\n") == (
        "DecodeBatch",
        1,
        {"running_count": 3.0, "queue_count": 4.0},
    )


def test_a_value_without_a_column_goes_nowhere() -> None:
    made = template.Template(
        "DecodeBatch",
        b"Decode batch. frobs: ",
        (template.Field(b", #token: ", "", 0), template.Field(b"\n", "tokens_token", 1, 1000.0)),
        Counter({"frobs": 1}),
    )
    assert laid.batch([made], b"Decode batch. frobs: 7, #token: 2.5\n") == ("DecodeBatch", 0, {"tokens_token": 2500.0})


def test_every_table_but_that_of_access_lines_is_made_of_batch_lines() -> None:
    assert [name for name in forms.WIDTHS if name != "Access"] == list(forms.BATCHES)
    assert list(forms.WIDTHS)[-1] == "Access", "the last table is that of access lines"
    assert all(forms.WIDTHS[name] == 1 + len(forms.OWN[name]) for name in forms.BATCHES)


@pytest.mark.parametrize("size", range(10))
def test_the_first_word_of_a_text_is_its_first_eight_bytes(size: int) -> None:
    text = b"abcdefghij"[:size]
    assert forms.first_word(text).to_bytes(8, "little").rstrip(b"\0") == text[:8]
