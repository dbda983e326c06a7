"""What this program wrote is told from evidence by its first bytes."""

from __future__ import annotations

import json

import pytest

from analyzer.bundle import is_report
from analyzer.report import json as json_
from analyzer.report import markdown, text
from analyzer.report.page import Look
from tests.report.build_report import cannot_tell, founding, healthy, straggler


@pytest.mark.parametrize("make", [founding, healthy, cannot_tell, straggler])
def test_every_form_of_every_report_is_known(make: object) -> None:
    report = make()  # type: ignore[operator]
    written = [
        json_.dumps(report),
        markdown.render(report),
        text.render(report, Look(100)),
        text.render(report, Look(60)),
    ]
    assert [is_report(document[:4096].encode()) for document in written] == [True] * 4


def test_other_spellings_of_a_report_are_known() -> None:
    tree = json.loads(json_.dumps(healthy()))
    assert is_report(json.dumps(tree).encode())
    assert is_report(b"\xef\xbb\xbf" + json.dumps([tree]).encode())  # several reports are a list
    assert is_report(b'{"schema": "postmortem.report/2"}')


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b'{"schema": "postmortem.reporter/1"}',
        b'{"message": "schema postmortem.report/1"}',
        b"server said <!-- postmortem.report/1 -->",
        b"READY          for requests\nserver is up\n",  # a word alone is no first screen
        b"HUNG task\nCAUSE          unknown\n",  # no column
        b"[2026-02-17 10:02:51 TP1] Load weight begin. avail mem=94.08 GB\n",
    ],
)
def test_nothing_else_is(head: bytes) -> None:
    assert not is_report(head)
