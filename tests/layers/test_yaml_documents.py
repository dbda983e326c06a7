"""Entries in documents of YAML are their texts, in whichever way these are written."""

from __future__ import annotations

import pytest

from analyzer.layers.yaml_documents import Documents, told
from tests.layers.entries import all_of, said

HEADED = "[2026-06-05 17:00:11 TP0]"
ENTRY = """---
insertId: {id}
labels:
  k8s-pod/app: sgl
receiveTimestamp: '2026-06-05T17:00:13.1Z'
resource:
  labels:
    pod_name: p-0
  type: k8s_container
textPayload: {text}
timestamp: '2026-06-05T17:00:11.987Z'
"""


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (f"'{HEADED} Init torch distributed begin.'", f"{HEADED} Init torch distributed begin."),
        (f"'{HEADED} it''s\n  folded'", f"{HEADED} it's folded"),
        (f"'{HEADED} a\n\n  b'", f"{HEADED} a\nb"),
        ("Killed", "Killed"),
        ("RuntimeError no memory\n  is left: none", "RuntimeError no memory is left: none"),
        ("'RuntimeError: no memory'", "RuntimeError: no memory"),
        ('"\\e[32mINFO\\e[0m: \\"a\\" \\x41\\u00e9\\\n  \\ b\\n"', '\x1b[32mINFO\x1b[0m: "a" A\xe9 b'),
        ("|-\n  Traceback:\n    File\n\n  ValueError: x", "Traceback:\n  File\n\nValueError: x"),
        ("|2-\n    File\n  ValueError: x", "  File\nValueError: x"),
        ("|\n  Traceback:\n    File\n", "Traceback:\n  File"),
    ],
)
def test_an_entry_is_its_text_with_time_and_origin(written: str, text: str) -> None:
    document = ENTRY.format(id="x1", text=written)
    assert told(document.split("\n"))
    entries = all_of(Documents(), document * 2)
    assert said(entries) == [("p-0", text)] * 2
    assert all(entry[0].peeled and entry[0].peeled.stamp for entry in entries)


def test_a_text_within_a_payload_is_found() -> None:
    document = ENTRY.format(id="x1", text="x").replace(
        "textPayload: x", f"jsonPayload:\n  level: info\n  message: '{HEADED} a'"
    )
    assert said(all_of(Documents(), document)) == [("p-0", f"{HEADED} a")]


def test_the_lines_of_a_text_are_cited_by_themselves() -> None:
    (entry,) = all_of(Documents(), ENTRY.format(id="x1", text="|-\n  a\n  b"))
    assert [piece.line.text for piece in entry] == ["  a", "  b"]
    assert (entry[0].first.number, entry[0].last.number) == (1, 11)
    assert (entry[1].first.number, entry[1].last.number) == (12, 13)


@pytest.mark.parametrize("text", ["apiVersion: v1\nkind: Pod\n---\nkind: Service\n", "insertId: x\nseverity: INFO\n"])
def test_other_documents_are_left_alone(text: str) -> None:
    assert not told(text.split("\n"))


def test_documents_that_are_no_entries_stay() -> None:
    text = "kind: Pod\nmetadata:\n  name: p-0\n" + ENTRY.format(id="x", text="a")
    assert [entry[0].line.text for entry in all_of(Documents(), text) if not entry[0].peeled] == text.split("\n")[:3]
