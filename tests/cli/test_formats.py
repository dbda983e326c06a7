"""A file's name says what is written into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.cli.formats import by_name, renderer
from analyzer.cli.options import Format
from tests.cli.run import answer, run
from tests.report.build_report import founding

if TYPE_CHECKING:
    from pathlib import Path

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("name", "form"),
    [
        (None, None),
        ("out", None),
        ("out.txt", None),
        ("notes.sarif.txt", None),
        ("incident.md", Format.MD),
        ("INCIDENT.MD", Format.MD),
        ("incident.markdown", Format.MD),
        ("incident.html", Format.HTML),
        ("incident.json", Format.JSON),
        ("trace.json", Format.TRACE),
        ("out/trace.json", Format.TRACE),
        ("launch.trace.json", Format.TRACE),
        ("backtrace.json", Format.JSON),
        ("incident.sarif", Format.SARIF),
        ("incident.sarif.json", Format.SARIF),
        ("incident.tar.gz", Format.ARCHIVE),
        ("incident.tgz", Format.ARCHIVE),
        ("incident.gz", None),
    ],
)
def test_a_name_asks_for_a_format(name: str | None, form: Format | None) -> None:
    assert by_name(name) == form


@pytest.mark.parametrize("form", [form for form in Format if form not in {Format.TEXT, Format.ARCHIVE}])
def test_every_format_of_a_report_alone_has_a_renderer(form: Format) -> None:
    assert renderer(form)(founding())


@pytest.mark.parametrize("command", ["analyze", "report"])
def test_both_commands_write_by_the_name(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str
) -> None:
    answer(monkeypatch, lambda _: founding())
    begins = {"x.sarif": '{\n  "$schema": ', "trace.json": '{"traceEvents":[', "x.json": '{\n  "schema": '}
    for name, begin in begins.items():
        run(capsys, command, "bad", "-o", str(tmp_path / name))
        assert (tmp_path / name).read_text("utf-8").startswith(begin)


def test_a_format_can_be_named_and_go_to_standard_output(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, lambda _: founding())
    ran = run(capsys, "report", "bad", "-o", "-", "--as", "brief")
    assert ran.out.startswith("Outcome: launch-hung.")
    assert (ran.code, ran.err) == (0, "")


def test_a_template_needs_no_other_word(capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    answer(monkeypatch, lambda _: founding())
    assert run(capsys, "report", "bad", "-o", str(tmp_path / "issue.md"), "--template", "sglang-bug").code == 0
    assert "### Reproduction" in (tmp_path / "issue.md").read_text("utf-8")
    ran = run(capsys, "report", "bad", "-o", str(tmp_path / "x.json"), "--template", "postmortem")
    assert (ran.code, ran.out) == (2, "")
    assert "is Markdown" in ran.err


def test_an_archive_of_inputs_is_written_by_report(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, lambda _: founding())
    ran = run(capsys, "analyze", "bad", "--format", "tar.gz")
    assert ran.code == 2
    assert "postmortem report" in ran.err


def test_a_document_of_one_incident_holds_no_several(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, lambda _: founding())
    assert run(capsys, "a", "b", "--each", "--format", "sarif").code == 2
    assert run(capsys, "a", "b", "--each", "--format", "sarif", "--quiet").code == 3
