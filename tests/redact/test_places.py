"""A name is found where it stands by itself, in any case and any alphabet around it."""

from __future__ import annotations

from analyzer.redact.places import lowered, places


def found(name: str, text: str) -> list[str]:
    return [text[start:end] for start, end, _ in places([name], text)]


def test_a_name_within_a_longer_one_is_another() -> None:
    assert found("gpu-7", "gpu-77 xgpu-7 1gpu-7 gpu-7a") == []


def test_a_name_is_found_between_any_other_signs() -> None:
    assert found("gpu-7", "gpu-7 (GPU-7) _gpu-7_ 主机gpu-7上 gpu-7.log") == [
        "gpu-7",
        "GPU-7",
        "gpu-7",
        "gpu-7",
        "gpu-7",
    ]


def test_a_path_may_follow_a_word() -> None:
    assert found("/mnt/acme", "on/mnt/acme/x but not /mnt/acme2") == ["/mnt/acme"]


def test_letters_that_grow_in_lower_case_shift_nothing() -> None:
    assert len("İ".lower()) == 2
    assert lowered("İ GPU") == "İ gpu"
    assert found("gpu-7", "İİ GPU-7") == ["GPU-7"]


def test_overlapping_beginnings_are_all_tried() -> None:
    assert found("a-a", "xa-a-a") == ["a-a"]
