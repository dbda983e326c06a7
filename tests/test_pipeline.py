"""Paths become a report, whatever else is among them."""

from __future__ import annotations

import gzip
import tarfile
from typing import TYPE_CHECKING

import pytest

from analyzer.errors import UsageError
from analyzer.incident import Given
from analyzer.pipeline import analyse, given_facts
from analyzer.units import given
from analyzer.units.amount import Given as Fact
from tests.samples import SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from analyzer.contract import Report

FOUNDING = SAMPLES / "hicache-300-per-rank"


def answer(report: Report) -> tuple[str, str | None, str | None, str | None]:
    verdict = report.verdict
    return verdict.outcome, verdict.phase, verdict.finding, verdict.status


ANSWER = ("launch-hung", "host-pool", "per-rank-host-memory-oversubscription", "established")


def test_nothing_recognised_is_unknown_and_not_enough(tmp_path: Path) -> None:
    (tmp_path / "poem.txt").write_text("roses are red\n")
    report = analyse([str(tmp_path)])
    assert answer(report) == ("unknown", None, None, None)
    assert not report.coverage.enough


def test_what_cannot_be_read_is_named_and_the_rest_is_judged(tmp_path: Path) -> None:
    report = analyse([str(tmp_path / "gone.log"), str(FOUNDING)])
    assert answer(report) == ANSWER
    assert report.coverage.partial
    lost = next(s for s in report.coverage.sources if s.kind == "unreadable")
    assert lost.errors[0].endswith("gone.log: no such file or folder")


@pytest.mark.parametrize("missing", ["free.txt", "notes.txt", "ps.txt", "server.log"])
def test_without_one_of_its_files_the_answer_weakens_and_never_turns(tmp_path: Path, missing: str) -> None:
    for path in FOUNDING.iterdir():
        if path.name != missing:
            (tmp_path / path.name).write_bytes(path.read_bytes())
    finding, status = answer(analyse([str(tmp_path)]))[2:]
    if missing == "server.log":
        assert finding in {"per-rank-host-memory-oversubscription", "host-memory-exhausted"}
        assert status != "established"
    else:
        assert finding == ANSWER[2]
    if missing == "free.txt":
        assert status == "supported"  # the note names the memory; nothing shows that it ran out but the silence


def test_a_fact_given_by_hand_stands_in_for_a_missing_one(tmp_path: Path) -> None:
    (tmp_path / "server.log").write_bytes((FOUNDING / "server.log").read_bytes())
    ram = Given(ram={None: given("449", "GiB", Fact("user", "given"))}, as_of="2026-02-17 10:12:41")
    report = analyse([str(tmp_path)], ram)
    assert answer(report) == ("launch-hung", "host-pool", "per-rank-host-memory-oversubscription", "supported")
    assert report.coverage.given == ["RAM: 449 GiB", "as of 2026-02-17 10:12:41"]


def test_a_fact_for_a_node_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="no node is called n7; there are n0"):
        analyse([str(FOUNDING)], Given(ram={"n7": given("449", "GiB", Fact("user", "given"))}))


def test_the_same_incident_packed_gives_the_same_answer(tmp_path: Path) -> None:
    packed = tmp_path / "incident.tar.gz"
    with tarfile.open(packed, "w:gz") as tar:
        tar.add(FOUNDING, arcname="incident")
    assert answer(analyse([str(packed)])) == ANSWER


def wrapped(kind: str, text: str) -> bytes:
    lines = text.split("\n")
    if kind == "crlf":
        return "\r\n".join(lines).encode()
    if kind == "ansi":
        return "\n".join(f"\x1b[32m{line}\x1b[0m" if line else line for line in lines).encode()
    if kind == "compose":
        return "\n".join(f"sglang-1  | {line}" for line in lines).encode()
    if kind == "cri":
        return "\n".join(f"2026-02-17T10:06:42.000000000Z stderr F {line}" for line in lines).encode()
    if kind == "bom":
        return b"\xef\xbb\xbf" + text.encode()
    if kind == "utf-16":
        return text.encode("utf-16")
    return gzip.compress(text.encode())


@pytest.mark.parametrize("kind", ["crlf", "ansi", "compose", "cri", "bom", "utf-16", "gzip"])
def test_the_same_log_in_another_wrapping_gives_the_same_answer(tmp_path: Path, kind: str) -> None:
    for path in FOUNDING.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    text = (FOUNDING / "server.log").read_text(encoding="utf-8")
    (tmp_path / "server.log").unlink()
    name = "server.log.gz" if kind == "gzip" else "server.log"
    (tmp_path / name).write_bytes(wrapped(kind, text))
    plain, other = analyse([str(FOUNDING)]), analyse([str(tmp_path)])
    assert answer(other) == ANSWER
    assert [p.phases for p in other.launches[0].processes] == [p.phases for p in plain.launches[0].processes]
    assert [s.value for s in other.findings[0].calculation] == [s.value for s in plain.findings[0].calculation]


def test_given_facts_are_told_in_words() -> None:
    facts = Given(ram={"node1": given("449", "GiB", Fact("user", "given"))}, gpus=8, release="0.5.9")
    assert given_facts(facts) == ["RAM of node1: 449 GiB", "GPUs: 8", "SGLang 0.5.9"]
