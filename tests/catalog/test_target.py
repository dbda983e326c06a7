"""A pattern's target tells what it holds."""

from __future__ import annotations

from analyzer.catalog import target


def test_an_event_tells_its_fields_and_what_they_hold() -> None:
    fields = target.event_fields("KvPoolAllocated")
    assert fields["tokens"] == "Token"
    assert fields["kv_size"] == "Byte"
    assert fields["dtype"] == "str"
    assert "where" not in fields, "the recogniser fills it"


def test_texts_flags_and_whole_numbers_are_told_apart() -> None:
    assert target.event_fields("WatchdogFired")["soft"] == "bool"
    assert target.event_fields("PortListening")["port"] == "int"
    assert target.amounts("WatchdogFired") == {"timeout"}


def test_a_table_tells_its_columns_without_place_and_time() -> None:
    assert target.table_columns("Access") == {"path": "text", "status_count": "float"}


def test_a_unit_tells_what_it_can_fill() -> None:
    assert [target.holds(unit) for unit in ("GB", "clock", "token", "percent", "text", "flag", "int")] == [
        "Byte",
        "Second",
        "Token",
        "One",
        "str",
        "bool",
        "int",
    ]
