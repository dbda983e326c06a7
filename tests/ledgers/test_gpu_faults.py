"""Driver records are told by what the vendor says of them, and by whether they concern this server."""

from __future__ import annotations

import pytest

from analyzer.events import CommandLine, Failure, GpuFault, KvPoolAllocated, ProcessListed
from analyzer.evidence import Where
from analyzer.ledgers.gpu_faults import Class, concerns, faults, who
from analyzer.vocabulary import Status
from tests.build import incident, launch, ref, stamp, timed, tp, where

ALL: tuple[Class, ...] = ("hardware", "either", "consequence")
CRASH = Failure(where=where(9, "10:00:02"), text="Fatal Python error: Aborted", topic="scheduler-crashed")


def fault(code: str, text: str = "", time: str = "10:00:00") -> GpuFault:
    return GpuFault(where=Where(ref(1, "dmesg.txt"), stamp(time)), text=text, code=code)


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("Xid 121", "corrected error between CPU and GPU"),
        ("RAS", "amdgpu 0000:c1:00.0: amdgpu: RAS: optional ras ta ucode is not available"),
        ("RAS", "amdgpu 0000:c1:00.0: 0 uncorrectable hardware errors detected in total in umc block"),
        ("SXid 20034", "nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 20034, Non-fatal, Link 28 LTSSM Fault Up"),
    ],
)
def test_what_a_driver_only_notes_is_no_fault(code: str, text: str) -> None:
    assert faults(incident(launch(CRASH, outside=(fault(code, text),))), *ALL) == []


@pytest.mark.parametrize(
    ("code", "text", "kind"),
    [
        ("Xid 31", "", "either"),
        ("Xid 9999", "", "either"),
        ("Xid 45", "", "consequence"),
        ("Xid 79", "", "hardware"),
        ("fallen off the bus", "", "hardware"),
        ("GPU is lost", "", "hardware"),
        ("RAS", "amdgpu 0000:c1:00.0: 2 uncorrectable hardware errors detected in umc block", "hardware"),
        (
            "SXid 12028",
            "nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 12028, Fatal, Link 28 egress non-posted PRIV error",
            "hardware",
        ),
        ("page fault", "amdgpu: [gfxhub0] retry page fault", "either"),
    ],
)
def test_a_code_or_its_words_tell_whom_the_vendor_suspects(code: str, text: str, kind: str) -> None:
    assert [f.kind for f in faults(incident(launch(CRASH, outside=(fault(code, text),))), *ALL)] == [kind]


@pytest.mark.parametrize(
    ("time", "text", "link"),
    [
        ("09:00:00", "", Status.UNKNOWN),
        ("10:30:00", "", Status.UNKNOWN),
        ("10:00:01", "", Status.SUPPORTED),
        ("10:00:01", "pid=4171, name=sglang::schedul,", Status.ESTABLISHED),
        ("10:00:01", "pid=61200, Ch 00000010", Status.ESTABLISHED),
        ("10:00:01", "pid=7, name=blender,", Status.UNKNOWN),
        ("10:00:30", "", Status.UNKNOWN),
    ],
)
def test_time_and_process_tell_whether_it_concerns_the_server(time: str, text: str, link: Status) -> None:
    listed = ProcessListed(where=where(2, source="ps.txt"), pid=61200, command="sglang::scheduler_TP0")
    [made] = faults(incident(launch(CRASH, outside=(fault("Xid 31", text, time), listed))), "either")
    assert made.link is link


RANKS = [
    ProcessListed(where=where(n, source="ps.txt"), pid=61200 + n, command=f"sglang::scheduler_TP{n}") for n in range(2)
]
BESIDE = ProcessListed(where=where(8, source="ps.txt"), pid=7, command="/opt/app/train --gpus 1")


@pytest.mark.parametrize(
    ("text", "rows", "link"),
    [
        ("pid=7, name=blender, Ch 00000010", [], Status.UNKNOWN),
        ("pid=7, name=python3, Ch 00000010", [*RANKS, BESIDE], Status.UNKNOWN),  # listed, and is another program
        ("pid=9, name=python3, Ch 00000010", RANKS, Status.UNKNOWN),  # all ranks are listed, and it is none of them
        ("pid=9, name=sglang::schedul, Ch 00000010", RANKS, Status.UNKNOWN),  # another server's
        ("pid=9, name=python3, Ch 00000010", RANKS[:1], Status.SUPPORTED),  # may be the rank that is not listed
        ("pid=9, name=python3, Ch 00000010", [], Status.SUPPORTED),
        ("pid=61201, name=python3, Ch 00000010", RANKS, Status.SUPPORTED),
        ("pid='<unknown>', name=<unknown>, Ch 00000010", RANKS, Status.HYPOTHESIS),  # no process is named
        ("Ch 00000010", RANKS, Status.HYPOTHESIS),
    ],
)
def test_a_record_without_a_time_is_not_the_server_s_where_its_process_is_none_of_its_own(
    text: str, rows: list[ProcessListed], link: Status
) -> None:
    record = GpuFault(where=Where(ref(1, "dmesg.txt")), text=text, code="Xid 31")
    made = launch(CRASH, outside=(record, *rows), values={"tp_size": 2})
    [found] = faults(incident(made), "either")
    assert found.link is link


def test_the_ranks_of_another_server_on_the_host_are_not_the_server_s() -> None:
    """Of two servers in one listing, the one whose command line is the log's."""
    typed = ("python3", "-m", "sglang.launch_server", "--port", "30001")
    parents = [
        ProcessListed(where=where(1, source="ps.txt"), pid=10, parent=1, command="python3 -m sglang.launch_server"),
        ProcessListed(where=where(2, source="ps.txt"), pid=20, parent=1, command=" ".join(typed)),
    ]
    workers = [
        ProcessListed(where=where(n, source="ps.txt"), pid=n, parent=n - 1, command="sglang::scheduler")
        for n in (11, 21)
    ]
    command = CommandLine(where=where(2, source="ps.txt"), argv=typed, pid=20)
    for pid, link in ((11, Status.UNKNOWN), (21, Status.SUPPORTED)):
        record = GpuFault(where=Where(ref(1, "dmesg.txt")), text=f"pid={pid}, name=sglang::schedul", code="Xid 31")
        made = launch(CRASH, outside=(record, *parents, *workers, command), argv=" ".join(typed))
        assert [found.link for found in faults(incident(made), "either")] == [link]


def test_a_card_that_fails_under_another_program_fails_for_all() -> None:
    [made] = faults(incident(launch(CRASH, outside=(fault("Xid 79", "pid=7, name=blender,"),))), "hardware")
    assert made.link is Status.SUPPORTED


def test_a_fault_between_the_last_progress_and_a_late_error_is_near_enough() -> None:
    progress = KvPoolAllocated(where=where(3, "09:30:00", tp(0)))
    [made] = faults(incident(launch(progress, CRASH, outside=(fault("Xid 79", time="09:29:30"),))), "hardware")
    assert made.link is Status.SUPPORTED, "a card is lost, the peers wait half an hour for their time-out"


def test_a_record_of_unknown_time_counts_where_the_error_is_a_gpu_s_or_there_is_none() -> None:
    undated = GpuFault(where=Where(ref(1, "dmesg.txt"), stamp("10:00:00"), direct=False), code="Xid 79")
    gpu = Failure(where=where(9, "10:00:02"), topic="illegal-memory-access")
    cases = [(launch(CRASH, outside=(undated,)), False), (launch(gpu, outside=(undated,)), True)]
    cases.append((launch(outside=(undated,)), True))
    for made, counts in cases:
        laid_out = incident(made)
        [record] = faults(laid_out, "hardware")
        assert concerns(laid_out, record) is counts


def test_what_surely_concerns_the_server_comes_first() -> None:
    old, own = fault("Xid 79", time="04:00:00"), fault("Xid 48", "name=sglang::schedul", "10:00:00")
    made = faults(incident(launch(CRASH, outside=(old, own))), "hardware")
    assert [f.item.event.code for f in made] == ["Xid 48", "Xid 79"]


def test_the_runtime_s_own_words_need_no_link() -> None:
    own = GpuFault(
        where=Where(ref(4), stamp("10:00:00"), pattern="hsa-exception"),
        text="HSA_STATUS_ERROR_MEMORY_FAULT",
        detail="HSA_STATUS_ERROR_MEMORY_FAULT",
    )
    [made] = faults(incident(launch(own, CRASH)), "either")
    assert made.own
    assert made.text == "HSA_STATUS_ERROR_MEMORY_FAULT (a kernel used an invalid address)"


def test_a_line_s_rank_is_its_header_s_before_its_text_s() -> None:
    headed = Failure(where=where(5, "10:00:00", tp(2)), topic="gpu-fault", rank_text="7")
    bare = Failure(where=where(6, "10:00:00"), topic="gpu-fault", rank_text="7")
    nobody = Failure(where=where(7, "10:00:00"), topic="gpu-fault")
    made = incident(launch(headed, bare, nobody))
    assert [who(made, timed(event)) for event in (headed, bare, nobody)] == ["n0/TP2", "n0/rank 7", "n0/main"]
