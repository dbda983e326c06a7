"""Wrappers around a line (runtimes, collectors, launchers, pastes): peeled off, their time and origin kept."""

from analyzer.layers.peeled import Peeled
from analyzer.layers.peeler import HEAD_LINES, Peeler, peel

__all__ = ["HEAD_LINES", "Peeled", "Peeler", "peel"]
