"""`postmortem explain`, `rules` and `patterns`: what the program knows, without an incident."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import fill, wrap
from typing import Annotated

import typer

from analyzer.cli import facts, options
from analyzer.cli.output import WIDEST, emit, look
from analyzer.errors import UsageError
from analyzer.vocabulary import FINDINGS, Outcome, Phase

_LEAST, _NARROW = 30, 4  # columns that a sentence needs beside its name; its indent below it
_TELLING = 4  # letters of a beginning that says which name is meant


def explain(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="A finding, phase, outcome or server argument; hicache-size=300 gives it a value."
        ),
    ],
    release: Annotated[
        str | None, typer.Option("--release", metavar="VERSION", help="For this SGLang release.")
    ] = None,
    ranks: Annotated[int | None, typer.Option("--ranks", min=1, metavar="N", help="Multiply by so many ranks.")] = None,
    width: options.Width = None,
) -> int:
    """What a finding, a phase or an argument means.

    \b
    Examples:
      postmortem explain per-rank-host-memory-oversubscription
      postmortem explain host-pool
      postmortem explain hicache-size=300 --release 0.5.9 --ranks 8
    """  # noqa: D301 - \b keeps a paragraph's lines apart in help texts
    columns = look(width, color=False, to_file=False).width
    if name in FINDINGS:
        emit(_finding(name, columns))
    elif name in list(Outcome):
        emit(f"{name}: the server {Outcome(name).sentence}.\n")
    else:
        from analyzer.knowledge import Release
        from analyzer.knowledge.explain import explain as known

        text = known(name, Release.of(facts.release(release, "--release")), ranks, columns)
        if text is None:
            raise UsageError(f"{name}: no finding, phase, outcome or argument is called so; {_nearest(name)}")
        emit(text.rstrip("\n") + "\n")
    return 0


def _nearest(name: str) -> str:
    """What may have been meant by a name that nothing has."""
    from difflib import get_close_matches

    from analyzer.knowledge.arguments import arguments

    plain = name.partition("=")[0].strip().lstrip("-").replace("_", "-").lower()
    named = [*FINDINGS, *Outcome, *Phase, *(known.replace("_", "-") for known in arguments())]
    begun = [known for known in named if len(plain) >= _TELLING and known.startswith(plain)]
    near = list(dict.fromkeys([*begun, *get_close_matches(plain, named)]))[:3]
    return f"did you mean {' or '.join(near)}?" if near else "see postmortem rules"


def _finding(name: str, width: int) -> str:
    from analyzer import rules as _  # noqa: F401 - its import registers them
    from analyzer.rule import RULES

    known = FINDINGS[name]
    head = f"{name} ({known.kind}, {known.family}, for the {known.owner} to solve)"
    rule = RULES.get(name)
    page = rule.doc.strip() if rule else f"{known.sentence[:1].upper()}{known.sentence[1:]}. No rule looks for it yet."
    explained = f"Explains: {', '.join(rule.explains)}" if rule and rule.explains else ""
    paragraphs = [head, *page.split("\n\n"), *([explained] if explained else [])]
    return "\n\n".join(fill(" ".join(text.split()), width, break_on_hyphens=False) for text in paragraphs) + "\n"


def rules(width: options.Width = None) -> int:
    """Every finding that can be named.

    With its kind and what it says; those in brackets have no rule yet. In a pipe a row stays whole, for grep.

    \b
    Examples:
      postmortem rules
      postmortem rules | grep memory
    """  # noqa: D301 - \b keeps a paragraph's lines apart in help texts
    from analyzer import rules as _  # noqa: F401 - its import registers them
    from analyzer.rule import RULES

    columns = look(width, color=False, to_file=False).width if width or sys.stdout.isatty() else WIDEST
    families = dict.fromkeys(known.family for known in FINDINGS.values())
    lines: list[str] = []
    for family in families:
        lines += ["", family]
        for name, known in FINDINGS.items():
            if known.family == family:
                shown = name if name in RULES else f"({name})"
                head = f"  {shown:<42}{known.kind:<15}"
                lines.append(_hanging(head, known.sentence, columns))
    emit("\n".join(lines[1:]) + "\n")
    return 0


def _hanging(head: str, text: str, width: int) -> str:
    """A row whose text goes on below itself; below its head where the page is too narrow for that."""
    indent = len(head) if width >= len(head) + _LEAST else _NARROW
    begun = head if indent == len(head) else f"{head.rstrip()}\n{' ' * indent}"
    lines = wrap(text, width - indent, break_on_hyphens=False)
    return begun + f"\n{' ' * indent}".join(lines)


def patterns_list() -> int:
    """Every pattern: its file, and what it gives.

    \b
    Examples:
      postmortem patterns list | grep hicache
    """  # noqa: D301 - \b keeps a paragraph's lines apart in help texts
    from analyzer.catalog import Catalog, listing

    rows = listing(Catalog.load())
    emit("".join(f"{row.id:<40} {row.kind:<9} {row.file:<28} {row.gives}\n" for row in rows))
    return 0


def patterns_check(
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="Pattern files; the program's own where none are named.")
    ] = None,
) -> int:
    """Runs every pattern on its own samples.

    Decoys must stay silent; exits 2 with what is wrong.

    \b
    Examples:
      postmortem patterns check
      postmortem patterns check my-proxy.toml
    """  # noqa: D301 - \b keeps a paragraph's lines apart in help texts
    from analyzer.catalog import Catalog, check

    catalog = Catalog.load([Path(name) for name in files] if files else None)
    problems = check(catalog)
    if problems:
        raise UsageError("\n".join(["the patterns are wrong:", *map(str, problems)]))
    emit(f"{len(catalog.patterns)} patterns hold on all their samples\n")
    return 0
