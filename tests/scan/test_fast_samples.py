"""The logs of all samples are read fast as the exact reading reads them, from their twentieth line on."""

from __future__ import annotations

import pytest

from tests.samples import SAMPLES

pytest.importorskip("numba")
alike = pytest.importorskip("tests.scan.alike")

FOLDERS = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_sample_is_read_alike(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.parsers.texts.HEAD_LINES", 20)
    for path in sorted((SAMPLES / folder).rglob("*")):
        if path.is_file():
            alike.assert_same(path.read_bytes(), 900, 1 << 20)
