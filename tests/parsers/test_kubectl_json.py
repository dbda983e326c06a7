"""`kubectl get … -o json`: which lines begin one; what it says is tested beside the other forms of the same objects."""

from __future__ import annotations

import pytest

from tests.parsers.build_blocks import claims, read
from tests.parsers.snapshots import SAMPLES


@pytest.mark.parametrize(
    "line",
    ['{"kind": "error", "text": "x"}', '"apiVersion is missing"', '  "kind": "pod",', '{"id": 1, "kind": "Pod"}', "{"],
)
def test_other_json_is_not_its(line: str) -> None:
    assert not claims("kubectl_json", line)


@pytest.mark.parametrize(
    "line",
    ['    "apiVersion": "v1",', '    "kind": "Pod",', '{"apiVersion":"v1","kind":"Pod"}', '{ "kind": "List", "a": 1'],
)
def test_version_or_kind_begin_an_object(line: str) -> None:
    assert claims("kubectl_json", line)


def test_what_holds_no_pod_is_left_to_others() -> None:
    block = read("kubectl_json", '    "apiVersion": "v1",\n    "kind": "Service",\n    "spec": {}\n}')
    assert (block.lines, block.understood) == (1, 0)


def test_the_sample_is_read_to_its_last_brace() -> None:
    text = SAMPLES["kubectl_json"].strip("\n")
    assert read("kubectl_json", text + "\nINFO: started").lines == text.count("\n") + 1
