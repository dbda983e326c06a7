"""Wrappers around a line (runtimes, collectors, launchers, pastes): peeled off, their time and origin kept."""

from analyzer.layers.entries import Entries, Piece
from analyzer.layers.peeled import UNTOLD, Peeled
from analyzer.layers.peeler import HEAD_LINES, Peeler, peel
from analyzer.layers.readers import reader_for

__all__ = ["HEAD_LINES", "UNTOLD", "Entries", "Peeled", "Peeler", "Piece", "peel", "reader_for"]
