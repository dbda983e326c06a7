"""What numbers of drivers, runtimes and shells mean: Xid, HSA status, exit codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from analyzer.immutable import immutable
from analyzer.knowledge.facts import table

if TYPE_CHECKING:
    from collections.abc import Mapping

XidClass = Literal["hardware", "either", "program", "consequence", "notice"]
_SHELL_OFFSET = 128
_LAST_SIGNAL = 64


@immutable
class Xid:
    """One of NVIDIA's fault numbers.

    `kind`: hardware (the vendor names it first), either (hardware, driver or program), program, consequence of another
    fault, notice.
    """

    number: int
    kind: XidClass
    sentence: str


@immutable
class Exit:
    """How a process ended. `signal` is the number and `name` the name of the signal that ended it, if one did."""

    code: int
    sentence: str
    signal: int | None = None
    name: str = ""


def xid(number: int) -> Xid | None:
    """The meaning of a Xid; `None` for numbers that are not in the table."""
    row = _row("xid", number)
    return Xid(number, row["class"], row["says"]) if row is not None else None


def exit_code(code: int) -> Exit | None:
    """The meaning of an exit code as a shell (137), a container (137) or Python (-9) reports it; `None` if unknown."""
    row = _row("exit", code)
    if row is not None:
        return Exit(code, row["says"])
    number = -code if code < 0 else code - _SHELL_OFFSET
    row = _row("signal", number)
    if row is not None:
        return Exit(code, row["says"], number, row["name"])
    return Exit(code, f"ended by signal {number}", number) if 0 < number <= _LAST_SIGNAL else None


def hsa_status(code: int | str) -> tuple[str, str] | None:
    """Name and meaning of a status of AMD's HSA runtime, by number (`0x1016`) or by name; `None` if unknown."""
    rows: Mapping[str, dict[str, str]] = table("codes")["hsa"]
    for number, row in rows.items():
        if code == row["name"] or (isinstance(code, int) and int(number, 16) == code):
            return row["name"], row["says"]
    return None


def _row(name: str, number: int) -> dict[str, Any] | None:
    rows: Mapping[str, dict[str, Any]] = table("codes")[name]
    return rows.get(str(number))
