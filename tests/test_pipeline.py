"""Paths become a report, whatever else is among them."""

from __future__ import annotations

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


def test_given_facts_are_told_in_words() -> None:
    facts = Given(ram={"node1": given("449", "GiB", Fact("user", "given"))}, gpus=8, release="0.5.9")
    assert given_facts(facts) == ["RAM of node1: 449 GiB", "GPUs: 8", "SGLang 0.5.9"]


def quiet_for(*paths: str, **facts: str) -> float:
    """Seconds of silence that the report draws."""
    launch = analyse(list(paths), Given(**facts)).launches[0]  # type: ignore[arg-type]  # texts alone are given
    return next((span.end - span.start for span in launch.spans if span.name == "silence"), 0.0)  # type: ignore[operator]


# The last line that shows an advance is of 10:06:42, the health check gave up at 10:12:41.
@pytest.mark.parametrize(
    ("as_of", "seconds"),
    [
        ("10:07:42", 359),  # the health check is later
        ("10:20:42", 14 * 60),
        ("10:20", 13 * 60 + 18),
        ("2026-02-17 10:20:42", 14 * 60),
        ("2026-02-17T10:20:42", 14 * 60),
        ("2026-02-18 10:06:42", 86_400),
    ],
)
def test_a_moment_given_by_hand_dates_a_silence(as_of: str, seconds: float) -> None:
    assert quiet_for(str(FOUNDING), as_of=as_of) == seconds


@pytest.mark.parametrize("as_of", ["10:06:30", "2026-02-17 09:20:00", "2025-12-31 10:20:00"])
def test_a_moment_at_which_the_log_goes_on_is_refused(as_of: str) -> None:
    with pytest.raises(UsageError, match="the log goes on until 2026-02-17 10:06:42"):
        analyse([str(FOUNDING)], Given(as_of=as_of))


@pytest.mark.parametrize("zone", ["+01:00", "Europe/Berlin"])
def test_a_zone_given_by_hand_tells_how_far_the_clock_is_from_utc(zone: str) -> None:
    report = analyse([str(FOUNDING)], Given(tz=zone))
    assert report.launches[0].utc_offset == 3600, "in February"
    assert f"times without a zone are of {zone}" in report.coverage.given
    assert analyse([str(FOUNDING)]).launches[0].utc_offset is None


def test_a_log_that_lists_the_newest_line_first_says_what_it_says_from_its_beginning(tmp_path: Path) -> None:
    """Rows of batches above the last event are the launch's: without them there is nothing to find here."""
    sample = SAMPLES / "running-requests-capped"
    lines = (sample / "server.log").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "server.log").write_text("".join(reversed(lines)), "utf-8")
    assert answer(analyse([str(tmp_path)])) == answer(analyse([str(sample)]))
    assert answer(analyse([str(tmp_path)]))[2] == "running-requests-capped"
