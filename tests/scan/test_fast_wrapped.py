"""Logs whose every line has a wrapper are read fast as well, and as the exact reading reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer import names
from tests.wrapped import moments
from tests.wrappings import MORE, ONE, TWO

if TYPE_CHECKING:
    from collections.abc import Callable

pytest.importorskip("numba")
alike = pytest.importorskip("tests.scan.alike")
run = pytest.importorskip("analyzer.scan.run")
texts = pytest.importorskip("analyzer.parsers.texts")

PACKED = ("gz", "bz2", "xz", "zst", "tar", "tar.gz", "zip", "utf-16", "utf-16 without mark")
ALL = {name: wrap for name, wrap in {**ONE, **MORE, **TWO}.items() if name not in PACKED}
CRASH = [
    "[2026-02-17 10:05:00 TP1] Scheduler hit an exception: Traceback (most recent call last):",
    '  File "scheduler.py", line 3, in run_scheduler_process',
    "    work()",
    "ValueError: nothing is left",
    "",
]
BARE = ["Traceback (most recent call last):", *CRASH[1:4]]
SAID = [
    "[2026-02-17 10:05:01 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 6, #new_token_ratio: 0.9 -> 1.0"
]


def log() -> list[str]:
    """Steady lines with headers and without, and among them what says something."""
    lines = []
    for number in range(150):
        time = f"[2026-02-17 10:{4 + number // 60:02d}:{number % 60:02d}"
        batch = alike.DECODE.replace("20253", str(20000 + number))
        lines.append((f"{time} TP{number % 2}] {batch}", alike.ACCESS, f"{time}] {alike.ACCESS}")[number % 3])
        if number % 70 == 35:
            lines += [*CRASH, "loading module 17", *SAID, *BARE]
    return lines


def cri(time: str, line: str) -> str:
    return f"{time} stderr F {line}"


def own(wrap: Callable[[str, int], str]) -> bytes:
    """The log with its head, each line wrapped by itself."""
    return "".join(f"{wrap(line, number)}\n" for number, line in enumerate([*alike.PRELUDE, *log()])).encode()


def clock(line: str, ahead: int = 0) -> str:
    """A wrapper's time: that of the header, or hours ahead of it; the same minute where there is no header."""
    hour, rest = (line[12:14], line[14:20]) if line.startswith("[2026-02-17 1") else ("10", ":05:00")
    return f"2026-02-17T{int(hour) + ahead:02d}{rest}"


def later(line: str) -> str:
    """Two seconds behind it, as long as the minute lasts."""
    time = clock(line)
    return f"{time[:-2]}{min(int(time[-2:]) + 2, 59):02d}"


@pytest.fixture(autouse=True)
def _short_head(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "HEAD_LINES", 20)


@pytest.mark.parametrize("name", ALL)
def test_whatever_the_wrapper_the_log_is_read_alike(name: str) -> None:
    lines = [*alike.PRELUDE, *log()]
    alike.assert_same(ALL[name](lines, moments(lines)).data, 900)


OTHERS = {
    "a clock of another zone": own(lambda line, _: cri(f"{clock(line, ahead=2)}.5+02:00", line)),
    "a clock that goes astray": own(lambda line, number: cri(f"{clock(line, ahead=number // 50 % 2)}.25Z", line)),
    "two times": own(lambda line, _: f"{clock(line)}.5Z stderr F {later(line)}Z {line}"),
    "a time within the journal's": own(lambda line, _: f"{clock(line)}+0000 gpu-1 sglang[4]: {later(line)}Z {line}"),
    "fractions of any length": own(lambda line, number: cri(f"{clock(line)}.{10 ** (number % 9)}Z", line)),
    "two containers": own(lambda line, number: f"{'router' if number % 5 == 0 else 'sglang'}-1  | {line}"),
    "lines without": own(lambda line, number: line if number % 7 == 0 else f"sglang-1  | {line}"),
    "parts": own(
        lambda line, number: cri(f"{clock(line)}Z", line).replace(" F ", " P " if number % 11 == 0 else " F ")
    ),
    "a wrapper within": own(lambda line, number: f"sglang-1  | {'[sglang] | ' if number % 3 == 0 else ''}{line}"),
    "blanks at the end": own(lambda line, number: f"[pod/llm-0/sglang] {line}{' ' * (number % 12)}"),
    "coloured": own(
        lambda line, number: f"sglang-1  | {line.replace('INFO', chr(27) + '[32mINFO' + chr(27) + '[0m', number % 2)}"
    ),
    "no time that is one": own(lambda line, number: cri(f"2026-02-{17 + number % 20:02d}T{clock(line)[11:]}Z", line)),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_wrappers_may_do_besides_is_read_alike(name: str) -> None:
    alike.assert_same(OTHERS[name], 900, 5000)


@pytest.mark.parametrize(
    "name", ["compose", "podman", "kubectl --prefix", "cri", "docker logs -t", "journal iso", "journal short"]
)
def test_nearly_all_lines_behind_a_wrapper_are_read_in_one_go(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [*alike.PRELUDE, *log() * 8]
    read: list[int] = []
    monkeypatch.setattr(
        texts.Texts, "_count", lambda self, line: read.append(line.number) or setattr(self, "lines", self.lines + 1)
    )
    alike.read(ONE[name](lines, moments(lines)).data, fast_from=0, piece=1 << 20)
    assert len(read) < len(lines) // 5, "the head, the first of each kind, the neighbours of tracebacks"


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize(("apart", "latest"), [(3, 5), (64, 1024)])
def test_where_more_nodes_speak_than_are_kept_apart_the_log_is_read_alike(
    apart: int, latest: int, monkeypatch: pytest.MonkeyPatch, *, late: bool
) -> None:
    """`late`: the node of most lines comes behind the others, and is none of those that are kept apart."""
    monkeypatch.setattr(names, "APART", apart)
    monkeypatch.setattr(names, "LATEST", latest)

    def wrap(line: str, number: int) -> str:
        other = number % 3 == 0 or (late and number < apart + 1)
        return f"[pod/llm-{number}/sglang] {SAID[0]}" if other else f"[pod/llm-main/sglang] {line}"

    exact = alike.assert_same(own(wrap), 900, 5000)
    assert len({event.where.node for event in exact.events}) > apart
