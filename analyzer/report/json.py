"""The document as JSON, its reading back, and its schema."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from analyzer.contract import SCHEMA, Report
from analyzer.errors import UnreadableError


def dumps(report: Report) -> str:
    """The report as indented JSON in ASCII: nothing of a log can reach a terminal through it."""
    tree = _readable(asdict(report))
    for remedy in _remedies(tree):
        remedy["from"] = remedy.pop("from_")
    return json.dumps(tree, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def loads(text: str) -> Report:
    """The report of a JSON text; unknown fields are ignored.

    Raises `UnreadableError` for anything that is no `postmortem.report/1`.
    """
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError) as error:
        message = f"this is no JSON: {error}"
        raise UnreadableError(message) from error
    if not isinstance(tree, dict) or tree.get("schema") != SCHEMA:
        message = f"this JSON is no report of this program: its `schema` is not {SCHEMA}"
        raise UnreadableError(message)
    for remedy in _remedies(tree):
        remedy["from_"] = remedy.pop("from", None)
    try:
        return _adapter().validate_python(tree)
    except ValidationError as error:
        first = error.errors()[0]
        message = f"this report is damaged at {'.'.join(map(str, first['loc']))}: {first['msg']}"
        raise UnreadableError(message) from error


def schema() -> dict[str, Any]:
    """The JSON Schema of the document."""
    made = _adapter().json_schema()
    properties = made["$defs"]["Remedy"]["properties"]
    properties["from"] = {**properties.pop("from_"), "title": "From"}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA, **made}


@cache
def _adapter() -> TypeAdapter[Report]:
    return TypeAdapter(Report)


def _remedies(tree: dict[str, Any]) -> list[dict[str, Any]]:
    findings = tree.get("findings")
    found = [f for f in findings if isinstance(f, dict)] if isinstance(findings, list) else []
    remedies = [f["remedy"] for f in found if isinstance(f.get("remedy"), list)]
    return [remedy for several in remedies for remedy in several if isinstance(remedy, dict)]


def _readable(node: Any) -> Any:
    """The tree with lone surrogates (undecodable file names) spelled out: JSON readers refuse them."""
    if isinstance(node, str):
        return node if node.isascii() else node.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(node, dict):
        return {_readable(key): _readable(value) for key, value in node.items()}
    return [_readable(item) for item in node] if isinstance(node, list) else node
