"""The prefixes that container runtimes, collectors and launchers put before a line, one function per writer.

Each takes a line and gives what is left of it, or `None` where the prefix is not there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from analyzer.expression import lazy_regex
from analyzer.layers import stamps
from analyzer.layers.peeled import Peeled

if TYPE_CHECKING:
    from collections.abc import Callable

    Peel = Callable[[str], Peeled | None]

_CRI = lazy_regex(rf"({stamps.ISO}) (?:stdout|stderr) ([FP])(?: |$)")
_SEVERITY = lazy_regex(
    rf"(?:DEFAULT|DEBUG|INFO|NOTICE|WARNING|ERROR|CRITICAL|ALERT|EMERGENCY)[ \t]+({stamps.ISO})(?:[ \t]|$)"
)
_LOGURU = lazy_regex(rf"({stamps.ISO}) \| [A-Z]+ *\| [^|]{{1,120}}? - ")
_LOGGING = lazy_regex(rf"({stamps.ISO}) - [\w.]+ - ([A-Z]+) - ")
_SEVERE = frozenset({"ERROR", "CRITICAL", "FATAL"})
_ISO = lazy_regex(rf"({stamps.ISO})( [+-]\d\d:\d\d(?=:)|):?[ \t]+")
_BRACKETED = lazy_regex(rf"\[({stamps.ISO})\][ \t]*")
_STAMPED = lazy_regex(rf"\[({stamps.ISO})\] ?")
_HEADED = lazy_regex(r"\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
_UNOPENED = lazy_regex(
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?(?: (?:DP|PP|TP|EP|ATTN_CP|ATTN_TP|MOE_DP|CP)\d{1,6}){0,8}\] "
)
_YEARLESS = lazy_regex(r"\[\d\d-\d\d \d\d:\d\d:\d\d\] ")
_GRAFANA = lazy_regex(rf"\d{{13,19}}\t({stamps.ISO})()\t")
_LABELS = lazy_regex(r'\{(?:\w+="[^"]*"(?:, ?\w+="[^"]*")*)?\}(?:[ \t]+(?=\[20)|[ \t])')
_OF_LABELS = lazy_regex(r'\b(?:pod(?:_name)?|host(?:name)?|node(?:_name)?|instance)="([^"]{1,255})"')
_JOURNAL_ISO = lazy_regex(rf"({stamps.ISO}) ([\w.-]+) ([\w./@:-]+?)(?:\[\d+\])?: ")
_JOURNAL_FULL = lazy_regex(rf"\p{{L}}{{3}} ({stamps.ISO}) [A-Z]{{2,5}} ([\w.-]+) ([\w./@:-]+?)(?:\[\d+\])?: ")
_DOCKER_EVENTS = frozenset({"exec_create", "exec_start", "health_status"})  # with a word behind a colon
_DMESG_ISO = lazy_regex(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d,\d{6}[+-]\d\d:?\d\d) ")
_RFC5424 = regex.compile(rf"<\d{{1,3}}>1 ({stamps.ISO}) (\S+) \S+ \S+ \S+ (?:-|\[[^\]]*\]) ?")
_AT = lazy_regex(r'"?(\p{L}{3} \d{1,2}, \d{4} @ [\d:.]{8,12})"?[ ,\t]+')
_COMPOSE = lazy_regex(r"(?:\d+\|)?([A-Za-z0-9][\w.-]*(?:@[\w.-]+)?) +\| ?")
_PODMAN = lazy_regex(r"\[([A-Za-z][\w.-]*)\] +\| ?")
_STERN = lazy_regex(r"(?:[a-z0-9][a-z0-9-]{0,62} )?[a-z0-9][a-z0-9.-]{0,252} [a-z0-9][a-z0-9-]{0,62}")
_KAIL = lazy_regex(r"[a-z0-9][a-z0-9-]*/([a-z0-9][a-z0-9.-]*)\[[a-z][a-z0-9-]*\]: ?")
_EVENTS = lazy_regex(r"EVENTS\t(?:\d{20,60}\t\d{13}\t([^\t]{1,512})|\d{13})\t(.*)\t(\d{13})$")
_KUBECTL = lazy_regex(r"\[pod/([\w.-]+)/[\w.-]+\] ?")
_RAY = lazy_regex(r"\((\w[\w:.]*) pid=(\d+)(?:, ip=([\w.:]+))?\) ?")
_REPEATED = lazy_regex(r" ?\[repeated \d+x across cluster\](?: \(Ray deduplicates.{0,300})?$")
_MPIRUN = lazy_regex(r"\[\d+,(\d+)\]<(?:stdout|stderr)>: ?")
_LABELLED = lazy_regex(r" *(\d+): ?")
_NUMBERED = lazy_regex(r"(\d+)[:-]")
HOSTED = lazy_regex(r"((?:[A-Za-z][\w.-]{1,252}|\d{1,3}(?:\.\d{1,3}){3})): ?")
_NO_HOST = lazy_regex(
    r"(?i:debug|info|warn|warning|error|critical|fatal|notice|trace|alert|emerg|std(?:out|err)|out|err|output|log|logs|ray"
    r"|kernel|server|main|note|hint"
    r"|(?:local_?|global_?)?(?:rank|tp|dp|pp|ep|proc|process|pid|thread|step|epoch|iter)[-_]?\d+)$|.*(?:Error|Exception|Warning|Exit|Interrupt)$|.*\d[h:.m]\d\d"
)
_COUNTED = lazy_regex(r"(?i:(?:gpu|device|stage|run|job)[-_]?\d+)$")
_MOST_HOSTS = 4096
_FRAME = lazy_regex(r"[│┃║] ?")


def cri(text: str) -> Peeled | None:
    """The files of containerd and CRI-O: time, stream, and whether the line is full or goes on in the next."""
    found = _CRI.match(text)
    return found and Peeled(text[found.end() :], stamps.iso(found[1]), "", ("cri",), found[2] == "P")


def severity(text: str) -> Peeled | None:
    """Cloud logging's text export: a severity and a time."""
    found = _SEVERITY.match(text)
    return found and Peeled(text[found.end() :], stamps.iso(found[1]), "", ("gcp",))


def loguru(text: str) -> Peeled | None:
    """The pipes of loguru: time, level, place."""
    found = _LOGURU.match(text)
    return found and Peeled(text[found.end() :], stamps.iso(found[1]), "", ("loguru",))


def logging(text: str) -> Peeled | None:
    """The `time - module - LEVEL - ` of a Python logger that echoes another program's lines."""
    found = _LOGGING.match(text)
    severe = bool(found) and found[2] in _SEVERE
    return found and Peeled(text[found.end() :], stamps.iso(found[1]), "", ("logger",), severe=severe)


def journal(text: str) -> Peeled | None:
    """The journal with ISO times; the kernel's tag stays, as kernel messages are known by it."""
    found = _JOURNAL_ISO.match(text) if text[10:11] == "T" else _JOURNAL_FULL.match(text)
    if found and found[2] == "container" and found[3] in _DOCKER_EVENTS:
        return None
    return found and Peeled(_tagged(found[3], text[found.end() :]), stamps.iso(found[1]), found[2], ("journald",))


def dmesg_iso(text: str) -> Peeled | None:
    """`dmesg --time-format iso`, which alone has a `T`, a comma, microseconds and an offset: tagged as the kernel's."""
    found = _DMESG_ISO.match(text) if text[19:20] == "," else None
    return found and Peeled(_tagged("kernel", text[found.end() :]), stamps.iso(found[1]), "", ("dmesg",))


def rfc5424(text: str) -> Peeled | None:
    """The newer form of syslog."""
    found = _RFC5424.match(text)
    return found and Peeled(text[found.end() :], stamps.iso(found[1]), found[2].strip("-"), ("syslog",))


def iso_time(text: str) -> Peeled | None:
    """A bare time before the line (`docker logs -t`, a pager's export), with Loki's labels where they follow.

    PM2 writes a colon behind it, and a blank before its zone.
    """
    found = _ISO.match(text) or _GRAFANA.match(text)
    stamp = stamps.iso(found[1] + found[2].strip()) if found else None
    if not found or not stamp:
        return None
    rest = text[found.end() :]
    labels = _LABELS.match(rest)
    if labels:
        origin = _OF_LABELS.search(labels[0])
        return Peeled(rest[labels.end() :], stamp, origin[1] if origin else "", ("loki",))
    return Peeled(rest, stamp, "", ("timestamp",))


def bracketed(text: str) -> Peeled | None:
    """A time in brackets that is no header of SGLang's own: with a `T`, or before another header."""
    found = _BRACKETED.match(text)
    if not found:
        return None
    rest = text[found.end() :]
    outer = found[1][10] == "T" or _HEADED.match(rest) is not None
    return Peeled(rest, stamps.iso(found[1]), "", ("timestamp",)) if outer else None


def unopened(text: str) -> Peeled | None:
    """SGLang's header without its opening bracket, which whoever copied the line has missed."""
    return Peeled(f"[{text}", None, "", ("bracket",)) if _UNOPENED.match(text) else None


def yearless(text: str) -> Peeled | None:
    """The header of SGLang's diffusion servers: month, day and time; no year tells the moment."""
    found = _YEARLESS.match(text)
    return found and Peeled(text[found.end() :], None, "", ("timestamp",))


def stamped(text: str) -> Peeled | None:
    """The time in brackets that `ts '[%F %T]'` puts before every line; ambiguous, as a header may be just that."""
    found = _STAMPED.match(text)
    return found and Peeled(text[found.end() :], stamps.iso(found[1]), "", ("stamped",))


def kibana(text: str) -> Peeled | None:
    """Kibana's text or CSV export."""
    found = _AT.match(text)
    if not found:
        return None
    rest = text[found.end() :]
    if rest.startswith('"') and rest.endswith('"') and len(rest) > 1:
        rest = rest[1:-1].replace('""', '"')
    return Peeled(rest, stamps.at_time(found[1]), "", ("kibana",))


def compose(text: str) -> Peeled | None:
    """The `service-1  | ` of docker compose, a swarm's `service.1.id@node  | `, PM2's `0|name  | `."""
    found = _COMPOSE.match(text)
    return found and Peeled(text[found.end() :], None, found[1], ("compose",))


def kail(text: str) -> Peeled | None:
    """The `namespace/pod[container]: ` of kail."""
    found = _KAIL.match(text)
    return found and Peeled(text[found.end() :], None, found[1], ("kail",))


def cloudwatch(text: str) -> Peeled | None:
    """An event as `aws logs … --output text` prints it: its time comes last."""
    found = _EVENTS.match(text)
    return found and Peeled(found[2], stamps.epoch(found[3]), found[1] or "", ("cloudwatch",))


def podman(text: str) -> Peeled | None:
    """The `[service] | ` of podman-compose."""
    found = _PODMAN.match(text)
    return found and Peeled(text[found.end() :], None, found[1], ("podman",))


def kubectl(text: str) -> Peeled | None:
    """`kubectl logs --prefix`."""
    found = _KUBECTL.match(text)
    return found and Peeled(text[found.end() :], None, found[1], ("kubectl",))


def ray(text: str) -> Peeled | None:
    """A Ray driver's echo of its actors, with the note on repeats at the end."""
    found = _RAY.match(text)
    if not found:
        return None
    rest = _REPEATED.sub("", text[found.end() :]) if "repeated" in text else text[found.end() :]
    return Peeled(rest, None, found[3] or f"{found[1]} pid={found[2]}", ("ray",))


def mpirun(text: str) -> Peeled | None:
    """`mpirun --tag-output`."""
    found = _MPIRUN.match(text)
    return found and Peeled(text[found.end() :], None, found[1], ("mpirun",))


def labelled(text: str) -> Peeled | None:
    """`srun --label`: the task's number; ambiguous, so only where most lines of a file have it."""
    found = _LABELLED.match(text)
    return found and Peeled(text[found.end() :], None, found[1], ("slurm",))


def numbered(text: str) -> Peeled | None:
    """`grep -n`: the line's number; ambiguous, so only where the numbers grow over a file. A date is no number."""
    found = _NUMBERED.match(text)
    if not found or _ISO.match(text):
        return None
    return Peeled(text[found.end() :], None, "", ("grep",))


def may_be_host(word: str, *, of_snapshots: bool = False) -> bool:
    """Whether a word before a colon may name a host: it is no level, no stream, no exception, no rank, no time.

    `of_snapshots`: outputs stand behind it that only hosts have; then `gpu7` and `job-3` are such names as well.
    """
    if word[0].isdigit():  # an address
        return True
    return _NO_HOST.match(word) is None and (of_snapshots or _COUNTED.match(word) is None)


def hosted(
    known: set[str], begins_record: Callable[[str], bool], begins_snapshot: Callable[[str], bool] = lambda _: False
) -> Peel:
    """The `host: ` of pdsh and clush; ambiguous, so only where a file's head shows hosts (`known`).

    A further word is a host where a record begins behind it, or a snapshot such as stands below several hosts.
    """

    def is_host(word: str, rest: str) -> bool:
        if len(known) >= _MOST_HOSTS or not may_be_host(word, of_snapshots=True):
            return False
        return begins_snapshot(rest) or (may_be_host(word) and begins_record(rest))

    def peel(text: str) -> Peeled | None:
        found = HOSTED.match(text)
        if not found:
            return None
        host, rest = found[1], text[found.end() :]
        if host not in known:
            if not is_host(host, rest):
                return None
            known.add(host)
        return Peeled(rest, None, host, ("host",), host=host)

    return peel


def stern(known: set[str], begins_record: Callable[[str], bool]) -> Peel:
    """The `pod container ` of stern, with a namespace before them or without.

    Ambiguous, as words stand before any text: so only those that are `known`, or that a record begins behind.
    """

    def peel(text: str) -> Peeled | None:
        words = text.split(" ", 3)
        for count in (2, 3):
            named, rest = " ".join(words[:count]), " ".join(words[count:])
            if named not in known:
                if len(known) >= _MOST_HOSTS or not _STERN.fullmatch(named) or not begins_record(rest):
                    continue
                known.add(named)
            return Peeled(rest, None, words[count - 2], ("stern",))
        return None

    return peel


def boxed(text: str) -> Peeled | None:
    """The frame that a terminal multiplexer or a text interface draws around a pane, copied with the lines."""
    found = _FRAME.match(text)
    return found and Peeled(text[found.end() :].removesuffix(found[0][0]), None, "", ("frame",))


def syslog(year: int | None) -> Peel:
    """The short form of syslog and the journal, `Jul 21 03:00:00 host program[123]: `; `year` is the file's."""
    pattern = regex.compile(
        r"(?:<\d{1,3}>)?(\p{L}{3,5}\.? +\d{1,2} \d\d:\d\d:\d\d(?:\.\d+)?) ([\w.-]+) ([\w./@:()-]+?)(?:\[\d+\])?: "
    )

    def peel(text: str) -> Peeled | None:
        found = pattern.match(text)
        stamp = stamps.day_time(found[1], year) if found else None
        if not found or stamp is None:
            return None
        return Peeled(_tagged(found[3], text[found.end() :]), stamp, found[2], ("syslog",))

    return peel


def literal(prefix: str, *, named: bool = True) -> Peel:
    """A prefix that a file's own head showed before its SGLang headers; digits in it may change, and their padding.

    `named`: it tells where the line comes from, rather than counting lines or telling the time. After an opening quote
    the line's closing one is taken off as well.
    """
    number = r"[ \t]*\d+"
    pattern = regex.compile(number.join(regex.escape(part) for part in regex.split(number, prefix)))
    quoted = prefix.endswith('"')

    def peel(text: str) -> Peeled | None:
        found = pattern.match(text)
        if not found:
            return None
        rest = text[found.end() :]
        if quoted:
            rest = rest.removesuffix('"').replace('\\"', '"').replace('""', '"')
        return Peeled(rest, None, found[0].strip(" :|│[]()<>-") if named else "", ("prefix",))

    return peel


def _tagged(program: str, rest: str) -> str:
    return f"kernel: {rest}" if program == "kernel" else rest
