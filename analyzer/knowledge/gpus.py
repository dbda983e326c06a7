"""Which generation a GPU is of, told by its product name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.immutable import immutable
from analyzer.knowledge.facts import table
from analyzer.units import Amount, One, assumed

if TYPE_CHECKING:
    from collections.abc import Sequence


@immutable
class Generation:
    """An architecture and its compute capability, a number such as 7.5; kernels are built for capabilities."""

    architecture: str
    capability: Amount[One]

    @property
    def target(self) -> str:
        """The name that compilers give it: `sm_75`."""
        return f"sm_{int(self.capability.value * 10)}"


def generation(name: str) -> Generation | None:
    """The generation of an NVIDIA GPU by the name that `nvidia-smi` prints; `None` for names that are not known."""
    words = name.replace("-", " ").split()
    for row in table("gpus")["gpu"]:
        if any(_stands(known.split(), words) for known in row["names"]):
            return _made(row, name)
    return None


def _made(row: dict[str, Any], name: str) -> Generation:
    reason = f"{name} is of the {row['architecture']} generation"
    return Generation(row["architecture"], assumed(row["capability"], "count", reason).called("compute capability"))


def _stands(known: Sequence[str], words: Sequence[str]) -> bool:
    """Whether these words follow each other in the name: `A10` is not in `A100`."""
    return any(list(words[i : i + len(known)]) == list(known) for i in range(len(words) - len(known) + 1))
