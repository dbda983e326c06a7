"""The tables of facts shipped beside this code, read once and checked as far as TOML goes."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import tomli

from analyzer.errors import KnowledgeError


@cache
def table(name: str) -> dict[str, Any]:
    """The content of `name`.toml in this folder. Raises `KnowledgeError` where it is missing or no TOML."""
    try:
        return tomli.loads(files("analyzer.knowledge").joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    except (OSError, tomli.TOMLDecodeError) as error:
        message = f"analyzer/knowledge/{name}.toml: {error}"
        raise KnowledgeError(message) from error
