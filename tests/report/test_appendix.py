"""What stands at the end of a report: what was cleared, unknown, unexplained, held, read."""

from __future__ import annotations

from dataclasses import replace

from analyzer.contract import Coverage, Figure, Host, Measure, NextStep, Source, Topology, Unexplained
from analyzer.report import appendix
from analyzer.report.page import Look, printed
from tests.report.build_report import cannot_tell, founding, founding_launch, healthy, straggler

LOOK = Look(100)
GIB = 2**30


def test_a_report_with_nothing_to_add_adds_nothing() -> None:
    assert appendix.ruled_out(healthy(), LOOK) == []
    assert appendix.could_not_tell(healthy(), LOOK) == []
    assert appendix.unexplained(healthy(), LOOK) == []


def test_error_lines_beyond_twenty_are_counted() -> None:
    report = replace(founding(), unexplained=[Unexplained("n1", 2)] * 23)
    shown = printed(appendix.unexplained(report, LOOK), LOOK)
    assert shown.count("2 × notes.txt:1") == 20
    assert "and 3 more" in shown


def test_an_error_line_that_the_document_lost_is_shown_by_its_id() -> None:
    assert "gone" in printed(
        appendix.unexplained(replace(founding(), unexplained=[Unexplained("gone", 1)]), LOOK), LOOK
    )


def test_capacity_is_written_with_its_units() -> None:
    # 231,174 tokens × 70,272 bytes = 16,245,059,328 bytes = 15.13 GiB; of four printed digits three are sure.
    assert appendix.capacity(founding_launch().capacity) == (
        "231,174 KV tokens, about 70,300 bytes per token, 15.1 GiB of KV pool, context of 262,144, "
        "at most 256 running requests"
    )


def test_a_machine_is_written_in_gib_with_what_was_given() -> None:
    host = Host("n0", {"total": 449.0 * GIB, "swap_total": 0.0}, {"cgroup": 100.0 * GIB}, [{}, {}], ["RAM"])
    assert appendix.machine(host) == "total 449 GiB, limit of the cgroup 100 GiB, 2 GPUs, given: RAM"


def test_quantiles_are_those_of_the_document() -> None:
    assert appendix.spread(healthy().launches[0].series[0]) == "median 890 tok/s"


def test_figures_of_the_serving_have_a_line_each_and_stand_for_the_series_of_their_name() -> None:
    report = healthy()
    launch = report.launches[0]
    series = launch.series[0].name
    figures = [
        Figure("running requests", "1", 1200, 1.0, 39.0, 46.0, 38.2),
        Figure("tokens in use", "token", 1200, 109_200.0, 111_656.0, 114_140.0, 111_000.0),
        Figure(series, "token/s", 1200, 863.1, 881.0, 886.0, 880.0),
    ]
    shown = printed(appendix.launch_facts(report, replace(launch, serving=figures), LOOK), LOOK)
    assert "running requests, 1,200 lines: least 1, median 39, most 46" in shown
    assert "tokens in use, 1,200 lines: least 109,200 tokens, median 111,656 tokens, most 114,140 tokens" in shown
    assert f"{series}, 1,200 lines: least 863 tok/s, median 881 tok/s, most 886 tok/s" in shown
    assert f"{series} of " not in shown


def test_phases_of_a_group_are_given_from_the_least_to_the_most() -> None:
    launch = straggler(ranks=2, slow=1, late=1.5).launches[0]
    shown = printed(appendix.processes(launch, LOOK), LOOK)
    assert "weight-load      done         from 24 s for 182 to 183.5 s" in shown
    assert "host-pool        open         from 244 to 245.5 s" in shown


def test_a_source_tells_how_it_was_wrapped_cut_and_damaged() -> None:
    source = Source(
        "a.log", "sglang-log", "", 9, 1200, 1100, 3, truncated=True, first="10:00", last="10:05",
        errors=["the archive ends early"], layers=["docker"],
    )  # fmt: skip
    coverage = Coverage(enough=False, partial=True, sources=[source], given=["RAM: 449 GiB"], notes=["clocks differ"])
    shown = printed(appendix.coverage(replace(founding(), coverage=coverage), LOOK), LOOK)
    for said in (
        "a.log: sglang-log; 1,200 lines, 1,100 recognised; 3 undecodable; cut off; from 10:00 to 10:05;",
        "wrapped by docker",
        "! the archive ends early",
        "given: RAM: 449 GiB",
        "clocks differ",
        "This is not enough to say that nothing is wrong.",
        "Not everything could be read.",
    ):
        assert said in shown


def test_the_command_is_recorded() -> None:
    assert "postmortem analyze incident" in printed(appendix.coverage(cannot_tell(), LOOK), LOOK)


def test_an_estimate_of_tokens_is_called_about() -> None:
    held = replace(founding_launch().capacity, host_kv_tokens=4_270_000, host_kv_estimated=True)
    assert "about 4,270,000 KV tokens on the host" in appendix.capacity(held)
    assert ", 4,270,000 KV tokens" in appendix.capacity(replace(held, host_kv_estimated=False))


def test_a_topology_names_the_ranks_that_are_not_heard_of() -> None:
    made = Topology(2, 16, 16, None, None, None, speaking=8, unheard=list(range(8, 16)), unheard_count=8)
    assert appendix.topology(made) == "nodes 2, ranks 16, tp 16, speaking 8, not heard of: 8-15"
    many = replace(made, ranks=4096, unheard=[3, *range(100, 199)], unheard_count=4000)
    assert "not heard of: 3, 100-198 (of 4,000 in all)" in appendix.topology(many)


def test_a_figure_that_fewer_processes_print_says_so() -> None:
    weights = Measure("weights on the GPU", "B", GIB, GIB, GIB, 8, "1 GiB", [])
    shards = replace(weights, name="shards", processes=1, shown="64")
    odd = replace(weights, name="graphs on the GPU", processes=7)
    title, text = appendix.on_the_way(replace(founding_launch(), measures=[weights, shards, odd]))
    assert title == "Printed on the way, by 8 processes"
    assert text == "weights on the GPU 1 GiB; shards 64; graphs on the GPU 1 GiB (7 processes)"


def test_what_to_run_next_is_numbered_and_says_what_it_decides() -> None:
    step = NextStep("dmesg -T | grep -i oom", "host", read_only=True, decides="whether a rank was killed",
                    findings=["host-oom-kill"])  # fmt: skip
    shown = printed(appendix.to_run(replace(founding(), next=[step]), LOOK), LOOK).split("\n")
    assert shown[2:4] == ["1. dmesg -T | grep -i oom  (on the host)", "   whether a rank was killed (host-oom-kill)"]
    assert appendix.to_run(founding(), LOOK) == []
