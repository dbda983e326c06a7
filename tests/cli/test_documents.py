"""`timeline`, `report` and `compare` exit 0 once the document is written, whatever the verdict."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from analyzer.report import json
from tests.cli.run import answer, run
from tests.report.build_report import cannot_tell, founding, healthy

if TYPE_CHECKING:
    from pathlib import Path

    from analyzer.contract import Report

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


@pytest.fixture(autouse=True)
def _pipeline(monkeypatch: Patch) -> None:
    answer(monkeypatch, lambda paths: healthy() if "good" in str(paths) else founding())


def seen_by_alice() -> Report:
    """A report whose inputs name somebody."""
    return replace(founding(), tool=replace(founding().tool, command="postmortem report /home/alice/run"))


def test_a_timeline_is_drawn_for_a_failed_launch_and_exits_zero(capsys: Capture) -> None:
    ran = run(capsys, "timeline", "bad", "--width", "80")
    assert ran.code == 0
    assert "n0/TP0-7" in ran.out


def test_a_report_is_redacted_and_written(capsys: Capture, monkeypatch: Patch, tmp_path: Path) -> None:
    answer(monkeypatch, lambda _: seen_by_alice())
    for name in ("out.md", "out.json", "out.html"):
        ran = run(capsys, "report", "bad", "-o", str(tmp_path / name))
        assert (ran.code, ran.out) == (0, "")
        assert "wrote" in ran.err
        assert "/home/user-1/run" in (tmp_path / name).read_text("utf-8")


def test_a_report_may_name_names_when_asked_to(capsys: Capture, monkeypatch: Patch, tmp_path: Path) -> None:
    answer(monkeypatch, lambda _: seen_by_alice())
    assert run(capsys, "report", "bad", "-o", str(tmp_path / "out.md"), "--no-redact").code == 0
    assert "/home/alice/run" in (tmp_path / "out.md").read_text("utf-8")


def test_no_map_is_made_of_no_stand_ins(capsys: Capture, tmp_path: Path) -> None:
    map_ = tmp_path / "map.json"
    ran = run(capsys, "report", "bad", "-o", str(tmp_path / "out.md"), "--no-redact", "--map", str(map_))
    assert ran.code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["out.txt", "out"])
def test_a_report_in_another_format_is_refused(capsys: Capture, tmp_path: Path, name: str) -> None:
    ran = run(capsys, "report", "bad", "-o", str(tmp_path / name))
    assert ran.code == 2
    assert "ends in .md, .html, .json, .sarif, .trace.json or .tar.gz" in ran.err
    assert not (tmp_path / name).exists()


def test_nothing_is_written_when_an_original_is_left(capsys: Capture, monkeypatch: Patch, tmp_path: Path) -> None:
    answer(monkeypatch, lambda _: seen_by_alice())
    monkeypatch.setattr("analyzer.report.markdown.render", lambda _: "by alice")
    ran = run(capsys, "report", "bad", "-o", str(tmp_path / "out.md"), "--map", str(tmp_path / "map.json"))
    assert (ran.code, ran.out) == (1, "")
    assert "alice" not in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_report_names_the_command_that_made_it(capsys: Capture, monkeypatch: Patch, tmp_path: Path) -> None:
    pipeline = answer(monkeypatch, lambda _: founding())
    run(capsys, "report", "the logs", "-o", str(tmp_path / "out.md"))
    run(capsys, "timeline", "server.log")
    commands = [command for _, _, command in pipeline.asked]
    assert commands == ["postmortem report 'the logs'", "postmortem timeline server.log"]


def test_evidence_is_refused_as_a_target_before_anything_is_read(
    capsys: Capture, monkeypatch: Patch, tmp_path: Path
) -> None:
    pipeline = answer(monkeypatch, lambda _: founding())
    evidence = tmp_path / "notes.md"
    evidence.write_text("evidence", "utf-8")
    new = str(tmp_path / "new.md")
    for options in (["-o", str(evidence)], ["-o", new, "--map", str(evidence)]):
        for command in (["report"], ["analyze", "--redact"]):
            ran = run(capsys, *command, str(tmp_path), *options)
            assert (ran.code, ran.out, pipeline.asked) == (2, "", [])
            assert f"{evidence} is one of the inputs" in ran.err
    assert [path.read_text("utf-8") for path in tmp_path.iterdir()] == ["evidence"]


def test_a_report_needs_a_file(capsys: Capture) -> None:
    assert run(capsys, "report", "bad").code == 2


def test_two_runs_are_compared(capsys: Capture) -> None:
    ran = run(capsys, "compare", "bad", "good")
    assert ran.code == 0
    assert ran.out.startswith("A  HUNG")
    assert "B  READY" in ran.out


def test_a_json_report_is_compared_as_it_is(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "before.json").write_text(json.dumps(cannot_tell()), "utf-8")
    assert run(capsys, "compare", str(tmp_path / "before.json"), "good").out.startswith("A  UNKNOWN")


def test_a_json_log_is_an_input_like_any_other(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "log.json").write_text('{"message": "x"}\n', "utf-8")
    assert run(capsys, "compare", str(tmp_path / "log.json"), "good").out.startswith("A  HUNG")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"schema": "postmortem.report/9"}', "is not postmortem.report/1"),
        ('{"tool": "other", "schema": "inventory/1"}', "is not postmortem.report/1"),
        ('{"schema": "postmortem.report/1", "verdict": 3}', "damaged"),
        ('{\n  "schema": "postmortem.report/1",\n  "tool"', "no JSON"),  # cut off
    ],
)
def test_a_json_with_a_schema_that_is_no_report_is_refused(
    capsys: Capture, tmp_path: Path, text: str, why: str
) -> None:
    path = tmp_path / "before.json"
    path.write_text(text, "utf-8")
    ran = run(capsys, "compare", "good", str(path))
    assert (ran.code, ran.out) == (2, "")
    assert str(path) in ran.err
    assert why in ran.err


def test_a_missing_json_report_is_unreadable(capsys: Capture, tmp_path: Path) -> None:
    ran = run(capsys, "compare", str(tmp_path / "none.json"), "good")
    assert ran.code == 6
    assert "No such file" in ran.err
