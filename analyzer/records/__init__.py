"""Lines to records: a header with its message, and the headerless lines that belong to it."""

from analyzer.records.headers import Header, at_start, header_stamp, is_header
from analyzer.records.left_out import left_out
from analyzer.records.reader import Physical, Reader, goes_on
from analyzer.records.record import Record

__all__ = [
    "Header",
    "Physical",
    "Reader",
    "Record",
    "at_start",
    "goes_on",
    "header_stamp",
    "is_header",
    "left_out",
]
