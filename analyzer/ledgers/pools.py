"""The pools that a batch line tells of, how each is called, and what makes it larger."""

from __future__ import annotations

from analyzer.immutable import immutable
from analyzer.verdict import Remedy


@immutable
class Pool:
    """One pool: its name, the key of its usage in a batch line, why another pool cannot help, and what enlarges it.

    `larger` is empty where sums of the launch's own tell.
    """

    name: str
    key: str
    why: str
    larger: tuple[Remedy, ...] = ()


KV = Pool("KV pool", "token usage", "Running requests keep their KV on the GPU.")
WINDOW = Pool(
    "pool of the sliding-window layers",
    "swa token usage",
    "Running requests keep the KV of their last window in a pool of its own; more room for the other layers adds none.",
    (
        Remedy(
            "fix",
            "a larger share for the sliding-window layers: a higher --swa-full-tokens-ratio",
            argument="swa_full_tokens_ratio",
            risk="it is taken from the full-attention layers",
        ),
    ),
)
STATE = Pool(
    "state cache",
    "mamba usage",
    "Every running request keeps slots in the state cache, however short it is; a larger KV pool adds none.",
    (
        Remedy(
            "fix",
            "more state slots: a higher --mamba-full-memory-ratio, or --max-mamba-cache-size",
            argument="mamba_full_memory_ratio",
            risk="they are taken from the KV pool",
        ),
    ),
)
BY_COLUMN = {"usage_ratio": KV, "swa_usage_ratio": WINDOW, "mamba_usage_ratio": STATE}
