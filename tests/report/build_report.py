"""Reports made by hand: the founding incident, a healthy server, a launch of 64 ranks with one straggler."""

from __future__ import annotations

from dataclasses import replace

from analyzer.contract import (
    SCHEMA,
    Argument,
    Calculation,
    Capacity,
    Claim,
    Cleared,
    Collateral,
    Confirm,
    Coverage,
    Finding,
    Host,
    Launch,
    Line,
    PhaseSpan,
    Process,
    Release,
    Remedy,
    Report,
    Series,
    Server,
    Source,
    Span,
    Tool,
    Topology,
    Typed,
    Unexplained,
    Unknown,
    Verdict,
)

GB = 10**9
GIB = 2**30
RANKS = 8
ASKED = RANKS * 300 * GB
COMMAND = "python3 -m sglang.launch_server --model-path /models/Kimi-K2.5 --tp 8 --hicache-size 300"


def line(number: int, text: str, source: str = "server.log") -> Line:
    """A cited line that is one physical line."""
    return Line(source, number, number, text, cut=False)


def founding_lines() -> dict[str, Line]:
    """What the founding incident rests on: the allocation of every rank, free, the health check's end."""
    lines = {
        f"l{88 + rank}": line(
            88 + rank, f"[2026-02-17 10:06:42 TP{rank}] Allocating 300.00 GB host memory for hierarchical KV cache."
        )
        for rank in range(RANKS)
    }
    free = "Mem:             449         439           8           0           0           9"
    lines["f3"] = line(3, free, "free.txt")
    lines["n1"] = line(1, "2026-02-17 10:12:41 deploy script: health check timed out after 600 s", "notes.txt")
    lines["l79"] = line(79, "[2026-02-17 10:06:40 TP0] Capture cuda graph end. Time elapsed: 33.01 s.")
    return lines


ALLOCATIONS = [f"l{88 + rank}" for rank in range(RANKS)]


def rank_process(rank: int, *, late: float = 0.0, node: str = "n0") -> Process:
    """A rank that loaded, captured its graphs and went silent in its host pool; `late` shifts its weight load."""
    load_end = 206.0 + late
    phases = [
        PhaseSpan("arguments", 0.0, 15.0, 15.0, "done"),
        PhaseSpan("distributed-init", 15.0, 22.0, 7.0, "done"),
        PhaseSpan("weight-load", 24.0, load_end, load_end - 24.0, "done"),
        PhaseSpan("kv-pool", load_end, load_end + 2, 2.0, "done"),
        PhaseSpan("graph-capture", load_end + 4, load_end + 37, 33.0, "done", ["l79"]),
        PhaseSpan("host-pool", load_end + 38, None, None, "open", [f"l{88 + rank % RANKS}"]),
    ]
    return Process(f"{node}/TP{rank}", node, "scheduler", None, {"tp": rank}, phases, 3.0, load_end + 39)


def founding_calculation() -> list[Calculation]:
    """8 × 300 GB = 2,400 GB = 2,235.2 GiB; 2,235.2 − 449 = 1,786.2 GiB; 2,235.2 ÷ 449 = 4.98."""
    limit = 449 * GIB
    return [
        Calculation("c1", "per rank", "300 GB", "read", ["l88"], 300 * GB, "B", "300 GB", Typed("300.00", "GB")),
        Calculation("c2", "ranks on the host", "8", "measured", ALLOCATIONS, RANKS, "1", "8"),
        Calculation("c3", "asked by all ranks", "8 × 300 GB = 2,400 GB = 2,235 GiB", "sum", ["c1", "c2"], ASKED, "B",
                    "2,400 GB"),
        Calculation("c4", "host memory", "449 GiB", "read", ["f3"], limit, "B", "449 GiB", Typed("449", "GiB"),
                    "free -g cuts, it does not round"),
        Calculation("c5", "short by", "2,400 GB (asked by all ranks) − 449 GiB (host memory) = 1,786 GiB", "sub",
                    ["c3", "c4"], ASKED - limit, "B", "1,786 GiB"),
        Calculation("c6", "times what there is", "2,400 GB ÷ 449 GiB = 5", "div", ["c3", "c4"], ASKED / limit, "1",
                    "5"),
    ]  # fmt: skip


def founding_remedy() -> list[Remedy]:
    """48 GB for each of 8 ranks: 384 GB = 357.6 GiB of 449 GiB."""
    fits = Calculation("r1", "new total", "8 × 48 GB = 384 GB = 358 GiB", "sum", ["c2"], 8 * 48 * GB, "B", "384 GB")
    return [
        Remedy("fix", "Restart with --hicache-size 48: it is per rank, and 8 × 48 GB leave 91 GiB for the rest",
               "hicache-size", "300", "48", COMMAND.replace("300", "48"),
               "HiCache adds prefix hits, not concurrency: running requests keep their KV on the GPU",
               ["nothing else on the host grows"], [fits]),
        Remedy("mitigate", "Stop the launch: it cannot finish on this host"),
        Remedy("prevent", "Multiply --hicache-size by the ranks of a host before a launch"),
    ]  # fmt: skip


def founding_finding() -> Finding:
    """The root of the founding incident."""
    return Finding(
        id="per-rank-host-memory-oversubscription",
        kind="cause",
        role="root",
        status="established",
        launch="L1",
        summary="All 8 ranks together ask for 2,400 GB of host memory for HiCache, and the host has 449 GiB.",
        explanation="--hicache-size is per rank. Each rank compares only its own 300 GB with what is available.",
        claims=[
            Claim("demand", "every one of 8 ranks announces 300 GB", "established", ALLOCATIONS),
            Claim("limit", "the host has 449 GiB", "established", ["f3"]),
            Claim("effect", "439 of 449 GiB are used, 9 available", "established", ["f3"]),
            Claim("link", "nothing else on the host asks for memory", "established", ["f3"]),
            Claim("end", "whether a rank was killed is not known", "unknown", []),
        ],
        calculation=founding_calculation(),
        lines=[*ALLOCATIONS, "f3"],
        contradicting=[],
        collateral=[Collateral("health check timed out after 600 s", 1, [], "n1")],
        remedy=founding_remedy(),
        confirm=[
            Confirm(
                "sudo dmesg -T | grep -i 'killed process'",
                "host",
                read_only=True,
                decides="whether the kernel killed a rank",
            )
        ],
        lose="killing it first loses which process holds the memory (`ps aux`)",
    )


def symptom(name: str, summary: str, role: str = "symptom") -> Finding:
    """A finding beside the root, with nothing but its sentence."""
    return Finding(name, "manifestation", role, "established", "L1", summary, "", [], [], ["f3"], [], [], [], [])


def founding_launch() -> Launch:
    """Eight ranks that wait in their host pools until the health check gives up at 604 s."""
    return Launch(
        id="L1",
        server=Server("standalone", "Kimi-K2.5", "n0"),
        sources=["server.log"],
        verdict=founding_verdict(),
        sglang=Release("0.5.9", "0.5.5 to 0.5.9"),
        topology=Topology(1, 8, 8, 1, 1, 1),
        arguments=[
            Argument("hicache-size", "300", "both", "per rank", "GB"),
            Argument("tp-size", "8", "both", None, None),
        ],
        capacity=Capacity(231174, 70272.0, 231174 * 70272.0, 256, 262144),
        processes=[rank_process(rank) for rank in range(RANKS)],
        spans=[
            Span("health-wait", 4.0, 604.0, ["n1"], "gave up after 600 s"),
            Span("silence", 245.0, 604.0, ["l95", "n1"], "359 s without a line"),
        ],
        series=[],
        began="2026-02-17 10:02:37",
        command_line=COMMAND,
    )


def founding_verdict() -> Verdict:
    """Hung in the host pool, cause established."""
    return Verdict(
        launch="L1",
        outcome="launch-hung",
        phase="host-pool",
        finding="per-rank-host-memory-oversubscription",
        status="established",
        summary="The launch hung in host-pool: 8 ranks ask for 2,400 GB of host memory, the host has 449 GiB.",
        owner="configuration",
        fingerprint="pm1-3f9a",
        last_sign_of_life="10:06:42 (server.log:95), 359 s before the health check gave up at 10:12:41",
    )


def founding() -> Report:
    """The founding incident as a whole document."""
    source = Source(
        "server.log", "sglang-log", "e6bd0bbe", 19457, 95, 95, 0, truncated=False, first=None, last=None, errors=[]
    )
    return Report(
        schema=SCHEMA,
        tool=Tool("sglang-postmortem", "0.1.0", "postmortem analyze incident"),
        verdict=founding_verdict(),
        launches=[founding_launch()],
        hosts=[Host("n0", {"total": 449 * GIB, "used": 439 * GIB, "available": 9 * GIB}, {}, [], [])],
        findings=[
            founding_finding(),
            symptom("host-memory-exhausted", "439 of 449 GiB of host memory are used, 9 GiB available."),
            symptom("launch-stalled", "No rank printed a line for 359 s in host-pool."),
            symptom("thin-gpu-headroom", "4.52 GiB of GPU memory are left beside the pools.", "bystander"),
        ],
        cleared=[Cleared("graph-capture-oom", "graph capture ended on all 8 ranks", ["l79"])],
        unknown=[Unknown("host-oom-kill", "a kernel log", [founding_finding().confirm[0]])],
        unexplained=[Unexplained("n1", 1)],
        lines=founding_lines(),
        coverage=Coverage(enough=True, partial=False, sources=[source], given=[], notes=["nothing was given"]),
    )


def healthy() -> Report:
    """A server that reached ready, with throughput, token usage and host memory over time."""
    seconds = [float(t) for t in range(100, 1000, 10)]
    series = [
        Series(
            "generation throughput",
            "token/s",
            "n0/TP0",
            seconds,
            [860.0 + (t % 70) for t in seconds],
            {"median": 890.0},
        ),
        Series("token usage", "1", "n0/TP0", seconds, [min(0.97, t / 900) for t in seconds], {"median": 0.6}),
        Series("host memory used", "B", "n0", seconds, [GIB * (100 + t / 10) for t in seconds], {"median": 150 * GIB}),
    ]
    phases = [PhaseSpan("weight-load", 0.0, 90.0, 90.0, "done"), PhaseSpan("serving", 100.0, None, None, "open")]
    process = Process("n0/TP0", "n0", "scheduler", None, {"tp": 0}, phases, 10.0, 990.0)
    verdict = replace(
        founding_verdict(), outcome="ready", phase=None, finding=None, status=None, last_sign_of_life=None, owner=None,
        summary="The server reached ready and served until the log ends; no end seen.",
    )  # fmt: skip
    launch = replace(founding_launch(), verdict=verdict, processes=[process], spans=[], series=series)
    return replace(founding(), verdict=verdict, launches=[launch], findings=[], unknown=[], unexplained=[], cleared=[])


def cannot_tell() -> Report:
    """A pasted tail without a launch: nothing recognised, one check that would help."""
    verdict = Verdict(None, "unknown", None, None, None, "No line of an SGLang server was recognised.", None, None)
    source = Source("paste.txt", "text", "00", 12, 1, 0, 0, truncated=False, first=None, last=None, errors=[])
    coverage = Coverage(enough=False, partial=False, sources=[source], given=[], notes=[])
    return replace(healthy(), verdict=verdict, launches=[], hosts=[], coverage=coverage, unknown=founding().unknown)


def straggler(ranks: int = 64, slow: int = 37, late: float = 90.0) -> Report:
    """Many ranks on nodes of eight, one of which loads its weights `late` seconds after the others."""
    processes = [rank_process(rank, late=late if rank == slow else 0.0, node=f"n{rank // 8}") for rank in range(ranks)]
    launch = replace(founding_launch(), processes=processes)
    return replace(founding(), launches=[launch])
