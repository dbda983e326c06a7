"""Patterns: what the lines of a log look like and what they mean, read from `patterns/**/*.toml` and checked."""

from analyzer.catalog.catalog import Catalog, Head
from analyzer.catalog.check import Problem, check
from analyzer.catalog.definition import Pattern, Variant
from analyzer.catalog.listing import Listed, listing
from analyzer.catalog.match import Claim

__all__ = ["Catalog", "Claim", "Head", "Listed", "Pattern", "Problem", "Variant", "check", "listing"]
