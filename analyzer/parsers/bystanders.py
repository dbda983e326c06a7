"""Lists of containers, pods or jobs: of those that are not the server's only the facts are taken, not the ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import ExitCode, OrchestratorAct, ProbeFailed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from analyzer.events import Event

_ENDS = (ExitCode, OrchestratorAct, ProbeFailed)


def of_server(rows: Iterable[tuple[str, str, list[Event]]]) -> Iterator[Event]:
    """The events of rows, each with its owner and its text; without the ends of other owners where one is SGLang's.

    Where no row says that it is, any of them may be the server. Rows without an owner stay as they are.
    """
    known = list(rows)
    servers = {owner for owner, text, _ in known if owner and names_server(f"{owner} {text}")} | {""}
    for owner, _, events in known:
        alone = len(servers) > 1 and owner not in servers
        yield from (event for event in events if not alone or not isinstance(event, _ENDS))


def names_server(text: str) -> bool:
    """Whether a name, an image or a command says that it is SGLang's server; its router is another one."""
    lower = text.lower()
    return "sglang" in lower and "router" not in lower
