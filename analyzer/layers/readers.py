"""Which reader of entries a file needs: told from its first lines, once for the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.layers import csv_rows, fluent_bit, journal, json_laid_out, sections, yaml_documents
from analyzer.layers.peeler import begins_record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from analyzer.layers.entries import Entries, L


def reader_for(head: Sequence[str], _kind: type[L]) -> Callable[[], Entries[L]] | None:
    """What makes a reader of the entries that a file's first lines show; `None` where every line is one."""
    if journal.verbose(head):
        return journal.Verbose
    if journal.exported(head):
        return journal.Exported
    if fluent_bit.told(head):
        return fluent_bit.Printed
    entry = json_laid_out.told(head, begins_record)
    if entry:
        return lambda: json_laid_out.LaidOut(entry.node)
    if yaml_documents.told(head):
        return yaml_documents.Documents
    header = csv_rows.told(head)
    if header:
        return lambda: csv_rows.Rows(header)
    return (lambda: sections.Sections(head)) if sections.told(head) else None
