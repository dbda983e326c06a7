"""Where and when lines stand whose wrappers were taken off."""

from __future__ import annotations

from typing import Any

import pytest

np = pytest.importorskip("numpy")
wrapping = pytest.importorskip("analyzer.scan.fast.wrapping")
outers = pytest.importorskip("analyzer.scan.fast.outer")
layout = pytest.importorskip("analyzer.scan.fast.layout")
laid = pytest.importorskip("tests.scan.fast.laid")
layers = pytest.importorskip("analyzer.layers")

HEADED = "[2026-02-17 10:02:51 TP1] Decode batch. #running-req: 8, #queue-req: 0"
ACCESS = 'INFO:     10.0.0.1:41 - "GET /health HTTP/1.1" 200 OK'


def told(*wrapped: str) -> tuple[Any, Any]:
    """What the wrappers of lines say, and the lines as they were told."""
    known = laid.Counting()
    known.wear(layers.Peeler([*wrapped]))
    memory, text = laid.remembering(known), laid.joined([*wrapped])
    ends = laid.ends_of(text)
    bare = wrapping.Wrapping(known).off(text, ends)
    chunk = laid.told(bare.text.decode().split("\n")[:-1], memory)
    return outers.Outer(ends, bare, chunk), chunk


def test_an_access_line_has_its_wrapper_s_time_where_that_is_the_headers_clock() -> None:
    cri = "2026-02-17T{}.5Z stderr F {}"
    outer, chunk = told(
        cri.format("10:02:53", HEADED),  # two and a half seconds late
        cri.format("10:02:54", ACCESS),
        cri.format("10:02:57", HEADED),  # six and a half
        cri.format("10:02:58", ACCESS),
    )
    assert chunk.kind.tolist()[1::2] == [layout.UNDATED] * 2
    assert outer.own.tolist() == [False, True, False, False]
    assert [outer.agrees(line) for line in range(4)] == [True, True, False, False]
    begins = np.array([0, 1])
    midnight = (56 * 365 + 14 + 31 + 16) * 86400
    assert outer.seconds(begins, np.array([1.0, 2.0])).tolist() == [1.0, midnight + 36174.5]
    assert outer.starts(begins).tolist() == [0, len(cri.format("10:02:53", HEADED)) + 1]


def test_behind_a_line_of_another_origin_no_clock_is_known() -> None:
    cri = "2026-02-17T10:02:51Z stderr F {}"
    outer, chunk = told(cri.format(HEADED), cri.format(HEADED), "other text, other origin", cri.format(ACCESS))
    assert chunk.kind.tolist()[3] == layout.LEFT
    assert outer.agrees(3) is None
