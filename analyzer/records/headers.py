"""Record headers: SGLang's own with every rank prefix, uvicorn's, and the times that other writers print themselves."""

from __future__ import annotations

import re
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from analyzer.evidence import NO_RANK, Rank, Stamp

_DATE = r"\d{4}-\d\d-\d\d "
_TIME = r"\d\d:\d\d:\d\d(?:[.,]\d{1,6})?"
_RANKS = r"(?: (?:DP|PP|TP|EP|ATTN_CP|ATTN_TP|MOE_DP|CP)\d+){0,8}"
_WORDS = r"(?: [A-Za-z_.]+\d*(?:\[\d+\])?){0,8}"  # a fork's own words, ` encode_dp_worker[1]`, ` Mode.DECODE`

# Where a line begins, any words may follow the time; inside a line only SGLang's ranks may.
_START = re.compile(rf"\[((?:{_DATE})?{_TIME})({_WORDS})\] ?")
_INSIDE = re.compile(rf"\[((?:{_DATE}){_TIME})({_RANKS})\] ?")
_INSIDE_TIME = re.compile(rf"\[({_TIME})((?: (?:DP|PP|TP|EP)\d+){{0,4}})\] ")
_GPU = re.compile(r"\[gpu(?:_id)?=(\d+)\] ?")
_RANKED = re.compile(r"\[((?:(?:DP|PP|TP|EP|ATTN_CP|ATTN_TP|MOE_DP|CP)\d{1,6} ?){1,8})\] ?")  # a format without a time
_UVICORN = re.compile(r"(?:INFO|WARNING|ERROR|CRITICAL|DEBUG|TRACE): {2,6}\S")
_RANK = re.compile(r"([A-Z_]+)(\d+)")
_FIELDS = {"DP": "dp", "PP": "pp", "TP": "tp", "EP": "ep", "ATTN_CP": "attn_cp", "CP": "attn_cp", "MOE_DP": "moe_dp"}

# torch's C++ log, glog and vLLM print month, day and time; the year is the file's.
_TORCH = re.compile(r"(?:\[rank\d+\]:)?\[[EWIF](\d{1,2})(\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)? ")
_GLOG = re.compile(r"[IWEF](\d\d)(\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)? +\d+ [\w./-]+:\d+\] ")
_VLLM = re.compile(r"(?:INFO|WARNING|ERROR|DEBUG) (\d\d)-(\d\d) (\d\d:\d\d:\d\d) ")
_OTHERS = (("torch", _TORCH), ("glog", _GLOG), ("vllm", _VLLM))

# What stands before a header that is part of a text: a string's quote, or an escaped line break.
_INSIDE_STRING = ("'", '"', "\\n", "\\", "`", "(", "=")


class Header(NamedTuple):
    """A header found at `start`; the message begins at `end`. `stamp` is `None` where it prints no time."""

    start: int
    end: int
    stamp: Stamp | None
    rank: Rank
    name: str


def at_start(text: str) -> Header | None:
    """The header that the line begins with: dated, with a time only, with a GPU number only, or uvicorn's level."""
    if text.startswith("["):
        found = _START.match(text)
        if found:
            return _header(found, text)
        ranked = _RANKED.match(text)
        if ranked:
            return Header(0, ranked.end(), None, _rank(ranked[1]), "sglang")
        gpu = _GPU.match(text)
        return gpu and Header(0, gpu.end(), None, Rank(tp=int(gpu[1])), "sglang")
    if _UVICORN.match(text):
        return Header(0, 0, None, NO_RANK, "uvicorn")
    return None


def is_header(text: str) -> bool:
    """Whether the line begins with SGLang's header; quick, as it is asked of every line."""
    return text[:1] == "[" and _START.match(text) is not None


def header_stamp(text: str) -> Stamp | None:
    """The time in the header that the line begins with."""
    header = at_start(text)
    return header.stamp if header else None


def inside(text: str, begin: int, *, dated: bool) -> Header | None:
    """The next header at or after `begin`, glued to what another process wrote; not one inside a quoted string."""
    opening = "[2" if dated else "["
    expression = _INSIDE if dated else _INSIDE_TIME
    at = text.find(opening, begin)
    while at >= 0:
        found = expression.match(text, at)
        if found and not text.endswith(_INSIDE_STRING, 0, at):
            return _header(found, text)
        at = text.find(opening, at + 1)
    return None


def of_other_writer(text: str, year: int | None) -> tuple[str, Stamp] | None:
    """The name of another writer with a header of its own, and the time it printed; needs the year."""
    if year is None:
        return None
    text = text.lstrip()
    for name, expression in _OTHERS:
        found = expression.match(text)
        if found:
            try:
                hour, minute, second = map(int, found[3].split(":"))
                moment = datetime(year, int(found[1]), int(found[2]), hour, minute, second)
            except ValueError:
                return None
            return name, Stamp(text[found.start(1) : found.end(3)], moment)
    return None


def _header(found: re.Match[str], text: str) -> Header | None:
    stamp = _stamp(found[1])
    if stamp is None:
        return None
    name = "uvicorn" if _UVICORN.match(text, found.end()) else "sglang"
    return Header(found.start(), found.end(), stamp, _rank(found[2]), name)


@lru_cache(maxsize=1024)
def _stamp(text: str) -> Stamp | None:
    dated = text[4:5] == "-"
    plain = text.replace(",", ".")
    try:
        moment = datetime.fromisoformat(plain if dated else f"1900-01-01 {plain}")
    except ValueError:
        return None
    return Stamp(text, moment, dated=dated)


@lru_cache(maxsize=4096)
def _rank(words: str) -> Rank:
    found = {_FIELDS[name]: int(number) for name, number in _RANK.findall(words) if name in _FIELDS and len(number) < 7}  # noqa: PLR2004
    return Rank(**found) if found else NO_RANK
