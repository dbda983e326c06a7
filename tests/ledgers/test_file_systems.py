"""File systems by path, and whether they are full."""

from __future__ import annotations

import pytest

from analyzer.events import FilesystemListed
from analyzer.ledgers.file_systems import holding, rooms
from tests.build import incident, launch, size, where


def df(mount: str, total: str = "100 GiB", free: str = "50 GiB", line: int = 2) -> FilesystemListed:
    sizes = {"total": size(total, line, "df.txt"), "free": size(free, line, "df.txt")}
    return FilesystemListed(where=where(line, source="df.txt"), mount=mount, **sizes)


@pytest.mark.parametrize(
    ("path", "mount"),
    [
        ("/home/svc/.triton/x", "/"),
        ("/models/qwen", "/models"),
        ("/models", "/models"),
        ("/models-old/qwen", "/"),
        ("/dev/shm/nccl-x", "/dev/shm"),
        ("relative", None),
    ],
)
def test_a_path_lies_on_the_longest_mount_point_that_it_begins_with(path: str, mount: str | None) -> None:
    listed = incident(launch(outside=(df("/"), df("/models"), df("/dev/shm"))))
    room = holding(listed, path)
    assert (room.mount if room else None) == mount


@pytest.mark.parametrize(
    ("total", "free", "full"),
    [("100 GiB", "0 B", True), ("100 GiB", "1 GiB", True), ("100 GiB", "3 GiB", False), ("64 MiB", "2.4 MiB", False)],
)
def test_less_than_two_percent_is_full(total: str, free: str, full: bool) -> None:  # noqa: FBT001 - a table's column
    [room] = rooms(incident(launch(outside=(df("/", total, free),))))
    assert room.full is full


def test_the_last_listing_of_a_file_system_counts() -> None:
    [room] = rooms(incident(launch(outside=(df("/", free="50 GiB"), df("/", free="0 B", line=9)))))
    assert room.ref.line == 9


def test_a_row_without_sizes_is_left_out() -> None:
    assert rooms(incident(launch(outside=(FilesystemListed(where=where(2), mount="/proc"),)))) == []
