"""The ways in which a log reaches its reader, each done to plain lines: what a collector, a launcher or a paste adds."""

from __future__ import annotations

import bz2
import gzip
import importlib
import io
import json
import lzma
import tarfile
import zipfile
from typing import TYPE_CHECKING

from tests.wrapped import Wrapped, american, at, comma, each, iso, micros, newest_first, over, short
from tests.wrapped_entries import (
    answered,
    csv_of,
    documents,
    fluent_bit,
    hit,
    insights,
    journal_export,
    journal_pretty,
    journal_verbose,
    listed,
    ranged,
    searched,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from tests.wrapped import Wrapping

_LONG = 300  # characters at which the container runtime of the test cuts a line


def cri_parts(lines: list[str], times: list[datetime]) -> Wrapped:
    texts: list[str] = []
    numbers: list[int] = []
    for number, (line, time) in enumerate(zip(lines, times, strict=True), 1):
        pieces = [line[i : i + _LONG] for i in range(0, len(line), _LONG)] or [""]
        for piece in pieces:
            mark = "F" if piece is pieces[-1] else "P"
            texts.append(f"{iso(time)} stderr {mark} {piece}\n")
            numbers.append(number)
    return Wrapped("".join(texts).encode(), numbers)


def fenced(lines: list[str], _: list[datetime]) -> Wrapped:
    head, tail = (
        ["### Describe the bug", "", "<details>", "<summary>log</summary>", "", "```log"],
        ["```", "</details>"],
    )
    text = "".join(f"{line}\n" for line in [*head, *lines, *tail])
    return Wrapped(text.encode(), [0] * len(head) + list(range(1, len(lines) + 1)) + [0] * len(tail))


def encoded(how: Callable[[str], bytes]) -> Wrapping:
    def done(lines: list[str], _: list[datetime]) -> Wrapped:
        return Wrapped(how("".join(f"{line}\n" for line in lines)), list(range(1, len(lines) + 1)))

    return done


def laid_out(lines: list[str], times: list[datetime]) -> Wrapped:
    """A query's answer as indented JSON, newest first: one message takes many lines."""
    texts: list[str] = ["["]
    numbers = [0]
    for number, (line, time) in reversed(list(enumerate(zip(lines, times, strict=True), 1))):
        entry = {"resource": {"labels": {"pod_name": "llm-0"}}, "textPayload": line, "timestamp": iso(time)}
        told = json.dumps(entry, indent=2).split("\n")
        texts += [*told[:-1], told[-1] + ("," if number > 1 else "")]
        numbers += [number] * len(told)
    return Wrapped("".join(f"{text}\n" for text in [*texts, "]"]).encode(), [*numbers, 0])


def below(head: list[str]) -> Wrapping:
    """Everything below lines that name a host."""

    def done(lines: list[str], _: list[datetime]) -> Wrapped:
        text = "".join(f"{line}\n" for line in [*head, *lines])
        return Wrapped(text.encode(), [0] * len(head) + list(range(1, len(lines) + 1)))

    return done


def packed(name: str, how: Callable[[bytes], bytes]) -> Wrapping:
    def done(lines: list[str], _: list[datetime]) -> Wrapped:
        data = "".join(f"{line}\n" for line in lines).encode()
        return Wrapped(how(data), list(range(1, len(lines) + 1)), name)

    return done


def tarred(mode: str) -> Callable[[bytes], bytes]:
    def done(data: bytes) -> bytes:
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode=mode) as tar:  # type: ignore[call-overload]
            info = tarfile.TarInfo("logs/server.log")
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
        return out.getvalue()

    return done


def zipped(data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("logs/server.log", data)
    return out.getvalue()


def zstd(data: bytes) -> bytes:
    for module in ("compression.zstd", "backports.zstd"):
        try:
            compressed: bytes = importlib.import_module(module).compress(data)
        except ImportError:
            continue
        return compressed
    raise ImportError("no zstd")


def _labelled(line: str, time: datetime) -> str:
    labels = '{namespace="serving", pod="llm-0"}'
    return f"{micros(time)}000\t{iso(time)}\t{labels} {line}"


def _journal(line: str, time: datetime) -> str:
    return json.dumps({"__REALTIME_TIMESTAMP": micros(time), "_HOSTNAME": "gpu-1", "MESSAGE": line, "PRIORITY": "6"})


def _beat(line: str, time: datetime) -> str:
    return json.dumps({"@timestamp": iso(time), "log": {"offset": 1}, "message": line, "stream": "stderr"})


COMPOSE = each(lambda line, _, __: f"sglang-1  | {line}")
CRI = each(lambda line, time, _: f"{iso(time)} stderr F {line}")
DOCKER = each(lambda line, time, _: json.dumps({"log": f"{line}\n", "stream": "stderr", "time": iso(time)}))
JOURNAL = each(lambda line, time, _: f"{short(time)} gpu-1 sglang[4100]: {line}")
RAY = each(
    lambda line, _, number: (
        f"(Scheduler pid=4100, ip=192.0.2.7) {line}{' [repeated 7x across cluster]' if number % 40 == 0 else ''}"
    )
)
SLURM = each(lambda line, _, __: f"0: {line}")
ANSI = each(lambda line, _, __: f"\x1b[36m{line}\x1b[0m")
QUOTE = each(lambda line, _, __: f"> {line}")
GREP = each(lambda line, _, number: f"{number}:{line}")
LOGGER = each(lambda line, time, _: f"{comma(time)} - launcher - INFO - {line}")

ONE: dict[str, Wrapping] = {
    "compose": COMPOSE,
    "podman": each(lambda line, _, __: f"[sglang] | {line}"),
    "kubectl --prefix": each(lambda line, _, __: f"[pod/llm-0/sglang] {line}"),
    "cri": CRI,
    "cri in parts": cri_parts,
    "docker json-file": DOCKER,
    "docker logs -t": each(lambda line, time, _: f"{iso(time)} {line}"),
    "journal short": JOURNAL,
    "journal iso": each(lambda line, time, _: f"{time:%Y-%m-%dT%H:%M:%S}+0000 gpu-1 sglang[4100]: {line}"),
    "journal json": each(lambda line, time, _: _journal(line, time)),
    "syslog": each(lambda line, time, _: f"<30>{short(time)} gpu-1 docker/sglang[812]: {line}"),
    "syslog rfc5424": each(lambda line, time, _: f"<30>1 {iso(time)[:-4]}Z gpu-1 sglang 4100 - - {line}"),
    "ray": RAY,
    "slurm": SLURM,
    "mpirun": each(lambda line, _, __: f"[1,0]<stderr>: {line}"),
    "loguru": each(lambda line, time, _: f"{comma(time).replace(',', '.')} | INFO     | runner:pump:88 - {line}"),
    "filebeat": each(lambda line, time, _: _beat(line, time)),
    "cloud export": newest_first(each(lambda line, time, _: f"ERROR {iso(time)} {line}")),
    "kibana": newest_first(each(lambda line, time, _: f"{at(time)}\t{line}")),
    "loki": newest_first(each(lambda line, time, _: _labelled(line, time))),
    "elastic": newest_first(each(lambda line, time, _: hit(line, time))),
    "journal verbose": journal_verbose,
    "journal export": journal_export,
    "search answer": answered(searched),
    "loki answer": answered(ranged),
    "explore csv": csv_of(
        ["Date", "Time", "Line", "tsNs", "id"],
        lambda line, time: [iso(time)[:-7] + "Z", f"{time:%Y-%m-%d %H:%M:%S}", line, f"{micros(time)}000", "17ab_1"],
    ),
    "datadog csv": csv_of(
        ["Date", "Host", "Service", "Message"], lambda line, time: [iso(time)[:-7] + "Z", "gpu-1", "sglang", line]
    ),
    "azure csv": csv_of(
        ["TimeGenerated [UTC]", "PodName", "LogSource", "LogMessage"],
        lambda line, time: [american(time), "llm-0", "stderr", line],
    ),
    "journal pretty": journal_pretty,
    "cloud documents": documents,
    "explore json": listed(
        lambda line, time: {
            "line": line,
            "timestamp": f"{micros(time)}000",
            "date": iso(time)[:-7] + "Z",
            "fields": {"pod": "llm-0"},
        }
    ),
    "datadog json": listed(
        lambda line, time: {"id": "AQ", "content": {"timestamp": iso(time)[:-7] + "Z", "host": "h", "message": line}}
    ),
    "insights answer": answered(insights),
    "stern": each(lambda line, _, __: f"llm-7d9f8b6c5-x2k4p sglang {line}"),
    "ts in brackets": each(lambda line, time, _: f"[{time:%Y-%m-%d %H:%M:%S}] {line}"),
    "cloudwatch text": each(
        lambda line, time, _: f"EVENTS\t{int(micros(time)[:-3]) + 900}\t{line}\t{micros(time)[:-3]}"
    ),
    "quoted": each(lambda line, _, __: json.dumps(f"{line}\n")),
    "fluent-bit": fluent_bit,
    "pdsh": each(lambda line, _, __: f"gpu-1: {line}"),
    "ansible": below(["gpu-1 | CHANGED | rc=0 >>"]),
    "fence": fenced,
    "quote": QUOTE,
    "grep -n": GREP,
    "logger": LOGGER,
    "ansi": ANSI,
    "crlf": encoded(lambda text: text.replace("\n", "\r\n").encode()),
    "bom": encoded(lambda text: b"\xef\xbb\xbf" + text.encode()),
    "utf-16": encoded(lambda text: text.encode("utf-16")),
    "utf-16 without mark": encoded(lambda text: text.encode("utf-16-le")),
    "gz": packed("server.log.gz", gzip.compress),
    "bz2": packed("server.log.bz2", bz2.compress),
    "xz": packed("server.log.xz", lzma.compress),
    "zst": packed("server.log.zst", zstd),
    "tar": packed("logs.tar", tarred("w")),
    "tar.gz": packed("logs.tar.gz", tarred("w:gz")),
    "zip": packed("logs.zip", zipped),
}

MORE: dict[str, Wrapping] = {
    "cloud query": laid_out,
    "search answer laid out": answered(searched, indent=2),
    "inspector csv": csv_of(
        ["labels", "Time", "Line", "tsNs", "id"],
        lambda line, time: ['{"pod":"llm-0"}', micros(time)[:-3], line, f"{micros(time)}000", "17ab_1"],
        newest_first=False,
    ),
    "fluent-bit of old": each(
        lambda line, time, _: f'[0] tail.0: [{micros(time)[:-6]}.{micros(time)[-6:]}, {{"log"=>"{line}"}}]'
    ),
    "fluent-bit json_lines": each(
        lambda line, time, _: json.dumps({"date": int(micros(time)) / 1_000_000, "log": line, "stream": "stderr"})
    ),
    "fluent-bit json": each(
        lambda line, time, _: json.dumps([{"date": int(micros(time)) / 1_000_000, "log": line, "stream": "stderr"}])
    ),
    "cat -n": each(lambda line, _, number: f"{number:6d}\t{line}"),
    "grep -n on files": each(lambda line, _, number: f"logs/server.log:{number}:{line}"),
    "journal monotonic": each(lambda line, _, number: f"[{3600 + number / 1000:12.6f}] gpu-1 python3[4100]: {line}"),
    "logfmt": each(lambda line, time, _: f"ts={iso(time)} level=info msg={json.dumps(line)}"),
    "workflow run": each(lambda line, time, _: f"build\tserve\t{iso(time)} {line}"),
    "stern with times": each(lambda line, time, _: f"llm-0 sglang {iso(time)} {line}"),
    "stern json": each(
        lambda line, _, __: json.dumps({"message": line, "nodeName": "gpu-1", "podName": "llm-0", "containerName": "a"})
    ),
    "kail": each(lambda line, _, __: f"default/llm-0[sglang]: {line}"),
    "swarm": each(lambda line, time, _: f"{iso(time)} llm_sglang.1.k2v5q9w8x7y6@gpu-1    | {line}"),
    "pm2": each(lambda line, time, _: f"0|sglang   | {time:%Y-%m-%d %H:%M:%S} +00:00: {line}"),
    "promtail": each(lambda line, time, _: f'{iso(time)[:-1]}+0000\t{{container="sglang", pod="llm-0"}}\t{line}'),
    "container app": each(lambda line, time, _: json.dumps({"TimeStamp": iso(time)[:-3] + "+00:00", "Log": line})),
    "cloud tail": each(lambda line, time, _: f"{iso(time)[:-4]}+00:00 ecs/sglang/0a1b2c {line}"),
}

TWO: dict[str, Wrapping] = {
    "compose in cri": over(CRI, COMPOSE),
    "cri in filebeat": over(ONE["filebeat"], CRI),
    "compose in journal": over(JOURNAL, COMPOSE),
    "ansi in compose": over(COMPOSE, ANSI),
    "compose in ansi": over(ANSI, COMPOSE),
    "ray in cri": over(CRI, RAY),
    "cri in grep -n": over(GREP, CRI),
    "compose in quote": over(QUOTE, COMPOSE),
    "slurm in logger": over(LOGGER, SLURM),
    "docker json-file in fence": over(fenced, DOCKER),
    "ray in quote": over(QUOTE, RAY),
    "logger in docker json-file": over(DOCKER, LOGGER),
    "cri in quote": over(QUOTE, CRI),
    "grep -n in fence": over(fenced, GREP),
    "journal json in grep -n": over(GREP, ONE["journal json"]),
    "ansi in ray": over(RAY, ANSI),
    "compose in syslog": over(ONE["syslog"], COMPOSE),
    "ansi in compose in cri": over(CRI, over(COMPOSE, ANSI)),
    "docker json-file in filebeat": over(ONE["filebeat"], DOCKER),
    "quote in docker logs -t": over(ONE["docker logs -t"], QUOTE),
    "cri in journal verbose": over(journal_verbose, CRI),
    "docker json-file in explore csv": over(ONE["explore csv"], DOCKER),
    "compose in ansible": over(below(["gpu-1 | CHANGED | rc=0 >>"]), COMPOSE),
    "cri in search answer": over(answered(searched), CRI),
    "slurm in compose": over(COMPOSE, SLURM),
    "compose in slurm": over(SLURM, COMPOSE),
}
