"""What kind of message it is: a launch's milestone, a batch line, a warning, an error, a raise that names its cause."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from analyzer.coverage.decisive import decisive

if TYPE_CHECKING:
    from analyzer.coverage.messages import Message


class Group(StrEnum):
    """The groups of the table, in its order."""

    LAUNCH = "launch"
    BATCH = "batch"
    WARNING = "warning"
    ERROR = "error"
    DECISIVE = "decisive raise"
    INNER = "inner raise"

    @property
    def sentence(self) -> str:
        """What the group holds."""
        return _SENTENCES[self]


_SENTENCES: Final = {
    Group.LAUNCH: "lines that mark a step of the launch or give its memory and capacity",
    Group.BATCH: "the scheduler's lines about its batches",
    Group.WARNING: "logged warnings",
    Group.ERROR: "logged errors",
    Group.DECISIVE: "raises whose words name an argument, a variable, a package, memory, a peer, a device, a feature",
    Group.INNER: "other raises: checks of the program's inner state, read as the exception of a process",
}

# Folders of the server whose errors an operator meets first; the others are models, kernels and their helpers.
CORE: Final = ("disaggregation", "distributed", "entrypoints", "managers", "mem_cache", "model_executor")

_BATCH: Final = re.compile(r"#new-token|gen throughput|#running-req")
_LAUNCH: Final = re.compile(
    r"avail mem=|mem usage=|[Mm]emory pool end|Init (?:torch distributed|parallel|nccl) |Load weight |is allocated\. "
    r"|VA upper bound|sliding window memory pool|max_total_num_tokens=\0|server_args=|fired up and ready|Warmup ended"
    r"|(?:CUDA|cuda|npu|cpu) graph (?:begin|end)|End of .* warmup|Disaggregation warmup request|GB host memory"
)
_WHILE_SERVING: Final = re.compile(r"update|lora|switch|adaptive", re.IGNORECASE)
# What raises here is the answer to one request: the client gets it, the log does not, or under another head.
_ANSWERS: Final = re.compile(
    r"srt/entrypoints/(?:openai|anthropic|ollama|systemone|search)/|srt/managers/(?:io_struct|tokenizer_\w+|multi_tok\w+)\.py"
)
_ANSWER_TYPES: Final = ("HTTPException", "BadRequestError", "RequestValidationError")


def group(message: Message) -> Group | None:
    """The message's group; `None` for what is no business of the table.

    That is what does not reach a server's log (caught in the same function, sent to a client as its answer), what has
    no wording of its own, prints, and what is only said for information.
    """
    if not message.worded or message.level == "print":
        return None
    if message.level == "raise":
        return _of_a_raise(message)
    if message.level == "info":
        return _of_an_information(message)
    return Group.WARNING if message.level == "warning" else Group.ERROR


def _of_a_raise(message: Message) -> Group | None:
    answers = _ANSWERS.match(message.module) and "__init__" not in message.function
    if message.caught or answers or message.type.endswith(_ANSWER_TYPES):
        return None
    return Group.DECISIVE if decisive(message.fixed) else Group.INNER


def _of_an_information(message: Message) -> Group | None:
    if _BATCH.search(message.fixed):
        return Group.BATCH
    milestone = _LAUNCH.search(message.fixed) and not _WHILE_SERVING.search(message.function)
    return Group.LAUNCH if milestone else None
