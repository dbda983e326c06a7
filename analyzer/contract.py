"""The report as data: what renderers, `compare` and JSON readers see, and nothing else.

Values are plain numbers in base units (bytes, seconds, tokens); `shown` is what a person reads. Times are seconds
from the launch's first line. Within `postmortem.report/1` fields and ids are only added.
"""

from __future__ import annotations

from dataclasses import field

from analyzer.immutable import immutable

SCHEMA = "postmortem.report/1"


@immutable
class Tool:
    """Who wrote the report, by which command line."""

    name: str
    version: str
    command: str
    redacted: dict[str, int] | None = None


@immutable
class Verdict:
    """The answer for one launch, or for the whole input.

    `said` is the outcome in words where its usual sentence would claim more than is shown.
    """

    launch: str | None
    outcome: str
    phase: str | None
    finding: str | None
    status: str | None
    summary: str
    owner: str | None
    fingerprint: str | None
    last_sign_of_life: str | None = None
    said: str | None = None


@immutable
class Server:
    """Which server a launch was of."""

    role: str
    name: str
    host: str | None


@immutable
class Release:
    """The SGLang release as stated and as the matched wordings bound it (`0.5.9`, `0.4.6 to 0.5.8`)."""

    stated: str | None
    from_wording: str | None
    fork: bool = False


@immutable
class Topology:
    """How many nodes and ranks there should be; `None` where nothing says.

    `speaking` is how many ranks are heard of, `unheard` are those of one replica that no log here speaks for: the first
    hundred of the `unheard_count` that there are.
    """

    nodes: int | None
    ranks: int | None
    tp: int | None
    dp: int | None
    pp: int | None
    ep: int | None
    speaking: int | None = None
    unheard: list[int] = field(default_factory=list)
    unheard_count: int = 0


@immutable
class Argument:
    """One server argument. `said_by` is `command-line`, `server_args` or `both`; scope and unit from knowledge.

    `amount` is a number's value in the unit's base (bytes for GB), `default` what the release takes where nobody says.
    """

    name: str
    value: str
    said_by: str
    scope: str | None
    unit: str | None
    note: str | None = None
    amount: float | None = None
    default: str | None = None


@immutable
class PhaseSpan:
    """One occurrence of a phase in one process. `state`: done, open, failed, not-reached, unseen."""

    phase: str
    start: float | None
    end: float | None
    seconds: float | None
    state: str
    lines: list[str] = field(default_factory=list)
    label: str | None = None


@immutable
class Process:
    """One process of the launch, cited by `id` (`n0/DP1/TP3`), never by a bare rank number."""

    id: str
    node: str
    role: str
    pid: int | None
    rank: dict[str, int]
    phases: list[PhaseSpan]
    unexplained_seconds: float
    last: float | None
    last_text: str | None = None


@immutable
class Span:
    """Something seen from outside over the phases: a health check, an outage, a kill."""

    name: str
    start: float | None
    end: float | None
    lines: list[str]
    label: str | None = None


@immutable
class Series:
    """A figure over time. `quantiles` are least, median, most; of many points the extremes are kept."""

    name: str
    unit: str
    of: str
    time: list[float]
    value: list[float]
    quantiles: dict[str, float]


@immutable
class Capacity:
    """What the server could hold, per rank; `host_pools_bytes` are the host pools of all ranks on one host.

    `host_kv_estimated`: `host_kv_tokens` is no printed figure but the pool's size over the bytes of a token, rounded.
    """

    kv_tokens: int | None
    kv_bytes_per_token: float | None
    kv_bytes: float | None = None
    max_running_requests: int | None = None
    context_length: int | None = None
    host_kv_tokens: int | None = None
    host_pool_bytes: float | None = None
    host_pools_bytes: float | None = None
    host_kv_estimated: bool = False


@immutable
class Figure:
    """A figure of the serving over all its lines: least, median, most and mean in base units."""

    name: str
    unit: str
    rows: int
    least: float
    median: float
    most: float
    mean: float


@immutable
class Measure:
    """A figure that a launch printed on its way: the first process's, least and most of all that print it."""

    name: str
    unit: str
    value: float
    least: float
    most: float
    processes: int
    shown: str
    lines: list[str]


@immutable
class Launch:
    """One launch of one server. `began` is the stamp of its first line as printed.

    `utc_offset` is by how many seconds that clock is ahead of UTC, where its zone is given.
    """

    id: str
    server: Server
    sources: list[str]
    verdict: Verdict
    sglang: Release
    topology: Topology
    arguments: list[Argument]
    capacity: Capacity
    processes: list[Process]
    spans: list[Span]
    series: list[Series]
    began: str | None = None
    command_line: str | None = None
    serving: list[Figure] = field(default_factory=list)
    measures: list[Measure] = field(default_factory=list)
    utc_offset: float | None = None


@immutable
class Host:
    """A machine or a container's share of it. `memory` and `limit` in bytes by name.

    `memory` is the host's last snapshot, `container_used` in it the use that a container's own files tell.
    `counters` are how often its limit was reached (`at_limit`) and how often it was killed for that (`oom_kills`).
    A GPU is named by `index` and `name`, with `total` and `used` in bytes where a tool lists them.
    """

    name: str
    memory: dict[str, float]
    limit: dict[str, float]
    gpus: list[dict[str, str | float]]
    given: list[str]
    counters: dict[str, float] = field(default_factory=dict)


@immutable
class Claim:
    """One part of what a finding says, with its own status and lines."""

    part: str
    text: str
    status: str
    lines: list[str]


@immutable
class Typed:
    """A number as the input printed it."""

    number: str
    unit: str


@immutable
class Calculation:
    """One step of the arithmetic; `of` are line or step ids.

    `op` of a step that computes nothing: read, measured, given (by the user), release (known of it), assumed.
    """

    id: str
    name: str
    expression: str
    op: str
    of: list[str]
    value: float
    unit: str
    shown: str
    typed: Typed | None = None
    note: str | None = None


@immutable
class Remedy:
    """Something to do. `kind`: mitigate, fix, prevent."""

    kind: str
    action: str
    argument: str | None = None
    from_: str | None = None
    to: str | None = None
    command_line: str | None = None
    risk: str | None = None
    assumptions: list[str] = field(default_factory=list)
    calculation: list[Calculation] = field(default_factory=list)


@immutable
class Confirm:
    """A command that would decide an open question. `where`: host, container, node."""

    command: str
    where: str
    read_only: bool
    decides: str


@immutable
class Collateral:
    """Consequences folded under a finding."""

    text: str
    count: int
    processes: list[str]
    first: str | None


@immutable
class Finding:
    """One finding with its arithmetic, lines, remedies and what would confirm it.

    `sum` is the arithmetic in one line; `lose` what is lost by killing the processes first.
    """

    id: str
    kind: str
    role: str
    status: str
    launch: str | None
    summary: str
    explanation: str
    claims: list[Claim]
    calculation: list[Calculation]
    lines: list[str]
    contradicting: list[str]
    collateral: list[Collateral]
    remedy: list[Remedy]
    confirm: list[Confirm]
    not_known: list[str] = field(default_factory=list)
    lose: str | None = None
    sum: str | None = None


@immutable
class Cleared:
    """Looked, and it is not this."""

    id: str
    why: str
    lines: list[str]


@immutable
class Unknown:
    """Could not tell: what is missing, and the command that would supply it."""

    id: str
    needs: str
    confirm: list[Confirm]


@immutable
class Unexplained:
    """An error line that no finding explains."""

    line: str
    count: int


@immutable
class Line:
    """A cited line: at most 400 characters around the match.

    `before` and `after` are what stands right beside it, as far as these are lines of a server's log, too.
    """

    source: str
    line: int
    last_line: int
    text: str
    cut: bool
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)


@immutable
class Source:
    """One input as it was read."""

    name: str
    kind: str
    sha256: str
    bytes: int
    lines: int
    recognised: int
    undecodable: int
    truncated: bool
    first: str | None
    last: str | None
    errors: list[str]
    layers: list[str] = field(default_factory=list)


@immutable
class Coverage:
    """What was looked at, and whether it was enough to say that nothing is wrong."""

    enough: bool
    partial: bool
    sources: list[Source]
    given: list[str]
    notes: list[str]


@immutable
class NextStep:
    """A command to run next: what it decides, and for which findings."""

    command: str
    where: str
    read_only: bool
    decides: str
    findings: list[str]


@immutable
class Report:
    """The whole document. `next` is what to run, what decides most first."""

    schema: str
    tool: Tool
    verdict: Verdict
    launches: list[Launch]
    hosts: list[Host]
    findings: list[Finding]
    cleared: list[Cleared]
    unknown: list[Unknown]
    unexplained: list[Unexplained]
    lines: dict[str, Line]
    coverage: Coverage
    next: list[NextStep] = field(default_factory=list)
