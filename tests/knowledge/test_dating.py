"""The release that a set of printed fields leaves."""

from __future__ import annotations

from packaging.version import Version

from analyzer.knowledge.dating import dated_by
from analyzer.knowledge.release import Release


def test_fields_of_every_release_and_unknown_ones_bound_nothing() -> None:
    assert dated_by([]) == (None, None)
    assert dated_by(["tp_size", "model_path", "no_such_field", "hicache_rat"]) == (None, None)


def test_the_newest_and_the_oldest_field_bound_the_release() -> None:
    # the reference: soft_watchdog_timeout from 0.5.7 on, cuda_graph_max_bs up to 0.5.13.post1, before 0.5.14
    assert dated_by(["tp_size", "soft_watchdog_timeout", "cuda_graph_max_bs"]) == (
        Version("0.5.7"),
        Version("0.5.13.post1"),
    )


def test_releases_that_nobody_read_stay_possible() -> None:
    # hicache_size was not in 0.4.4.post4 and was in 0.4.5.post3: it may have come with 0.4.5
    assert dated_by(["hicache_size"]) == (Version("0.4.5"), None)


def test_fields_narrow_what_wordings_leave() -> None:
    release = Release.of(None, ["0.5.9"], [], within=dated_by(["attn_dp_size"]))
    assert release.text == release.worded == "0.5.22 or later"


def test_fields_that_no_release_has_together_leave_nothing_and_are_noted() -> None:
    release = Release.of("0.5.9", within=dated_by(["attn_dp_size", "cuda_graph_max_bs"]))
    assert (release.low, release.high) == (None, None)
    assert "unreleased build" in release.notes[0]


def test_fields_contradict_a_wrong_statement() -> None:
    release = Release.of("0.5.9", within=dated_by(["attn_dp_size"]))
    assert release.notes == ("0.5.9 is stated, but the lines are those of 0.5.22 or later",)
