"""What the program knows can be looked up without an incident."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.vocabulary import FINDINGS, Outcome
from tests.cli.run import run

if TYPE_CHECKING:
    from pathlib import Path

Capture = pytest.CaptureFixture[str]


def test_an_unknown_name_is_wrong_usage(capsys: Capture) -> None:
    ran = run(capsys, "explain", "flux-capacitor")
    assert (ran.code, ran.out) == (2, "")
    assert "flux-capacitor" in ran.err


@pytest.mark.parametrize("name", sorted(FINDINGS))
def test_every_finding_has_a_page(capsys: Capture, name: str) -> None:
    ran = run(capsys, "explain", name)
    assert ran.code == 0
    assert ran.out.startswith(f"{name} ({FINDINGS[name].kind}, ")
    assert len(ran.out.splitlines()) >= 3


@pytest.mark.parametrize("name", list(Outcome))
def test_every_outcome_has_a_sentence(capsys: Capture, name: str) -> None:
    assert run(capsys, "explain", name).out.startswith(f"{name}: the server ")


def test_an_argument_is_multiplied_by_the_ranks(capsys: Capture) -> None:
    ran = run(capsys, "explain", "hicache-size=300", "--release", "0.5.9", "--ranks", "8")
    assert ran.code == 0
    assert "per rank" in ran.out
    assert "2,400 GB" in ran.out  # 8 × 300 GB


def test_a_phase_is_explained(capsys: Capture) -> None:
    assert run(capsys, "explain", "host-pool").code == 0


def test_what_is_no_release_is_refused(capsys: Capture) -> None:
    assert run(capsys, "explain", "hicache-size", "--release", "latest").code == 2


def test_a_refused_release_is_named_by_the_option_that_gave_it(capsys: Capture) -> None:
    err = run(capsys, "explain", "hicache-size", "--release", "latest").err
    assert "--release latest" in err
    assert "--sglang-version" not in err


@pytest.mark.parametrize("words", [("rules",), ("explain", "host-oom-kill"), ("explain", "hicache-size")])
def test_pages_keep_the_width_that_is_asked_for(capsys: Capture, words: tuple[str, ...]) -> None:
    lines = run(capsys, *words, "--width", "72").out.splitlines()
    assert max(map(len, lines)) <= 72


def test_columns_of_the_patterns_are_parted(capsys: Capture) -> None:
    rows = [line.split() for line in run(capsys, "patterns", "list").out.splitlines()]
    assert all(row[1] in {"event", "table", "harmless"} and row[2].endswith(".toml") for row in rows)


def test_every_finding_is_listed_with_its_kind(capsys: Capture) -> None:
    listed = {
        line.split()[0].strip("()"): line.split()[1]
        for line in run(capsys, "rules", "--width", "200").out.splitlines()
        if line[:2] == "  "
    }
    assert listed == {name: known.kind for name, known in FINDINGS.items()}


def test_the_shipped_patterns_are_listed(capsys: Capture) -> None:
    ran = run(capsys, "patterns", "list")
    assert ran.code == 0
    assert "weights-loaded" in ran.out


GOOD = """
[source]
program = "proxy"

[[pattern]]
id = "proxy-timeout"
harmless = "the proxy's own business"
literal = "upstream timed out"
[[pattern.variant]]
regex = '''upstream timed out'''
[[pattern.sample]]
line = "upstream timed out"
"""


def test_a_pattern_file_that_holds_is_confirmed(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "proxy.toml").write_text(GOOD, "utf-8")
    ran = run(capsys, "patterns", "check", str(tmp_path / "proxy.toml"))
    assert ran == (0, "1 patterns hold on all their samples\n", "")


def test_a_sample_that_does_not_match_is_wrong_usage(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "proxy.toml").write_text(GOOD.replace('line = "up', 'line = "down'), "utf-8")
    ran = run(capsys, "patterns", "check", str(tmp_path / "proxy.toml"))
    assert (ran.code, ran.out) == (2, "")
    assert "proxy-timeout" in ran.err


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("host-oom-kil", "host-oom-kill"),
        ("hicache-refusd", "hicache-refused"),
        ("--hicach_size", "hicache-size"),
        ("weight-lod", "weight-load"),
        ("zombi", "zombie"),
    ],
)
def test_a_name_that_is_nearly_right_is_told_the_right_one(capsys: Capture, typed: str, meant: str) -> None:
    ran = run(capsys, "explain", "--", typed)
    assert ran.code == 2
    assert meant in ran.err.partition("did you mean ")[2]
