"""A long hunt for inputs that break a reader: `python -m tests.fuzz --minutes 10 [--parser NAME]...`.

What is found is kept under `tests/fuzz/corpus/<name>/`, made as small as it goes, and tried again by the tests. Minutes
are those of a processor, so that a busy machine makes no hunt shorter. `--tally` adds them to `hunted.tsv`, and takes those
first that were hunted least.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import signal
import time
import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.fuzz.mutate import mutated
from tests.fuzz.targets import TARGETS, seeds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

CORPUS: Final = Path(__file__).parent / "corpus"
TALLY: Final = Path(__file__).parent / "hunted.tsv"
SLOW: Final = 1.0  # seconds of processor time for an input of at most some kilobytes
ENDLESS: Final = 20.0  # after which it is ended


class TooSlowError(Exception):
    """An input took longer than any of its size may."""


def tried(target: Callable[[str], None], text: str) -> Exception | None:
    """What a target makes of an input: nothing, or the exception that it must not raise."""
    begun = time.process_time()
    try:
        with _ended(ENDLESS):
            target(text)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is found
        return error
    took = time.process_time() - begun
    return TooSlowError(f"{took:.1f} s for {len(text)} characters") if took > SLOW else None


@contextmanager
def _ended(seconds: float) -> Iterator[None]:
    """Ends what takes longer than so much of a processor's time, where the system has a clock for it."""

    def end(_signal: int, _frame: FrameType | None) -> None:
        raise TooSlowError(f"more than {seconds:.0f} s")

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def smaller(target: Callable[[str], None], text: str, kind: type[Exception]) -> str:
    """The input without the lines, then without the halves of lines, that the failure does not need."""

    def fails(lines: list[str]) -> bool:
        return bool(lines) and isinstance(tried(target, "\n".join(lines)), kind)

    lines = text.split("\n")
    for at in reversed(range(len(lines))):
        fewer = lines[:at] + lines[at + 1 :]
        lines = fewer if fails(fewer) else lines
    for at in range(len(lines)):
        while halves := [half for half in _halves(lines[at]) if fails([*lines[:at], half, *lines[at + 1 :]])]:
            lines[at] = halves[0]
    return "\n".join(lines)


def _halves(line: str) -> list[str]:
    middle = len(line) // 2
    return [line[:middle], line[middle:]] if middle else []


def hunt(name: str, minutes: float, dice: random.Random) -> tuple[int, list[str]]:
    """How many inputs were tried in so many minutes of a processor, and one sentence for each failure of a new kind."""
    target, made_of = TARGETS[name], seeds(name)
    found: dict[str, str] = {}
    inputs = 0
    end = time.process_time() + 60 * minutes
    while time.process_time() < end:
        text = mutated(made_of, dice)
        error = tried(target, text)
        inputs += 1
        if error is None:
            continue
        place = traceback.extract_tb(error.__traceback__)[-1:]
        kind = f"{type(error).__name__} at {place[0].name}:{place[0].lineno}" if place else type(error).__name__
        if kind not in found:
            small = smaller(target, text, type(error))
            file = CORPUS / name / f"{hashlib.sha256(small.encode('utf-8', 'replace')).hexdigest()[:12]}.txt"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(small, encoding="utf-8", errors="surrogatepass", newline="")
            found[kind] = f"{name}: {kind}: {error} (kept as {file.name})"
    return inputs, list(found.values())


def tallied() -> dict[str, tuple[float, int]]:
    """Minutes and inputs of every target so far."""
    lines = TALLY.read_text("utf-8").splitlines()[1:] if TALLY.exists() else []
    rows = [line.split("\t") for line in lines]
    return {name: (float(minutes), int(inputs)) for name, minutes, inputs in rows}


def tally(name: str, minutes: float, inputs: int) -> None:
    """Adds to what is known of a target; rows of targets that are gone are dropped."""
    known = tallied()
    before = known.get(name, (0.0, 0))
    known[name] = before[0] + minutes, before[1] + inputs
    rows = [f"{each}\t{known[each][0]:.2f}\t{known[each][1]}\n" for each in sorted(TARGETS) if each in known]
    TALLY.write_text("target\tminutes\tinputs\n" + "".join(rows), "utf-8", newline="")


def main() -> int:
    """Hunts in every target asked for; 1 where something was found."""
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    options.add_argument("--minutes", type=float, default=10, help="for each parser")
    options.add_argument("--parser", action="append", choices=sorted(TARGETS), help="this one only; may be repeated")
    options.add_argument("--seed", type=int, default=None, help="for the same inputs again")
    options.add_argument("--tally", action="store_true", help="add to hunted.tsv; the least hunted come first")
    asked = options.parse_args()
    failed = False
    hunted = tallied() if asked.tally else {}
    for name in sorted(asked.parser or TARGETS, key=lambda name: hunted.get(name, (0.0, 0))[0]):
        inputs, found = hunt(name, asked.minutes, random.Random(asked.seed))  # noqa: S311 - dice, no secret
        print(f"{name}: {inputs:,} inputs, {len(found)} failures", flush=True)  # noqa: T201 - a command
        if asked.tally:
            tally(name, asked.minutes, inputs)
        for sentence in found:
            print(f"  {sentence}", flush=True)  # noqa: T201 - a command
        failed = failed or bool(found)
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
