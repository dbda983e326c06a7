"""The SARIF document has what version 2.1.0 requires, says no more than the report, and points at its lines."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from analyzer.contract import Line
from analyzer.report.sarif import MOST_LOCATIONS, render
from tests.report.build_report import cannot_tell, founding, founding_finding, healthy, straggler, symptom

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.contract import Report

# Of each object of the specification that is written here: the properties that it must have, and all that it may have
# (SARIF 2.1.0, sections 3.13 to 3.58).
SHAPES: dict[str, tuple[set[str], set[str]]] = {
    "log": ({"version", "runs"}, {"$schema"}),
    "run": ({"tool"}, {"invocations", "artifacts", "results", "columnKind", "properties"}),
    "tool": ({"driver"}, set()),
    "driver": ({"name"}, {"version", "rules"}),
    "rule": (
        {"id"},
        {"name", "shortDescription", "fullDescription", "help", "defaultConfiguration", "properties"},
    ),
    "invocation": ({"executionSuccessful"}, {"commandLine", "toolExecutionNotifications"}),
    "artifact": (set(), {"location", "length", "hashes"}),
    "result": (
        {"message"},
        {
            "ruleId",
            "ruleIndex",
            "kind",
            "level",
            "locations",
            "relatedLocations",
            "partialFingerprints",
            "properties",
        },
    ),
    "location": (set(), {"physicalLocation"}),
    "physicalLocation": ({"artifactLocation"}, {"region"}),
    "region": ({"startLine"}, {"endLine", "snippet"}),
    "message": ({"text"}, set()),
}


def check(name: str, node: dict[str, Any]) -> dict[str, Any]:
    """The object, which has what it must and nothing that it may not."""
    required, optional = SHAPES[name]
    assert required <= node.keys() <= required | optional, name
    return node


def checked(document: str) -> dict[str, Any]:
    """The one run of a document whose shape is that of the specification."""
    log = check("log", json.loads(document))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    check("run", run)
    assert run["columnKind"] in {"utf16CodeUnits", "unicodeCodePoints"}
    driver = check("driver", check("tool", run["tool"])["driver"])
    for rule in driver["rules"]:
        check("rule", rule)
        assert all(isinstance(rule[key]["text"], str) for key in ("shortDescription", "fullDescription", "help"))
    for invocation in run["invocations"]:
        check("invocation", invocation)
    for artifact in run["artifacts"]:
        check("artifact", artifact)
    for result in run["results"]:
        check_result(check("result", result), driver["rules"])
    return run  # type: ignore[no-any-return]  # JSON


def check_result(result: dict[str, Any], rules: list[dict[str, Any]]) -> None:
    assert result["level"] in {"none", "note", "warning", "error"}
    assert result["kind"] == "fail", "a level other than none goes with no other kind"
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert all(isinstance(value, str) for value in result["partialFingerprints"].values())
    check("message", result["message"])
    for location in [*result["locations"], *result.get("relatedLocations", [])]:
        place = check("physicalLocation", check("location", location)["physicalLocation"])
        region = check("region", place["region"])
        assert 1 <= region["startLine"] <= region["endLine"]
        uri = place["artifactLocation"]["uri"]
        assert uri.isascii()
        assert ":" not in uri.partition("/")[0], "no scheme"


@pytest.mark.parametrize("make", [founding, healthy, cannot_tell, straggler])
def test_every_report_has_the_shape_of_the_specification(make: Callable[[], Report]) -> None:
    run = checked(render(make()))
    assert len(run["results"]) == len(make().findings)


@pytest.mark.parametrize("name", ["hicache-300-per-rank", "two-nodes-rank-zero", "zombie-behind-health-ok"])
def test_a_sample_has_the_shape_of_the_specification(name: str, report_of: Callable[[str], Report]) -> None:
    checked(render(report_of(name)))


def test_the_root_comes_with_its_lines_its_sum_and_what_to_do() -> None:
    result = checked(render(founding()))["results"][0]
    assert result["ruleId"] == "per-rank-host-memory-oversubscription"
    assert result["level"] == "error"
    assert "1. Stop the launch" in result["message"]["text"]
    first = result["locations"][0]["physicalLocation"]
    assert first["artifactLocation"]["uri"] == "server.log"
    assert first["region"] == {
        "startLine": 88,
        "endLine": 88,
        "snippet": {"text": "[2026-02-17 10:06:42 TP0] Allocating 300.00 GB host memory for hierarchical KV cache."},
    }


def test_the_fingerprint_is_that_of_the_incident() -> None:
    results = checked(render(founding()))["results"]
    prints = [result["partialFingerprints"]["postmortemIncident/v1"] for result in results]
    assert prints[0] == "pm1-3f9a"
    assert prints[1] == "pm1-3f9a/host-memory-exhausted"


def test_a_rule_s_help_is_its_page() -> None:
    rule = checked(render(founding()))["tool"]["driver"]["rules"][0]
    assert rule["help"]["text"].startswith("All ranks on a host together ask for more host memory than it has.")
    assert "How it is fixed." in rule["help"]["text"]


@pytest.mark.parametrize(
    ("kind", "status", "level"),
    [
        ("cause", "established", "error"),
        ("cause", "supported", "error"),
        ("cause", "hypothesis", "warning"),
        ("limit", "established", "warning"),
        ("manifestation", "established", "warning"),
        ("manifestation", "hypothesis", "note"),
        ("risk", "established", "note"),
        ("risk", "hypothesis", "note"),
    ],
)
def test_a_level_is_no_higher_than_kind_and_status_allow(kind: str, status: str, level: str) -> None:
    found = replace(symptom("host-memory-exhausted", "x"), kind=kind, status=status)
    assert checked(render(replace(founding(), findings=[found])))["results"][0]["level"] == level


def test_text_of_a_log_makes_no_link_and_no_placeholder() -> None:
    root = replace(founding_finding(), summary="see [here](http://evil) {0} \x1b[2J", sum=None)
    text = checked(render(replace(founding(), findings=[root])))["results"][0]["message"]["text"]
    assert "](" not in text
    assert "{{0}}" in text
    assert "\x1b" not in text


def test_a_source_s_name_is_a_relative_reference() -> None:
    lines = {"f3": Line("logs.tar.gz!node 0/a:b#1?.log", 3, 3, "x", cut=False)}
    root = replace(founding_finding(), lines=["f3"], claims=[])
    result = checked(render(replace(founding(), findings=[root], lines=lines)))["results"][0]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "logs.tar.gz!node%200/a%3Ab%231%3F.log"


def test_locations_are_bounded() -> None:
    lines = {f"l{n}": Line("a.log", n, n, "x", cut=False) for n in range(1, 1000)}
    root = replace(founding_finding(), lines=list(lines), claims=[])
    assert len(checked(render(replace(founding(), findings=[root], lines=lines)))["results"][0]["locations"]) == (
        MOST_LOCATIONS
    )


def test_the_document_is_ascii() -> None:
    assert render(founding()).isascii()
