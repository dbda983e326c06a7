"""Host memory that the driver does not pin."""

from __future__ import annotations

from analyzer.events import ExceptionRaised, Fact, HostPoolAnnounced, MemorySnapshot, ServerReady
from analyzer.verdict import Unknown
from analyzer.vocabulary import Status
from tests.build import size, tp, where
from tests.rules.answers import answers, cleared, failure, found, numbers, raised
from tests.rules.launched import crash, oom

RULE = "host-pin-failure"
TEXT = "RuntimeError: cudaHostRegister failed (rc=1, invalid argument) for ptr=0x7e1c80000000 size=725419893888"
LINE = failure(
    RULE,
    TEXT,
    87,
    "10:05:24",
    tp(6),
    detail="invalid argument",
    wanted=size("725419893888 B", 87),
    code=size("1 count", 87),
)


def announced(rank: int) -> HostPoolAnnounced:
    return HostPoolAnnounced(where=where(79 + rank, "10:05:21", tp(rank)), size=size("725.42 GB", 79 + rank), pool="kv")


def free(total: str) -> MemorySnapshot:
    sizes = {"total": size(total, 2, "free.txt"), "available": size("2240 GiB", 2, "free.txt")}
    return MemorySnapshot(where=where(2, source="free.txt"), tool="free", **sizes)


def test_a_warning_of_a_network_library_is_cleared() -> None:
    line = failure(RULE, "libibverbs: Warning: RLIMIT_MEMLOCK is 65536 bytes.", 5, "10:05:24")
    assert "worked on" in cleared(RULE, line, ServerReady(where=where(90, "10:10:00")))


def test_a_warning_before_an_end_of_another_cause_asks_for_the_limit() -> None:
    [verdict] = answers(RULE, failure(RULE, "libibverbs: Warning: RLIMIT_MEMLOCK is 65536 bytes.", 5, "10:05:24"))
    assert isinstance(verdict, Unknown)
    assert "ulimit -l" in verdict.confirm[0].command


def test_the_gpu_s_own_memory_is_none_of_the_host_s() -> None:
    full = oom("10:05:24", 87, tp(6), wanted="1 GiB", total="80 GiB", free="0.5 GiB")
    assert answers(RULE, announced(6), full) == []


def test_cuda_s_bare_words_where_the_host_pool_is_allocated_are_supported() -> None:
    full = oom("10:05:24", 87, tp(6))
    assert answers(RULE, announced(6), full) == []  # no frames: it may have come later
    frames = ("scheduler.py:__init__", "memory_pool_host.py:init_kv_buffer")
    verdict = found(RULE, announced(6), full, crash("10:05:24", *frames, line=87, rank=tp(6)))
    assert verdict.status is Status.SUPPORTED
    assert verdict.summary.startswith("a rank's host memory could not be pinned")


def test_the_registration_that_failed_is_named_with_its_size() -> None:
    verdict = found(RULE, LINE)
    assert verdict.summary == "a rank's host memory (675.6 GiB) could not be pinned: invalid argument", (
        "725419893888 ÷ 2^30"
    )
    assert "memlock" in verdict.remedy[0].action


def test_a_limit_on_locked_memory_stands_beside_it() -> None:
    limit = Fact(
        where=where(4, source="ulimit.txt"),
        name="ulimit.locked-memory",
        value="64",
        amount=size("64 KiB", 4, "ulimit.txt"),
    )
    assert found(RULE, LINE, outside=(limit,)).claims[-1].text == "locked memory is limited: 64"


def test_a_sum_that_does_not_fit_the_host_makes_the_smaller_pool_the_fix() -> None:
    verdict = found(RULE, *(announced(i) for i in range(8)), LINE, outside=(free("2321 GiB"),), values={"tp_size": 8})
    assert numbers(verdict)["asked by all ranks on the host"] == 8 * 725.42e9
    assert verdict.remedy[0].kind == "fix"
    assert verdict.remedy[0].argument == "hicache_size"


def test_the_sentence_about_the_return_code_is_the_release_s() -> None:
    assert "ends the launch with an error" in found(RULE, LINE, release="0.5.14").explanation
    assert "ignored" in found(RULE, LINE, release="0.5.9").explanation


def test_a_network_card_s_memory_that_cannot_be_locked_points_at_the_limit() -> None:
    text = (
        "gpu-a28:812:1044 [0] misc/ibvwrap.cc:294 NCCL WARN Call to ibv_reg_mr failed with error Cannot allocate memory"
    )
    limit = Fact(where=where(1, source="ulimit.txt"), name="ulimit.locked-memory", value="64", amount=size("64 KiB"))
    verdict = found(RULE, failure(RULE, text, 5, "10:00:05", tp(0), detail="ibv_reg_mr"), limit)
    assert verdict.status is Status.SUPPORTED  # a card's full tables say the same
    assert "memlock=-1" in verdict.remedy[0].action
    assert "hicache" not in verdict.remedy[0].action
    assert any("64" in claim.text for claim in verdict.claims)


def test_an_argument_that_cuda_refuses_is_the_pool_s_only_where_the_pool_is_allocated() -> None:
    def refused(frame: str) -> ExceptionRaised:
        return raised("RuntimeError", "CUDA error: invalid argument", 87, "10:05:24", tp(6), frames=(frame,))

    assert answers(RULE, refused("custom_all_reduce.py:register_graph_buffers")) == []
    assert found(RULE, refused("memory_pool_host.py:init_kv_buffer")).status is Status.SUPPORTED
