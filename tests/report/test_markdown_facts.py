"""What describes an incident in Markdown: redaction, picture, maintainer's facts, environment."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analyzer.contract import Argument, Host, Release
from analyzer.report.markdown_blocks import Room
from analyzer.report.markdown_facts import (
    environment,
    features,
    head,
    later_releases,
    maintainer,
    moment,
    redacted,
    seconds_after,
    timeline,
)
from tests.report.build_report import founding, founding_launch, straggler

ROOM = Room()


def test_a_head_holds_the_fingerprint_and_what_was_redacted() -> None:
    clean = replace(founding(), tool=replace(founding().tool, redacted={"host": 2, "user": 1}))
    assert "`pm1-3f9a`" in head(clean)
    assert "> Redacted: 2 hosts, 1 user; the same stand-in stands for the same throughout." in head(clean)


def test_a_report_that_was_not_redacted_says_so() -> None:
    assert redacted(founding()).startswith("Not redacted:")
    nothing = replace(founding(), tool=replace(founding().tool, redacted={}))
    assert redacted(nothing).startswith("Redacted: nothing private was found.")


def test_the_timeline_is_a_picture_and_a_table() -> None:
    shown = timeline(founding_launch(), ROOM)
    assert shown[1].startswith("```text\nTIMELINE       10:02:37")
    assert "host-pool····" in shown[1]
    assert max(map(len, shown[1].split("\n"))) <= 100
    assert "| `n0/TP0-7` | weight-load | 24 s | 182 s | done |" in shown[3]
    assert "| *seen from outside* | health-wait | 4 s | 600 s | gave up after 600 s |" in shown[3]


def test_processes_that_have_no_room_are_counted() -> None:
    launch = straggler().launches[0]
    shown = timeline(launch, Room(rows=3))
    assert "more rows are left out" in shown[3]


def test_without_a_launch_there_is_no_timeline_and_no_environment() -> None:
    assert timeline(None, ROOM) == environment(founding(), None, ROOM) == maintainer(founding(), None, ROOM) == []


def test_features_are_what_somebody_switched_on() -> None:
    said = [("enable_hierarchical_cache", "True"), ("enable_lora", "False"), ("speculative_algorithm", "EAGLE3"),
            ("quantization", "None"), ("tp_size", "8"), ("disable_radix_cache", "True")]  # fmt: skip
    found = features([Argument(name, value, "both", None, None) for name, value in said])
    assert [argument.name for argument in found] == [
        "enable_hierarchical_cache", "speculative_algorithm", "disable_radix_cache",
    ]  # fmt: skip


def test_the_maintainer_is_told_of_a_fork_and_of_its_absence() -> None:
    assert "nothing in the log speaks of a fork" in "".join(maintainer(founding(), founding_launch(), ROOM))
    fork = replace(founding_launch(), sglang=Release("0.5.9+acme", None, fork=True))
    assert "a fork or a patched build" in "".join(maintainer(founding(), fork, ROOM))


def test_what_releases_change_is_what_the_finding_s_page_says() -> None:
    assert later_releases(founding()).startswith("Up to 0.5.18 each rank compares its own request")
    assert later_releases(replace(founding(), findings=[])) == ""


def test_the_environment_names_model_gpus_and_memory() -> None:
    gpus: list[dict[str, str | float]] = [{"index": n, "name": "RTX PRO 6000"} for n in range(8)]
    host = Host("n0", {"total": 449 * 2**30}, {}, gpus, [])
    launch = replace(founding_launch(), arguments=[Argument("model_path", "/m/Kimi", "both", None, None)])
    shown = "\n".join(environment(replace(founding(), hosts=[host]), launch, ROOM))
    assert "| Model | /m/Kimi |" in shown
    assert "| GPUs | 8 × RTX PRO 6000 |" in shown
    assert "total 449 GiB" in shown
    assert "Launch command:\n\n```sh\npython3 -m sglang.launch_server" in shown


@pytest.mark.parametrize(
    ("began", "shown"),
    [("2026-02-17 10:02:37", "2026-02-17 10:12:37"), (None, "+600 s"), ("no time", "+600 s")],
)
def test_a_moment_is_told_by_the_server_s_clock(began: str | None, shown: str) -> None:
    assert moment(began, 600.0) == shown


@pytest.mark.parametrize(
    ("began", "stamp", "seconds"),
    [
        ("2026-02-17 10:02:37", "2026-02-17 10:12:37", 600.0),
        ("2026-02-17 10:02:37", "10:12:37 (server.log:3)", None),
        (None, "2026-02-17 10:12:37", None),
        ("2026-02-17 10:02:37", None, None),
    ],
)
def test_seconds_are_told_between_two_times_of_one_clock(
    began: str | None, stamp: str | None, seconds: float | None
) -> None:
    assert seconds_after(began, stamp) == seconds
