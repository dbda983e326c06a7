"""Bytes to physical lines; `exact` is the definition that anything faster has to agree with."""

from analyzer.scan.exact import MAX_TEXT, Line, lines

__all__ = ["MAX_TEXT", "Line", "lines"]
