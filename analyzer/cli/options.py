"""The options that several commands share, each with its help text."""

from __future__ import annotations

import shlex
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from analyzer.cli import facts

if TYPE_CHECKING:
    from analyzer.pipeline import Given


class Format(StrEnum):
    """What a document can be written as."""

    TEXT = "text"
    JSON = "json"
    MD = "md"
    BRIEF = "brief"
    HTML = "html"
    SARIF = "sarif"
    TRACE = "trace"
    ARCHIVE = "tar.gz"


_ADDED = "Facts that the input lacks"
Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH", help="Files, folders, archives (tar, zip, gz, bz2, xz, zst), or - for standard input."
    ),
]
Width = Annotated[
    int | None, typer.Option("--width", min=40, max=400, help="Columns; the terminal's by default, 100 in a pipe.")
]
NoColor = Annotated[
    bool, typer.Option("--no-color", help="No colours. NO_COLOR and TERM=dumb do the same; FORCE_COLOR the opposite.")
]
Tz = Annotated[
    str | None, typer.Option("--tz", metavar="ZONE", help="The time zone of stamps without one: Europe/Berlin, +02:00.")
]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="TIME",
        help="When the log was still silent, '2026-02-17 10:12:41': tells a hang from an end.",
    ),
]
Ram = Annotated[
    list[str] | None,
    typer.Option(
        "--ram",
        metavar="SIZE",
        help="Host memory, 449GiB or 482GB, for one node node1=449GiB; may be repeated. 449G is refused: it is either.",
    ),
]
GpuMemory = Annotated[str | None, typer.Option("--gpu-memory", metavar="SIZE", help="Memory of each GPU, 96GiB.")]
Gpus = Annotated[int | None, typer.Option("--gpus", min=1, metavar="N", help="GPUs per node.")]
Version = Annotated[
    str | None, typer.Option("--sglang-version", metavar="VERSION", help="The release that ran, where no line says it.")
]

Map = Annotated[
    str | None,
    typer.Option(
        "--map", metavar="FILE", help="Write what each stand-in stands for, to a file that only you can read."
    ),
]


def given(  # noqa: PLR0913, PLR0917 - one parameter for each option
    tz: str | None,
    as_of: str | None,
    ram: list[str] | None,
    gpu_memory: str | None,
    gpus: int | None,
    version: str | None,
) -> Given:
    """What the options say, checked. Raises `UsageError`."""
    checked = (
        facts.ram(ram or []),
        facts.gpu_memory(gpu_memory),
        gpus,
        facts.release(version),
        facts.moment(as_of),
        facts.zone(tz),
    )
    from analyzer.pipeline import Given

    return Given(*checked)


def typed(  # noqa: PLR0913, PLR0917 - one parameter for each option
    tz: str | None,
    as_of: str | None,
    ram: list[str] | None,
    gpu_memory: str | None,
    gpus: int | None,
    version: str | None,
) -> list[str]:
    """The same options as they were typed, to be typed again."""
    said = [("--tz", tz), ("--as-of", as_of), *(("--ram", size) for size in ram or [])]
    said += [("--gpu-memory", gpu_memory), ("--gpus", str(gpus) if gpus else None), ("--sglang-version", version)]
    return [f"{name} {shlex.quote(value)}" for name, value in said if value]
