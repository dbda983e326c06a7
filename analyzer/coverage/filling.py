"""Plausible values for the holes of a message, by format and name, and plain enough to be taken for nothing else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from analyzer.coverage.wording import Hole

if TYPE_CHECKING:
    from analyzer.coverage.wording import Wording

TRACE: Final = """\
Traceback (most recent call last):
  File "/srv/work.py", line 7, in work
    step()
RuntimeError: it did not work"""
_WHOLE, _PART = 3, 12.345
_SEVERAL: Final = "['this', 'that']"
_CLOCK, _FAILED = "10:00:05", "it did not work"
_LAST: Final = re.compile(r"([A-Za-z_]\w*)(?:\[[^\[\]]*\])?\W*$")
_CALLED: Final = re.compile(r"([A-Za-z_]\w*)\((?:[^()]|\([^()]*\))*\)$")
_BOOLEAN: Final = re.compile(r"(?:^|\.)(?:is|has|enable|disable|use|can|should|need)_\w+(?:\(\))?$|\.soft$")
_SUM: Final = re.compile(r"[\w)\]] ?(?:[-*/+]|//|<<) ?[\w(]")

# The last word of an expression's name, and what such a name holds; the first that fits.
_VALUES: Final = tuple(
    (re.compile(words), value)
    for words, value in (
        (r"server_args|resolved_dict", "ServerArgs(model_path='/models/thing', tp_size=8)"),
        (r"traceback|format_exc|stack", TRACE),
        (r"^(?:e|ex|exc|err|error|exc_value|reason|detail|msg)$|_(?:e|exc|err|errors?|exception|msg)$", _FAILED),
        (r"strftime|isoformat|ctime|datetime|^now$", _CLOCK),
        (r"dtype", "torch.bfloat16"),
        (r"shape", "(3, 128)"),
        (r"quant_str", "quant=fp8"),
        (r"device_name", "musa"),
        (r"_label$", "Draft"),
        (r"status(?:_codes?)?$", "200"),
        (r"^rid$|_rid$|request_id|uuid|hash|key$", "5f2a9c"),
        (r"(?:time|elapsed|duration|latency|ratio|usage|rate|throughput|perf_counter)$", str(_PART)),
        (r"(?:mem|memory|mb|gb|gib|fraction|fraction_static)$", str(_PART)),
        (r"(?:ranks?|size|num|len|length|count|tokens?|reqs?|requests|pages?|slots?|rows)$", str(_WHOLE)),
        (r"(?:heads?|layers?|idx|index|step|stage|level|offset|line|lineno|dim|numel|bs|degree|width)$", str(_WHOLE)),
        (r"(?:code|port|seconds|secs|timeout|interval|attempts?|retries|version|bytes)$", str(_WHOLE)),
        (r"(?:gpu_id|gpu|pid|id|major|minor|limit|max|min|total|free|capacity|nnodes|world)$", str(_WHOLE)),
        (r"room|size_|bytes_", str(_WHOLE)),
        (r"^(?:n|num|max|min|len|total|bs|tp|dp|pp|ep)_|^(?:i|j|k|n|m|x|t|b|a|rc|ret|gen|g\d)$", str(_WHOLE)),
        (r"(?:path|dir|file|filename|folder|directory)$|^(?:path|file)", "/models/thing"),
        (r"(?:url|endpoint|addr|address|tcp)$", "tcp://192.0.2.7:30000"),
        (r"(?:host|ip|hostname|node)$", "192.0.2.7"),
        (r"device$", "cuda:3"),
        (r"^__name__$|cls|class", "Thing"),
        (r"(?:names|keys|list|files|devices|sorted|modes|types|backends|values|layouts|tuple|dict|args)$", _SEVERAL),
    )
)  # fmt: skip


def filled(wording: Wording) -> str:
    """The message with a value in every hole."""
    return "".join(value(piece) if isinstance(piece, Hole) else piece for piece in wording)


def value(hole: Hole) -> str:
    """What the hole prints."""
    plain = _plain(hole.source)
    if hole.spec:
        kind = hole.spec[-1]
        shown = _PART if kind in "eEfFgG%" else _WHOLE if kind in "bcdnoxX," else plain
        try:
            return format(shown, hole.spec)
        except ValueError:
            return plain
    quoted = hole.conversion == "r" and plain.replace("_", "").isalnum() and not plain.isdigit() and plain != "True"
    return repr(plain) if quoted else plain


def _plain(source: str) -> str:
    if source.endswith("_time"):
        return _CLOCK
    if source.replace(".", "", 1).isdigit():
        return source
    if _BOOLEAN.search(source):
        return "True"
    called = _CALLED.search(source)
    if source.startswith("type(") and called:
        return "<class 'int'>"
    if not called and _SUM.search(source) and "'" not in source:
        return str(_PART if "/" in source.replace("//", "") else _WHOLE)
    found = called or _LAST.search(source)
    name = found[1].lower() if found else ""
    kept = next((value for words, value in _VALUES if words.search(name)), "thing")
    return "this" if kept == _SEVERAL and source.endswith("]") else kept
