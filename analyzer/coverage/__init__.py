"""How much of what an SGLang release can print is recognised: its messages are read from its own source, never run."""

from analyzer.coverage.groups import CORE, Group
from analyzer.coverage.measure import Contest, Measured, Measurement, Tally, measure
from analyzer.coverage.release import Module, Release, open_release
from analyzer.coverage.shown import missing, row, table, text

__all__ = [
    "CORE",
    "Contest",
    "Group",
    "Measured",
    "Measurement",
    "Module",
    "Release",
    "Tally",
    "measure",
    "missing",
    "open_release",
    "row",
    "table",
    "text",
]
