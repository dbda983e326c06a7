"""`analyze` prints what it is asked for and exits by the verdict."""

from __future__ import annotations

import json
import os
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from analyzer.errors import UnreadableError
from tests.cli.run import answer, run
from tests.report.build_report import cannot_tell, founding, healthy

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from analyzer.contract import Report

Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


@pytest.fixture
def _founding(monkeypatch: Patch) -> None:
    answer(monkeypatch, lambda _: founding())


@pytest.mark.usefixtures("_founding")
def test_a_path_alone_means_analyze(capsys: Capture) -> None:
    assert run(capsys, "incident") == run(capsys, "analyze", "incident")


@pytest.mark.usefixtures("_founding")
def test_an_option_in_front_of_the_path_means_analyze(capsys: Capture) -> None:
    assert run(capsys, "--quiet", "incident").out.startswith("launch-hung in host-pool")


def test_standard_input_is_a_dash(capsys: Capture, monkeypatch: Patch) -> None:
    pipeline = answer(monkeypatch, lambda _: founding())
    assert run(capsys, "-").code == 3
    assert pipeline.asked[0][0] == ["-"]


def test_all_paths_are_one_incident(capsys: Capture, monkeypatch: Patch) -> None:
    pipeline = answer(monkeypatch, lambda _: founding())
    run(capsys, "server.log", "free txt")
    assert [asked[0] for asked in pipeline.asked] == [["server.log", "free txt"]]
    assert pipeline.asked[0][2] == "postmortem analyze server.log 'free txt'"


@pytest.mark.parametrize(("make", "code"), [(healthy, 0), (founding, 3), (cannot_tell, 5)])
def test_the_exit_code_is_the_verdict_s(capsys: Capture, monkeypatch: Patch, make: object, code: int) -> None:
    answer(monkeypatch, lambda _: make())  # type: ignore[operator]
    for form in ("text", "json", "md", "brief"):
        ran = run(capsys, "incident", "--format", form)
        assert ran.code == code
        assert ran.out


@pytest.mark.usefixtures("_founding")
def test_fail_on_never_exits_zero(capsys: Capture) -> None:
    assert run(capsys, "incident", "--fail-on", "never").code == 0


@pytest.mark.usefixtures("_founding")
def test_a_page_holds_one_incident(capsys: Capture) -> None:
    assert "<title>HUNG: Kimi-K2.5</title>" in run(capsys, "incident", "--format", "html").out
    ran = run(capsys, "incident", "other", "--each", "--format", "html")
    assert (ran.code, ran.out) == (2, "")


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("out.json", "{"),
        ("out.md", "<!-- postmortem.report/1 -->\n\n# HUNG"),
        ("out.txt", "HUNG"),
        ("out.html", "<!-- postmortem.report/1 -->\n<!doctype html>"),
    ],
)
@pytest.mark.usefixtures("_founding")
def test_the_ending_of_the_file_chooses_the_format(capsys: Capture, tmp_path: Path, name: str, begins: str) -> None:
    ran = run(capsys, "incident", "-o", str(tmp_path / name))
    assert (ran.code, ran.out) == (3, "")
    assert (tmp_path / name).read_text("utf-8").startswith(begins)


@pytest.mark.usefixtures("_founding")
def test_width_is_kept(capsys: Capture) -> None:
    assert max(map(len, run(capsys, "incident", "--width", "60").out.split("\n"))) <= 60


def test_given_facts_reach_the_pipeline(capsys: Capture, monkeypatch: Patch) -> None:
    pipeline = answer(monkeypatch, lambda _: founding())
    run(capsys, "x", "--ram", "449GiB", "--ram", "n1=1GiB", "--gpus", "8", "--sglang-version", "v0.5.9",
        "--as-of", "10:12:41", "--tz", "UTC")  # fmt: skip
    ram, gpu_memory, *others = pipeline.asked[0][1]
    assert {node: int(size.value) for node, size in ram.items()} == {None: 449 * 2**30, "n1": 2**30}
    assert (gpu_memory, *others) == (None, 8, "0.5.9", "10:12:41", "UTC")


def test_a_wrong_fact_stops_before_anything_is_read(capsys: Capture, monkeypatch: Patch) -> None:
    pipeline = answer(monkeypatch, lambda _: founding())
    ran = run(capsys, "x", "--ram", "449G")
    assert (ran.code, ran.out, pipeline.asked) == (2, "", [])
    assert "449GiB" in ran.err


def test_a_planned_command_is_refused_as_planned(capsys: Capture, monkeypatch: Patch) -> None:
    pipeline = answer(monkeypatch, lambda _: founding())
    for name in ("collect", "check", "watch", "triage", "mcp"):
        ran = run(capsys, name)
        assert ran.code == 2
        assert "planned" in ran.err
    assert not pipeline.asked


def test_nothing_read_is_said_and_nothing_printed(capsys: Capture, monkeypatch: Patch) -> None:
    report = replace(cannot_tell(), coverage=replace(cannot_tell().coverage, sources=[], notes=["x: no such file"]))
    answer(monkeypatch, lambda _: report)
    ran = run(capsys, "x", "--format", "json")
    assert (ran.code, ran.out) == (6, "")
    assert "x: no such file" in ran.err


def test_nothing_read_gives_each_reason_first(capsys: Capture, monkeypatch: Patch) -> None:
    one = replace(founding().coverage.sources[0], lines=0, errors=["a.log: no such file"])
    coverage = replace(cannot_tell().coverage, sources=[one, replace(one, errors=["b.gz: cut off"])], notes=[])
    answer(monkeypatch, lambda _: replace(cannot_tell(), coverage=coverage))
    ran = run(capsys, "a.log", "b.gz")
    assert (ran.code, ran.out) == (6, "")
    said = ["a.log: no such file", "b.gz: cut off", "nothing could be read"]
    assert ran.err == "".join(f"postmortem: {line}\n" for line in said)


def test_an_unreadable_input_among_others_is_a_line_on_standard_error(capsys: Capture, monkeypatch: Patch) -> None:
    source = replace(founding().coverage.sources[0], name="a.gz", lines=0, errors=["a.gz: cut\x1b[2J off"])
    coverage = replace(founding().coverage, sources=[*founding().coverage.sources, source], partial=True)
    answer(monkeypatch, lambda _: replace(founding(), coverage=coverage))
    ran = run(capsys, "x")
    assert ran.code == 3
    assert ran.err == "postmortem: a.gz: cut\\x1b[2J off\n"
    assert run(capsys, "x", "--strict").code == 6


def incident_of(paths: object) -> Report:
    """A report by the name of the path."""
    name = str(paths)
    if "gone" in name:
        raise UnreadableError("gone: no such file")
    return founding() if "bad" in name else healthy()


def named_incident_of(paths: Sequence[str]) -> Report:
    """The same, with the command that the pipeline would record."""
    report = incident_of(paths)
    return replace(report, tool=replace(report.tool, command=shlex.join(["postmortem", "analyze", *paths])))


def test_each_path_can_be_an_incident_of_its_own(capsys: Capture, monkeypatch: Patch) -> None:
    answer(monkeypatch, named_incident_of)
    ran = run(capsys, "analyze", "--each", "good", "so bad", "--quiet")
    assert ran.code == 3
    assert [line[:20] for line in ran.out.splitlines()] == ["good: ready: The ser", "so bad: launch-hung "]


def test_the_loose_files_of_a_folder_are_named_by_the_first(
    capsys: Capture, monkeypatch: Patch, tmp_path: Path
) -> None:
    answer(monkeypatch, named_incident_of)
    (tmp_path / "node0").mkdir()
    for name in ("a.log", "b.log", "c.log"):
        (tmp_path / name).touch()
    lines = run(capsys, "--each", str(tmp_path), "-q").out.splitlines()
    starts = [f"{tmp_path}/node0: ready", f"{tmp_path}/a.log and 2 more: ready"]
    assert [line.startswith(start) for line, start in zip(lines, starts, strict=True)] == [True, True]


def test_a_folder_of_folders_is_an_incident_each(capsys: Capture, monkeypatch: Patch, tmp_path: Path) -> None:
    pipeline = answer(monkeypatch, lambda _: healthy())
    for name in ("b", "a", ".git"):
        (tmp_path / name).mkdir()
    (tmp_path / "loose.log").touch()
    run(capsys, "--each", str(tmp_path))
    assert [asked[0] for asked in pipeline.asked] == [
        [str(tmp_path / "a")], [str(tmp_path / "b")], [str(tmp_path / "loose.log")],
    ]  # fmt: skip


def test_a_folder_of_files_is_one_incident(capsys: Capture, monkeypatch: Patch, tmp_path: Path) -> None:
    pipeline = answer(monkeypatch, lambda _: healthy())
    (tmp_path / "server.log").touch()
    run(capsys, "--each", str(tmp_path))
    assert [asked[0] for asked in pipeline.asked] == [[str(tmp_path)]]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_among_the_loose_files_is_skipped_with_a_word(
    capsys: Capture, monkeypatch: Patch, tmp_path: Path
) -> None:
    pipeline = answer(monkeypatch, lambda _: healthy())
    (tmp_path / "node0").mkdir()
    (tmp_path / "loose.log").touch()
    os.mkfifo(tmp_path / "pipe")
    ran = run(capsys, "--each", str(tmp_path))
    assert [asked[0] for asked in pipeline.asked] == [[str(tmp_path / "node0")], [str(tmp_path / "loose.log")]]
    assert f"{tmp_path}/pipe: is a pipe, not a file" in ran.err


def test_several_json_reports_are_a_list(capsys: Capture, monkeypatch: Patch) -> None:
    answer(monkeypatch, incident_of)
    documents = json.loads(run(capsys, "--each", "good", "bad", "--format", "json").out)
    assert [document["verdict"]["outcome"] for document in documents] == ["ready", "launch-hung"]


def test_even_one_json_report_of_its_own_is_a_list(capsys: Capture, monkeypatch: Patch) -> None:
    answer(monkeypatch, incident_of)
    assert len(json.loads(run(capsys, "--each", "good", "--format", "json").out)) == 1


def test_one_unreadable_incident_does_not_stop_the_others(capsys: Capture, monkeypatch: Patch) -> None:
    answer(monkeypatch, incident_of)
    ran = run(capsys, "--each", "gone", "good", "--quiet")
    assert ran.code == 6
    assert ": ready:" in ran.out
    assert "gone: no such file" in ran.err
