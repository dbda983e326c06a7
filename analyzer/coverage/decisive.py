"""Whether an error's own words name something that its reader can change, or only the program's inner state."""

from __future__ import annotations

import re
from typing import Final

# What stands outside SGLang's code, and how its messages call it.
_THINGS: Final = (
    # an argument, a variable
    r"(?<![\w-])--[a-z][a-z0-9-]{2,}|\bcommand line\b|\benvironment variable\b",
    r"\b(?:SGLANG|SGL|NCCL|CUDA|HF|MOONCAKE|MC|LMCACHE|NVSHMEM|UCX|OMP|AWS|TORCH|HIP|ASCEND)_[A-Z0-9_]{3,}",
    # a package
    r"\b[Ii]nstall(?:ed|ing)?\b|\bupgrade\b|\bpackage\b|[Ff]ailed to import",
    # memory, files, the network
    r"\b(?:[Nn]ot enough|[Oo]ut of|free|available|pinned|no) (?:host |GPU |CPU )?memory\b",
    r"\b(?:host|GPU|CPU) memory (?:is|for|left)",
    r"\bdisk\b|\b[Ff]ile\b.{0,80}(?:does not exist|not found|missing)|[Dd]irectory\b.{0,40}(?:not|exist)",
    r"\b[Pp]orts?\b.{0,60}\b(?:in use|available|free|bind)|\bconnect to\b|\bunreachable\b",
    # the other side
    r"\b[Pp]refill\b.{0,120}\b[Dd]ecode\b|\b[Dd]ecode\b.{0,120}\b[Pp]refill\b|\bPD (?:peers|[Dd]isagg)",
    # the hardware, the model
    r"\b(?:SM\d+|sm\d+|Hopper|Blackwell|Ampere|ROCm|XPU|NPU|compute capability|CUDA \d|RDMA|InfiniBand)\b",
    r"\b[Cc]heckpoint (?:file|is|at|does|has)|\bquantization method\b|\bmodel (?:type|arch\w*|path)\b",
)
# What an argument switches on, and the words that refuse it.
_FEATURES: Final = (
    r"HiCache|HiSparse|LMCache|Mooncake|NIXL|DCP|(?:pipeline|context|tensor|expert|data) parallel\w*|DP attention"
    r"|[Ss]peculative|EAGLE|MTP|LoRA|PD|disaggregation|FP8|FP4|NVFP4|MXFP8|(?:CUDA|cuda) graphs?|overlap schedul\w+"
    r"|[Cc]hunked prefill|radix cache|unified memory|sharding|Elastic EP|two-batch[ -]overlap|layout"
)
_REFUSALS: Final = (
    r"(?:not|n't|NOT) (?:yet )?(?:be )?support\w*|[Uu]nsupported|only supports?|supports? only|only supported"
    r"|currently supports|[Ii]ncompatible|not compatible|can ?not be (?:used|combined)|mutually exclusive"
)
_NAMED: Final = re.compile("|".join(_THINGS))
_REFUSED: Final = re.compile(
    rf"\b(?:{_FEATURES})\b.{{0,160}}(?:{_REFUSALS})|(?:{_REFUSALS}).{{0,160}}\b(?:{_FEATURES})\b", re.DOTALL
)


def decisive(text: str) -> bool:
    """Whether the fixed words of a message name a thing outside the program, or refuse what an argument asks for."""
    return _NAMED.search(text) is not None or _REFUSED.search(text) is not None
