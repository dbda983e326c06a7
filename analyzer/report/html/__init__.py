"""The report as one HTML file that needs no network: the answer, a timeline to explore, arithmetic, lines."""

from analyzer.report.html.document import own_part, render

__all__ = ["own_part", "render"]
