"""Rows that are too many to hold go to a folder of their own, which goes with whoever opened it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import polars as pl
import pytest

from analyzer.tables.spill import Spill


def frame(first: int, count: int) -> pl.DataFrame:
    lines = list(range(first, first + count))
    return pl.DataFrame(
        {
            "line": lines,
            "start": [10 * line for line in lines],
            "time_s": [1.5] * count,
            "dp": [None] * count,
            "node": [""] * count,
        }
    )


def test_no_folder_is_made_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "mkdtemp", lambda **_: pytest.fail("a folder"))
    with Spill() as spill:
        assert spill.held == 0


def test_columns_that_say_nothing_are_not_kept() -> None:
    with Spill() as spill:
        file = spill.write(frame(5, 3))
        assert file.columns == ("line", "start", "time_s")
        assert (file.first, file.last) == (5, 7)
        spill.settle()
        assert file.read(["time_s", "dp"]).to_dict(as_series=False) == {"time_s": [1.5] * 3, "line": [5, 6, 7]}


def test_many_files_are_all_there_when_they_are_settled() -> None:
    with Spill() as spill:
        files = [spill.write(frame(1000 * n, 1000)) for n in range(20)]
        spill.settle()
        assert [file.read(["start"])["start"].to_list()[:2] for file in files] == [
            [n * 10_000, n * 10_000 + 10] for n in range(20)
        ]


def test_what_the_writing_raised_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    with Spill() as spill:
        monkeypatch.setattr(Spill, "folder", spill.folder / "gone")
        spill.write(frame(1, 1))
        with pytest.raises(OSError, match="gone"):
            spill.settle()


def test_the_folder_is_gone_in_the_end_also_when_something_is_raised() -> None:
    with pytest.raises(KeyboardInterrupt), Spill() as spill:  # noqa: PT012 - the folder is looked at before and after
        folder = spill.write(frame(1, 1)).path.parent
        assert folder.is_dir()
        raise KeyboardInterrupt
    assert not folder.exists()


def test_a_folder_that_nobody_closes_goes_with_the_program() -> None:
    code = "from analyzer.tables.spill import Spill\nspill = Spill()\nprint(spill.folder)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not Path(done.stdout.strip()).exists()
