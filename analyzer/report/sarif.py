"""The findings in SARIF 2.1.0, for tools that show results at the lines that they rest on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from analyzer.report.escape import uncoloured, visible
from analyzer.report.summary import actions, is_fine, meaning, partial, sentence
from analyzer.vocabulary import FINDINGS, Kind, Status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.contract import Finding, Report, Source

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
MOST_LOCATIONS: Final = 100
MOST_RESULTS: Final = 500
_FINGERPRINT: Final = "postmortemIncident/v1"
# A status below "supported" takes a level away: nothing is called an error on a guess.
_LEVELS: Final = {Kind.CAUSE: "error", Kind.LIMIT: "warning", Kind.MANIFESTATION: "warning", Kind.RISK: "note"}
_WEAKER: Final = {"error": "warning", "warning": "note", "note": "note"}


def render(report: Report) -> str:
    """One run with a result for each finding, in ASCII."""
    found = report.findings[:MOST_RESULTS]
    rules = list(dict.fromkeys(finding.id for finding in found))
    run = {
        "tool": {"driver": _driver(report, rules)},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(report)],
        "artifacts": [_artifact(source) for source in report.coverage.sources],
        "results": [_result(report, finding, rules.index(finding.id)) for finding in found],
        "properties": {
            "outcome": report.verdict.outcome,
            "phase": report.verdict.phase,
            "summary": visible(f"{partial(report)}{report.verdict.summary}"),
            "findingsLeftOut": len(report.findings) - len(found),
        },
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def _driver(report: Report, rules: Iterable[str]) -> dict[str, Any]:
    return {"name": report.tool.name, "version": report.tool.version, "rules": [_rule(name) for name in rules]}


def _rule(name: str) -> dict[str, Any]:
    from analyzer import rules as _  # noqa: F401, PLC0415 - its import registers them
    from analyzer.rule import RULES  # noqa: PLC0415 - the rules are asked for their pages alone

    known, rule = FINDINGS.get(name), RULES.get(name)
    told = sentence(known.sentence) if known else name
    page = rule.doc.strip() if rule else told
    described: dict[str, Any] = {
        "id": name,
        "name": "".join(part.capitalize() for part in name.split("-")),
        "shortDescription": {"text": told},
        "fullDescription": {"text": " ".join(page.split("\n\n")[0].split())},
        "help": {"text": page},
    }
    if known:
        described["defaultConfiguration"] = {"level": _LEVELS[known.kind]}
        described["properties"] = {"tags": [known.family, known.owner.value], "kind": known.kind.value}
    return described


def _invocation(report: Report) -> dict[str, Any]:
    remarks = [*report.coverage.notes, *(error for source in report.coverage.sources for error in source.errors)]
    return {
        "commandLine": visible(report.tool.command),
        "executionSuccessful": True,
        "toolExecutionNotifications": [{"level": "note", "message": _message(remark)} for remark in remarks],
    }


def _artifact(source: Source) -> dict[str, Any]:
    artifact: dict[str, Any] = {"location": {"uri": _uri(source.name)}, "length": source.bytes}
    if source.sha256:
        artifact["hashes"] = {"sha-256": source.sha256}
    return artifact


def _result(report: Report, finding: Finding, index: int) -> dict[str, Any]:
    cited = dict.fromkeys([*finding.lines, *(line for claim in finding.claims for line in claim.lines)])
    against = _locations(report, finding.contradicting)
    result: dict[str, Any] = {
        "ruleId": finding.id,
        "ruleIndex": index,
        "kind": "fail",
        "level": "note" if is_fine(report) else _level(finding),
        "message": _message(_said(report, finding)),
        "locations": _locations(report, cited),
        "partialFingerprints": {_FINGERPRINT: _fingerprint(report, finding)},
        "properties": {"status": finding.status, "role": finding.role, "kind": finding.kind, "launch": finding.launch},
    }
    return result | ({"relatedLocations": against} if against else {})


def _level(finding: Finding) -> str:
    level = _LEVELS[Kind(finding.kind)] if finding.kind in list(Kind) else "warning"
    return level if finding.status in {Status.ESTABLISHED, Status.SUPPORTED} else _WEAKER[level]


def _said(report: Report, finding: Finding) -> str:
    steps = actions(report) if finding.id == report.verdict.finding else []
    parts = [finding.summary, finding.sum or "", meaning(finding.status)]
    numbered = [f"{number}. {step}" for number, step in enumerate(steps, 1)]
    return " ".join([*(sentence(part) for part in parts if part), *numbered])


def _fingerprint(report: Report, finding: Finding) -> str:
    """The incident's own for the finding that the verdict names; for one beside it, with that one's name."""
    incident = report.verdict.fingerprint or report.verdict.outcome
    return incident if finding.id == report.verdict.finding else f"{incident}/{finding.id}"


def _locations(report: Report, line_ids: Iterable[str]) -> list[dict[str, Any]]:
    cited = [report.lines[i] for i in line_ids if i in report.lines][:MOST_LOCATIONS]
    return [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": _uri(line.source)},
                "region": {
                    "startLine": max(1, line.line),
                    "endLine": max(1, line.line, line.last_line),
                    "snippet": {"text": "\n".join(visible(part) for part in uncoloured(line.text).split("\n"))},
                },
            }
        }
        for line in cited
    ]


def _uri(name: str) -> str:
    """A relative reference; a colon in its first part would make a scheme of it."""
    return quote(visible(name), safe="/!@+=,~")


def _message(text: str) -> dict[str, str]:
    """A plain text message: `[…](…)` would be a link, braces stand for arguments unless they are doubled."""
    return {"text": visible(text).replace("](", "] (").replace("{", "{{").replace("}", "}}")}
