"""What a release can log is read from its source without running it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.cli.messages import messages
from analyzer.errors import UnreadableError

if TYPE_CHECKING:
    from pathlib import Path


def found(tmp_path: Path, source: str) -> list[tuple[str, str]]:
    (tmp_path / "module.py").write_text(source, "utf-8")
    return [(message.level, str(message)) for message in messages(str(tmp_path))]


@pytest.mark.parametrize(
    "source",
    [
        "print('hello there')",
        "logger.info(text)",
        "logger.debug('not shown')",
        "math.info",
        "logger.info()",
        "logger.info('ok')",
    ],
)
def test_what_logs_no_fixed_text_is_left_out(tmp_path: Path, source: str) -> None:
    assert found(tmp_path, source) == []


@pytest.mark.parametrize(
    ("source", "level", "said"),
    [
        ("logger.info('Load weight begin.')", "info", "Load weight begin."),
        ("logging.warn('careful now')", "warning", "careful now"),
        ("self.logger.exception('it broke')", "error", "it broke"),
        ("logger.error(f'avail mem={free:.2f} GB')", "error", "avail mem={} GB"),
        ("logger.error('first ' + name + ' last')", "error", "first {} last"),
        ("logger.error('one\\ntwo three')", "error", "one"),
    ],
)
def test_a_logging_call_gives_its_level_and_its_text(tmp_path: Path, source: str, level: str, said: str) -> None:
    assert found(tmp_path, source) == [(level, said)]


def test_a_file_that_does_not_parse_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def (", "utf-8")
    assert found(tmp_path, "logger.info('still there')") == [("info", "still there")]


def test_a_folder_without_source_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="no Python file"):
        messages(str(tmp_path))
