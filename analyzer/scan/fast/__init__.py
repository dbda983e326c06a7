"""Steady-state lines by the thousand: what `exact` and the readers above it make of them, sooner.

A compiled pass tells lines apart by their bytes right behind the header, and makes columns of their numbers at once. A
form of line is asked of the exact reading once (`Known`), and only lines that differ from it in plain numbers are
taken: every other byte is compared. All else, and every line whose meaning its neighbours may change, is left to the
exact reading, in order. A thread tells the lines of the next blocks while those of one are taken in.
Needs numba, which compiles that pass once; without it, or without this package, everything is read exactly.
"""

from analyzer.scan.fast.compiled import make_ready
from analyzer.scan.fast.reader import scan

__all__ = ["scan"]

make_ready()
