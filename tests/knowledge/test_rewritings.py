"""Which differences between command line and server_args SGLang makes itself."""

from __future__ import annotations

import pytest

from analyzer.knowledge.release import UNKNOWN, Release
from analyzer.knowledge.rewritings import rewritten


@pytest.mark.parametrize(
    ("field", "said", "made"),
    [
        ("tp_size", 8, 4),
        ("hicache_size", 300, 48),
        ("port", 30000, 30001),
        ("context_length", 32768, 131072),
        ("chunked_prefill_size", 8192, 16384),
        ("chunked_prefill_size", 8192, 3000),
        ("chunked_prefill_size", "8192", 4096),
        ("mem_fraction_static", 0.85, 0.93),
        ("mem_fraction_static", 0.9, 0.5),
        ("mem_fraction_static", "most", 0.5),
        ("model_path", "/models/Kimi-K2.5", "/models/Qwen3-8B"),
        ("hicache_mem_layout", "layer_first", "something"),
        ("no_such_field", 1, 2),
    ],
)
def test_a_difference_that_sglang_does_not_make_is_not_explained(field: str, said: object, made: object) -> None:
    assert rewritten(field, said, made, UNKNOWN) is None


def test_a_rewriting_of_other_releases_does_not_explain() -> None:
    assert rewritten("dp_size", 8, 1, Release.of("0.5.9")) is None
    assert rewritten("dp_size", 2, 8, Release.of("0.4.4.post4")) is None


@pytest.mark.parametrize(
    ("field", "said", "made", "release"),
    [
        ("chunked_prefill_size", 8192, 1024, "0.5.9"),  # // dp_size, here 8
        ("chunked_prefill_size", 16384, 5461, "0.5.9"),  # // 3
        ("schedule_conservativeness", 1.0, 0.3, "0.5.9"),
        ("mem_fraction_static", 0.9, 0.765, "0.5.9"),  # x 0.85 with the aiter backend
        ("dp_size", 2, 8, "0.4.3.post4"),  # becomes tp_size under DP attention
        ("dp_size", 8, 1, "0.5.22"),  # moves to attn_dp_size
        (
            "model_path",
            "moonshotai/Kimi-K2",
            "/root/.cache/huggingface/hub/models--moonshotai--Kimi-K2/snapshots/a",
            "0.5.9",
        ),
        ("hicache_mem_layout", "layer_first", "page_first_direct", "0.5.9"),
        ("hicache_io_backend", "kernel", "direct", "0.5.9"),
        ("hicache_host_memory_fraction", 0.8, None, "0.5.21"),
        ("speculative_algorithm", "NEXTN", "EAGLE", "0.5.9"),
        ("attention_backend", "fa3", "triton", "0.5.9"),
        ("page_size", 1, 64, "0.5.9"),
        ("enable_mixed_chunk", True, False, "0.5.9"),
    ],
)
def test_a_known_rewriting_is_explained(field: str, said: object, made: object, release: str) -> None:
    assert rewritten(field, said, made, Release.of(release))
    assert rewritten(field, said, made, UNKNOWN), "an unknown release accuses nobody"


@pytest.mark.parametrize("field", ["mem_fraction_static", "max_running_requests", "random_seed", "tokenizer_path"])
def test_what_was_not_given_is_sglangs_choice(field: str) -> None:
    assert rewritten(field, None, "anything", UNKNOWN) == "not given: SGLang chose the value"


@pytest.mark.parametrize("said", ["<model>", "$MODEL", "${TP}", "/models/$NAME"])
def test_a_placeholder_says_nothing(said: str) -> None:
    assert rewritten("model_path", said, "/models/Kimi-K2.5", UNKNOWN) == "the command line holds a placeholder"
