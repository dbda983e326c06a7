"""The parts of a Markdown document that describe: timeline, environment, maintainer's facts, what was looked at."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

import regex

from analyzer.report.appendix import capacity, folded_figure, machine, on_the_way, span_of, spread, topology
from analyzer.report.bars import bars
from analyzer.report.changes import between
from analyzer.report.escape import code, fenced, markdown
from analyzer.report.groups import alike, ids
from analyzer.report.markdown_blocks import Room, command, folded, more, said, table
from analyzer.report.page import Look, printed
from analyzer.report.select import root_of
from analyzer.report.summary import where, word
from analyzer.report.units import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.contract import Argument, Launch, Report

MOST_GROUPS: Final = 16
_PICTURE: Final = Look(width=100)
_BARS: Final = 16
_SWITCHES: Final = ("enable_", "disable_", "speculative_algorithm", "quantization", "disaggregation_mode")
_OFF: Final = frozenset({"", "None", "none", "null", "False", "false", "0", "auto", "[]", "{}"})
# Arguments that choose a path through the code, beside the switches called --enable-… and --disable-….
_CHOICES: Final = (
    "quantization", "kv_cache_dtype", "attention_backend", "speculative_algorithm", "disaggregation_mode",
    "moe_a2a_backend", "moe_runner_backend", "lora_paths", "cpu_offload_gb", "hicache_storage_backend",
    "schedule_policy", "load_format", "torch_compile_max_bs", "deepep_mode",
)  # fmt: skip
_KINDS: Final = {
    "addr": ("IPv4 address", "IPv4 addresses"),
    "addr6": ("IPv6 address", "IPv6 addresses"),
    "mac": ("hardware address", "hardware addresses"),
    "mail": ("mail address", "mail addresses"),
    "tokens": ("list of token ids", "lists of token ids"),
}
_NONE_ON: Final = "No argument that the logs show switches a feature on."
_SINCE: Final = regex.compile(r"(?s)^Since and until which release\.\s*(.*)$")


def section(heading: str, body: str) -> list[str]:
    """A part under its heading; nothing without a body."""
    return [f"## {heading}", body] if body else []


def head(report: Report) -> str:
    """How to find duplicates of the report, and what was taken out of it."""
    print_ = report.verdict.fingerprint
    search = (
        f"Fingerprint (the same for the same kind of incident, to search duplicates by): {code(print_)}"
        if print_
        else ""
    )
    return "\n".join(f"> {line}  " for line in (search, redacted(report)) if line).rstrip()


def redacted(report: Report) -> str:
    """What was replaced, by kind."""
    counts = report.tool.redacted
    if counts is None:
        return "Not redacted: users, hosts, addresses and folders stand as printed. Secrets and prompts are masked."
    kinds = redacted_kinds(counts)
    if not kinds:
        return "Redacted: nothing private was found. Secrets and prompts are never quoted."
    return f"Redacted: {kinds}; the same stand-in stands for the same throughout. Secrets and prompts are never quoted."


def redacted_kinds(counts: dict[str, int]) -> str:
    """How many of what was replaced: `2 addresses, 1 user`."""
    said_ = ((count, *_KINDS.get(kind, (kind, f"{kind}s"))) for kind, count in sorted(counts.items()))
    return ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in said_)


def timeline(launch: Launch | None, room: Room) -> list[str]:
    """The launch as a picture of fixed width, which every viewer shows alike, and as a table."""
    if launch is None or not launch.processes:
        return []
    grouping = alike(launch.processes, MOST_GROUPS)
    rows = [
        [code(ids(m.id for m in group.members), in_table=True), span.phase, *span_of(group, index), span.state]
        for group in grouping.groups
        for index, span in enumerate(group.first.phases)
    ]
    rows += [
        [
            "*seen from outside*",
            markdown(span.name),
            _second(span.start),
            _length(span.start, span.end),
            said(span.label or "", room),
        ]
        for span in launch.spans
    ]
    began = f"Seconds from {markdown(launch.began)}, the first line of the launch." if launch.began else ""
    drawn = printed(bars(launch, _PICTURE, _BARS), _PICTURE).rstrip("\n").split("\n")
    return [
        "## Timeline",
        fenced(drawn) if any(drawn) else "",
        began,
        table(["process", "phase", "from", "for", "state"], rows, room) + more(grouping.left_out, "processes"),
    ]


def moment(began: str | None, time: float) -> str:
    """So many seconds after the launch's first line, as its clock prints them; seconds where it prints no such time."""
    try:
        at = datetime.fromisoformat(began) + timedelta(seconds=round(time)) if began else None
    except (ValueError, OverflowError):
        at = None
    return f"{at:%Y-%m-%d %H:%M:%S}" if at else f"+{time:,.0f} s"


def seconds_after(began: str | None, stamp: str | None) -> float | None:
    """The other way: how long after the launch's first line a stamp of its clock is; `None` where either is no time."""
    try:
        return (datetime.fromisoformat(stamp or "") - datetime.fromisoformat(began or "")).total_seconds()
    except (ValueError, TypeError):
        return None


def _second(time: float | None) -> str:
    return "" if time is None else f"{time:,.0f} s"


def _length(start: float | None, end: float | None) -> str:
    return "" if start is None or end is None else f"{end - start:,.0f} s"


def unchecked(report: Report, room: Room) -> list[str]:
    """What no rule could tell, for want of which input, and the command that would supply it."""
    rows = [
        [
            code(u.id),
            said(u.needs, room),
            "<br>".join(f"{code(c.command, in_table=True)} ({where(c)})" for c in u.confirm),
        ]
        for u in report.unknown
    ]
    return section("Could not be checked", table(["finding", "needs", "command"], rows, room))


def run_next(report: Report, room: Room) -> list[str]:
    """The commands that would settle what is open, the most deciding first."""
    steps = [f"{n}. {code(s.command)} ({where(s)}): {said(s.decides, room)}" for n, s in enumerate(report.next, 1)]
    return section("Run next, what decides most first", "\n".join(steps))


def maintainer(report: Report, launch: Launch | None, room: Room) -> list[str]:
    """What someone who knows the code asks first: release, patched or not, features on, what other releases change."""
    if launch is None:
        return []
    release = launch.sglang
    stated = f"SGLang {release.stated}" if release.stated else "SGLang of a release that no line states"
    worded = f" (the wordings of its lines fit {release.from_wording})" if release.from_wording else ""
    fork = (
        "; the log shows that it is a fork or a patched build, so that what is known of releases may not hold"
        if release.fork
        else "; nothing in the log speaks of a fork or a patched build"
    )
    on = [f"{a.name}={a.value}" if a.value not in {"True", "true"} else a.name for a in features(launch.arguments)]
    later = later_releases(report)
    return section(
        "For the maintainer",
        "\n\n".join([
            f"{said(f'{stated}{worded}{fork}.', room)}",
            f"Features on: {', '.join(map(code, on[: room.rows]))}." if on else _NONE_ON,
            *([f"Releases concerned: {said(later, room)}"] if later else []),
        ]),
    )  # fmt: skip


def features(arguments: Iterable[Argument]) -> list[Argument]:
    """The arguments that switch something on, or choose another path than the default; not what a release chooses."""
    chosen = [a for a in arguments if a.value not in _OFF and a.value != a.default]
    return [a for a in chosen if a.name.startswith(_SWITCHES) or (a.name in _CHOICES and a.said_by != "server_args")]


def later_releases(report: Report) -> str:
    """What the finding's page says of releases: since which one it is so, and which one changes it."""
    from analyzer import rules as _  # noqa: F401, PLC0415 - its import registers them
    from analyzer.rule import RULES  # noqa: PLC0415 - asked for one page alone

    root = root_of(report)
    rule = RULES.get(root.id) if root else None
    found = (_SINCE.match(part) for part in rule.doc.strip().split("\n\n")) if rule else ()
    return next((" ".join(match[1].split()) for match in found if match), "")


def environment(report: Report, launch: Launch | None, room: Room) -> list[str]:
    """Release, model, topology, GPUs, memory, figures, the launch command and the arguments."""
    if launch is None:
        return []
    arguments = [[code(a.name), code(a.value[: room.text], in_table=True), a.scope or ""] for a in launch.arguments]
    return [
        "## Environment",
        table(["", ""], [[markdown(name), said(text, room)] for name, text in facts(report, launch) if text], room),
        titled_command(launch, room),
        folded(f"Arguments ({len(arguments)})", table(["argument", "value", "scope"], arguments, room)),
        *_earlier(report, launch, room),
    ]


def titled_command(launch: Launch, room: Room) -> str:
    """The launch command as a block to copy; empty where no line shows it."""
    return f"Launch command:\n\n{command(launch.command_line, room)}" if launch.command_line else ""


def facts(report: Report, launch: Launch) -> list[tuple[str, str]]:
    """What the server ran on and with, by name; empty texts for what is not told."""
    values = {a.name: a.value for a in launch.arguments}
    gpus = sorted({str(gpu["name"]) for host in report.hosts for gpu in host.gpus if "name" in gpu})
    count = sum(len(host.gpus) for host in report.hosts)
    folded_ = {item.name for item in launch.serving}
    return [
        ("SGLang", launch.sglang.stated or f"from its wording {launch.sglang.from_wording or 'not to be told'}"),
        ("Model", values.get("model_path", "")),
        ("Server", f"{launch.server.role}, {launch.server.name}"),
        ("Topology", topology(launch.topology)),
        ("GPUs", f"{count} × {', '.join(gpus)}" if gpus else f"{count}" if count else ""),
        *((f"Host {host.name}", machine(host)) for host in report.hosts),
        ("Capacity per rank", capacity(launch.capacity)),
        *((f"{item.name} ({counted(item.rows, 'line')})", folded_figure(item)) for item in launch.serving),
        *((f"{item.name} of {item.of}", spread(item)) for item in launch.series if item.name not in folded_),
        on_the_way(launch),
    ]  # fmt: skip


def _earlier(report: Report, launch: Launch, room: Room) -> list[str]:
    """The other launches of the input, and what was changed from each to the one in question."""
    rows = []
    for other in (other for other in report.launches if other is not launch):
        changed = between(report, other, launch)
        rows.append([markdown(other.id), word(other.verdict), said(other.verdict.summary, room), said(changed, room)])
    shown = table(["launch", "outcome", "what", "changed since"], rows, room)
    return [f"### Other launches\n\n{shown}"] if rows else []


def coverage(report: Report, room: Room) -> list[str]:
    """What was read, how much of it was understood, and what that allows to say."""
    rows = [
        [code(s.name, in_table=True), s.kind, f"{s.lines:,}", f"{s.recognised:,}", f"{s.undecodable:,}",
         said("; ".join([*s.errors, *(["cut off"] if s.truncated else [])]), room)]
        for s in report.coverage.sources
    ]  # fmt: skip
    notes = [*(f"given: {fact}" for fact in report.coverage.given), *report.coverage.notes]
    notes += [] if report.coverage.enough else ["This is not enough to say that nothing is wrong."]
    return [
        "## What was looked at",
        table(["source", "kind", "lines", "recognised", "undecodable", "errors"], rows, room),
        "\n".join(f"- {said(note, room)}" for note in notes[: room.rows]) + more(len(notes) - room.rows, "notes"),
    ]


def shortened(left_out: list[str]) -> str:
    """The remark on a document that had to be cut."""
    gone = f" Left out altogether: {', '.join(left_out)}." if left_out else ""
    return f"**Cut to stay below GitHub's limit of 65,536 characters.**{gone} The JSON report holds everything."


def written_by(report: Report) -> str:
    """The tool with its version, and the command that made the document."""
    tool = report.tool
    return f"Written by {markdown(tool.name)} {markdown(tool.version)}: {code(tool.command[:1000])}"
