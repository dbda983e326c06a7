"""Models that this release does not know."""

from __future__ import annotations

from analyzer.events import Notice, ServerReady
from analyzer.vocabulary import Status
from tests.build import where
from tests.rules.answers import cleared, failure, found

RULE = "model-not-supported"


def test_a_model_that_falls_back_to_another_implementation_is_cleared() -> None:
    line = failure(
        RULE, "ValueError: FooForCausalLM has no SGlang implementation", 5, "10:00:00", detail="FooForCausalLM"
    )
    assert "worked on" in cleared(RULE, line, ServerReady(where=where(30, "10:01:00")))


def test_an_unknown_architecture_asks_for_another_release() -> None:
    line = failure(RULE, "ValueError: Model architectures ['X'] are not supported for now.", 5, "10:00:00", detail="X")
    verdict = found(RULE, line)
    assert verdict.summary == "the installed SGLang or transformers does not know the model: X"
    assert "release" in verdict.remedy[0].action


def test_code_of_the_model_s_own_has_to_be_permitted_by_whoever_trusts_it() -> None:
    text = (
        "ValueError: The repository /models/x contains custom code which must be executed to correctly load the model."
    )
    line = failure(RULE, text, 5, "10:00:00", detail="/models/x contains custom code")
    remedy = found(RULE, line, argv="python3 -m sglang.launch_server --model-path /models/x").remedy[0]
    assert remedy.command_line == "python3 -m sglang.launch_server --model-path /models/x --trust-remote-code"
    assert remedy.risk == "runs code from the model's folder"


def test_a_head_size_that_a_backend_lacks_is_tried_on_the_other_one() -> None:
    text = "RuntimeError: BatchPrefill failed to dispatch head_dim 80"
    line = failure(RULE, text, 5, "10:05:00", detail="failed to dispatch head_dim 80", pattern="head-size-refused")
    remedy = found(RULE, line, values={"attention_backend": "flashinfer"}).remedy[0]
    assert (remedy.argument, remedy.before, remedy.after) == ("attention_backend", "flashinfer", "triton")


def test_a_class_whose_module_could_not_be_imported_is_missing_not_unknown() -> None:
    line = failure(
        RULE,
        "Model architectures ['Foo3ForCausalLM'] are not supported for now.",
        9,
        "10:00:00",
        detail="Foo3ForCausalLM",
    )

    def ignored(module: str) -> Notice:
        text = f"{module}: No module named 'quux'"
        return Notice(where=where(5, "10:00:00"), topic="model-module-not-imported", detail=text)

    assert found(RULE, ignored("bar_v2"), line).summary.endswith("does not know the model: Foo3ForCausalLM")
    verdict = found(RULE, ignored("foo_2"), line)
    assert "could not be imported: foo_2: No module named 'quux'" in verdict.summary
    assert verdict.status is Status.SUPPORTED
