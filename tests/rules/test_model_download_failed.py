"""Models that a hub does not give."""

from __future__ import annotations

import pytest

from analyzer.events import ServerReady
from tests.build import size, where
from tests.rules.answers import answers, cleared, failure, found

RULE = "model-download-failed"


def test_a_launch_from_a_folder_says_nothing() -> None:
    assert answers(RULE, ServerReady(where=where(3, "10:00:00"))) == []


def test_an_optional_file_that_the_hub_refuses_is_cleared() -> None:
    text = "OSError: We couldn't connect to 'https://huggingface.co' to load the files"
    line = failure(RULE, text, 5, "10:00:00", detail="https://huggingface.co")
    assert "worked on" in cleared(RULE, line, ServerReady(where=where(30, "10:01:00")))


def test_a_folder_that_is_not_there_is_not_the_hub_s_fault() -> None:
    refused = failure(
        RULE, "404 Client Error", 5, "10:00:00", detail="RepositoryNotFoundError", code=size("404 count", 5)
    )
    missing = failure("checkpoint-unreadable", "OSError: Can't load the configuration of '/models/x'", 6, "10:00:00")
    argv = "python3 -m sglang.launch_server --model-path /models/x"
    assert "a local one" in cleared(RULE, refused, missing, argv=argv)


@pytest.mark.parametrize(
    ("code", "said", "fix"),
    [
        (401, "401 (no token, or one that is not valid)", "HF_TOKEN"),
        (403, "403 (a token without access to this model)", "HF_TOKEN"),
        (404, "404 (no such model)", "name"),
        (429, "limits the rate (429)", "token"),
    ],
)
def test_the_hub_s_answer_is_explained(code: int, said: str, fix: str) -> None:
    line = failure(RULE, f"{code} Client Error", 5, "10:00:00", detail="org/model", code=size(f"{code} count", 5))
    verdict = found(RULE, line)
    assert said in verdict.summary
    assert verdict.summary.endswith("org/model")
    assert fix in verdict.remedy[0].action


def test_a_hub_that_cannot_be_reached_is_a_matter_of_the_network() -> None:
    line = failure(RULE, "Max retries exceeded with url: /api", 5, "10:00:00", detail="huggingface.co")
    assert "network" in found(RULE, line).remedy[0].action
