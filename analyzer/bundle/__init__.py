"""Files, folders, archives and answers to queries as named byte streams, and cited lines read again; knows no log."""

from analyzer.bundle.gather import Bundle, gather, opened
from analyzer.bundle.own import is_report
from analyzer.bundle.source import InMemory, OnDisk, Source
from analyzer.bundle.stream import Stream, Tapped

__all__ = ["Bundle", "InMemory", "OnDisk", "Source", "Stream", "Tapped", "gather", "is_report", "opened"]
