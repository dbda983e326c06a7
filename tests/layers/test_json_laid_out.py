"""Entries that are printed over many lines are their messages, with time and origin, also where one is cut off."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from analyzer.layers.json_laid_out import LaidOut, told
from analyzer.layers.peeler import begins_record
from tests.layers.entries import all_of, said

SAID = "[2026-06-05 17:00:11 TP0] Init torch distributed begin."
CLOUD = {
    "insertId": "x",
    "resource": {"labels": {"pod_name": "p-0"}, "type": "k8s_container"},
    "textPayload": SAID,
    "timestamp": "2026-06-05T17:00:11.987Z",
}
FORMS = {
    "jq": json.dumps(CLOUD, indent=2),
    "gcloud": json.dumps([CLOUD], indent=2),
    "aws": json.dumps({"events": [{**CLOUD, "labels": [{"pod": "no"}]}], "next": None}, indent=4),
    "journal": json.dumps(
        {"__REALTIME_TIMESTAMP": "1780678811987000", "_HOSTNAME": "p-0", "MESSAGE": SAID}, indent="\t"
    ).replace('":', '" :'),
    "journal with colours": json.dumps(
        {"MESSAGE": list(SAID.encode()), "_HOSTNAME": "p-0", "__REALTIME_TIMESTAMP": "1780678811987000"}, indent="\t"
    ),
    "azure": json.dumps(
        [{"LogMessage": SAID, "PodName": "p-0", "TimeGenerated": "2026-06-05T17:00:11.987Z"}], indent=2
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_an_entry_is_its_message_with_time_and_origin(form: str) -> None:
    text = FORMS[form]
    assert told(text.split("\n"), begins_record)
    entries = all_of(LaidOut(), text + "\n")
    assert [found for found in said(entries) if found[1]] == [("p-0", SAID)]
    (stamp,) = (entry[0].peeled.stamp for entry in entries if entry[0].peeled and entry[0].peeled.text)
    assert stamp is not None
    assert stamp.moment == datetime(2026, 6, 5, 17, 0, 11, 987_000)  # 1,780,678,811.987 s after 1970


@pytest.mark.parametrize(
    "value",
    [
        {"object": "error", "message": SAID},
        [{"State": {"Status": "exited", "Health": {"Log": [{"Start": "2026-06-05T17:00:11Z", "Output": SAID}]}}}],
        {"items": [{"eventTime": None, "message": "Back-off restarting", "reason": "BackOff"}]},
    ],
    ids=["an answer to a request", "docker inspect", "events of Kubernetes"],
)
def test_other_json_is_left_as_it_is(value: object) -> None:
    assert not told(json.dumps(value, indent=2).split("\n"), begins_record)


def test_what_stands_among_entries_and_is_none_stays() -> None:
    inspected = json.dumps([{"Id": "0a1b", "State": {"Status": "exited", "OOMKilled": True}}], indent=4)
    entries = all_of(LaidOut(), "\n".join([FORMS["jq"], "$ docker inspect sgl", inspected, FORMS["jq"], ""]))
    left = [entry[0].line.text for entry in entries if not entry[0].peeled]
    assert left == ["$ docker inspect sgl", *inspected.split("\n")]


def test_more_than_an_entry_holds_stays_as_well() -> None:
    listed = json.dumps([{"Id": str(number)} for number in range(1000)], indent=4)
    entries = all_of(LaidOut(), f"{FORMS['jq']}\n{listed}\n")
    assert sum(not entry[0].peeled for entry in entries) == len(listed.split("\n"))


@pytest.mark.parametrize("lines", range(1, 7))
def test_an_entry_whose_beginning_is_cut_off_is_from_where_the_next_one_is(lines: int) -> None:
    """Up to and with the line before the message."""
    text = "\n".join([*FORMS["jq"].split("\n")[lines:], FORMS["jq"], ""])
    assert [found for found in said(all_of(LaidOut("p-0"), text)) if found[1]] == [("p-0", SAID)] * 2


@pytest.mark.parametrize("lines", [1, 2])
def test_an_entry_whose_end_is_cut_off_gives_what_there_is(lines: int) -> None:
    text = "\n".join([FORMS["jq"], *FORMS["jq"].split("\n")[:-lines], ""])
    reader = LaidOut()
    assert [found for found in said(all_of(reader, text)) if found[1]] == [("p-0", SAID)] * 2
    assert reader.open


def test_a_message_of_several_lines_stands_on_one() -> None:
    entry = json.dumps({"log": "Traceback:\n  File\n", "stream": "stderr", "time": "2026-06-05T17:00:11Z"}, indent=2)
    (found,) = all_of(LaidOut(), entry)
    assert len(found) == 1
    assert found[0].peeled
    assert found[0].peeled.text == "Traceback:\n  File"
    assert (found[0].line.number, found[0].first.number, found[0].last.number) == (2, 1, 5)
