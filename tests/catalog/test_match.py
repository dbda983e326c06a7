"""Patterns claim what they are meant for and nothing that is only quoted."""

from __future__ import annotations

import pytest

from analyzer.catalog import Catalog
from analyzer.catalog.match import LONGEST, exception_lines, whole_text
from analyzer.catalog.read import read

TEXT = """
[[pattern]]
id = "begin"
event = "WeightLoadBegun"
literal = "Load weight begin."
regex = 'Load weight begin\\.(?: avail mem=(?<free>[\\d.]+) GB)?'
captures = { free = "GiB" }

[[pattern]]
id = "loose"
event = "Notice"
at = "anywhere"
literal = "disk"
regex = 'disk (?<detail>\\w+)'
captures = { detail = "text" }

[[pattern]]
id = "raised"
event = "Failure"
at = "exception"
literal = "out of memory"
regex = '(?:\\w+\\.)*OutOfMemoryError: (?<detail>\\w+) out of memory'
captures = { detail = "text" }

[[pattern]]
id = "whole"
event = "Failure"
at = "record"
literal = "Possible solutions"
regex = 'failed: (?<detail>\\w+)\\nPossible solutions'
captures = { detail = "text" }

[[pattern]]
id = "logged"
event = "RequestLogged"
literal = "Receive: obj="
regex = 'Receive: obj='
"""
MATCHER = Catalog(tuple(read(TEXT, "f.toml"))).matcher
FRAMES = ['  File "/srv/app.py", line 7, in serve', '    raise Stopped("disk full")']


def claimed(text: str, *more: str) -> list[tuple[str, dict[str, str]]]:
    return [(claim.pattern.id, claim.values) for claim in MATCHER.claims(text, more)]


@pytest.mark.parametrize(
    "text",
    [
        "we saw Load weight begin. on each rank",
        " Load weight begin.",
        "Load weight began. avail mem=3 GB",
        "",
        "    log.error('disk full')",
        '    raise Stopped("disk full")',
    ],
)
def test_a_look_alike_is_left_alone(text: str) -> None:
    assert claimed(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Receive: obj=GenerateReqInput(text='disk full')",
        "Finish: obj=GenerateReqInput(text='failed: x'), out={'text': 'disk full'}",
        "Receive: obj=GenerateReqInput(text='Scheduler hit an exception: OutOfMemoryError: CUDA out of memory')",
        '{"event": "request.received", "obj": {"text": "disk full"}}',
        '{"event": "request.finished", "out": {"text": "disk full"}}',
    ],
)
def test_nothing_is_claimed_inside_a_dumped_request(text: str) -> None:
    assert [name for name, _ in claimed(text) if name != "logged"] == []


def test_a_dumped_request_of_several_lines_raises_nothing() -> None:
    more = [
        "Traceback (most recent call last):",
        *FRAMES,
        "OutOfMemoryError: CUDA out of memory",
        "', sampling_params={})",
    ]
    assert claimed("Receive: obj=GenerateReqInput(text='why?", *more) == [("logged", {})]


def test_what_stands_before_a_dumped_request_is_claimed() -> None:
    assert claimed("disk full Receive: obj=GenerateReqInput(text='disk lost')") == [("loose", {"detail": "full"})]


def test_a_dumped_request_itself_is_known() -> None:
    assert claimed("Receive: obj=GenerateReqInput(text='hello')") == [("logged", {})]


def test_a_traceback_speaks_by_its_last_line_only() -> None:
    more = [*FRAMES, "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB"]
    assert claimed("Scheduler hit an exception: Traceback (most recent call last):", *more) == [
        ("raised", {"detail": "CUDA"})
    ]


def test_every_exception_of_a_chain_is_heard() -> None:
    chain = [
        *FRAMES,
        "ValueError: first",
        "",
        "During handling of the above exception, another exception occurred:",
        "",
        "Traceback (most recent call last):",
        *FRAMES,
        "RuntimeError: second",
        "and its explanation",
    ]
    assert exception_lines("Traceback (most recent call last):", chain) == ["ValueError: first", "RuntimeError: second"]


def test_a_record_that_is_an_exception_line_is_heard() -> None:
    assert claimed("OutOfMemoryError: HIP out of memory") == [("raised", {"detail": "HIP"})]
    assert exception_lines("Scheduler hit an exception: OSError: gone", ()) == ["OSError: gone"]


def test_a_start_pattern_needs_the_start_and_leaves_out_what_is_missing() -> None:
    assert claimed("Load weight begin. avail mem=77.74 GB") == [("begin", {"free": "77.74"})]
    assert claimed("Load weight begin.") == [("begin", {})]


def test_a_pattern_that_may_stand_anywhere_claims_every_place() -> None:
    assert claimed("disk full\rdisk lost") == [("loose", {"detail": "full"}), ("loose", {"detail": "lost"})]


def test_a_record_is_read_over_its_line_breaks_without_the_frames() -> None:
    assert claimed("Capture failed: oom", "Possible solutions:", "1. less") == [("whole", {"detail": "oom"})]
    assert whole_text("a", [*FRAMES, "E: b"]) == "a\nE: b"
    assert whole_text("a", ["  b"]) == "a\n  b"


def test_a_text_is_cut_before_a_regex_sees_it() -> None:
    assert claimed("x" * LONGEST + " disk full") == []
    assert claimed("x" * (LONGEST - 20) + " disk full") == [("loose", {"detail": "full"})]


def test_what_may_be_claimed_is_told_for_all_digits_at_once() -> None:
    matcher = Catalog(tuple(read(TEXT, "f.toml"))).matcher
    for text in ("Load weight begin. avail mem=1 GB", "the d1isk died", "torch.OutOfMemoryError: GPU out of memory"):
        assert matcher.may_claim(text), text
    for text in (
        "Load weights",
        "begin. Load weight",
        "a GPU that is out of memory",
    ):  # no line that names an exception
        assert not matcher.may_claim(text), text


def test_the_beginning_that_a_wording_needs_is_enough_for_it() -> None:
    matcher = Catalog(tuple(read(TEXT, "f.toml"))).matcher
    (begin,) = matcher.possible("Load weight begin.")
    assert begin.matches("Load weight begin. avail mem=1.5 GB and more")
    assert begin.beginning("Load weight begin. avail mem=1.5 GB and more") == "Load weight begin. avail mem=1.5 GB"
    assert begin.beginning("no such line") == ""


def test_a_wording_that_looks_further_has_no_beginning() -> None:
    text = TEXT.replace("GB)?'", "GB)?$'")
    (begin,) = Catalog(tuple(read(text, "f.toml"))).matcher.possible("Load weight begin.")
    assert begin.matches("Load weight begin.")
    assert begin.beginning("Load weight begin.") == ""


def test_the_same_record_is_claimed_alike_each_time() -> None:
    matcher = Catalog(tuple(read(TEXT, "f.toml"))).matcher
    more = ["Possible solutions:"]
    first = matcher.claims("it failed: badly", more)
    assert [claim.values for claim in first] == [{"detail": "badly"}]
    assert matcher.claims("it failed: badly", more) == first
    assert matcher.claims("it failed: badly") == []
