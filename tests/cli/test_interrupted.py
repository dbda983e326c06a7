"""Ctrl-C ends the reading: every command gives what was read until then, marked as partial, and exits with 130."""

from __future__ import annotations

import json
import signal
import tarfile
from pathlib import Path

import pytest

from analyzer.cli.progress import Reading
from tests.cli.run import run
from tests.samples import SAMPLES

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch

MARKED = "Partial, as the reading was interrupted: "
BATCH = "[2026-11-29 16:30:00 TP0] Decode batch. #running-req: 8, #token: 20253, token usage: 0.07, #queue-req: 0, \n"
UNREAD = "[2026-11-29 16:40:00 TP0] Scheduler hit an exception: Traceback (most recent call last):\n"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A healthy launch, a megabyte of batch lines (more than is read at once), and a failure at the end."""
    begin = "".join(path.read_text("utf-8") for path in (SAMPLES / "healthy-two-ranks").glob("*.log"))
    path = tmp_path / "server.log"
    path.write_text(begin + BATCH * (2**20 // len(BATCH)) + UNREAD, "utf-8")
    return path


@pytest.fixture
def _ctrl_c(monkeypatch: Patch) -> None:
    """Ctrl-C while the first bytes are read."""
    heard = Reading.heard
    pressed: list[Reading] = []

    def interrupted(reading: Reading, size: int) -> bool:
        if reading not in pressed:
            pressed.append(reading)
            signal.raise_signal(signal.SIGINT)
        return heard(reading, size)

    monkeypatch.setattr(Reading, "heard", interrupted)


@pytest.mark.usefixtures("_ctrl_c")
@pytest.mark.parametrize(
    "command",
    ["analyze", "analyze --quiet", "analyze --redact", "analyze --format md", "analyze --format html", "timeline",
     "analyze --format brief", "analyze --format sarif", "analyze --format trace", "analyze --each"],
)  # fmt: skip
def test_what_is_printed_is_marked(capsys: Capture, log: Path, command: str) -> None:
    ran = run(capsys, *command.split(), str(log))
    assert ran.code == 130
    assert MARKED in " ".join(ran.out.split())
    assert ran.err.count("Partial") == 1
    assert "16:40:00" not in ran.out


@pytest.mark.usefixtures("_ctrl_c")
@pytest.mark.parametrize("name", ["a.md", "a.html", "a.sarif", "a.trace.json", "issue.md", "postmortem.md"])
def test_what_is_written_is_marked(capsys: Capture, log: Path, tmp_path: Path, name: str) -> None:
    forms = {"issue.md": ["--template", "sglang-bug"], "postmortem.md": ["--template", "postmortem"]}
    target = tmp_path / name
    assert run(capsys, "report", str(log), "-o", str(target), *forms.get(name, [])).code == 130
    assert MARKED in " ".join(target.read_text("utf-8").split())


@pytest.mark.usefixtures("_ctrl_c")
def test_json_is_partial_with_the_reason(capsys: Capture, log: Path) -> None:
    ran = run(capsys, "analyze", "--format", "json", str(log))
    coverage = json.loads(ran.out)["coverage"]
    assert ran.code == 130
    assert coverage["partial"]
    assert coverage["sources"][0]["errors"] == ["server.log: interrupted: what follows was not read"]


@pytest.mark.usefixtures("_ctrl_c")
def test_an_archive_holds_what_was_read_and_says_so(capsys: Capture, log: Path, tmp_path: Path) -> None:
    target = tmp_path / "a.tar.gz"
    assert run(capsys, "report", str(log), "-o", str(target)).code == 130
    with tarfile.open(target) as tar:
        texts = {Path(m.name).name: tar.extractfile(m).read().decode() for m in tar if m.isfile()}  # type: ignore[union-attr]
    assert MARKED in texts["README.md"]
    assert MARKED in texts["report.md"]
    assert "16:40:00" not in texts["server.log"]


@pytest.mark.usefixtures("_ctrl_c")
def test_a_comparison_names_the_side_that_is_partial(capsys: Capture, log: Path, tmp_path: Path) -> None:
    made = tmp_path / "before.json"
    assert run(capsys, "report", str(log), "-o", str(made)).code == 130
    ran = run(capsys, "compare", str(made), str(log))
    assert ran.code == 130
    assert ran.out.count("Partial") == 2


def test_a_partial_report_of_before_is_marked_and_is_no_interruption_of_now(
    capsys: Capture, monkeypatch: Patch, log: Path, tmp_path: Path
) -> None:
    made = tmp_path / "before.json"
    with monkeypatch.context() as during:
        during.setattr(Reading, "heard", lambda *_: False)
        assert run(capsys, "report", str(log), "-o", str(made)).code == 130
    ran = run(capsys, "compare", str(made), str(log))
    assert ran.code == 0
    assert ran.out.count("Partial") == 1


@pytest.mark.usefixtures("_ctrl_c")
def test_an_interruption_ends_the_incidents_that_follow(capsys: Capture, log: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.log"
    other.write_text(BATCH, "utf-8")
    ran = run(capsys, "analyze", "--each", "--quiet", str(log), str(other))
    assert ran.code == 130
    assert ran.out.count("\n") == 1
    assert "1 more were not read at all" in ran.err


def test_a_whole_reading_is_not_marked(capsys: Capture, log: Path) -> None:
    ran = run(capsys, "timeline", str(log))
    assert ran.code == 0
    assert "Partial" not in ran.out + ran.err
