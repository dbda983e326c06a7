"""The command line: the only place that prints, exits or looks at the terminal."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from typing import TYPE_CHECKING

from analyzer.cli.ending import clearing_away
from analyzer.errors import PostmortemError

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130
CLOSED_PIPE = 141
BUG = 1
TRACEBACK = "POSTMORTEM_TRACEBACK"
COMMANDS = frozenset({"analyze", "timeline", "report", "compare", "explain", "rules", "patterns", "completion"})
_FEW_COLLECTIONS = 200_000, 20, 20  # nearly all objects live to the end of the run: looking for dead ones costs a tenth
_IDLE = "OPENBLAS_NUM_THREADS"  # numpy starts threads for sums that are not done here, and they wait busily


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; never raises. SIGTERM and SIGHUP end it as any other program.

    `arguments` are those after the program's name; `sys.argv` gives them when there are none.
    """
    be_quick()
    try:
        with clearing_away():
            code = _run(list(sys.argv[1:] if arguments is None else arguments))
            sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return _closed_pipe()
    except SystemExit as left:  # typer leaves so after a completion, and where a pipe is broken
        return _closed_pipe() if left.code else 0
    except PostmortemError as error:
        _complain(f"postmortem: {error}")
        return error.exit_code
    except Exception as error:  # noqa: BLE001 - the last resort: no traceback for a user
        return _bug(error)
    return code


def be_quick() -> None:
    """Sets the interpreter up for a command, which has it to itself."""
    gc.set_threshold(*_FEW_COLLECTIONS)
    atexit.register(gc.freeze)  # else the interpreter looks through all of them once more before it ends
    os.environ.setdefault(_IDLE, "1")


def _run(arguments: list[str]) -> int:
    if paths := _paths_alone(arguments):
        from analyzer.cli.analyze import analyze

        return analyze(paths)
    import typer

    from analyzer.cli.app import command

    try:
        return int(command().main(args=arguments, prog_name="postmortem", standalone_mode=False) or 0)
    except typer.TyperException as error:
        message = error.format_message().replace(": Value error, ", ": ")  # the checker's words, not ours
        asked = getattr(error, "ctx", None)  # of a command that was found
        of = asked.command_path if asked else "postmortem"
        _complain(message if message.startswith("Usage:") else f"postmortem: {message}\nTry: {of} --help")
        return error.exit_code


def _paths_alone(arguments: list[str]) -> list[str]:
    """The paths of an `analyze` without options, as it is called mostly; none where there is more to understand.

    typer reads a command line through pydantic, whose import takes as long as that of a short log's readers.
    """
    if not arguments or any(argument.startswith("-") for argument in arguments):
        return []
    command, *others = arguments
    if command == "analyze":
        return others
    return arguments if command not in COMMANDS and os.path.lexists(command) else []


def _complain(message: str) -> None:
    from analyzer.report.escape import visible

    for line in message.split("\n"):
        print(visible(line), file=sys.stderr)


def _closed_pipe() -> int:
    # The interpreter flushes stdout once more on its way out; there must be something to take it.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return CLOSED_PIPE


def _bug(error: Exception) -> int:
    if os.environ.get(TRACEBACK):
        import traceback

        traceback.print_exception(error)
    _complain(f"postmortem: a bug in this program: {type(error).__name__}: {error}")
    _complain(f"Please report it with the command line and, if you can share it, the input; {TRACEBACK}=1 shows where.")
    return BUG
