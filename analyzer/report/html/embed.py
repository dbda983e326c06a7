"""Scripts, styles and data set into the page, and the policy that lets these run and nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
_ESCAPED = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "<>&'"})


@cache
def asset(name: str) -> str:
    """The text of a file beside this one."""
    return (FOLDER / name).read_text(encoding="utf-8")


def library() -> str:
    """The chart library, as published."""
    return asset("vendor/echarts.min.js")


@cache
def about_library() -> dict[str, str]:
    """Name, version, licence, source and checksum of the chart library."""
    return tomllib.loads(asset("vendor/echarts.toml"))


def as_data(value: Any) -> str:
    """A value as JSON for a data block: ASCII, without a sign that could end the block or begin a tag."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True, allow_nan=False).translate(_ESCAPED)


def policy(scripts: list[str], styles: list[str]) -> str:
    """A content security policy: exactly these inline scripts and styles, no evaluation, nothing loaded."""
    rules = {
        "default-src": "'none'",
        "script-src": " ".join(map(_hash, scripts)),
        "style-src": " ".join(map(_hash, styles)),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
