"""/dev/shm that is too small, told from RAM, disks and the chip's own shared memory."""

from __future__ import annotations

from analyzer.events import FilesystemListed, RankDead
from analyzer.verdict import Unknown
from analyzer.vocabulary import Status
from tests.build import size, tp, where
from tests.rules.answers import answers, cleared, failure, found, numbers

RULE = "shm-too-small"
TEXT = "Error while creating shared memory segment /dev/shm/nccl-lNPZ0f (size 7340384)"
LINE = failure(RULE, TEXT, 4, "00:01:19", tp(2), detail="/dev/shm/nccl-lNPZ0f", wanted=size("7340384 B", 4))
BUS = RankDead(where=where(9, "00:03:00"), text="exit code -7", code=size("-7 count", 9))


def shm(total: str, free: str) -> FilesystemListed:
    sizes = {"total": size(total, 3, "df.txt"), "free": size(free, 3, "df.txt")}
    return FilesystemListed(where=where(3, source="df.txt"), mount="/dev/shm", **sizes)


def test_a_large_one_is_cleared() -> None:
    assert cleared(RULE, BUS, outside=(shm("32 GiB", "31 GiB"),)) == "/dev/shm has 32 GiB"


def test_a_small_one_without_an_error_says_nothing() -> None:
    assert answers(RULE, outside=(shm("64 MiB", "64 MiB"),)) == []


def test_a_bus_error_asks_for_its_size() -> None:
    [verdict] = answers(RULE, BUS)
    assert isinstance(verdict, Unknown)
    assert verdict.confirm[0].command == "df -h /dev/shm"


def test_a_bus_error_beside_a_full_one_is_supported_by_its_code_or_its_own_words() -> None:
    words = failure("scheduler-crashed", "Fatal Python error: Bus error", 8, "00:02:58", tp(2), detail="Bus error")
    for ended in (BUS, words):
        verdict = found(RULE, ended, outside=(shm("64 MiB", "0 MiB"),))
        assert verdict.status is Status.SUPPORTED
        assert numbers(verdict)["size of /dev/shm"] == 64 * 2**20


def test_a_bus_error_beside_one_with_room_says_nothing() -> None:
    assert answers(RULE, BUS, outside=(shm("64 MiB", "60 MiB"),)) == []


def test_the_segment_that_could_not_be_had_stands_against_the_size() -> None:
    verdict = found(RULE, LINE, outside=(shm("64 MiB", "2.4 MiB"),))
    assert numbers(verdict) == {
        "segment asked for": 7340384,
        "size of /dev/shm": 64 * 2**20,
        "free on /dev/shm": 2.4 * 2**20,
    }
    assert verdict.summary.startswith("/dev/shm has 64 MiB, of which 2.4 MiB are left: 7")
    assert "--shm-size" in verdict.remedy[0].action


def test_without_a_listing_the_line_is_enough() -> None:
    assert numbers(found(RULE, LINE)) == {"segment asked for": 7340384}
