"""What compiled functions do with plain memory, in Python's words: each is a machine instruction or two of theirs.

An address and an index say where; elements lie anywhere, none has to stand at a multiple of its size.
"""

from __future__ import annotations

from ctypes import c_double, c_int64, c_uint8, c_uint64

import numpy as np


def lowest(of: np.uint64) -> int:
    """How many bits stand below the lowest that is set."""
    return (int(of) & -int(of)).bit_length() - 1


def byte(base: int, index: int) -> int:
    """The byte there."""
    return c_uint8.from_address(base + index).value


def word(base: int, index: int) -> np.uint64:
    """The eight bytes from any of them on."""
    return np.uint64(c_uint64.from_address(base + index).value)


def hits(base: int, index: int, wanted: int) -> np.uint64:
    """Which of 64 bytes are that one: a bit for each, the first the lowest."""
    return np.uint64(sum((byte(base, index + bit) == wanted) << bit for bit in range(64)))


def beyond_ascii(base: int, index: int) -> np.uint64:
    """Which of 64 bytes are 128 or more: a bit for each, the first the lowest."""
    return np.uint64(sum((byte(base, index + bit) >> 7) << bit for bit in range(64)))


def whole(base: int, index: int) -> int:
    """The whole number of that index."""
    return c_int64.from_address(base + 8 * index).value


def real(base: int, index: int) -> float:
    """The fraction of that index."""
    return c_double.from_address(base + 8 * index).value


def put_byte(base: int, index: int, value: int) -> None:
    """Writes a byte."""
    c_uint8.from_address(base + index).value = value


def put_whole(base: int, index: int, value: int) -> None:
    """Writes the whole number of that index."""
    c_int64.from_address(base + 8 * index).value = value


def put_real(base: int, index: int, value: float) -> None:
    """Writes the fraction of that index."""
    c_double.from_address(base + 8 * index).value = value
