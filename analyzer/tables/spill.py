"""A temporary folder for rows that would take too much memory; it goes with whoever opened it, on Ctrl-C as well."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Iterable

    import polars as pl

ROWS = 256 * 1024  # that are held in memory, over all sources: some 40 MB


class File(NamedTuple):
    """Rows in a file: the columns that say something, and the lines of the first and the last row.

    Line numbers and offsets inside count from a place `lines` and `bytes` into the source.
    """

    path: Path
    columns: tuple[str, ...]
    first: int
    last: int
    lines: int = 0
    bytes: int = 0

    def behind(self, lines: int, bytes_: int) -> File:
        """The same rows, so many lines and bytes further on."""
        further = self.first + lines, self.last + lines, self.lines + lines, self.bytes + bytes_
        return File(self.path, self.columns, *further)

    def read(self, columns: Iterable[str]) -> pl.DataFrame:
        """The rows, with those of the columns that say something."""
        import polars as pl  # noqa: PLC0415 - 140 ms, and most inputs have few rows

        kept = [name for name in dict.fromkeys((*columns, "line")) if name in self.columns]
        rows = pl.read_ipc_stream(self.path, columns=kept)
        moved = [(name, by) for name, by in (("line", self.lines), ("start", self.bytes)) if by and name in kept]
        return rows.with_columns(pl.col(name) + by for name, by in moved) if moved else rows


class Spill:
    """Makes the folder when it is first asked for it. `rows` may be held in memory, over all sources; `held` are."""

    def __init__(self, rows: int = ROWS, folder: Path | None = None) -> None:
        self.rows = rows
        self.held = 0
        self._folder = folder
        self._name = f"{os.getpid()}-"
        self._files = 0
        self._remove: weakref.finalize[..., type[Spill]] | None = None

    @property
    def folder(self) -> Path:
        """Where the files are; it was given, or is removed in the end."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="postmortem-"))
            # at the latest when the program ends; not with this object, whose files may still be read
            self._remove = weakref.finalize(Spill, shutil.rmtree, self._folder, ignore_errors=True)
        return self._folder

    def write(self, frame: pl.DataFrame | File) -> File:
        """Writes rows to a file; columns that say nothing are left out."""
        if isinstance(frame, File):
            return frame
        self._files += 1
        path = self.folder / f"{self._name}{self._files}.arrow"
        told = [name for name in frame.columns if frame[name].null_count() < frame.height]
        if "node" in told and (frame["node"] == "").all():
            told.remove("node")
        frame[told].write_ipc_stream(path, compression="uncompressed")  # which is read in half the time of a file
        return File(path, tuple(told), int(frame["line"][0]), int(frame["line"][-1]))

    def close(self) -> None:
        """Removes the folder and everything in it, unless it was given."""
        if self._remove is not None:
            self._remove()

    def __reduce__(self) -> tuple[type[Spill], tuple[int, Path]]:
        """For another process: it writes into the same folder, and leaves it there."""
        return Spill, (self.rows, self.folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
