"""Each writer's prefix is taken off, and a line that only looks like it stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analyzer.layers import prefixes

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.layers import Peeled

HEADED = "[2025-08-12 10:00:14 DP0 TP0 EP0] Init torch distributed begin."


@pytest.mark.parametrize(
    ("layer", "text"),
    [
        (prefixes.cri, "2025-08-12T10:00:00Z stdout without a tag"),
        (prefixes.severity, "INFO 02-26 06:24:24 [__init__.py:241] Automatically detected platform rocm."),
        (prefixes.bracketed, HEADED),
        (prefixes.bracketed, "[2025-03-11 16:16:58] [AR] All-reduce call path: NCCL"),
        (prefixes.bracketed, "[2025-03-11 16:16:58] INFO:     Started server process [1]"),
        (prefixes.journal, "2026-02-17 10:12:41 deploy script: health check timed out after 600 s"),
        (prefixes.dmesg_iso, "2025-07-21T03:00:00,123 INFO: a logger's milliseconds"),
        (prefixes.dmesg_iso, "2025-07-21T03:00:00.123456+02:00 inf07 kernel: a journal's point"),
        (prefixes.ray, "(sglang) root@host-1:~# python -m sglang.launch_server --tp 2"),
        (prefixes.ray, "(EngineCore) loading"),
        (prefixes.compose, "Loading safetensors checkpoint shards:   0% Completed | 0/4 [00:00<?, ?it/s]"),
        (prefixes.compose, "|   0  N/A  N/A      4170      C   sglang::scheduler_TP0 |"),
        (prefixes.syslog(2026), "Max context length: 163840"),
        (prefixes.iso_time, "2025-07-21 03:20:31, 0, 99 %"),
        (prefixes.kail, "postfix/smtpd[812]: connect from unknown"),
        (prefixes.kail, "sglang/srt/managers[0]: [2025-03-11 16:16:58] said"),
        (prefixes.stern(set(), lambda _: False), "loading model weights"),
        (prefixes.stern({"sgl-0 sglang"}, lambda _: False), "sgl-1 sglang said"),
        (prefixes.cloudwatch, "EVENTS\tare many\t1787755857348"),
    ],
)
def test_a_line_without_the_prefix_stays(layer: Callable[[str], Peeled | None], text: str) -> None:
    assert layer(text) is None


@pytest.mark.parametrize(
    ("layer", "prefix", "node"),
    [
        (prefixes.cri, "2025-08-12T10:00:00.000731417Z stdout F ", ""),
        (prefixes.severity, "DEFAULT 2025-04-05T03:00:20.161165123Z ", ""),
        (prefixes.loguru, "2025-11-10 10:00:00.123 | INFO     | worker:spawn:31 - ", ""),
        (prefixes.logging, "2025-11-10 10:00:00,123 - launcher - INFO - ", ""),
        (prefixes.journal, "2025-07-21T03:00:00+0200 inf07 sglang-serve[4100]: ", "inf07"),
        (prefixes.journal, "Mon 2025-07-21 03:00:00 CEST inf07 sglang-serve[4100]: ", "inf07"),
        (prefixes.rfc5424, "<13>1 2025-07-21T03:00:00.1Z inf07 sglang 4100 - - ", "inf07"),
        (prefixes.syslog(2026), "Jul 21 03:00:00 inf07 sglang-serve[4100]: ", "inf07"),
        (prefixes.syslog(2026), "<13>Jul 21 03:00:00 inf07 sglang: ", "inf07"),
        (prefixes.iso_time, "2026-09-22T06:57:47.356804930Z ", ""),
        (prefixes.iso_time, '2026-09-22T06:57:47Z {pod="p-0", app="sgl"} ', "p-0"),
        (prefixes.iso_time, "2026-09-22T06:57:47Z {}   ", ""),
        (prefixes.iso_time, '2026-09-22T06:57:47.123+0000\t{container="sgl", host="inf07"}\t', "inf07"),
        (prefixes.iso_time, "2026-09-22T06:57:47: ", ""),
        (prefixes.iso_time, "2026-09-22 06:57:47 +02:00: ", ""),
        (prefixes.kail, "default/sgl-qwen-0[sglang]: ", "sgl-qwen-0"),
        (prefixes.compose, "llm_sglang.1.k2v5q9w8x7y6@inf07    | ", "llm_sglang.1.k2v5q9w8x7y6@inf07"),
        (prefixes.compose, "0|sglang   | ", "sglang"),
        (prefixes.stern(set(), lambda text: text == HEADED), "sgl-7d9f8b6c5-x2k4p sglang ", "sgl-7d9f8b6c5-x2k4p"),
        (prefixes.stern(set(), lambda text: text == HEADED), "default sgl-0 sglang ", "sgl-0"),
        (prefixes.bracketed, "[2025-02-27T16:30:43.48675097Z] ", ""),
        (prefixes.bracketed, "[2025-03-11 16:16:58] ", ""),
        (prefixes.kibana, "May 16, 2026 @ 19:00:00.000 ", ""),
        (prefixes.compose, "inference-sglang-1  | ", "inference-sglang-1"),
        (prefixes.podman, "[sglang] | ", "sglang"),
        (prefixes.kubectl, "[pod/sgl-qwen-0/sglang] ", "sgl-qwen-0"),
        (prefixes.ray, "(SGLangEngine pid=952, ip=192.0.2.71) ", "192.0.2.71"),
        (prefixes.ray, "(SglServer pid=71822) ", "SglServer pid=71822"),
        (prefixes.mpirun, "[1,0]<stdout>:", "0"),
        (prefixes.labelled, " 3: ", "3"),
        (prefixes.numbered, "118:", ""),
        (prefixes.numbered, "119-", ""),
        (prefixes.boxed, "│ ", ""),
        (prefixes.literal("worker 12 >> "), "worker 3 >> ", "worker 3"),
    ],
)
def test_the_prefix_is_taken_off(layer: Callable[[str], Peeled | None], prefix: str, node: str) -> None:
    peeled = layer(prefix + HEADED)
    assert peeled is not None
    assert (peeled.text, peeled.node, peeled.partial) == (HEADED, node, False)


def test_a_cut_line_of_cri_says_that_more_follows() -> None:
    peeled = prefixes.cri("2025-08-12T10:00:00Z stdout P first half ")
    assert peeled is not None
    assert (peeled.text, peeled.partial) == ("first half ", True)


def test_the_kernels_tag_stays_before_its_message() -> None:
    peeled = prefixes.syslog(2026)("Jul 21 03:10:00 inf07 kernel: NVRM: Xid (PCI:0000:1b:00): 48")
    assert peeled is not None
    assert peeled.text == "kernel: NVRM: Xid (PCI:0000:1b:00): 48"


def test_rays_note_on_repeats_is_taken_off() -> None:
    peeled = prefixes.ray("(Engine pid=9, ip=192.0.2.7) SIGQUIT received. [repeated 22x across cluster]")
    assert peeled is not None
    assert peeled.text == "SIGQUIT received."


def test_a_quoted_csv_field_of_kibana_is_unquoted() -> None:
    peeled = prefixes.kibana('"May 16, 2026 @ 19:00:00.000","said ""no"""')
    assert peeled is not None
    assert peeled.text == 'said "no"'


def test_a_counting_prefix_is_taken_off_with_its_padding_and_names_nothing() -> None:
    peel = prefixes.literal("    99\t", named=False)
    found = peel("   100\t    indented")
    assert found is not None
    assert (found.text, found.node) == ("    indented", "")


def test_a_quoted_line_loses_its_closing_quote_and_its_escapes() -> None:
    found = prefixes.literal('level=info msg="')('level=info msg="a \\"b\\" c"')
    assert found is not None
    assert found.text == 'a "b" c'


def test_a_logger_s_level_is_kept_where_it_is_that_of_an_error() -> None:
    texts = [f"2025-09-11 08:41:22,118 - launcher - {level} - given back" for level in ("INFO", "ERROR", "CRITICAL")]
    assert [found.severe for text in texts if (found := prefixes.logging(text))] == [False, True, True]


def test_a_line_of_dmesg_is_the_kernel_s_whatever_its_first_words_look_like() -> None:
    line = "2025-07-21T03:00:00,123456+02:00 NMI watchdog: Watchdog detected hard LOCKUP on cpu 6"
    peeled = prefixes.dmesg_iso(line)
    assert peeled is not None
    assert (peeled.text, peeled.node) == ("kernel: NMI watchdog: Watchdog detected hard LOCKUP on cpu 6", "")


@pytest.mark.parametrize(
    "line", ["2025-08-15 14:25:48] Cache flushed", "2026-05-24 03:51:44 DP1 TP0 EP0] Decode batch, #running-req: 4"]
)
def test_a_header_gets_its_lost_bracket_back(line: str) -> None:
    peeled = prefixes.unopened(line)
    assert peeled is not None
    assert peeled.text == f"[{line}"


@pytest.mark.parametrize(
    "line",
    [
        "2025-08-15 14:25:48 no header",
        "2025-08-15 14:25:48 worker 3] another program's",
        "2025-08-15T14:25:48] a collector's",
        "[2025-08-15 14:25:48] whole",
    ],
)
def test_other_times_get_no_bracket(line: str) -> None:
    assert prefixes.unopened(line) is None


def test_a_header_without_a_year_tells_no_time() -> None:
    peeled = prefixes.yearless("[12-16 14:27:08] Rank 0 scheduler is dead.")
    assert peeled is not None
    assert (peeled.text, peeled.stamp) == ("Rank 0 scheduler is dead.", None)


@pytest.mark.parametrize(
    ("head", "node"),
    [
        ("EVENTS\t1787755858000\t", ""),
        (
            "EVENTS\t38123456789012345678901234567890123456789012345678901234\t1787755858000\tsgl/llm/0a1b\t",
            "sgl/llm/0a1b",
        ),
    ],
)
def test_the_time_of_an_event_of_cloudwatch_stands_behind_it(head: str, node: str) -> None:
    peeled = prefixes.cloudwatch(f"{head}{HEADED}\tx\t1787755857348")
    assert peeled is not None
    assert (peeled.text, peeled.node) == (f"{HEADED}\tx", node)
    assert peeled.stamp is not None
    assert peeled.stamp.moment.isoformat() == "2026-08-26T14:50:57.348000"  # 1,787,755,857.348 s after 1970


def test_the_zone_behind_a_blank_counts() -> None:
    peeled = prefixes.iso_time("2026-09-22 06:57:47 +02:00: said")
    assert peeled is not None
    assert peeled.stamp is not None
    assert str(peeled.stamp.zone) == "UTC+02:00"


def test_a_further_pod_is_known_from_its_first_record_on() -> None:
    layer = prefixes.stern({"sgl-0 sglang"}, lambda text: text == HEADED)
    assert layer("sgl-1 sglang said") is None
    assert layer(f"sgl-1 sglang {HEADED}") is not None
    assert (found := layer("sgl-1 sglang said")) is not None
    assert (found.text, found.node) == ("said", "sgl-1")
