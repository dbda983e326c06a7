"""Which owners are the same: replicas of a set, a pod and its containers, a container with and without its pod."""

from __future__ import annotations

import pytest

from analyzer.launches.owners import Sets, set_of


@pytest.mark.parametrize(
    ("owner", "one"),
    [
        ("pod llm-0/main", "pod llm/main"),
        ("pod llm-7d4f9c6b5-x2x9z", "pod llm"),
        ("pod llm-0-1", "pod llm"),
        ("container llm-0", "container llm-0"),
        ("unit sglang-0.service", "unit sglang-0.service"),
    ],
)
def test_only_pods_are_replicas_of_a_set(owner: str, one: str) -> None:
    assert set_of(owner) == one


@pytest.mark.parametrize(
    ("owner", "has", "part"),
    [
        ("pod llm-1/main", True, False),  # a replica
        ("pod llm-3", True, False),  # the pod of one
        ("pod llm-0/main/x", True, False),  # what lies in it
        ("container main", True, False),  # without the pod
        ("unit main", False, False),  # of another kind
        ("pod llm-0/mai", False, False),
        ("pod ll", False, False),
        ("container pod/proxy", False, True),  # its last part is one of them
    ],
)
def test_an_owner_is_the_same_by_its_set_by_what_it_lies_in_or_by_its_last_part(
    owner: str, *, has: bool, part: bool
) -> None:
    sets = Sets(["pod llm-0/main", "container proxy"])
    one = set_of(owner)
    assert (sets.has(one), sets.has_part(one)) == (has, part)
