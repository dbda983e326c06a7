"""What reads the same log beside ours; each runs in a process of its own: `python -m tests.bench.contenders NAME PATH`."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.catalog import Catalog

if TYPE_CHECKING:
    from collections.abc import Callable

_PAIR = re.compile(r"([#\w ()/.-]+): ([^,]*)")
_ACCESS = re.compile(r'INFO: +[\w.:]+ - "[A-Z]+ ([^ ?"]+)[^"]*" (\d+)')
_GROUP = re.compile(r"\(\?<\w+>")
# What an expression has beside fixed texts and numbers: other classes, anchors, flags, counts, anything at all.
_MORE = re.compile(r'\\\w|\[(?![\].])|[\^${\n"]|\(\?[^:]|\.[*+]')
_HEADER = re.compile(r"\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[^\]]*\] ?")


def literals() -> list[str]:
    """What the lines of our patterns contain: the set that all contenders look for."""
    found = {text for pattern in Catalog.load().patterns for variant in pattern.variants for text in variant.literals}
    return sorted(found | {head.text for head in Catalog.load().heads})


def expressions() -> list[str]:
    """Those of our expressions that hold fixed texts and numbers alone; for all of them `rg` needs minutes."""
    every = {variant.regex for pattern in Catalog.load().patterns for variant in pattern.variants}
    unnamed = {_GROUP.sub("(?:", regex).replace(r"[\d", "[0-9").replace(r"\d", "[0-9]") for regex in every}
    return sorted(regex for regex in unnamed if not _MORE.search(regex.replace("[0-9", "[")))


def reading(path: Path) -> int:
    """Our reading alone, in one process: lines, records, events, tables."""
    from analyzer.bundle import OnDisk, Source
    from analyzer.cli import be_quick
    from analyzer.parsers import parse
    from analyzer.tables.spill import Spill

    be_quick()  # as the command does
    with Spill() as spill:
        return parse(Source(path.name, path.stat().st_size, OnDisk(path)), Catalog.load(), spill=spill).recognised


def loop(path: Path) -> int:
    """A plain loop, structure first: header, pairs of batch lines, access lines, the texts for the rest."""
    rest = literals()  # one by one: an alternation of as many takes ten times as long
    found = 0
    with path.open(encoding="utf-8", errors="replace", newline="\n") as file:
        for line in file:
            header = _HEADER.match(line)
            text = line[header.end() :] if header else line
            if text.startswith(("Decode batch", "Prefill batch")):
                found += bool({key.strip(): value for key, value in _PAIR.findall(text)})
            elif access := _ACCESS.match(text):
                found += bool(access.groups())
            else:
                found += any(literal in text for literal in rest)
    return found


def naive(path: Path) -> int:
    """Polars over the lines of the file: which of them contain any of the texts."""
    import polars as pl

    lines = pl.read_csv(
        path,
        separator="\x1f",
        quote_char=None,
        has_header=False,
        encoding="utf8-lossy",
        truncate_ragged_lines=True,
        new_columns=["line"],
    )
    return int(lines["line"].str.contains_any(literals()).sum())


def duckdb(path: Path) -> int:
    """The same by DuckDB."""
    import duckdb as db  # type: ignore[import-not-found]

    wanted = "|".join(map(re.escape, literals()))
    query = "select count(*) from read_csv(?, delim='\x1f', quote='', escape='', header=false, columns={'line': 'varchar'}, ignore_errors=true) where regexp_matches(line, ?)"
    return int(db.execute(query, [str(path), wanted]).fetchone()[0])


CONTENDERS: dict[str, Callable[[Path], int]] = {
    "our reading": reading,
    "re loop": loop,
    "polars": naive,
    "duckdb": duckdb,
}


def commands(path: Path, folder: Path) -> dict[str, list[str]]:
    """The command of every contender that is installed; `folder` gets the sets that `rg` looks for."""
    ours = [sys.executable, "-m", "analyzer", "analyze", "--format", "json", str(path)]
    found = {name: [sys.executable, "-m", "tests.bench.contenders", name, str(path)] for name in CONTENDERS}
    return {"ours": ours} | _ripgrep(path, folder) | found


def _ripgrep(path: Path, folder: Path) -> dict[str, list[str]]:
    command = shutil.which("rg")
    if not command:
        return {}
    sets = {"rg": ([], expressions()), "rg -F": (["-F"], literals())}
    for name, (_, texts) in sets.items():
        (folder / f"{name}.txt").write_text("\n".join(texts) + "\n", "utf-8")
    return {
        name: [command, "-c", "-a", *options, "-f", str(folder / f"{name}.txt"), str(path)]
        for name, (options, _) in sets.items()
    }


if __name__ == "__main__":
    sys.stdout.write(f"{CONTENDERS[sys.argv[1]](Path(sys.argv[2]))}\n")
