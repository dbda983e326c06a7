"""The kernel's out-of-memory record, line by line."""

from __future__ import annotations

import pytest

from analyzer.events import MemorySnapshot, OomKill, OomVictim
from analyzer.evidence import Ref, Where
from analyzer.parsers.oom import OomRecord, begins, decides
from tests.parsers.build_blocks import KIB, value

HOST = """
python3 invoked oom-killer: gfp_mask=0x140dca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0
Mem-Info:
active_anon:117440512 inactive_anon:100 isolated_anon:0
 mapped:11 shmem:50000 pagetables:300
 free:35128 free_pcp:0 free_cma:0
Node 0 DMA free:11264kB boost:0kB min:0kB low:12kB
Node 0 DMA: 0*4kB 0*8kB 0*16kB (U) = 11264kB
Total swap = 2097152kB
Free swap  = 0kB
117702656 pages RAM
2000000 pages reserved
[  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
[   1187]     0  1187 15307961   413800   5513216        0             0 python3
[   1200]     0  1200 42800000 14000000 551321600        0             0 sglang::schedul
oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0-1,global_oom,task_memcg=/a,task=sglang::schedul,pid=1200,uid=0
Out of memory: Killed process 1200 (sglang::schedul) total-vm:171200000kB, anon-rss:52000000kB, file-rss:3200kB, shmem-rss:4000000kB, UID:0
"""
OLD_CGROUP = """
a.out invoked oom-killer: gfp_mask=0x6200ca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0
Task in /docker/34ce killed as a result of limit of /docker/34ce
memory: usage 65536kB, limit 65536kB, failcnt 19
Memory cgroup out of memory: Kill process 9692 (a.out) score 904 or sacrifice child
Killed process 9750 (a.out) total-vm:100kB, anon-rss:80kB, file-rss:8kB, shmem-rss:0kB
"""


def record(text: str) -> OomRecord:
    made = OomRecord()
    for number, line in enumerate(text.strip("\n").split("\n"), 1):
        assert made.takes(line, Where(Ref("dmesg", number, number))), line
    return made


def kills(text: str) -> list[OomKill]:
    return [event for event in record(text).events() if isinstance(event, OomKill)]


@pytest.mark.parametrize(
    "line",
    [
        "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB",
        "Prefill out of memory. Try to lower your batch size.",
        "Killed process 7 by hand",
        "the oom-killer was invoked",
    ],
)
def test_other_words_on_memory_decide_nothing(line: str) -> None:
    assert not decides(line)


def test_a_record_begins_with_who_invoked_the_killer() -> None:
    assert begins("MCR 0 interpret invoked oom-killer: gfp_mask=0x1100cca")


def test_a_kill_on_the_host_has_its_sizes_in_kib() -> None:
    (kill,) = kills(HOST)
    assert (kill.pid, kill.command, kill.scope, kill.cgroup) == (1200, "sglang::schedul", "host", "/a")
    assert [value(a) for a in (kill.anon, kill.file, kill.shmem, kill.virtual)] == [
        52000000 * KIB,
        3200 * KIB,
        4000000 * KIB,
        171200000 * KIB,
    ]


def test_the_host_s_memory_is_counted_in_pages() -> None:
    (memory,) = [event for event in record(HOST).events() if isinstance(event, MemorySnapshot)]
    assert value(memory.total) == (117702656 - 2000000) * 4 * KIB
    assert [value(a) for a in (memory.free, memory.shared)] == [35128 * 4 * KIB, 50000 * 4 * KIB]
    assert value(memory.swap_used) == 2097152 * KIB


def test_pages_have_the_size_of_the_smallest_free_block() -> None:
    large = HOST.replace("DMA: 0*4kB 0*8kB 0*16kB", "DMA: 0*64kB 0*128kB 0*256kB")
    (memory,) = [event for event in record(large).events() if isinstance(event, MemorySnapshot)]
    assert value(memory.free) == 35128 * 64 * KIB


def test_the_task_table_gives_resident_memory_largest_first() -> None:
    victims = [event for event in record(HOST).events() if isinstance(event, OomVictim)]
    assert [(v.pid, v.command, value(v.resident)) for v in victims] == [
        (1200, "sglang::schedul", 14000000 * 4 * KIB),
        (1187, "python3", 413800 * 4 * KIB),
    ]


def test_an_announced_kill_and_the_child_it_sacrifices_are_one() -> None:
    (kill,) = kills(OLD_CGROUP)
    assert (kill.pid, value(kill.anon), kill.scope, kill.cgroup) == (9750, 80 * KIB, "cgroup", "/docker/34ce")
    assert [value(a) for a in (kill.usage, kill.limit)] == [65536 * KIB, 65536 * KIB]


def test_a_kill_without_sizes_takes_those_the_reaper_leaves() -> None:
    text = """
Memory cgroup out of memory: Kill process 9692 (a.out) score 904 or sacrifice child
oom_reaper: reaped process 9750 (a.out), now anon-rss:0kB, file-rss:0kB, shmem-rss:185532kB
"""
    (kill,) = kills(text)
    assert (kill.pid, value(kill.shmem), value(kill.anon)) == (9692, 185532 * KIB, 0)


def test_a_memory_policy_is_no_shortage_of_the_host() -> None:
    (kill,) = kills(HOST.replace("CONSTRAINT_NONE", "CONSTRAINT_MEMORY_POLICY"))
    assert kill.scope == "numa"


def test_a_memory_policy_names_its_nodes() -> None:
    bound = HOST.replace("CONSTRAINT_NONE", "CONSTRAINT_MEMORY_POLICY").replace("nodemask=(null)", "nodemask=0,2-3")
    (kill,) = kills(bound)
    assert kill.nodes == "0,2-3"


def test_a_record_cut_before_its_kill_still_names_the_process() -> None:
    (kill,) = kills(HOST.strip().rpartition("\n")[0])
    assert (kill.pid, kill.command, kill.anon) == (1200, "sglang::schedul", None)


def test_a_kill_on_the_host_after_one_in_a_cgroup_keeps_nothing_of_it() -> None:
    later = "Out of memory: Killed process 7 (x) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB"
    first, second = kills(f"{OLD_CGROUP.strip()}\n{later}")
    assert (first.scope, second.scope) == ("cgroup", "host")
    assert (second.cgroup, second.limit) == ("", None)


def test_a_limit_that_is_none_is_not_kept() -> None:
    (kill,) = kills(OLD_CGROUP.replace("limit 65536kB", "limit 9007199254740988kB"))
    assert kill.limit is None


def test_the_line_on_processors_and_nodes_of_older_kernels_belongs_to_the_record() -> None:
    assert OomRecord().takes("python cpuset=docker-34ce.scope mems_allowed=0-1", Where(Ref("s", 1, 1)))
    assert not OomRecord().takes("python cpuset=all", Where(Ref("s", 1, 1)))


@pytest.mark.parametrize(
    "line",
    [
        "sec_pagetables:0 bounce:0",
        " kernel_misc_reclaimable:0",
        "lowmem_reserve[]: 0 0 13439 13439 13439",
        "DMA32 free:44592kB min:44640kB low:55800kB high:66960kB",
        "Normal: 33*4kB (MH) 79*8kB (ME) 11*16kB (M) = 3244kB",
        "Node 0 hugepages_total=0 hugepages_free=0 hugepages_surp=0 hugepages_size=1048576kB",
        "Swap cache stats: add 86371, delete 62211, find 42865/60187",
        "0 pages HighMem/MovableOnly",
        "0 pages hwpoisoned",
        "Unreclaimable slab info:",
        "Name                      Used          Total",
        "9p-fcall-cache           297KB        445KB",
    ],
)
def test_every_line_of_the_count_of_memory_belongs_to_the_record(line: str) -> None:
    assert OomRecord().takes(line, Where(Ref("s", 1, 1)))


@pytest.mark.parametrize("line", ["free lunch", "Normal operation resumed", "model.bin 297KB of 445KB"])
def test_other_lines_do_not(line: str) -> None:
    assert not OomRecord().takes(line, Where(Ref("s", 1, 1)))


HUGE = """
Node 0 hugepages_total=2 hugepages_free=1 hugepages_surp=0 hugepages_size=1048576kB
Node 0 hugepages_total=512 hugepages_free=512 hugepages_surp=0 hugepages_size=2048kB
Node 1 hugepages_total=0 hugepages_free=0 hugepages_surp=0 hugepages_size=2048kB
117702656 pages RAM
"""


def test_huge_pages_of_all_nodes_and_sizes_are_counted_together() -> None:
    (found,) = [event for event in record(HUGE).events() if isinstance(event, MemorySnapshot)]
    assert value(found.huge_total) == (2 * 1048576 + 512 * 2048) * KIB
    assert value(found.huge_free) == (1 * 1048576 + 512 * 2048) * KIB


def test_a_host_without_huge_pages_has_no_figure_of_them() -> None:
    none = HUGE.replace("=2 ", "=0 ").replace("=512 ", "=0 ").replace("=1 ", "=0 ")
    (found,) = [event for event in record(none).events() if isinstance(event, MemorySnapshot)]
    assert (found.huge_total, found.huge_free) == (None, None)
