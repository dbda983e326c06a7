"""The SGLang release in the tag of an image."""

from __future__ import annotations

import pytest

from analyzer.events import ReleaseStated
from analyzer.evidence import Ref, Where
from analyzer.parsers.images import release

HERE = Where(Ref("s", 1, 1))


@pytest.mark.parametrize("image", ["lmsysorg/sglang:latest", "redis:7.2.4", "sglang", "other/engine:v0.5.9", ""])
def test_other_images_and_tags_state_no_release(image: str) -> None:
    assert release(image, HERE) == []


@pytest.mark.parametrize(
    ("image", "version"),
    [
        ("lmsysorg/sglang:v0.5.9", "0.5.9"),
        ("lmsysorg/sglang:v0.5.9-cu129", "0.5.9"),
        ("registry.example/team/sglang:v0.5.10.post1", "0.5.10.post1"),
        ("lmsysorg/sglang:v0.5.15.post1-rocm720-mi35x", "0.5.15.post1"),
        ("lmsysorg/sglang-router:0.2.1rc2", "0.2.1rc2"),
    ],
)
def test_the_tag_states_the_release(image: str, version: str) -> None:
    (event,) = release(image, HERE)
    assert isinstance(event, ReleaseStated)
    assert event.version == version
