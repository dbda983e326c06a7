"""A message is written as a server writes it and heard as a log is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.catalog import Catalog
from analyzer.coverage.heard import Heard, heard, lines
from analyzer.coverage.messages import Message, messages
from analyzer.coverage.release import Module

if TYPE_CHECKING:
    from pathlib import Path

PATTERNS = """
[source]
program = "sglang"
[[pattern]]
id = "weights"
harmless = "a step"
literal = "Load weight begin"
regex = 'Load weight begin'
sample = [{ line = "Load weight begin" }]
[[pattern]]
id = "refused"
harmless = "a refusal"
at = "exception"
literal = "must divide"
regex = 'ValueError: .{1,60} must divide'
sample = [{ line = "ValueError: a must divide b" }]
[[pattern]]
id = "sizes"
harmless = "sizes"
at = "exception"
literal = "must divide the heads"
regex = '[^:]+: .{1,60} must divide the heads'
sample = [{ line = "ValueError: a must divide the heads" }]
"""


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    (tmp_path / "patterns.toml").write_text(PATTERNS, "utf-8")
    return Catalog.load([tmp_path])


def message(source: str, module: str = "srt/managers/scheduler.py") -> Message:
    (found,) = messages(Module(module, source))
    return found


def told(source: str, module: str = "srt/managers/scheduler.py") -> list[str]:
    found = message(source, module)
    return lines(found, found.wordings[0])


def hear(catalog: Catalog, source: str) -> Heard:
    found = message(source)
    return heard(catalog, found, found.wordings[0])


def test_a_log_call_makes_a_headed_line_and_its_further_lines_have_no_header() -> None:
    assert told("logger.info('one\\ntwo')") == ["[2026-01-05 10:00:00 TP3] one", "two"]
    assert told("print('one thing')") == ["one thing"]


def test_a_raise_makes_a_traceback_of_the_process_that_runs_the_module() -> None:
    scheduler = told("def step():\n    raise ValueError('no way')")
    assert scheduler[0] == "[2026-01-05 10:00:00 TP3] Scheduler hit an exception: Traceback (most recent call last):"
    assert scheduler[3].endswith('srt/managers/scheduler.py", line 2, in step')
    assert scheduler[-1] == "ValueError: no way"
    assert told("raise ValueError('no way')", "srt/server_args.py")[0] == "Traceback (most recent call last):"


def test_what_argparse_refuses_is_no_traceback() -> None:
    source = "raise argparse.ArgumentTypeError('must be JSON')"
    assert told(source) == ["launch_server.py: error: argument --this: must be JSON"]


def test_a_logged_exception_is_followed_by_its_traceback() -> None:
    assert told("logger.exception('it broke')")[-1] == "RuntimeError: it did not work"


def test_a_message_that_no_pattern_claims_is_heard_as_what_it_is(catalog: Catalog) -> None:
    assert hear(catalog, "logger.info('good morning')") == Heard()
    assert hear(catalog, "logger.error('Failed to say it')") == Heard(shown=True)
    assert hear(catalog, "raise KeyError('nothing known')") == Heard(raised=True)


def test_a_claim_names_the_message(catalog: Catalog) -> None:
    assert hear(catalog, "logger.info('Load weight begin.')").patterns == ("weights",)
    assert hear(catalog, "raise ValueError('tp must divide it')") == Heard(("refused",), raised=True)


def test_arguments_and_the_head_of_a_process_s_exception_are_named_by_code(catalog: Catalog) -> None:
    for source in (
        "logger.info(f'{server_args=}')",
        "logger.error(f'Scheduler hit an exception: {get_exception_traceback()}')",
    ):
        assert hear(catalog, source).patterns == ("(read in code)",)


def test_two_claims_that_do_not_expect_each_other_are_a_contest(catalog: Catalog) -> None:
    assert hear(catalog, "raise ValueError('tp must divide the heads')").contested == (("refused", "sizes"),)
