"""Inputs cut to the lines that a report rests on: what somebody else can run, as one archive."""

from analyzer.excerpt.cut import LEVELS, Excerpt, excerpts
from analyzer.excerpt.pack import named, packed

__all__ = ["LEVELS", "Excerpt", "excerpts", "named", "packed"]
