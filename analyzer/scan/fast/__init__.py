"""Steady-state lines by the thousand: what `exact` and the readers above it make of them, sooner.

Lines are told apart by their bytes right behind the header; numbers become columns at once. A form of line is asked of
the exact reading once (`Known`), and only lines that differ from it in plain numbers are taken: every other byte is
compared. All else, and every line whose meaning its neighbours may change, is left to the exact reading, in order.
Needs numpy; without it, or without this package, everything is read exactly.
"""

from analyzer.scan.fast.reader import scan
from analyzer.scan.run import Known, Run, Unit

__all__ = ["Known", "Run", "Unit", "scan"]
