"""Numbers of drivers, runtimes and shells."""

from __future__ import annotations

import pytest

from analyzer.knowledge.codes import exit_code, hsa_status, xid


@pytest.mark.parametrize("number", [-1, 0, 1, 12, 9999])
def test_an_unknown_xid_has_no_meaning(number: int) -> None:
    assert xid(number) is None


@pytest.mark.parametrize("number", [48, 63, 64, 74, 79, 92, 94, 95, 119, 120])
def test_what_the_vendor_classes_as_hardware_is_hardware(number: int) -> None:
    found = xid(number)
    assert found is not None
    assert found.kind == "hardware"


@pytest.mark.parametrize("number", [13, 31, 43])
def test_what_software_may_cause_accuses_no_hardware(number: int) -> None:
    found = xid(number)
    assert found is not None
    assert found.kind == "either"


def test_cleanup_after_another_fault_is_a_consequence() -> None:
    found = xid(45)
    assert found is not None
    assert found.kind == "consequence"


@pytest.mark.parametrize("code", [3, 99, 128, 200, 255, 1000, -200])
def test_an_exit_code_without_a_meaning_has_none(code: int) -> None:
    assert exit_code(code) is None


@pytest.mark.parametrize(
    ("code", "name", "signal"),
    [
        (137, "SIGKILL", 9),  # 128 + 9
        (-9, "SIGKILL", 9),
        (139, "SIGSEGV", 11),  # 128 + 11
        (-11, "SIGSEGV", 11),
        (143, "SIGTERM", 15),  # 128 + 15
        (134, "SIGABRT", 6),  # 128 + 6
        (-6, "SIGABRT", 6),
        (135, "SIGBUS", 7),  # 128 + 7
        (130, "SIGINT", 2),  # 128 + 2
        (131, "SIGQUIT", 3),  # 128 + 3
    ],
)
def test_a_signal_is_read_from_the_shells_and_from_pythons_code(code: int, name: str, signal: int) -> None:
    found = exit_code(code)
    assert found is not None
    assert (found.name, found.signal) == (name, signal)


def test_a_kill_does_not_name_its_sender() -> None:
    found = exit_code(-9)
    assert found is not None
    assert "who sent it is not in the code" in found.sentence


def test_a_signal_without_a_row_is_still_a_signal() -> None:
    found = exit_code(-40)
    assert found is not None
    assert (found.signal, found.sentence) == (40, "ended by signal 40")


def test_plain_exit_codes_are_no_signals() -> None:
    assert [(exit_code(code).signal, exit_code(code).name) for code in (0, 1, 2, 127)] == [(None, "")] * 4  # type: ignore[union-attr]


def test_an_hsa_status_is_known_by_number_and_by_name() -> None:
    # the runtime prints: "HSA_STATUS_ERROR_EXCEPTION: An HSAIL operation resulted in a hardware exception. code: 0x1016"
    assert hsa_status(0x1016) == hsa_status("HSA_STATUS_ERROR_EXCEPTION")
    named = hsa_status(0x1008)
    assert named is not None
    assert named[0] == "HSA_STATUS_ERROR_OUT_OF_RESOURCES"
    assert hsa_status(0x7777) is None
    assert hsa_status("HSA_STATUS_ERROR_NO_SUCH") is None
