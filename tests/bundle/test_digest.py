"""A hash made beside the reading is that of the bytes in their order."""

from __future__ import annotations

import hashlib

import pytest

from analyzer.bundle.digest import Digest

PIECES = [bytes([n]) * (n * 1000) for n in range(1, 40)]


@pytest.mark.parametrize("beside", [False, True])
def test_the_hash_is_that_of_all_pieces(beside: bool) -> None:  # noqa: FBT001 - both ways
    with Digest(beside=beside) as digest:
        assert digest.hexdigest() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "of no bytes"
        for piece in PIECES:
            digest.update(piece)
        assert digest.hexdigest() == hashlib.sha256(b"".join(PIECES)).hexdigest()
        digest.update(b"x")
        assert digest.hexdigest() == hashlib.sha256(b"".join(PIECES) + b"x").hexdigest()
