"""A document goes where it is wanted, looks as it can there, and never over its own evidence."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import pytest

from analyzer.cli.output import emit, look
from analyzer.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


class Terminal(io.TextIOWrapper):
    """A standard output with an encoding, that is a terminal or not."""

    def __init__(self, encoding: str, *, terminal: bool) -> None:
        super().__init__(io.BytesIO(), encoding=encoding, write_through=True)
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


def stdout(monkeypatch: pytest.MonkeyPatch, encoding: str = "utf-8", *, terminal: bool = True) -> Terminal:
    made = Terminal(encoding, terminal=terminal)
    monkeypatch.setattr(sys, "stdout", made)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    return made


def test_a_pipe_is_a_hundred_columns_without_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    stdout(monkeypatch, terminal=False)
    shape = look(None, color=True, to_file=False)
    assert (shape.width, shape.color, shape.ascii) == (100, False, False)


def test_a_terminal_gives_its_width_and_has_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    stdout(monkeypatch)
    monkeypatch.setenv("COLUMNS", "80")
    shape = look(None, color=True, to_file=False)
    assert (shape.width, shape.color) == (80, True)


@pytest.mark.parametrize(("columns", "width"), [("10", 40), ("500", 200)])
def test_a_width_that_cannot_be_read_is_bounded(monkeypatch: pytest.MonkeyPatch, columns: str, width: int) -> None:
    stdout(monkeypatch)
    monkeypatch.setenv("COLUMNS", columns)
    assert look(None, color=True, to_file=False).width == width


def test_a_width_that_was_asked_for_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    stdout(monkeypatch)
    assert look(200, color=True, to_file=False).width == 200


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_the_environment_can_refuse_colours(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    stdout(monkeypatch)
    monkeypatch.setenv(name, value)
    assert not look(None, color=True, to_file=False).color


@pytest.mark.parametrize(
    ("others", "color"),
    [({}, True), ({"TERM": "dumb"}, True), ({"NO_COLOR": "1"}, False), ({"FORCE_COLOR": ""}, False)],
)
def test_the_environment_can_force_colours_into_a_pipe(
    monkeypatch: pytest.MonkeyPatch, others: dict[str, str], *, color: bool
) -> None:
    stdout(monkeypatch, terminal=False)
    for name, value in {"FORCE_COLOR": "1", **others}.items():
        monkeypatch.setenv(name, value)
    assert look(None, color=True, to_file=False).color == color
    assert not look(None, color=False, to_file=False).color  # --no-color was said for this one call
    assert not look(None, color=True, to_file=True).color


def test_colours_can_be_declined(monkeypatch: pytest.MonkeyPatch) -> None:
    stdout(monkeypatch)
    assert not look(None, color=False, to_file=False).color


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_an_encoding_without_the_signs_gets_ascii(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    stdout(monkeypatch, encoding)
    assert look(None, color=True, to_file=False).ascii
    assert not look(None, color=True, to_file=True).ascii


def test_what_an_encoding_lacks_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    out = stdout(monkeypatch, "latin-1")
    emit("8 × 内\n")
    assert out.buffer.getvalue() == b"8 \xd7 \\u5185\n"  # type: ignore[attr-defined]


def test_a_sign_that_an_encoding_lacks_has_a_stand_in_that_reads_well(monkeypatch: pytest.MonkeyPatch) -> None:
    out = stdout(monkeypatch, "cp437")  # it has ÷ and lines, and neither × nor →
    emit("8 × 300 ÷ 2 │ 300 → 48 …\n")
    assert out.buffer.getvalue().decode("cp437") == "8 x 300 ÷ 2 │ 300 -> 48 ...\n"  # type: ignore[attr-defined]


def test_bytes_are_not_for_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    stdout(monkeypatch)
    with pytest.raises(UsageError, match="no text for a terminal"):
        emit(b"\x1f\x8b")


def test_bytes_go_out_as_they_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    out = stdout(monkeypatch, "ascii", terminal=False)
    emit(b"\x1f\x8b\xff")
    emit(b"\x1f\x8b\xff", str(tmp_path / "x.tar.gz"))
    assert out.buffer.getvalue() == (tmp_path / "x.tar.gz").read_bytes() == b"\x1f\x8b\xff"  # type: ignore[attr-defined]


def test_a_file_is_utf8(tmp_path: Path) -> None:
    emit("8 × 内\n", str(tmp_path / "out.md"))
    assert (tmp_path / "out.md").read_bytes() == "8 × 内\n".encode()


def test_an_input_is_never_overwritten(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    log.write_text("evidence")
    with pytest.raises(UsageError, match="not overwritten"):
        emit("report", str(tmp_path / "." / "server.log"), [str(log)])
    assert log.read_text() == "evidence"


def test_a_file_of_an_input_folder_is_never_overwritten_by_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    (folder / "node0").mkdir(parents=True)
    outside, log = tmp_path / "big.log", folder / "node0" / "server.log"
    log.write_text("evidence")
    outside.write_text("evidence")
    (folder / "linked.log").symlink_to(outside)  # read as evidence through the link
    (tmp_path / "twin.log").hardlink_to(log)
    (tmp_path / "link.log").symlink_to(log)
    targets = [log, folder / "linked.log", outside, tmp_path / "twin.log", tmp_path / "link.log", folder]
    for target in targets:
        with pytest.raises(UsageError, match=f"{target} is one of the inputs"):
            emit("report", str(target), [str(folder)])
    assert {log.read_text(), outside.read_text()} == {"evidence"}


def test_a_path_that_is_given_as_input_is_not_written_even_where_nothing_is(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="one of the inputs"):
        emit("report", str(tmp_path / "x" / ".." / "gone.log"), [str(tmp_path / "gone.log")])
    assert list(tmp_path.iterdir()) == []


def test_a_new_file_inside_an_input_folder_is_written(tmp_path: Path) -> None:
    (tmp_path / "server.log").write_text("evidence")
    emit("report", str(tmp_path / "out.md"), [str(tmp_path), "-"])
    assert (tmp_path / "out.md").read_text() == "report"


def test_a_file_that_cannot_be_written_is_the_user_s_to_solve(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        emit("report", str(tmp_path / "missing" / "out.md"))
