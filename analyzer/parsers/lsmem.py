"""`lsmem`, the memory that is online, and `dmidecode -t memory`, the modules that are installed.

Both count what the kernel keeps for itself: `free` of the same host prints a smaller total, which is taken before them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from analyzer.events import Fact, HostNote
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.sizes import count, size
from analyzer.units import total

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text
    from analyzer.units import Amount

KIND = "lsmem"
HEADS = ("RANGE ", "# dmidecode ", "Handle 0x", "Memory block size:", "Total online memory:")

_TABLE = lazy(r"RANGE +SIZE +STATE(?: +(?:REMOVABLE|BLOCK|NODE|ZONES)){0,4}$")
_RANGE = lazy(r"0x[0-9a-f]{4,16}-0x[0-9a-f]{4,16} +\d[\d.]{0,8}[KMGTP]? +(?:online|offline)\b")
_SUM = lazy(r"(Memory block size|Total (?:online|offline) memory): +(\d[\d.]{0,20}[BKMGTP]?)$", re.ASCII)
_TITLE = lazy(r"# dmidecode \d[\d.]{0,8}$")
_HANDLE = lazy(r"Handle 0x[0-9A-Fa-f]{2,8}, DMI type (\d{1,3}), \d{1,4} bytes$")
_INTRO = lazy(
    r"(?:Getting SMBIOS data|SMBIOS [\d.]+ present|Scanning /dev/mem|Table at 0x|\d{1,5} structures occupying)"
)
_MODULES_ONLY = lazy(r"(?:^|[/ ])dmidecode (?:-q )?(?:-t|--type)[ =]?17 *$")
_FIELD = lazy(r"\t{1,2}([A-Z][\w /()-]{1,60}):(?: (.{0,300}))?$")
_LISTED = lazy(r"\t\t\S")
_NAMES = frozenset(
    {"Physical Memory Array", "Memory Device", "Memory Array Mapped Address", "Memory Device Mapped Address"}
)
_ARRAY, _MODULE = "16", "17"
_UNITS = {"KB": "KiB", "kB": "KiB", "MB": "MiB", "GB": "GiB", "TB": "TiB"}  # as the SMBIOS standard means them


def claims(head: str, _around: Around) -> bool:
    """The table's header or a sum of `lsmem`; the title or the first handle of `dmidecode`, if it is on memory."""
    line = head.rstrip()[:400]
    handle = _HANDLE.match(line)
    on_memory = handle is not None and handle[1] in {_ARRAY, _MODULE}
    return on_memory or any(form.match(line) is not None for form in (_TABLE, _SUM, _TITLE))


def reads(lines: Sequence[Text], around: Around) -> Block:
    """The host's memory as a note where all of it is listed."""
    first = lines[0].text.rstrip()[:400]
    return _online(lines, around) if _TABLE.match(first) or _SUM.match(first) else _installed(lines, around)


def _online(lines: Sequence[Text], around: Around) -> Block:
    events: list[Event] = []
    used = 0
    for number, line in enumerate(lines, 1):
        text = line.text.rstrip()[:400]
        found = _SUM.match(text)
        if found and found[1] == "Total online memory":
            memory = size(found[2], line.ref)
            events += [HostNote(where=around.at(line), text=line.quoted, memory=memory)] if memory is not None else []
        elif text and not (found or _RANGE.match(text) or (number == 1 and _TABLE.match(text))):
            break
        used = number if text else used
    return Block(max(used, 1), used, events)


def _installed(lines: Sequence[Text], around: Around) -> Block:
    """The modules' sizes together; of all, where as many are listed as the arrays have places, or all were asked."""
    kind, places, modules = "", 0, 0
    sizes: list[Amount[Any]] = []
    first: Text | None = None
    used = 0
    for number, line in enumerate(lines, 1):
        text = line.text.rstrip()[:400]
        handle, pair = _HANDLE.match(text), _FIELD.match(text)
        if handle:
            kind = handle[1]
            modules += kind == _MODULE
        elif pair and kind == _ARRAY and pair[1] == "Number Of Devices":
            devices = count(pair[2] or "", line.ref)
            places += int(devices.value) if devices is not None else 0
        elif pair and kind == _MODULE and pair[1] == "Size" and (module := _module(pair[2] or "", line)) is not None:
            sizes.append(module)
            first = first or line
        elif text and not (pair or _LISTED.match(text) or text in _NAMES or _TITLE.match(text) or _INTRO.match(text)):
            break
        used = number if text else used
    if first is None:
        return Block(max(used, 1), used, [])
    where, text, whole = around.at(first), first.quoted, total(sizes)
    if modules == places if places else _MODULES_ONLY.search(around.command[:400]):
        return Block(used, used, [HostNote(where=where, text=text, memory=whole.called("memory installed"))])
    fact = Fact(where=where, text=text, name="memory.modules-listed", value=str(len(sizes)), amount=whole)
    return Block(used, used, [fact])


def _module(text: str, line: Text) -> Amount[Any] | None:
    """The size of one module; `None` where a place is empty."""
    number, _, unit = text.partition(" ")
    return size(number, line.ref, bare=_UNITS[unit]) if unit in _UNITS else None
