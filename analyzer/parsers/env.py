"""The output of `env` or `export -p`: the variables that steer SGLang, its libraries and the network."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from analyzer.events import Fact
from analyzer.expression import lazy
from analyzer.parsers.block import Block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.parsers.block import Around, Text

KIND = "env"
HEADS = (
    *("HOME=", "PATH=", "PWD=", "HOSTNAME=", "SHELL=", "USER=", "LANG=", "TERM=", "SHLVL=", "LOGNAME=", "_proxy="),
    *("SGLANG_", "SGL_", "NCCL_", "CUDA_", "HIP_", "HF_", "PYTORCH_", "TORCH_", "MASTER_", "LD_LIBRARY_PATH="),
)

_LINE = lazy(r"(?:declare -x |export )?([A-Za-z_]\w{0,80})=(.*)$")
_STEERS = lazy(
    r"(?:SGLANG|SGL|NCCL|RCCL|GLOO|CUDA|NVIDIA|HIP|HSA|ROCR|AITER|ASCEND|HCCL|HF|HUGGINGFACE|TRANSFORMERS|PYTORCH|TORCH|TRITON"
    r"|FLASHINFER|VLLM|OMP|MKL|UCX|NVSHMEM|MC|MOONCAKE|NIXL|MASTER|RAY|LD_LIBRARY|WORLD_SIZE|RANK|LOCAL_RANK|NODE_RANK)"
    r"(?:_|$)|(?:https?|no|all)_proxy$",
    re.IGNORECASE,
)
_SECRET = lazy(r"TOKEN|KEY|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
_SHELLS = frozenset({"HOME", "PATH", "PWD", "HOSTNAME", "SHELL", "USER", "LANG", "TERM", "SHLVL", "LOGNAME"})
_ECHOES = lazy(r"(?:^|\s)(?:env|printenv|export|declare|set)(?:\s|$|\|)")


def claims(head: str, around: Around) -> bool:
    """A variable that every shell has, or any variable after the echo of `env` or in a file of that name."""
    found = _LINE.match(head[:4000])
    if found is None:
        return False
    named = around.source.rsplit("/", 1)[-1].split(".")[0] in {"env", "printenv", "environment"}
    return found[1] in _SHELLS or named or bool(_ECHOES.search(around.command[:400]) and around.command not in head)


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One fact per variable that matters; values of secrets are not kept."""
    events: list[Fact] = []
    used = 0
    for line in lines:
        found = _LINE.match(line.text[:4000])
        if found is None:
            break
        used += 1
        name, value = found[1], found[2].strip().strip('"')
        if _STEERS.match(name) and not _SECRET.search(name):
            events.append(Fact(where=around.at(line), text=line.quoted, name=f"env.{name}", value=value[:300]))
    return Block(max(used, 1), used, [*events])
