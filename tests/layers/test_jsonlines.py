"""A JSON line is a wrapper only where a time, or docker's stream, stands beside a message."""

from __future__ import annotations

import json
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.layers.jsonlines import unwrap, unwrap_list

SAID = "[2026-06-05 17:00:11 TP0] Init torch distributed begin."


@pytest.mark.parametrize(
    "text",
    [
        '{"object": "error", "message": "The input is longer than the context length"}',
        '{"text": " Paris", "meta_info": {"id": "a1"}}',
        '{"event": "request.received", "timestamp": "2026-06-05T17:00:00Z"}',
        "{'model_path': 'x'}",
        "{}",
        "{",
        '{"message": 5, "time": "2026-06-05T17:00:00Z"}',
        '["message", "time"]',
        "{" * 2000 + "}",
    ],
)
def test_other_json_is_left_alone(text: str) -> None:
    assert unwrap(text) is None


@pytest.mark.parametrize(
    ("entry", "node"),
    [
        ({"@timestamp": "2026-06-05T17:00:11.987Z", "kubernetes": {"pod": {"name": "p-0"}}, "message": SAID}, "p-0"),
        ({"log": SAID + "\n", "stream": "stderr", "time": "2026-06-05T17:00:11.987654321Z"}, ""),
        ({"__REALTIME_TIMESTAMP": "1780678811987000", "MESSAGE": SAID, "_HOSTNAME": "inf07"}, "inf07"),
        ({"__REALTIME_TIMESTAMP": "1780678811987000", "MESSAGE": list(SAID.encode())}, ""),
        (
            {"textPayload": SAID, "timestamp": "2026-06-05T17:00:11.987Z", "resource": {"labels": {"pod_name": "p"}}},
            "p",
        ),
        ({"_index": "logs", "_source": {"@timestamp": "2026-06-05T17:00:11.987Z", "message": SAID}}, ""),
        ({"line": SAID, "timestamp": "1780678811987", "labels": {"pod": "p-1"}}, "p-1"),
        ({"msg": SAID, "ts": 1780678811.987, "host": "h1"}, "h1"),
    ],
    ids=["filebeat", "docker", "journald", "journald bytes", "gcp", "elastic", "loki", "epoch"],
)
def test_collectors_messages_are_unwrapped_with_time_and_origin(entry: dict[str, object], node: str) -> None:
    peeled = unwrap(json.dumps(entry))
    assert peeled is not None
    assert (peeled.text, peeled.node, peeled.partial) == (SAID, node, False)
    assert peeled.stamp is not None
    assert peeled.stamp.moment.replace(microsecond=0) == datetime(2026, 6, 5, 17, 0, 11)


def test_a_message_may_hold_several_lines() -> None:
    peeled = unwrap(json.dumps({"message": "Traceback\n  File\n", "time": "2026-06-05T17:00:11Z"}))
    assert peeled is not None
    assert peeled.text == "Traceback\n  File"


def test_docker_marks_a_cut_line_by_leaving_its_line_end_out() -> None:
    peeled = unwrap(json.dumps({"log": "first half", "stream": "stdout", "time": "2026-06-05T17:00:11Z"}))
    assert peeled is not None
    assert peeled.partial


@pytest.mark.parametrize("beside", [{"date": 1780678811.987}, {"@timestamp": "2026-06-05T17:00:11Z", "kubernetes": {}}])
def test_a_collector_that_leaves_the_line_end_out_cuts_nothing(beside: dict[str, object]) -> None:
    peeled = unwrap(json.dumps({"log": SAID, "stream": "stderr", **beside}))
    assert peeled is not None
    assert (peeled.text, peeled.partial) == (SAID, False)


@pytest.mark.parametrize("filler", ["x", "\\", '"', "é", "\n"])
@pytest.mark.parametrize("nested", [False, True])
def test_a_line_that_was_cut_for_its_length_gives_its_message_as_far_as_it_goes(filler: str, *, nested: bool) -> None:
    entry: dict[str, object] = {
        "@timestamp": "2026-06-05T17:00:11Z",
        "host": {"name": "h1"},
        "message": SAID + filler * 70_000,
    }
    whole = json.dumps({"_index": "logs", "_source": entry} if nested else entry)
    for length in range(64 * 1024, 64 * 1024 + 6):
        peeled = unwrap(whole[:length])
        assert peeled is not None
        assert peeled.node == "h1"
        assert peeled.text.startswith(SAID)
        assert not peeled.text[len(SAID) :].strip(filler)


def test_a_message_of_the_kernel_has_its_tag() -> None:
    entry = {"__REALTIME_TIMESTAMP": "1780678811987000", "MESSAGE": "NVRM: Xid", "_TRANSPORT": "kernel"}
    peeled = unwrap(json.dumps(entry))
    assert peeled is not None
    assert peeled.text == "kernel: NVRM: Xid"


def test_asked_for_fields_are_lists_of_one() -> None:
    hit = {"_index": "logs", "fields": {"@timestamp": ["2026-06-05T17:00:11Z"], "message": [SAID], "host.name": ["h1"]}}
    peeled = unwrap(json.dumps(hit))
    assert peeled is not None
    assert (peeled.text, peeled.node) == (SAID, "h1")


def test_a_list_of_entries_on_one_line_gives_all_messages() -> None:
    entries = [{"date": 1780678811.987 + n, "log": f"{SAID}{n}"} for n in range(3)]
    peeled = unwrap_list(json.dumps(entries))
    assert peeled is not None
    assert peeled.text == f"{SAID}0\n{SAID}1\n{SAID}2"
    assert [each.text for each in peeled.each] == [f"{SAID}{n}" for n in range(3)]


@pytest.mark.parametrize("text", ["[]", "[1, 2]", '[{"a": 1}]', '[{"date": 1780678811.9, "log": "a"}, {"b": 1}]', "[{"])
def test_other_lists_are_left_alone(text: str) -> None:
    assert unwrap_list(text) is None


@given(st.text(alphabet='{}[]":,\\ abt@0', max_size=80))
def test_no_text_breaks_it(text: str) -> None:
    unwrap("{" + text + "}")
