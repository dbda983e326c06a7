"""A release is read from a wheel or a folder, as text and no further."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import pytest

from analyzer.coverage.release import Module, open_release
from analyzer.errors import UnreadableError

if TYPE_CHECKING:
    from pathlib import Path

SAYS = 'logger.info("Load weight begin.")\n'
SCHEDULER = Module("srt/managers/scheduler.py", SAYS)


def wheel(tmp_path: Path, *names: str) -> str:
    path = tmp_path / "sglang-0.5.9-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, SAYS)
    return str(path)


def folder(tmp_path: Path, name: str) -> Path:
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_text(SAYS, "utf-8")
    return path


@pytest.mark.parametrize(
    "name",
    [
        "sglang/lang/api.py",
        "sglang/srt/kernel.cu",
        "sglang/srt/mem_cache/storage/test_store.py",
        "sglang/srt/test/runner.py",
        "sglang/srt/bench_store.py",
        "other/srt/managers/scheduler.py",
        "sglang-0.5.9.dist-info/METADATA",
    ],
)
def test_what_no_server_runs_is_left_out(tmp_path: Path, name: str) -> None:
    path = wheel(tmp_path, name, "sglang/srt/managers/scheduler.py")
    assert open_release(path).modules == (SCHEDULER,)


def test_a_wheel_gives_its_release_and_its_files_in_path_order(tmp_path: Path) -> None:
    release = open_release(wheel(tmp_path, "sglang/srt/server_args.py", "sglang/srt/managers/scheduler.py"))
    assert release.version == "0.5.9"
    assert [module.name for module in release.modules] == ["srt/managers/scheduler.py", "srt/server_args.py"]


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ("sglang/srt/managers/scheduler.py", "sglang"),
        ("site-packages/sglang/srt/managers/scheduler.py", "site-packages"),
        ("sglang/python/sglang/srt/managers/scheduler.py", "sglang"),
        ("unpacked/srt/managers/scheduler.py", "unpacked"),
    ],
)
def test_a_folder_is_the_package_or_holds_it(tmp_path: Path, given: str, asked: str) -> None:
    folder(tmp_path, given)
    assert open_release(str(tmp_path / asked)).modules == (SCHEDULER,)


def test_bytes_that_are_no_text_do_not_end_the_reading(tmp_path: Path) -> None:
    folder(tmp_path, "sglang/srt/managers/scheduler.py").write_bytes(b"x = '\xff'\n")
    assert [module.name for module in open_release(str(tmp_path / "sglang")).modules] == ["srt/managers/scheduler.py"]


def test_nothing_that_is_named_by_a_wheel_is_written(tmp_path: Path) -> None:
    path = wheel(tmp_path, "../sglang/srt/escaped.py")
    assert [module.name for module in open_release(path).modules] == ["srt/escaped.py"]
    assert [file.name for file in tmp_path.iterdir()] == ["sglang-0.5.9-py3-none-any.whl"]


def test_what_is_neither_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no wheel", "utf-8")
    for path in ("notes.txt", "absent.whl"):
        with pytest.raises(UnreadableError, match="neither a wheel nor a folder"):
            open_release(str(tmp_path / path))


def test_a_wheel_without_a_server_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="no server source here"):
        open_release(wheel(tmp_path, "sglang/version.py"))
