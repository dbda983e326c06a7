"""How much of what an SGLang release can print is recognised: its messages are read from its own source, never run."""

from analyzer.coverage.measure import Measured, Measurement, measure
from analyzer.coverage.release import Release, open_release

__all__ = ["Measured", "Measurement", "Release", "measure", "open_release"]
