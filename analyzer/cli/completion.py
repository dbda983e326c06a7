"""`postmortem completion`: what a shell needs to complete commands, options and paths."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from analyzer.cli.output import emit

# The shell asks through it for what may stand at the cursor.
VARIABLE = "_POSTMORTEM_COMPLETE"


class Shell(StrEnum):
    """A shell that can be told."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"
    POWERSHELL = "powershell"


def completion(shell: Annotated[Shell, typer.Argument(metavar="SHELL", help="bash, zsh, fish or powershell.")]) -> int:
    """What a shell needs to complete commands, options and paths.

    It is printed and nothing is installed: no file of yours is changed.

    \b
    Examples:
      eval "$(postmortem completion bash)"       in ~/.bashrc
      eval "$(postmortem completion zsh)"        in ~/.zshrc, after compinit
      postmortem completion fish | source        in ~/.config/fish/config.fish
    """  # noqa: D301 - \b keeps a paragraph's lines apart in help texts
    from typer.completion import get_completion_script  # type: ignore[attr-defined]  # named by no `__all__`

    emit(get_completion_script(prog_name="postmortem", complete_var=VARIABLE, shell=shell.value) + "\n")
    return 0


def prepare() -> None:
    """Makes the shells known to the parser of the command line, which answers them itself."""
    from typer.completion import completion_init  # type: ignore[attr-defined]  # as above

    completion_init()
