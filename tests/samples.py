"""The samples and what is known of each: `samples/cases.toml`, typed."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "samples"


@dataclass(frozen=True)
class Case:
    """The right answer for one sample.

    `outcome`, `root` and `status` hold what the input allows the verdict to say; an empty root is none.
    `found` are the findings that must be there; beside them and `may` nothing may be accused. `cleared` and `unknown`
    must be listed. `sums` are texts that the root's calculation shows. `why` says what the answer rests on.
    """

    why: str
    outcome: tuple[str, ...]
    exit_code: int
    root: tuple[str, ...]
    status: tuple[str, ...] = ()
    phase: str = ""
    found: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    cleared: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    sums: tuple[str, ...] = ()


def _case(entry: dict[str, object]) -> Case:
    return Case(**{key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()})  # type: ignore[arg-type]


CASES = {name: _case(entry) for name, entry in tomllib.loads((SAMPLES / "cases.toml").read_text("utf-8")).items()}
