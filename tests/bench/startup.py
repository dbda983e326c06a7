"""What a start costs: `python -m tests.bench.startup [ROUNDS]`, in processor time and in turns, medians."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
EMPTY = "import typer; app = typer.Typer(); app.command()(lambda: None); app()"
INCIDENT = "samples/hicache-300-per-rank"
COMMANDS = {
    "import polars, rich, typer": ["-c", "import polars, rich, typer"],
    "analyze, the founding incident": ["-m", "analyzer", "analyze", INCIDENT],
    "the same with an option": ["-m", "analyzer", "analyze", INCIDENT, "--width", "100"],
    "an empty program of typer": ["-c", EMPTY],
    "--help": ["-m", "analyzer", "--help"],
    "--version": ["-m", "analyzer", "--version"],
}


def seconds(arguments: list[str], environment: dict[str, str]) -> float:
    """User and system time of one run of the interpreter, its output thrown away."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Writes a line for each command; its first run, which fills the bytecode caches, does not count."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    with tempfile.TemporaryDirectory() as caches:
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = caches
        turns = [[seconds(command, environment) for command in COMMANDS.values()] for _ in range(rounds + 1)]
    for name, times in zip(COMMANDS, zip(*turns[1:], strict=True), strict=True):
        sys.stdout.write(f"{statistics.median(times):6.3f} s  {name}\n")


if __name__ == "__main__":
    main()
