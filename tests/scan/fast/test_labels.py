"""Texts that differ in any byte have labels of their own."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")
labels = pytest.importorskip("analyzer.scan.fast.labels")


def test_labels_tell_texts_apart_by_every_byte() -> None:
    known = labels.Labels()
    keys = [(1, 2), (1, 3), (1,), (1, 2, 3, 4)]
    for label, key in enumerate(keys):
        known.add(key, label)
    asked = [np.array(word, np.uint64) for word in zip(*[(*key, 0, 0, 0)[:4] for key in [*keys, (7,)]], strict=True)]
    assert known.find(asked).tolist() == [0, 1, 2, 3, labels.UNKNOWN]


def test_of_two_texts_that_share_a_slot_the_latest_is_found() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(labels, "_SLOTS", 1)
        known = labels.Labels()
        for number in range(20):
            known.add((number,), number)
            assert known.find([np.array([number], np.uint64)]).tolist() == [number]
