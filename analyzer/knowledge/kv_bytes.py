"""What one token of KV costs on one rank, from a model's public shape: a fallback for logs without arithmetic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.knowledge.facts import table
from analyzer.units import Amount, Byte, Per, Token, assumed

if TYPE_CHECKING:
    from collections.abc import Mapping


def kv_bytes_per_token(model: str, dtype: str = "auto", tp: int = 1) -> Amount[Per[Byte, Token]] | None:
    """Bytes of KV per token on one rank, all layers; `None` for models and formats that are not known.

    `model` is a model path or name, or an architecture where only one shape has it. `dtype` is the KV cache's
    (`torch.` in front does not matter). `tp` is the attention's tensor-parallel size: heads are divided by it down to
    one, MLA is not divided. Pipeline stages and draft layers are not counted.
    """
    shape = _shape(model)
    size = table("models")["dtype"].get(dtype.removeprefix("torch.").lower())
    if shape is None or size is None or tp < 1:
        return None
    number, how = _bytes(shape, size, tp)
    note = ", taking auto as two bytes" if dtype == "auto" else ""
    return assumed(str(number), "B/token", f"{_short_name(model)} by its public shape: {how}{note}")


def is_mla(architecture: str) -> bool | None:
    """Whether the attention keeps one latent KV that every tensor-parallel rank repeats; `None` if not known.

    `architecture` is the class that `Load weight end. type=` prints.
    """
    known = table("models")["architectures"]
    if architecture in known["mla"]:
        return True
    return False if architecture in known["other"] else None


def _bytes(shape: Mapping[str, Any], size: int, tp: int) -> tuple[int, str]:
    layers = shape["layers"]
    if shape["kind"] == "mla":
        latent, rope = shape["kv_lora_rank"], shape["qk_rope_head_dim"]
        return (latent + rope) * layers * size, f"({latent} + {rope}) × {layers} layers × {size} bytes, on every rank"
    heads = max(1, shape["kv_heads"] // tp)
    head = shape["head_dim"]
    return heads * head * 2 * layers * size, f"{heads} KV heads × {head} × 2 × {layers} layers × {size} bytes"


def _shape(model: str) -> Mapping[str, Any] | None:
    name = _short_name(model)
    for shape in table("models")["model"]:
        if name in shape["names"] or model in shape.get("architectures", ()):
            return shape  # type: ignore[no-any-return]
    return None


def _short_name(model: str) -> str:
    words = model.rstrip("/").rsplit("/", 1)[-1].lower().replace("_", "-").split("-")
    ignored = set(table("models")["ignored"])
    while len(words) > 1 and words[-1] in ignored:
        words.pop()
    return "-".join(words)
