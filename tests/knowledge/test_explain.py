"""The manual of arguments and phases."""

from __future__ import annotations

import pytest

from analyzer.knowledge.arguments import arguments
from analyzer.knowledge.explain import explain
from analyzer.knowledge.release import UNKNOWN, Release
from analyzer.vocabulary import Phase


@pytest.mark.parametrize("name", ["", "  ", "=", "no-such-thing", "host-oom-kill", "--"])
def test_what_is_neither_argument_nor_phase_is_not_explained(name: str) -> None:
    assert explain(name) is None


def test_a_value_is_multiplied_by_the_ranks_of_the_host() -> None:
    # 8 x 300 GB = 2,400 GB; 2,400 x 10^9 / 2^30 = 2,235 GiB
    text = explain("hicache-size=300", Release.of("0.5.9"), 8)
    assert text is not None
    assert "8 ranks on the host: 8 × 300 GB = 2,400 GB = 2,235 GiB\n" in text
    assert "per rank: every rank" in text


def test_without_a_value_an_example_is_multiplied_and_called_one() -> None:
    text = explain("hicache-size", Release.of("0.5.9"), 8)
    assert text is not None
    assert "8 × 100 GB = 800 GB = 745.1 GiB (an example" in text


@pytest.mark.parametrize("name", ["hicache-size=lots", "mem-fraction-static=0.9", "tp=8"])
def test_what_cannot_be_multiplied_is_not(name: str) -> None:
    text = explain(name, Release.of("0.5.9"), 8)
    assert text is not None
    assert "8 ranks" not in text


def test_a_release_shows_what_holds_in_it_only() -> None:
    before, after = explain("hicache-size", Release.of("0.5.18")), explain("hicache-size", Release.of("0.5.19"))
    assert before is not None
    assert after is not None
    assert "all ranks can" in before
    assert "all ranks can" not in after
    assert "divided by the ranks of its own server" in after


def test_without_a_release_the_changes_of_a_default_are_listed() -> None:
    # the reference: 2.0 from 0.4.4.post4, None from 0.5.18 on
    text = explain("hicache_ratio")
    assert text is not None
    assert "2.0, then None from 0.5.18 on" in text
    assert "(0.5.18)" in text  # what holds in one release alone


def test_a_release_before_an_argument_does_not_have_it() -> None:
    text = explain("attn-dp-size", Release.of("0.5.9"))
    assert text is not None
    assert "0.5.9 does not have it" in text


def test_an_argument_without_description_still_has_its_facts() -> None:
    text = explain("lora-paths")
    assert text is not None
    assert "--lora-paths" in text
    assert "since" in text


def test_a_figure_of_the_log_is_explained_like_an_argument() -> None:
    text = explain("max_total_num_tokens")
    assert text is not None
    assert "per DP rank" in text


@pytest.mark.parametrize("phase", list(Phase))
def test_a_phase_says_what_happens_and_stands_in_the_order(phase: Phase) -> None:
    text = explain(phase.value, Release.of("0.5.9"))
    assert text is not None
    assert text[0].isupper()
    assert "graph-capture" in text


def test_a_phase_that_a_release_lacks_is_called_so() -> None:
    text = explain("host-pool", Release.of("0.3.0"))
    assert text is not None
    assert "not in 0.3.0" in text


@pytest.mark.parametrize("release", [UNKNOWN, Release.of("0.5.9"), Release.of("0.5.23")])
def test_every_manual_fits_100_columns(release: Release) -> None:
    for name in [*arguments(), *Phase]:
        text = explain(name, release, 8)
        assert text is not None
        assert max(map(len, text.split("\n"))) <= 100


def test_a_release_that_is_not_known_yet_is_not_answered_as_if_it_were() -> None:
    text = explain("hicache-size", Release.of("9.9.9"))
    assert text is not None
    assert "9.9.9 is newer than the releases known here" in text
    assert "9.9.9 has it" not in text
    assert "in 9.9.9" not in text


def test_a_narrow_page_is_kept_narrow() -> None:
    text = explain("hicache-size", Release.of("0.5.9"), 8, width=60)
    assert text is not None
    assert max(map(len, text.split("\n"))) <= 60
