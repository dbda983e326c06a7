"""An archive gives the verdict of its inputs again, says what it is, and holds nothing private."""

from __future__ import annotations

import io
import tarfile
from typing import TYPE_CHECKING

import pytest

from analyzer import bundle
from analyzer.cli.archive import Archive, Asked, archive
from analyzer.errors import LeakError, UsageError
from analyzer.pipeline import Given, analyse
from analyzer.redact import Private
from analyzer.units import given
from analyzer.units.amount import Given as Fact
from tests.cli.run import run
from tests.samples import SAMPLES

if TYPE_CHECKING:
    from pathlib import Path

    from analyzer.contract import Report

# Of every family, outcome and status; logs of several nodes, through wrappers, newest first, with snapshots.
VARIED = [
    "hicache-300-per-rank", "healthy-two-ranks", "kv-cache-saturated-prelude", "throttled-gpu",
    "illegal-access-through-ray", "shm-too-small-newest-first", "straggler-on-another-node", "two-nodes-rank-zero",
    "ecc-double-bit-error", "startup-probe-too-short", "decode-does-not-answer", "job-time-limit",
]  # fmt: skip


def made(folder: Path, facts: Given | None = None, *, names: bool = True) -> tuple[Report, Archive]:
    """The report on a folder, and its archive."""
    private, inputs = Private(), bundle.gather([str(folder)])
    report = analyse(inputs, facts, private=private)
    return report, archive(inputs, report, Asked(facts or Given(), [], private, names))


def members(data: bytes) -> dict[str, str]:
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        return {m.name: (tar.extractfile(m) or io.BytesIO()).read().decode("utf-8") for m in tar.getmembers()}


def said(report: Report) -> tuple[str | None, ...]:
    return report.verdict.outcome, report.verdict.phase, report.verdict.finding, report.verdict.status


@pytest.mark.parametrize("name", VARIED)
def test_a_sample_cut_closely_gives_the_same_verdict_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.excerpt.cut._ENDS", 3)
    monkeypatch.setattr("analyzer.excerpt.LEVELS", (1, 5, 50, None))
    report, packed = made(SAMPLES / name)
    again = analyse(bundle.opened("incident.tar.gz", packed.data))
    assert said(again) == said(report)
    assert again.coverage.partial == report.coverage.partial, "what goes with the inputs is no input, and no loss"


def long_log(folder: Path) -> Path:
    """A launch, an hour of decode lines, then silence."""
    launch = (SAMPLES / "hicache-48-aftermath" / "server.log").read_text("utf-8").split("\n")
    decode = [line for line in launch if "Decode batch" in line][:20]
    hour = [
        line.replace(line[12:20], f"{11 + n // 3600}:{n // 60 % 60:02d}:{n % 60:02d}")
        for n in range(0, 7200, 4)
        for line in decode[:1]
    ]
    folder.joinpath("server.log").write_text("\n".join([*(x for x in launch if x), *hour]) + "\n", "utf-8")
    return folder


def test_a_long_log_is_cut_to_little_and_a_mark_is_no_silence(tmp_path: Path) -> None:
    report, packed = made(long_log(tmp_path))
    text = members(packed.data)["inputs/server.log"]
    assert text.count("\n") < 500, "of 1,800 decode lines and a launch"
    assert "~~~ postmortem left out lines" in text
    again = analyse(bundle.opened("x.tar.gz", packed.data))
    assert said(again) == said(report) == ("ready", "serving", None, None)
    assert [span.name for launch in again.launches for span in launch.spans] == []
    assert any("is an excerpt: it leaves out" in note for note in again.coverage.notes)


def test_a_cut_that_gives_another_verdict_is_widened_and_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.excerpt.cut._ENDS", 1)
    monkeypatch.setattr("analyzer.excerpt.LEVELS", (0, None))
    report, packed = made(SAMPLES / "running-requests-capped")
    assert packed.remark == "Nothing was cut: a closer cut gave another verdict."
    assert packed.remark in members(packed.data)["README.md"]
    assert said(analyse(bundle.opened("x.tar.gz", packed.data))) == said(report)


def test_an_archive_that_gives_another_verdict_whatever_is_kept_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.excerpt.cut._ENDS", 1)
    monkeypatch.setattr("analyzer.excerpt.LEVELS", (0,))
    _, packed = made(SAMPLES / "running-requests-capped")
    assert packed.remark == "analysed again, it gives another verdict: ready, serving"
    assert "the cut ones here give another: ready, serving" in members(packed.data)["README.md"]


def test_the_same_inputs_give_the_same_bytes() -> None:
    assert made(SAMPLES / "job-time-limit")[1].data == made(SAMPLES / "job-time-limit")[1].data


LOG = """[2026-02-17 10:00:00] server_args=ServerArgs(model_path='/mnt/zephyr/Kimi', api_key='opensesame1', tp_size=1)
[2026-02-17 10:00:09] Receive: obj=GenerateReqInput(rid='1', text='tell me a secret story', input_ids=[10177, 75921])
[2026-02-17 10:00:10 TP0] Scheduler hit an exception: Traceback (most recent call last):
  File "/app/run.py", line 3, in run
RuntimeError: gpu-w07 refused alice with opensesame1 at 10.20.30.41
"""
PRIVATE = ["opensesame1", "secret story", "75921", "gpu-w07", "alice", "10.20.30.41", "zephyr"]


def private_folder(folder: Path) -> Path:
    (folder / "gpu-w07").mkdir()
    (folder / "gpu-w07" / "server.log").write_text(
        LOG + "[2026-02-17 10:00:11] alice@gpu-\nw07:/ is what a terminal broke\n"
    )
    (folder / "shell.txt").write_text("alice@gpu-w07:~$ free -g\n", "utf-8")
    return folder


def test_nothing_private_is_left_in_a_member_or_its_name(tmp_path: Path) -> None:
    held = members(made(private_folder(tmp_path))[1].data)
    assert "inputs/host-1/server.log" in held
    assert "RuntimeError: host-1 refused user-1 with secret-1 at addr-1-1-1-1" in held["inputs/host-1/server.log"]
    whole = "\n".join([*held, *held.values()])
    assert [original for original in PRIVATE if original in whole.replace("\n", "")] == []
    assert "1 IPv4 address" in held["report.md"]


def test_without_a_redaction_secrets_are_masked_all_the_same(tmp_path: Path) -> None:
    held = members(made(private_folder(tmp_path), names=False)[1].data)
    assert "gpu-w07 refused alice with secret-1" in held["inputs/gpu-w07/server.log"]
    assert "opensesame1" not in "".join(held.values())


def test_nothing_is_packed_when_an_original_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.report.enclosed.report_of", lambda _: "by alice")
    with pytest.raises(LeakError, match="1 originals are left"):
        made(private_folder(tmp_path))


def test_a_fact_given_for_a_node_is_given_again_under_its_stand_in(tmp_path: Path) -> None:
    for path in (SAMPLES / "hicache-300-per-rank").iterdir():
        (tmp_path / f"gpu-w07.{path.name}").write_bytes(path.read_bytes())
    (tmp_path / "shell.txt").write_text("alice@gpu-w07:~$ date\n", "utf-8")
    facts = Given(ram={"gpu-w07": given("449", "GiB", Fact("user", "given"))})
    report, packed = made(tmp_path, facts)
    assert packed.remark == ""
    assert report.verdict.outcome == "launch-hung"


def test_the_command_writes_what_can_be_analysed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = tmp_path / "incident.tar.gz"
    ran = run(capsys, "report", str(SAMPLES / "hicache-300-per-rank"), "-o", str(target), "--ram", "449GiB")
    assert (ran.code, ran.out) == (0, "")
    page = members(target.read_bytes())["README.md"]
    assert "    postmortem analyze incident.tar.gz --ram 449GiB\n" in page
    assert "HUNG, per-rank-host-memory-oversubscription (established)" in page
    again = run(capsys, "analyze", str(target), "--ram", "449GiB", "--quiet")
    assert (again.code, again.err) == (3, "")
    assert again.out.startswith("launch-hung in host-pool: Established")


def test_inputs_that_are_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.excerpt.cut.MOST", 10)
    with pytest.raises(UsageError, match="too large"):
        made(SAMPLES / "job-time-limit")
