"""The SGLang release that the tag of a container image names (`lmsysorg/sglang:v0.5.9-cu129`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import ReleaseStated
from analyzer.expression import lazy

if TYPE_CHECKING:
    from analyzer.events import Event
    from analyzer.evidence import Where

_TAG = lazy(r"[\w./-]{0,200}sglang[\w-]{0,60}:v?(\d{1,3}\.\d{1,3}\.\d{1,3}(?:\.?(?:post|rc|dev)\d{1,4})?)(?:[-_.+@]|$)")


def release(image: str, where: Where) -> list[Event]:
    """The release as an event, or nothing where the image is not SGLang's or its tag names none."""
    plain = image.strip()[:400]
    found = _TAG.match(plain)
    return [ReleaseStated(where=where, text=plain, version=found[1])] if found else []
