"""What is passed on is redacted and searched; what stands for what goes to a file of its owner alone."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from analyzer.cli.passed_on import passed_on, write_map
from analyzer.errors import LeakError, UsageError
from analyzer.redact import Private
from tests.cli.run import answer, run
from tests.report.build_report import founding

if TYPE_CHECKING:
    from pathlib import Path

    from analyzer.contract import Report

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


def named() -> Report:
    """A report whose command line names a user, a host and a secret."""
    command = "postmortem /home/alice/gpu-w07.log HF_TOKEN=hf_short1 tcp://gpu-w07:29500"
    return replace(founding(), tool=replace(founding().tool, command=command))


def test_a_document_is_rendered_from_stand_ins() -> None:
    document = passed_on(named(), lambda report: report.tool.command, Private())
    assert document == "postmortem /home/user-1/host-1.log HF_TOKEN=secret-1 tcp://host-1:29500"


def test_a_document_that_still_names_somebody_is_refused() -> None:
    with pytest.raises(LeakError, match="1 originals are left"):
        passed_on(named(), lambda _: "said &#97;lice", Private())


def test_a_name_in_the_charts_library_is_nobody_s() -> None:
    from analyzer.report import html
    from analyzer.report.html import embed

    assert "/ecomfe/" in embed.library(), "in an address of its licence"
    report = replace(founding(), tool=replace(founding().tool, command="postmortem /home/ecomfe/server.log"))
    document = passed_on(report, html.render, Private())
    assert "/home/user-1/server.log" in document
    assert "ecomfe" not in html.own_part(document)


@pytest.mark.parametrize("form", ["text", "json", "md", "brief"])
def test_analyze_redacts_when_asked_to(capsys: Capture, monkeypatch: Patch, tmp_path: Path, form: str) -> None:
    answer(monkeypatch, lambda _: named())
    map_ = tmp_path / "map.json"
    ran = run(capsys, "incident", "--format", form, "--redact", "--map", str(map_))
    assert ran.code == 3
    assert "alice" not in ran.out
    assert json.loads(map_.read_text("utf-8")) == {"user-1": ["alice"], "host-1": ["gpu-w07"]}


def test_a_map_without_a_redaction_is_refused(capsys: Capture, monkeypatch: Patch, tmp_path: Path) -> None:
    answer(monkeypatch, lambda _: named())
    assert run(capsys, "incident", "--map", str(tmp_path / "map.json")).code == 2
    assert not (tmp_path / "map.json").exists()


def test_the_map_is_its_owner_s_alone_even_over_an_older_file(tmp_path: Path) -> None:
    older = tmp_path / "map.json"
    older.write_text("x" * 999, "utf-8")
    older.chmod(0o644)
    private = Private()
    passed_on(named(), lambda _: "", private)
    for path in (older, tmp_path / "new.json"):
        write_map(private, str(path), None, [])
        assert path.stat().st_mode & 0o777 == 0o600
        assert json.loads(path.read_text("utf-8")) == {"user-1": ["alice"], "host-1": ["gpu-w07"]}


def test_no_map_is_written_unasked(tmp_path: Path) -> None:
    write_map(Private(), None, str(tmp_path / "out.md"), [])
    assert list(tmp_path.iterdir()) == []


def test_a_map_goes_through_no_link_and_not_into_the_document(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(UsageError, match="cannot be written"):
        write_map(Private(), str(tmp_path / "link.json"), None, [])
    with pytest.raises(UsageError, match="another file"):
        write_map(Private(), str(tmp_path / "out.md"), str(tmp_path / "out.md"), [])
    assert not (tmp_path / "elsewhere.json").exists()


def test_a_map_does_not_overwrite_the_evidence(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    log.write_text("x", "utf-8")
    for inputs in ([str(log)], [str(tmp_path)]):
        with pytest.raises(UsageError, match="one of the inputs"):
            write_map(Private(), str(log), None, inputs)
    assert log.read_text("utf-8") == "x"
