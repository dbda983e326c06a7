"""How things end: exceptions, refusals, signals, exit codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events.base import Event, event

if TYPE_CHECKING:
    from analyzer.units import Amount, Byte, One, Second, Token


@event
class ExceptionRaised(Event):
    """A traceback, joined. `process` is scheduler, detokenizer, tokenizer, controller, main or empty.

    `type` is the class name as printed, `message` its first line, `frames` the functions as `file:function`, innermost
    last; of a deep traceback the outermost 6 (a scheduler's event loop further in takes the sixth place) and the
    innermost 18. `handled` where the text says that the process went on.
    """

    process: str = ""
    type: str = ""
    message: str = ""
    frames: tuple[str, ...] = ()
    handled: bool = False


@event
class Failure(Event):
    """A decisive error line. `topic` says what failed, in the words of `analyzer.rules` (a finding's id, mostly).

    `detail` carries the part of the message that a person needs (a file, a port, a package); numbers by role.
    `victim` where the line says that another process went away: its own is a victim.
    `needed` is the smallest `ratio` that the message says would do. `rank_text` is the rank named in the text of a
    line without a header, `sequence` the number of the collective that it speaks of, `enqueued` and `completed` the
    last ones that its rank queued and finished. A pool's account is `available`,
    `evictable` and `protected` against its size, `limit`.
    """

    topic: str = ""
    detail: str = ""
    wanted: Amount[Byte] | None = None
    free: Amount[Byte] | None = None
    total: Amount[Byte] | None = None
    used: Amount[Byte] | None = None
    code: Amount[One] | None = None
    tokens: Amount[Token] | None = None
    limit: Amount[Token] | None = None
    available: Amount[Token] | None = None
    evictable: Amount[Token] | None = None
    protected: Amount[Token] | None = None
    ratio: Amount[One] | None = None
    needed: Amount[One] | None = None
    elapsed: Amount[Second] | None = None
    rank_text: str = ""
    sequence: Amount[One] | None = None
    enqueued: Amount[One] | None = None
    completed: Amount[One] | None = None
    victim: bool = False


@event
class HostPoolRefused(Event):
    """SGLang's guard refused a host pool. What `free` means depends on the release (reserve, share per rank)."""

    wanted: Amount[Byte] | None = None
    free: Amount[Byte] | None = None
    pool: str = ""


@event
class GpuOutOfMemory(Event):
    """torch's (or HSA's, the NPU's) out-of-memory text, for GPU memory."""

    wanted: Amount[Byte] | None = None
    total: Amount[Byte] | None = None
    free: Amount[Byte] | None = None
    in_use: Amount[Byte] | None = None
    allocated: Amount[Byte] | None = None
    reserved: Amount[Byte] | None = None
    gpu: str = ""


@event
class ChildFailed(Event):
    """The parent heard that a child ended: sigquit lines. Always a consequence."""


@event
class RankDead(Event):
    """The parent found a rank dead. `code` is the exit code where it is printed (-9 is SIGKILL)."""

    rank_text: str = ""
    code: Amount[One] | None = None
    pid: str = ""


@event
class InitializationFailed(Event):
    """`Initialization failed`: a consequence."""

    detail: str = ""


@event
class TreeKilled(Event):
    """SGLang kills its own process tree."""


@event
class StopRequested(Event):
    """SIGTERM, SIGINT or an orderly shutdown that came from outside. `signal` is its name."""

    signal: str = ""


@event
class ShutdownStep(Event):
    """A step of an orderly shutdown (uvicorn's, SGLang's); `remaining`: requests that it still waits for."""

    remaining: Amount[One] | None = None


@event
class KilledPrinted(Event):
    """A bare `Killed` of a shell: some process got SIGKILL, sender unknown."""

    command: str = ""


@event
class ExitCode(Event):
    """An exit code of the server as something outside it reports. 137 is SIGKILL through a container.

    `owner` is what ended, as `Workload` names it, and `image` what it ran; both empty where they are not told.
    `said_by`: `compose`, where it ends the lines of a service in a log that holds those of several; else empty.
    """

    code: Amount[One] | None = None
    reason: str = ""
    oom: bool | None = None
    container: str = ""
    owner: str = ""
    image: str = ""
    said_by: str = ""


@event
class ErrorLine(Event):
    """An error-looking line that no pattern claims: counted, and shown where no finding explains it."""
