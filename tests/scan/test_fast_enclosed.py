"""Lines in JSON are read fast as well, and as the exact reading reads them, whatever stands around them or breaks them."""

from __future__ import annotations

import json
import random
from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from tests.samples import SAMPLES
from tests.wrapped import STAMP, iso

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytest.importorskip("numba")
alike = pytest.importorskip("tests.scan.alike")
texts = pytest.importorskip("analyzer.parsers.texts")

LOGS = sorted(
    path
    for path in SAMPLES.rglob("*")
    if path.is_file() and STAMP.search(path.read_bytes()[:20_000].decode(errors="replace"))
)
NAMES = [path.relative_to(SAMPLES).as_posix() for path in LOGS]
ACCESS = (*([alike.ACCESS] * 2), f"[2026-02-17 10:02:51] {alike.ACCESS}", alike.HEAD + alike.DECODE)


def wrapped(lines: list[str], wrap: Callable[[str, str, int], str]) -> bytes:
    """The lines, each with the time of the last header and a millisecond more."""
    time = datetime(2026, 2, 17)
    found = []
    for number, line in enumerate(lines):
        if header := STAMP.match(line):
            time = datetime.fromisoformat(header[1])
        found.append(wrap(line, iso(time.replace(microsecond=number % 1000 * 1000)), number) + "\n")
    return "".join(found).encode(errors="surrogateescape")


def docker(line: str, time: str, _: int, end: str = "\n") -> str:
    """As docker writes it: no blanks, the shortest fraction, some signs of HTML escaped, colours as well."""
    text = json.dumps(line + end, ensure_ascii=False)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return f'{{"log":{text},"stream":"{"stdout" if "INFO:" in line else "stderr"}","time":"{shortest(time)}"}}'


def shortest(time: str) -> str:
    return time.removesuffix("Z").rstrip("0").rstrip(".") + "Z"


def filebeat(line: str, time: str, number: int) -> str:
    """A wrapper on both sides, with a number that is another one on each line; Python escapes all that is no ASCII."""
    entry = {
        "@timestamp": time[:23] + "Z",
        "log": {"offset": number * 217, "file": {"path": "/var/log/containers/llm-0.log"}},
        "message": line,
        "stream": "stderr",
        "kubernetes": {"pod": {"name": "llm-0"}, "labels": {"app": "x"}, "restarts": number},
    }
    return json.dumps(entry, separators=(",", ":") if number // 100 % 2 else None)


WRAPS: dict[str, Callable[[str, str, int], str]] = {
    "docker": docker,
    "docker with a terminal": lambda line, time, number: docker(line, time, number, "\r\n"),
    "filebeat": filebeat,
    "no time": lambda line, _, __: json.dumps({"message": line, "podName": "llm-0", "containerName": "a"}),
}


def lines_of(path: Path) -> list[str]:
    return path.read_bytes().decode(errors="surrogateescape").removesuffix("\n").split("\n")


@pytest.fixture(autouse=True)
def _short_head(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "HEAD_LINES", 20)


@pytest.mark.parametrize("path", LOGS, ids=NAMES)
def test_the_log_of_a_sample_is_read_alike_in_docker_s_files(path: Path) -> None:
    alike.assert_same(wrapped(lines_of(path), docker), 900, 20_000)


@pytest.mark.parametrize("name", [name for name in WRAPS if name != "docker"])
@pytest.mark.parametrize("path", LOGS[::4], ids=NAMES[::4])
def test_the_log_of_a_sample_is_read_alike_in_other_files(path: Path, name: str) -> None:
    alike.assert_same(wrapped(lines_of(path), WRAPS[name]), 5000)


def damaged(data: bytes, seed: int) -> bytes:
    """Some bytes are others, gone or there twice, line ends too; parts that docker cut; other keys, another order."""
    chance = random.Random(seed)  # noqa: S311 - the same every time
    lines = data.split(b"\n")
    for _ in range(len(lines) // 4):
        at = chance.randrange(len(lines))
        line = lines[at]
        place = chance.randrange(len(line) + 1)
        lines[at] = chance.choice(
            [
                line[:place] + bytes([chance.randrange(256)]) + line[place + 1 :],
                line[:place] + line[place + 1 :],
                line[:place],
                line[place:],
                line + line,
                line[:place] + b"\n" + line[place:],
                line[:place] + chance.choice([b"\\u001b", b"\\u00e9", b"\\ud83d", b"\\n", b"\\\\", b'\\"', b"\\/", b'"', b"\\x"]) + line[place:],
                line.replace(b'\\n","', b'","', 1),
                line.replace(b'"stream"', b'"attrs":{"tag":"x"},"stream"', 1),
                line.replace(b'"log":', b'"log":"a","log":', 1),
                line.replace(b',"time":', b',"time":5,"time":', 1),
                line.replace(b"std", b"other", 1),
                line.replace(b"Z", b"+02:00", 1),
                b" " + line,
                line + b" \r",
            ]
        )  # fmt: skip
    return b"\n".join(lines)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", ["docker", "filebeat"])
def test_damaged_lines_are_read_alike(name: str, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same every time
    crash = lines_of(SAMPLES / "watchdog-during-warm-up" / "server.log")
    lines = [*alike.PRELUDE[:40], *(chance.choice([*ACCESS, *crash]) for _ in range(300))]
    alike.assert_same(damaged(wrapped(lines, WRAPS[name]), seed), 900, 20_000)


@pytest.mark.parametrize("name", WRAPS)
def test_nearly_all_lines_in_json_are_read_in_one_go(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [*alike.PRELUDE, *list(ACCESS) * 100]
    read: list[int] = []
    monkeypatch.setattr(
        texts.Texts, "_count", lambda self, line: read.append(line.number) or setattr(self, "lines", self.lines + 1)
    )
    alike.read(wrapped(lines, WRAPS[name]), fast_from=0, piece=1 << 20)
    assert len(read) < len(lines) // 5
