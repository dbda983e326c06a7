"""YAML read by indentation, as far as manifests use it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from analyzer.parsers.outline import Outline
from tests.parsers.build_blocks import texts


def scalars(text: str) -> dict[str, str]:
    return {".".join(map(str, leaf.path[1:])): leaf.value for leaf in Outline(texts(text)).leaves}


def test_a_log_line_at_the_margin_ends_the_document() -> None:
    assert Outline(texts("spec:\n  a: 1\nINFO:     started")).used == 2
    assert Outline(texts('spec:\n  a: 1\n  File "/a.py", line 3, in f')).used == 2


def test_lists_may_stand_at_the_depth_of_their_key() -> None:
    assert scalars("args:\n- a\n- b\nname: c") == {"args.0": "a", "args.1": "b", "name": "c"}
    assert scalars("args:\n  - a\n  - b\nname: c") == {"args.0": "a", "args.1": "b", "name": "c"}


def test_items_may_be_maps_of_lists() -> None:
    text = "containers:\n- args:\n  - x\n  name: n\n- name: m"
    assert scalars(text) == {"containers.0.args.0": "x", "containers.0.name": "n", "containers.1.name": "m"}


def test_quotes_comments_and_flow_collections_are_understood() -> None:
    text = """spec:
  a: "8"
  b: [python3, "-m", 'x y']
  c: {path: /health, port: 30000}
  d: 400Gi  # what the node has
"""
    told = scalars(text)
    assert told["spec.a"] == "8"
    assert [told[f"spec.b.{n}"] for n in range(3)] == ["python3", "-m", "x y"]
    assert (told["spec.c.path"], told["spec.c.port"], told["spec.d"]) == ("/health", "30000", "400Gi")


def test_long_texts_are_joined() -> None:
    assert scalars("spec:\n  a: >\n    one\n    two\n  b: |\n    x\n    y") == {"spec.a": "one two", "spec.b": "x\ny"}
    assert scalars("spec:\n  a: one\n    two") == {"spec.a": "one two"}


def test_documents_are_told_apart() -> None:
    leaves = Outline(texts("kind: Pod\n---\nkind: Service")).leaves
    assert [(leaf.path, leaf.value) for leaf in leaves] == [((0, "kind"), "Pod"), ((1, "kind"), "Service")]


@given(st.text(alphabet="-: \n#'\"[]{}|>ab1\t", max_size=200))
def test_any_text_is_survived(text: str) -> None:
    outline = Outline(texts(text))
    assert 0 <= outline.used <= len(texts(text))


def test_a_text_may_be_an_item_of_a_list_and_what_follows_is_read() -> None:
    text = "args:\n  - |\n    set -e\n    # a remark\n    run \\\n      --tp 8\n  - last\nname: c"
    assert scalars(text) == {"args.0": "set -e\n# a remark\nrun \\\n--tp 8", "args.1": "last", "name": "c"}
    assert scalars("args:\n- >-\n  run\n  --tp 8\nname: c") == {"args.0": "run --tp 8", "name": "c"}
    assert scalars("a:\n  args:\n  - |\n    run\n  image: i") == {"a.args.0": "run", "a.image": "i"}


def test_collections_in_brackets_may_go_over_lines() -> None:
    text = 'args: [\n  "--tp", "8",\n  "[x]",  # a remark\n]\nname: c'
    assert scalars(text) == {"args.0": "--tp", "args.1": "8", "args.2": "[x]", "name": "c"}
    assert scalars("a:\n  get: {path: /health,\n    port: 30000}\n  b: 1")["a.get.port"] == "30000"


def test_a_collection_that_never_closes_ends_at_the_margin() -> None:
    outline = Outline(texts("spec:\n  args: [a,\n    b\nINFO:     started"))
    assert (outline.used, outline.leaves) == (3, [])


def test_quoted_texts_may_go_over_lines_and_have_escapes() -> None:
    assert scalars('args:\n- "run\n  --tp 8"\nname: c') == {"args.0": "run --tp 8", "name": "c"}
    assert scalars(r'a: "x \\\n --tp \"8\""') == {"a": 'x \\\n --tp "8"'}
    assert scalars("a: 'it''s'") == {"a": "it's"}
