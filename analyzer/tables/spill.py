"""A temporary folder for rows that would take too much memory; it goes with whoever opened it, on Ctrl-C as well."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Iterable
    from concurrent.futures import Future, ThreadPoolExecutor

    import polars as pl

ROWS = 128 * 1024  # that are held in memory, over all sources: some 20 MB
_AHEAD = 2  # frames that wait to be written, some 6 MB each, before the reading waits for them


class File(NamedTuple):
    """Rows in a file: the columns that say something, and the lines of the first and the last row."""

    path: Path
    columns: tuple[str, ...]
    first: int
    last: int

    @property
    def span(self) -> tuple[int, int]:
        """Least and greatest line: an export may list the newest row first."""
        return min(self.first, self.last), max(self.first, self.last)

    def read(self, columns: Iterable[str]) -> pl.DataFrame:
        """The rows, with those of the columns that say something."""
        import polars as pl  # noqa: PLC0415 - 140 ms, and most inputs have few rows

        kept = [name for name in dict.fromkeys((*columns, "line")) if name in self.columns]
        return pl.read_ipc_stream(self.path, columns=kept)


class Spill:
    """Makes the folder when it is first asked for it. `rows` may be held in memory, over all sources; `held` are."""

    def __init__(self, rows: int = ROWS) -> None:
        self.rows = rows
        self.held = 0
        self._folder: Path | None = None
        self._files = 0
        self._pool: ThreadPoolExecutor | None = None
        self._writing: deque[Future[None]] = deque()
        self._remove: weakref.finalize[..., type[Spill]] | None = None

    @property
    def folder(self) -> Path:
        """Where the files are; it is removed in the end."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="postmortem-"))
            # at the latest when the program ends; not with this object, whose files may still be read
            self._remove = weakref.finalize(Spill, shutil.rmtree, self._folder, ignore_errors=True)
        return self._folder

    def write(self, frame: pl.DataFrame | File) -> File:
        """Writes rows to a file, which is there after `settle`; columns that say nothing are left out."""
        if isinstance(frame, File):
            return frame
        self._files += 1
        path = self.folder / f"{self._files}.arrow"
        told = [name for name in frame.columns if frame[name].null_count() < frame.height]
        if "node" in told and (frame["node"] == "").all():
            told.remove("node")
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - only where there are very many rows

            self._pool = ThreadPoolExecutor(1)
        write = frame[told].write_ipc_stream  # which is read in half the time of a file
        self._writing.append(self._pool.submit(write, path, compression="uncompressed"))
        self._wait(_AHEAD)
        return File(path, tuple(told), int(frame["line"][0]), int(frame["line"][-1]))

    def settle(self) -> None:
        """Waits until all files can be read; raises what the writing raised."""
        self._wait(0)

    def _wait(self, most: int) -> None:
        """Waits until at most so many frames are still to be written."""
        while len(self._writing) > most:
            self._writing.popleft().result()

    def close(self) -> None:
        """Removes the folder and everything in it."""
        if self._pool is not None:
            self._pool.shutdown()
        if self._remove is not None:
            self._remove()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
