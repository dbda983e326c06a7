"""Planted secrets and names of every kind, in every place of a report, are in no format of what leaves."""

from __future__ import annotations

import functools
import json as jsons
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from analyzer import parsers
from analyzer.bundle import gather
from analyzer.catalog import Catalog
from analyzer.contract import Argument, Line
from analyzer.parsers import parse
from analyzer.pipeline import analyse
from analyzer.redact import Private, leaks, mask_secrets, redact
from analyzer.redact.second_look import readings
from analyzer.redact.walk import rewritten
from analyzer.report import brief, form, html, json, markdown, one_line, sarif, text, timeline, trace
from analyzer.report.page import Look
from tests.report.build_report import founding

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from analyzer.contract import Report

SECRET = {
    "HF_TOKEN=hf_short1": "hf_short1",
    "curl -H 'Authorization: Bearer tok-77-x'": "tok-77-x",
    "--api-key opensesame1": "opensesame1",
    "api_key='apikey-o-1'": "apikey-o-1",
    "AKIAIOSFODNN7EXAMPLE": "AKIAIOSFODNN7EXAMPLE",
    "https://ci:hunter2pw@git.acme.com": "hunter2pw",
    "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": "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",
    "text='tell me a secret story', sampling_params": "secret story",
    "input_ids=[10177, 75921]": "75921",
}
IDENTITY = {
    "alice@gpu-w07:~$ ls": "alice",
    "tcp://gpu-w08.acme.com:29500": "gpu-w08",
    "from 10.20.30.41": "10.20.30.41",
    "to fd00:1:2:3::5": "fd00:1:2:3::5",
    "ask carol@acme.com": "carol",
    "/home/dave/secretive/run.py": "dave",
    "--model-path /mnt/zephyr/Kimi-K2.5": "zephyr",
}
PLANTED = [*SECRET, *IDENTITY]
FORMATS: dict[str, Callable[[Report], str]] = {
    "json": json.dumps,
    "markdown": markdown.render,
    "text": lambda report: text.render(report, Look(60)),
    "ascii": lambda report: text.render(report, Look(200, ascii=True)),
    "brief": brief.render,
    "line": one_line.render,
    "timeline": lambda report: timeline.render(report, Look(80)),
    "issue": functools.partial(form.render, "sglang-bug"),
    "postmortem": functools.partial(form.render, "postmortem"),
    "sarif": sarif.render,
    "trace": trace.render,
    "html": lambda report: html.own_part(html.render(report)),
}


def planted(said: str) -> Report:
    """A report that says it in every text."""
    return rewritten(founding(), lambda text: f"{text} {said}")


@functools.cache
def redacted(said: str) -> tuple[Report, Private]:
    """The same, redacted once."""
    return redact(planted(said))


@pytest.mark.parametrize("form", FORMATS)
def test_a_report_without_anything_private_is_not_changed(form: str) -> None:
    clean, known = redact(founding())
    assert clean.tool.redacted == {}
    assert FORMATS[form](replace(clean, tool=founding().tool)) == FORMATS[form](founding())
    assert leaks(FORMATS[form](clean), known) == []


@pytest.mark.parametrize("said", PLANTED)
def test_nothing_planted_is_left_in_any_format(said: str) -> None:
    original = (SECRET | IDENTITY)[said]
    clean, known = redacted(said)
    for render in FORMATS.values():
        document = render(clean)
        assert not any(original in reading for reading in readings(document))
        assert leaks(document, known) == []


@pytest.mark.parametrize("said", SECRET)
def test_secrets_are_masked_in_what_is_not_redacted_too(said: str) -> None:
    masked = mask_secrets(planted(said))
    assert not any(SECRET[said] in render(masked) for render in FORMATS.values())


@pytest.mark.parametrize("said", PLANTED)
@pytest.mark.parametrize("form", ["json", "markdown", "text"])
def test_the_second_look_finds_what_a_renderer_would_leave(said: str, form: str) -> None:
    _, known = redacted(said)
    assert leaks(FORMATS[form](planted(said)), known)


def test_line_numbers_figures_and_references_survive() -> None:
    report = rewritten(founding(), lambda text: f"{text} {' '.join(PLANTED)}")
    clean, _ = redact(report)
    assert [(line.line, line.last_line) for line in clean.lines.values()] == [
        (line.line, line.last_line) for line in report.lines.values()
    ]
    assert [step.value for step in clean.findings[0].calculation] == [s.value for s in report.findings[0].calculation]
    assert {source.name for source in clean.coverage.sources} <= {line.source for line in clean.lines.values()}


def test_an_argument_s_name_says_that_its_value_is_a_secret() -> None:
    report = founding()
    argument = Argument("api_key", "k", "both", None, None)
    clean = mask_secrets(replace(report, launches=[replace(report.launches[0], arguments=[argument])]))
    assert clean.launches[0].arguments[0].value == "secret-1"


def test_a_name_is_the_same_in_every_place() -> None:
    report = founding()
    line = Line("gpu-w07/alice.log", 3, 3, "alice@gpu-w07:~$ free -g", cut=False)
    clean, known = redact(replace(report, lines={"f3": line}, tool=replace(report.tool, command="postmortem gpu-w07/")))
    assert (clean.lines["f3"].source, clean.lines["f3"].text) == ("host-1/user-1.log", "user-1@host-1:~$ free -g")
    assert clean.tool.command == "postmortem host-1/"
    assert clean.tool.redacted == {"user": 1, "host": 1}
    assert known.originals() == {"user-1": ["alice"], "host-1": ["gpu-w07"]}


LOG = """[2026-02-17 10:00:00] server_args=ServerArgs(model_path='/models/Q', api_key='opensesame1', tp_size=1)
[2026-02-17 10:00:09] Receive: obj=GenerateReqInput(rid='1', text='{words}', input_ids=[10177, 75921], sampling_params={{}})
[2026-02-17 10:00:10 TP0] Scheduler hit an exception: Traceback (most recent call last):
  File "/app/run.py", line 3, in run
RuntimeError: gpu-w07 refused alice with opensesame1 at 10.20.30.41{padding}

"""


def written(folder: Path, padding: str = "") -> Path:
    (folder / "server.log").write_text(LOG.format(words="a secret story " * 40, padding=padding), "utf-8")
    (folder / "shell.txt").write_text("alice@gpu-w07:~$ free -g\n", "utf-8")
    return folder


def test_the_inputs_tell_what_is_a_name_before_anything_is_replaced(tmp_path: Path) -> None:
    private = Private()
    report, known = redact(analyse([str(written(tmp_path))], private=private), private)
    document = json.dumps(report)
    assert "RuntimeError: host-1 refused user-1 with secret-1 at addr-1-1-1-1" in document
    assert leaks(document, known) == []


def beside(**fields: object) -> str:
    """A log of a collector, with these fields beside each line."""
    return "\n".join(
        jsons.dumps({"message": line, "@timestamp": f"2026-06-05T17:00:1{n}Z", **fields}) for n, line in enumerate(SAID)
    )


NAME = "acmesecret-7"
SAID = [
    "[2026-06-05 17:00:11] server_args=ServerArgs(model_path='a', tp_size=1, port=30000)",
    "[2026-06-05 17:00:12 TP0] Load weight begin. avail mem=78.00 GB",
    "[2026-06-05 17:00:13 TP0] Scheduler hit an exception: Traceback (most recent call last):",
    "ValueError: x",
]
WRAPPED = {
    "host": beside(host=NAME),
    "ecs": beside(host={"name": NAME}),
    "labels": beside(labels={"host": NAME}),
    "search": '{"took":1,"hits":{"hits":[' + ",".join(f'{{"_index":"a","_source":{line}}}' for line in beside(host=NAME).split("\n")) + "]}}",
    "csv": "Date,Host,Message\n" + "\n".join(f'2026-06-05T17:00:1{n}Z,{NAME},"{line}"' for n, line in enumerate(SAID)),
    "fluent-bit": "\n".join(f'[{n}] a: [178067881{n}.0, {{"log"=>"{line}", "host"=>"{NAME}"}}]' for n, line in enumerate(SAID)),
    "compose": "\n".join(f"{NAME}  | {line}" for line in SAID),
    "kubectl": "\n".join(f"[pod/{NAME}/c] {line}" for line in SAID),
    "long": "\n".join(f"2026-06-05T17:00:11.000000Z [pod/{NAME}/c] {line}" for line in [*SAID[:2], *["[2026-06-05 17:00:12 TP0] said"] * 9000, *SAID[2:]]),
}  # fmt: skip


@pytest.mark.parametrize("wrapper", WRAPPED)
def test_what_a_wrapper_names_is_private(wrapper: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last one is read fast."""
    if wrapper == "long":
        monkeypatch.setattr(parsers, "FAST_FROM", 1)
    (tmp_path / "a.log").write_text(WRAPPED[wrapper], "utf-8")
    private = Private()
    report = analyse([str(tmp_path / "a.log")], private=private)
    assert NAME in json.dumps(report), "otherwise this shows nothing"
    clean, known = redact(report, private)
    assert NAME not in json.dumps(clean)
    assert leaks(json.dumps(clean), known) == []


def test_stand_ins_are_numbered_in_the_order_in_which_their_names_are_met(tmp_path: Path) -> None:
    names = [f"acme-{letter}{n}" for n in range(4) for letter in "zay"]
    lines = [f"[pod/{name}/c] {line}" for name in names for line in SAID]
    (tmp_path / "a.log").write_text("\n".join(lines), "utf-8")
    [parsed] = [parse(source, Catalog.load()) for source in gather([str(tmp_path / "a.log")]).sources]
    assert parsed.origins == names


def test_secrets_are_masked_in_every_report_and_names_are_not(tmp_path: Path) -> None:
    document = json.dumps(analyse([str(written(tmp_path))]))
    assert "gpu-w07 refused alice with secret-1" in document
    assert "opensesame1" not in document
    assert "secret story" not in document


def test_a_line_is_cut_after_its_secrets_are_gone() -> None:
    private = Private()
    long = f"Receive: obj=GenerateReqInput(text='{'a secret story ' * 40}', api_key='opensesame1', rid='1')"
    covered = private.cover({"f3": long})["f3"]
    assert len(covered) == len(long)
    assert covered.endswith("', rid='1')")
    assert "secret story" not in covered
    assert "opensesame1" not in covered
    report = founding()
    window = Line("server.log", 1, 1, covered[200:600], cut=True)
    assert mask_secrets(replace(report, lines={"f3": window})).lines["f3"].text == "[masked]"


def test_the_folders_on_the_command_line_are_private_and_what_lies_in_them_is_not() -> None:
    tool = replace(founding().tool, command="postmortem report '/data/acme llm/falcon/logs' b.log")
    clean, known = redact(replace(founding(), tool=tool))
    assert clean.tool.command == "postmortem report '/data/folder-1/folder-2/logs' b.log"
    assert leaks("/data/acme llm/falcon/logs", known)
