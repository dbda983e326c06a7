"""What is certain of a release, from a statement, from wordings, or from both."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packaging.version import Version

from analyzer.knowledge.release import UNKNOWN, Release, read_version


@pytest.mark.parametrize(
    "text", [None, "", "latest", "dev", "nightly", "sglang", "v", "..", "1" * 20, "9." + "9" * 5000]
)
def test_text_that_is_no_version_bounds_nothing(text: str | None) -> None:
    release = Release.of(text)
    assert (release.low, release.high, release.fork, release.exact) == (None, None, False, False)
    assert release.text == "unknown"


@pytest.mark.parametrize(
    "text",
    [
        "0.5.9-mycompany",
        "0.5.9+patched",
        "0.5.6.post3.dev12+gabc123",
        "v0.5.5.post3-rocm700-mi30x-20250918",  # an image built on a day, not at a tag
    ],
)
def test_a_changed_or_untagged_build_is_a_fork_of_which_nothing_is_certain(text: str) -> None:
    release = Release.of(text)
    assert release.fork
    assert not release.certainly_from("0.1.3")
    assert not release.certainly_before("9.9.9")
    assert release.text.startswith("a fork of 0.5.")


def test_a_fork_named_by_the_caller_stays_one() -> None:
    assert Release.of("0.5.9", fork=True).text == "a fork of 0.5.9"
    assert Release.of("inhouse", fork=True).text == "a fork (inhouse)"
    assert Release.of(None, fork=True).text == "a fork"


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("0.5.9", "0.5.9"),
        ("v0.5.9", "0.5.9"),
        ("v0.5.9-cu129-amd64", "0.5.9"),
        ("0.5.5.post3", "0.5.5.post3"),
        ("v0.4.6.post5-rocm630-srt", "0.4.6.post5"),
        ("0.5.0rc0", "0.5.0rc0"),
        ("v0.5.10-cann8.5.0-a3", "0.5.10"),
        ("0.5.9+cu128", "0.5.9"),
    ],
)
def test_a_version_or_an_image_tag_states_one_release(text: str, version: str) -> None:
    release = Release.of(text)
    assert release.exact
    assert release.low == release.high == Version(version)
    assert release.text == version


def test_post_releases_come_after_and_candidates_before_the_release() -> None:
    assert Release.of("0.5.5.post3").certainly_from("0.5.5")
    assert not Release.of("0.5.5").certainly_from("0.5.5.post3")
    assert Release.of("0.5.0rc0").certainly_before("0.5.0")
    assert Release.of("0.4.10.post2").certainly_before("0.5.0rc0")
    assert Release.of("0.4.10").certainly_from("0.4.9.post6")


def test_a_bound_is_included_from_and_excluded_before() -> None:
    release = Release.of("0.5.19")
    assert release.certainly_from("0.5.19")
    assert not release.certainly_before("0.5.19")
    assert release.certainly_before("0.5.20")


def test_nothing_is_certain_of_an_unknown_release() -> None:
    assert not UNKNOWN.certainly_from("0.1.3")
    assert not UNKNOWN.certainly_before("9.9.9")


def test_wordings_leave_a_range_that_includes_the_releases_nobody_looked_at() -> None:
    # 0.4.4.post4, 0.4.6.post5 and 0.5.8.post1, 0.5.9 are neighbours among the sampled releases: a wording first seen
    # in 0.4.6.post5 may be 0.4.5's, the first release after 0.4.4.post4.
    release = Release.of(None, ["0.4.6.post5", "0.3.0"], ["0.5.8.post1", "0.5.20"])
    assert (release.low, release.high) == (Version("0.4.5"), Version("0.5.8.post1"))
    assert release.text == release.worded == "0.4.5 to 0.5.8.post1"
    assert not release.exact


def test_the_last_release_that_printed_a_wording_bounds_up_to_the_next_one_looked_at() -> None:
    # After 0.5.9 the next sampled release is 0.5.10.post1, so 0.5.10 may still print it.
    release = Release.of(None, [], ["0.5.9"])
    assert release.high == Version("0.5.10")
    assert release.text == "0.5.10 or earlier"
    assert release.certainly_before("0.5.10.post1")


def test_the_ends_of_what_was_looked_at_bound_nothing() -> None:
    release = Release.of(None, ["0.2.15"], ["0.5.23"])
    assert (release.low, release.high) == (None, None)


def test_a_wording_named_by_an_exact_release_bounds_exactly() -> None:
    assert Release.of(None, ["0.5.10"]).low == Version("0.5.10")


def test_a_statement_within_the_wordings_is_taken_as_it_is() -> None:
    release = Release.of("0.5.9", ["0.5.9"], ["0.5.20"])
    assert release.text == "0.5.9"
    assert release.notes == ()
    assert release.worded == "0.5.9 to 0.5.20"


def test_a_statement_against_the_wordings_leaves_all_that_was_said_and_is_noted() -> None:
    release = Release.of("0.5.9", ["0.5.21"])
    assert (release.low, release.high) == (Version("0.5.9"), None)
    assert release.notes == ("0.5.9 is stated, but the lines are those of 0.5.21 or later",)
    older = Release.of("0.5.9", [], ["0.4.8"])
    assert (older.low, older.high) == (None, Version("0.5.9"))
    assert older.notes == ("0.5.9 is stated, but the lines are those of 0.4.9.post5 or earlier",)


def test_wordings_of_two_releases_leave_nothing_and_are_noted() -> None:
    release = Release.of("0.5.9", ["0.5.21"], ["0.4.8"])
    assert (release.low, release.high) == (None, None)
    assert release.notes[0].startswith("some lines are of 0.5.21 or later, others of 0.4.9.post5 or earlier")


def test_a_release_newer_than_the_tables_is_noted() -> None:
    assert "newer than the releases known here (up to 0.5.23)" in Release.of("0.5.24").notes[0]
    assert Release.of("0.5.23").notes == ()


@given(st.one_of(st.none(), st.text(max_size=40)), st.lists(st.text(max_size=12), max_size=3))
@settings(derandomize=True, max_examples=200)
def test_any_text_makes_a_release(stated: str | None, wordings: list[str]) -> None:
    release = Release.of(stated, wordings, wordings)
    assert release.low is None or release.high is None or release.low <= release.high
    assert release.text


def test_only_the_beginning_of_a_text_is_read() -> None:
    assert read_version("sglang 0.5.9") == (None, False)
