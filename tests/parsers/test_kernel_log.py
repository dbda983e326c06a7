"""The kernel's log with the prefixes that tools give it."""

from __future__ import annotations

from datetime import datetime

import pytest

from analyzer.events import Fact, GpuFault, MemorySnapshot, OomKill
from tests.parsers.build_blocks import KIB, around, claims, facts, of, read, value
from tests.parsers.snapshots import SAMPLES

KILL = "Out of memory: Killed process 7 (python3) total-vm:9kB, anon-rss:8kB, file-rss:0kB, shmem-rss:0kB"
XID = (
    "NVRM: Xid (PCI:0000:2d:00): 48, pid=88214, name=sglang::schedul, "
    "An uncorrectable double bit error (DBE) has been detected on GPU in the framebuffer"
)


@pytest.mark.parametrize(
    "line",
    [
        "[aiter] import [module_aiter_core] under /sgl-workspace/aiter",
        "[rank0]: RuntimeError: NCCL error",
        "  0%|          | 0/23 [00:00<?, ?it/s] CUDA out of memory",
        "[Fri Aug 28 17:42:26 2026] [core:error] AH00124: request exceeded the limit",
        "torch.OutOfMemoryError: CUDA out of memory.",
        "If the exit code is -9, the OOM killer may have killed the process.",
        "xid 48 was seen",
    ],
)
def test_lines_of_other_programs_are_not_the_kernel_s(line: str) -> None:
    assert not claims("kernel_log", line)


@pytest.mark.parametrize(
    ("prefix", "when"),
    [
        ("[五 5月 15 17:19:17 2026] ", datetime(2026, 5, 15, 17, 19, 17)),
        ("2026-09-01T05:34:58+02:00 host-1 kernel: ", datetime(2026, 9, 1, 5, 34, 58)),
        ("2026-09-01T05:34:58,123456+02:00 ", datetime(2026, 9, 1, 5, 34, 58, 123456)),
        ("sep 01 05:34:58 host-1 kernel: [12345.678901] ", datetime(1900, 1, 1, 5, 34, 58)),
        ("kern  :err   : [Fri Aug 28 17:42:26 2026] ", datetime(2026, 8, 28, 17, 42, 26)),
    ],
)
def test_the_prefix_gives_the_time(prefix: str, when: datetime) -> None:
    (kill,) = of(OomKill, read("kernel_log", prefix + KILL))
    assert kill.where.stamp is not None
    assert (kill.where.stamp.moment, kill.where.direct, kill.where.speaker) == (when, True, "kernel")


@pytest.mark.parametrize(
    "prefix", ["", "[ 3987.826934] ", "[   71.304703][ T9694] ", "<4>[123456.789012] ", "kernel: "]
)
def test_seconds_since_boot_give_no_time(prefix: str) -> None:
    (kill,) = of(OomKill, read("kernel_log", prefix + KILL))
    assert (kill.pid, kill.where.stamp) == (7, None)


def test_a_record_in_a_cgroup_is_read_over_its_lines() -> None:
    (kill,) = of(OomKill, read("kernel_log", SAMPLES["kernel_log"]))
    assert (kill.pid, kill.scope, kill.cgroup) == (1361510, "cgroup", "/system.slice/docker-34ce.scope")


def test_two_records_are_two_kills() -> None:
    text = SAMPLES["kernel_log"].strip("\n")
    assert len(of(OomKill, read("kernel_log", f"{text}\n{text}"))) == 2


def test_a_clean_up_is_told_by_the_fault_that_the_driver_says_it_follows() -> None:
    line = "kernel: NVRM: Xid (PCI:0000:dc:00): 45, pid=18190, name=python3, Ch 00000001 caused by previous Xid 149"
    (fault,) = of(GpuFault, read("kernel_log", line))
    assert (fault.code, fault.gpu) == ("Xid 149", "0000:dc:00")


def test_an_xid_names_its_gpu() -> None:
    (fault,) = of(GpuFault, read("kernel_log", f"Jul 21 03:14:17 inf07 kernel: {XID}"))
    assert (fault.code, fault.gpu) == ("Xid 48", "0000:2d:00")
    assert fault.detail.startswith("pid=88214, name=sglang::schedul")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("NVRM: GPU 0000:2d:00.0: GPU has fallen off the bus.", "fallen off the bus"),
        ("NVRM: GPU at 0000:01:00.0 has fallen off the bus.", "fallen off the bus"),
        ("NVRM: fallen off the bus and is not responding to commands.", "fallen off the bus"),
        ("amdgpu 0000:05:00.0: amdgpu: [gfxhub] page fault (src_id:0 ring:24 vmid:8 pasid:32788)", "page fault"),
        ("amdgpu 0000:05:00.0: amdgpu: GPU reset begin!", "GPU reset"),
        ("nvidia-nvswitch3: SXid (PCI:0000:86:00.0): 20034, Fatal, Link 12 LTSSM Fault Up", "SXid 20034"),
    ],
)
def test_other_faults_are_named_by_their_words(line: str, code: str) -> None:
    (fault,) = of(GpuFault, read("kernel_log", f"[  100.000001] {line}"))
    assert fault.code == code


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (
            "sglang::schedul[4170]: segfault at 18 ip 00007f3a sp 00007ffe error 4 in libcudart.so.12[7f3a+8a000]",
            "segfault",
        ),
        ("traps: python3[7] general protection fault ip:7f sp:7f error:0", "segfault"),
        ("INFO: task python3:1234 blocked for more than 120 seconds.", "hung-task"),
        ("mce: [Hardware Error]: Machine check events logged", "machine-check"),
        ("blk_update_request: I/O error, dev nvme0n1, sector 1234", "io-error"),
        ("EXT4-fs error (device sda1): ext4_find_entry:1234", "filesystem-error"),
        ("nfs: server 192.0.2.4 not responding, still trying", "nfs"),
        ("python3: page allocation failure: order:4, mode:0xcc0", "allocation-failure"),
        ("python3: vmalloc error: size 4096, page order 0, failed to allocate pages", "allocation-failure"),
        ("watchdog: BUG: soft lockup - CPU#2 stuck for 863s! [NetworkManager:795]", "lockup"),
        ("NMI watchdog: Watchdog detected hard LOCKUP on cpu 6", "lockup"),
        ("rcu: INFO: rcu_sched self-detected stall on CPU", "lockup"),
        ("rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:", "lockup"),
        ("INFO: rcu_sched_state detected stalls on CPUs/tasks: { 1} (detected by 0, t=15002 jiffies)", "lockup"),
        ("Kernel panic - not syncing: Watchdog detected hard LOCKUP on cpu 0", "panic"),
        ("EDAC MC0: 1 CE memory read error on CPU_SrcID#0_Ha#0_Chan#1_DIMM#0 (channel:1 slot:0)", "machine-check"),
        ("{1}[Hardware Error]: event severity: corrected", "machine-check"),
        ("Memory failure: 0x38a35: recovery action for dirty LRU page: Recovered", "machine-check"),
        ("MCE: Killing python3:22434 due to hardware memory corruption fault at 7f3cf3601000", "machine-check"),
        ("nvidia-modeset: ERROR: GPU:0: Failed detecting connected display devices", "nvidia"),
    ],
)
def test_other_troubles_are_facts(line: str, name: str) -> None:
    assert facts(read("kernel_log", f"[  100.000001] {line}")) == {f"kernel.{name}": line}


@pytest.mark.parametrize(
    "line",
    [
        "mce: CPU supports 32 MCE banks",
        "EXT4-fs (sda1): re-mounted. Opts: errors=remount-ro",
        "nvme nvme0: Shutdown timeout set to 8 seconds",
        "amdgpu 0000:05:00.0: amdgpu: RAS: optional ras ta ucode is not available",
        "XFS (dm-0): Mounting V5 Filesystem",
        "EDAC MC: Ver: 3.0.0",
        "rcu: Hierarchical RCU implementation.",
        "nvidia-modeset: Loading NVIDIA Kernel Mode Setting Driver for UNIX platforms  550.90.07",
        "NMI watchdog: Enabled. Permanently consumes one hw-PMU counter.",
    ],
)
def test_what_every_start_prints_is_no_trouble(line: str) -> None:
    assert not read("kernel_log", f"[  100.000001] {line}").events


def test_ordinary_lines_between_are_read_but_not_understood() -> None:
    block = read("kernel_log", f"[  100.000001] {KILL}\n[  100.000002] usb 1-1: new device\n[  100.000003] {XID}")
    assert (block.lines, block.understood) == (3, 2)
    assert not of(Fact, block)


def test_a_log_named_after_the_tool_may_begin_with_any_line() -> None:
    line = "[Fri Aug 28 17:42:20 2026] docker0: port 1 entered forwarding state"
    assert not claims("kernel_log", line)
    assert claims("kernel_log", line, around(source="node0/dmesg.txt"))


def test_another_program_s_line_ends_the_block() -> None:
    assert read("kernel_log", f"{KILL}\nServer stopped").lines == 1


HANGS = """
[  812.123456] INFO: task sglang::schedul:4172 blocked for more than 120 seconds.
[  812.123456]       Tainted: P           OE     5.15.0-86-generic #96-Ubuntu
[  812.123456] "echo 0 > /proc/sys/kernel/hung_task_timeout_secs" disables this message.
[  812.123456] task:sglang::schedul state:D stack:    0 pid: 4172 ppid:  4100 flags:0x00004002
[  812.123456] Call Trace:
[  812.123456]  <TASK>
[  812.123456]  __schedule+0x24e/0x590
[  812.123456]  </TASK>
"""


def test_the_stack_of_a_task_that_hangs_belongs_to_its_report() -> None:
    block = read("kernel_log", HANGS)
    assert (block.understood, list(facts(block))) == (8, ["kernel.hung-task"])


@pytest.mark.parametrize(
    "prefix",
    [
        "",
        "[  907.567979] ",
        "[1234567.567979] ",
        "[  907.567979 <    0.000012>] ",
        "[Mon Mar  2 11:20:33 2026] ",
        "[Mon Mar  2 11:20:33 2026 <    0.000012>] ",
        "[Mar22 11:20] ",
        "[  +0.000003] ",
        "kern  :err   : 2026-03-02T11:20:33,123456+00:00 ",
        "Mar  2 11:20:33 host-1 kernel: ",
        "1772450433.123456 host-1 kernel: ",
    ],
)
def test_a_hanging_task_and_its_stack_are_read_behind_every_form_of_time(prefix: str) -> None:
    said = [line.removeprefix("[  812.123456] ") for line in HANGS.strip("\n").split("\n")]
    block = read("kernel_log", "\n".join(prefix + line for line in said))
    assert (block.lines, block.understood, list(facts(block))) == (8, 8, ["kernel.hung-task"])


@pytest.mark.parametrize(
    "line",
    [
        "python3         D    0     1      0 0x00000028",
        "python3         D ffff8817dddf80b0     0 26120  26119 0x00000080",
        "ffff882fd0627c70 0000000000000086 ffff880844fe8fb0 ffff882fd0627fd8",
        " [<ffffffff8168a4e5>] __mutex_lock_slowpath+0xc5/0x1c0",
        "Workqueue: writeback wb_workfn (flush-8:1-fuseblk)",
        "rcu: \t4-....: (5249 ticks this GP) idle=51e4/1/0x4000000000000000 softirq=309/309 fqs=2563",
        "rcu: \t(t=5250 jiffies g=-319 q=608 ncpus=24)",
        "rcu: rcu_preempt kthread starved for 20964 jiffies! g938281 f0x0 RCU_GP_WAIT_FQS(5) ->state=0x0 ->cpu=0",
        "NMI backtrace for cpu 3",
        "Modules linked in: nvidia_uvm(POE) nvidia(POE)",
        "INFO: task python3:123 is blocked on a mutex likely owned by task python3:124.",
        "Future hung task reports are suppressed, see sysctl kernel.hung_task_warnings",
        "warn_alloc: 3 callbacks suppressed",
    ],
)
def test_what_a_report_of_trouble_adds_is_understood(line: str) -> None:
    assert read("kernel_log", f"[  812.123456] {line}").understood == 1


# `dmesg` sets the later lines of one message below its first one.
COUNTED = """
[ 1191.287824] Mem-Info:
[ 1191.288136] active_anon:7284 inactive_anon:19 isolated_anon:0
                active_file:19402 inactive_file:25996 isolated_file:0
                unevictable:3650 dirty:768 writeback:0
                slab_reclaimable:4529 slab_unreclaimable:8836
                mapped:10100 shmem:151 pagetables:381
                sec_pagetables:0 bounce:0
                kernel_misc_reclaimable:0
                free:78183 free_pcp:74 free_cma:0
[ 1191.288341] Node 0 active_anon:29136kB inactive_anon:76kB active_file:77608kB
[ 1191.288352] 2097038 pages RAM
"""


def test_the_later_lines_of_a_message_of_several_lines_belong_to_it() -> None:
    block = read("kernel_log", COUNTED)
    assert (block.lines, block.understood) == (11, 11)
    (found,) = of(MemorySnapshot, block)
    assert [value(a) for a in (found.total, found.free, found.shared)] == [
        2097038 * 4 * KIB,
        78183 * 4 * KIB,
        151 * 4 * KIB,
    ]


def test_an_indented_line_of_another_tool_ends_the_kernel_s_message() -> None:
    table = "               total        used        free      shared  buff/cache   available"
    assert read("kernel_log", f"[ 1191.287824] Mem-Info:\n{table}").lines == 1


def test_a_record_without_prefixes_is_read_from_who_invoked_the_killer() -> None:
    said = [line.split("] ", 1)[-1] for line in COUNTED.strip("\n").split("\n")]
    invoked = "python3 invoked oom-killer: gfp_mask=0x140cca(GFP_HIGHUSER_MOVABLE|__GFP_COMP), order=0, oom_score_adj=0"
    block = read("kernel_log", "\n".join([invoked, *said, KILL]))
    assert (block.lines, block.understood, len(of(OomKill, block))) == (13, 13, 1)
