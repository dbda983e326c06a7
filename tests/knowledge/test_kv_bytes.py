"""KV bytes per token from public shapes, and which attention is latent."""

from __future__ import annotations

import pytest

from analyzer.knowledge.kv_bytes import is_mla, kv_bytes_per_token


@pytest.mark.parametrize(
    "model",
    [
        "",
        "/",
        "DeepSeek-V3.2-Exp",  # its sparse attention keeps an index beside the KV
        "DeepSeek-R1-Distill-Llama-70B",
        "nvidia/DeepSeek-R1-NVFP4",  # brings its own format for the KV cache along
        "moonshotai/Kimi-K2-something-else",
        "DeepseekV3ForCausalLM",  # models of several shapes have it
        "my-llama-3-70b",
    ],
)
def test_a_model_that_only_resembles_a_known_one_has_no_figure(model: str) -> None:
    assert kv_bytes_per_token(model) is None


@pytest.mark.parametrize(("dtype", "tp"), [("fp4_e2m1", 8), ("int4", 8), ("auto", 0)])
def test_an_unknown_format_or_size_has_no_figure(dtype: str, tp: int) -> None:
    assert kv_bytes_per_token("Kimi-K2", dtype, tp) is None


@pytest.mark.parametrize(
    ("model", "dtype", "tp", "expected"),
    [
        ("Kimi-K2.5", "bfloat16", 8, 70_272),  # 61 layers x (512+64) x 2 bytes, "same on every TP rank"
        ("/models/Kimi-K2-Instruct-0905", "torch.bfloat16", 1, 70_272),
        ("KimiK25ForConditionalGeneration", "auto", 8, 70_272),
        ("deepseek-ai/DeepSeek-R1-0528", "fp8_e4m3", 16, 35_136),
        ("meta-llama/Llama-3.3-70B-Instruct", "auto", 1, 327_680),  # 80 x 8 x 128 x 2(K,V) x 2
        ("meta-llama/Llama-3.3-70B-Instruct", "auto", 8, 40_960),
        ("meta-llama/Llama-3.3-70B-Instruct", "auto", 16, 40_960),  # 8 heads on 16 ranks: replicated
        ("meta-llama/Llama-3.3-70B-Instruct", "fp8_e5m2", 4, 40_960),
        ("Qwen/Qwen3-235B-A22B-Instruct-2507-FP8", "auto", 4, 48_128),
        ("meta-llama/Llama-3.1-8B", "auto", 1, 131_072),
    ],
)
def test_bytes_per_token_and_rank_follow_the_shape(model: str, dtype: str, tp: int, expected: int) -> None:
    found = kv_bytes_per_token(model, dtype, tp)
    assert found is not None
    assert (found.number(), found.unit) == (expected, "B/token")


@pytest.mark.parametrize(
    ("architecture", "latent"),
    [
        ("DeepseekV3ForCausalLM", True),
        ("DeepseekV2ForCausalLM", True),
        ("KimiK25ForConditionalGeneration", True),
        ("LlamaForCausalLM", False),
        ("Qwen3MoeForCausalLM", False),
        ("SomethingNewForCausalLM", None),
        ("", None),
    ],
)
def test_latent_attention_is_known_by_architecture(architecture: str, latent: bool | None) -> None:  # noqa: FBT001 - the answer
    assert is_mla(architecture) is latent
