"""The document survives JSON, and its schema says what it is."""

from __future__ import annotations

import json as plain_json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import analyzer.report
from analyzer.errors import UnreadableError
from analyzer.report import json
from tests.report.build_report import cannot_tell, founding, healthy, straggler

if TYPE_CHECKING:
    from analyzer.contract import Report

SHIPPED = Path(analyzer.report.__file__).with_name("schema.json")


@pytest.mark.parametrize("make", [founding, healthy, cannot_tell, straggler])
def test_what_is_written_is_read_back_the_same(make: object) -> None:
    report: Report = make()  # type: ignore[operator]
    assert json.loads(json.dumps(report)) == report


def test_a_remedy_says_from_and_to() -> None:
    remedy = plain_json.loads(json.dumps(founding()))["findings"][0]["remedy"][0]
    assert (remedy["from"], remedy["to"]) == ("300", "48")
    assert "from_" not in remedy


def test_nothing_of_a_log_reaches_a_terminal_raw() -> None:
    hostile = replace(founding().lines["f3"], text="\x1b[2J\x9b31m\N{RIGHT-TO-LEFT OVERRIDE}\u2028内存")
    shown = json.dumps(replace(founding(), lines={"f3": hostile}))
    assert shown.isascii()
    assert all(character.isprintable() or character == "\n" for character in shown)
    assert json.loads(shown).lines["f3"] == hostile


def test_an_undecodable_file_name_does_not_break_the_document() -> None:
    lines = {"f3": replace(founding().lines["f3"], source="free\udcff.txt")}
    assert json.loads(json.dumps(replace(founding(), lines=lines))).lines["f3"].source == r"free\udcff.txt"


def test_a_field_of_a_later_version_is_ignored() -> None:
    tree = plain_json.loads(json.dumps(founding()))
    tree["mood"] = tree["findings"][0]["mood"] = "sombre"
    assert json.loads(plain_json.dumps(tree)) == founding()


def test_a_field_that_an_earlier_version_lacks_has_its_default() -> None:
    tree = plain_json.loads(json.dumps(founding()))
    del tree["findings"][0]["remedy"][0]["from"]
    assert json.loads(plain_json.dumps(tree)).findings[0].remedy[0].from_ is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[]", "schema"),
        ('{"schema": "postmortem.report/2"}', "schema"),
        ('{"schema": "postmortem.report/1"}', "damaged at tool"),
        ('{"schema": "postmortem.report/1", "findings": {"a": 1}}', "damaged at"),
        ('{"schema": "postmortem.report/1", "findings": [1, {"remedy": [2]}]}', "damaged at"),
    ],
    ids=["empty", "deep", "a list", "a later schema", "nothing in it", "no list", "no objects"],
)
def test_what_is_no_report_is_refused_with_a_reason(text: str, said: str) -> None:
    with pytest.raises(UnreadableError, match=said):
        json.loads(text)


def test_the_shipped_schema_is_current() -> None:
    current = plain_json.dumps(json.schema(), indent=2) + "\n"
    assert SHIPPED.read_text("utf-8") == current, "write the text of `current` to analyzer/report/schema.json"


def test_the_schema_names_from_and_the_document_s_version() -> None:
    schema = json.schema()
    assert schema["$id"] == "postmortem.report/1"
    assert "from" in schema["$defs"]["Remedy"]["properties"]
    assert "from_" not in schema["$defs"]["Remedy"]["properties"]
