"""Full file systems, told from those that only look like it."""

from __future__ import annotations

from analyzer.events import Fact, FilesystemListed, ServerReady
from tests.build import size, where
from tests.rules.answers import answers, cleared, failure, found, numbers

RULE = "disk-full"
PATH = "/home/svc/.triton/cache/7LZK/x.so.tmp"
TEXT = f"OSError: [Errno 28] No space left on device: '{PATH}'"
LINE = failure(RULE, TEXT, 33, "10:01:10", detail=PATH)


def df(mount: str, total: str, free: str, line: int = 2) -> FilesystemListed:
    sizes = {"total": size(total, line, "df.txt"), "free": size(free, line, "df.txt")}
    return FilesystemListed(where=where(line, source="df.txt"), mount=mount, **sizes)


ROOT, MODELS = df("/", "100 GiB", "0 B"), df("/models", "7 TiB", "4.9 TiB", 3)


def test_a_full_file_system_that_nobody_wrote_to_says_nothing() -> None:
    assert answers(RULE, ServerReady(where=where(5, "10:00:00")), outside=(ROOT,)) == []


def test_a_write_that_failed_beside_the_serving_is_cleared() -> None:
    assert "worked on" in cleared(RULE, LINE, ServerReady(where=where(60, "10:30:00")))


def test_shared_memory_without_room_is_no_disk() -> None:
    text = "NCCL WARN Call to posix_fallocate failed : No space left on device"
    assert answers(RULE, *(failure(topic, text, 33, "10:01:10") for topic in (RULE, "shm-too-small"))) == []


def test_the_path_s_own_file_system_is_named_and_no_other() -> None:
    verdict = found(RULE, LINE, outside=(ROOT, MODELS))
    assert verdict.summary == f"no space left on /: writing {PATH}; 0 B of 100 GiB are left on /"
    assert numbers(verdict) == {"free on /": 0}


def test_room_on_the_path_s_file_system_at_another_time_is_not_held_against_the_line() -> None:
    verdict = found(RULE, LINE, outside=(df("/", "100 GiB", "40 GiB"), df("/boot", "1 GiB", "0 B", 4)))
    assert verdict.summary == f"no space left on a file system: writing {PATH}"


def test_without_a_path_the_only_full_file_system_is_taken() -> None:
    line = failure(RULE, "OSError: [Errno 28] No space left on device", 33, "10:01:10")
    assert "no space left on /:" in found(RULE, line, outside=(ROOT, MODELS)).summary


def inodes(mount: str, free: int, line: int = 5) -> Fact:
    amount = size(f"{free} count", line, "df.txt")
    return Fact(where=where(line, source="df.txt"), name=f"inodes-free {mount}", value=f"{free} of 1000", amount=amount)


def test_a_file_system_with_room_may_have_no_inodes_left() -> None:
    verdict = found(RULE, LINE, outside=(df("/", "100 GiB", "40 GiB"), inodes("/", 0), inodes("/models", 970, 6)))
    assert verdict.summary.startswith(f"no inodes left on /: writing {PATH}; 0 of 1000 inodes are free")
    assert "small files" in verdict.remedy[0].action


def test_inodes_that_are_left_explain_nothing() -> None:
    verdict = found(RULE, LINE, outside=(df("/", "100 GiB", "40 GiB"), inodes("/", 1), inodes("/models", 0, 6)))
    assert verdict.summary == f"no space left on a file system: writing {PATH}"
