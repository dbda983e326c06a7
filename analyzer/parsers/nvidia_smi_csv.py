"""`nvidia-smi --query-gpu=… --format=csv` and `--query-compute-apps=…`, with header, or without it after the echo."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from analyzer.events import GpuListed, GpuProcess
from analyzer.expression import lazy
from analyzer.parsers.block import Block
from analyzer.parsers.moments import moment
from analyzer.parsers.sizes import count, size, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.events import Event
    from analyzer.parsers.block import Around, Text
    from analyzer.units import Amount

KIND = "nvidia-smi-csv"
HEADS = ("index", "uuid", "name", "memory.", "utilization.", "pid", "timestamp", "gpu_", " MiB", "clocks")

_QUERY = lazy(r"--query-(?:gpu|compute-apps)[= ][\"']?([\w., ]{1,800})")
_PICKED = lazy(r"(?:\s-i[ =]?|\s--id[ =])[\"']?([\w:.,-]{1,300})")
_FIELD = lazy(r"([a-z][a-z0-9_.]{1,60})(?: \[(MiB|%|MHz|W)\])?$")
_KNOWN = lazy(
    r"(?:index|uuid|name|serial|count|timestamp|pstate|pid|process_name|driver_version|gpu_\w{2,20}|used_(?:gpu_)?memory|ecc\."
    r"|pci\.|memory\.|utilization\.|temperature\.|power\.|clocks|enforced|fan\.|compute_|persistence|mig\.|retired|remapped)"
)
_BITS = {
    0x4: "SW Power Cap",
    0x8: "HW Slowdown",
    0x10: "Sync Boost",
    0x20: "SW Thermal Slowdown",
    0x40: "HW Thermal Slowdown",
    0x80: "HW Power Brake Slowdown",
}
_MASK = lazy(r"0x[0-9a-fA-F]{1,16}$")
_ABSENT = lazy(r"\[?(?:N/A|Not Supported|Not Found|Unknown Error|Insufficient Permissions|GPU requires reset)\]?$|$")
_FORMS = (
    (("memory.", "used_memory", "used_gpu_memory"), lazy(r"\d{1,9}(?: MiB)?$", re.ASCII)),
    (("utilization.", "fan."), lazy(r"\d{1,3}(?: %)?$", re.ASCII)),
    (("index", "pid", "temperature.", "count"), lazy(r"\d{1,9}$", re.ASCII)),
)
_FEWEST = 2


def claims(head: str, around: Around) -> bool:
    """A header of fields that the tool knows, or a row of what the echoed command asked for."""
    return bool(_fields(head)) or _is_row(_asked(around), head)


def reads(lines: Sequence[Text], around: Around) -> Block:
    """One event per GPU or process."""
    headed = _fields(lines[0].text)
    fields = headed or _asked(around)
    picked = _PICKED.search(around.command[:2000])
    order = picked[1].split(",") if picked else []
    used = 1 if headed else 0
    events: list[Event] = []
    for line in lines[used:]:
        if not _is_row(fields, line.text) or _fields(line.text):
            break
        cells = dict(zip(fields, (cell.strip() for cell in line.text.split(",")), strict=False))
        place = len(events) % len(order) if order else len(events)
        cells["place"] = order[place] if order else str(place)
        events.append(_event(cells, line, around, lines[0].ref.line))
        used += 1
    return Block(max(used, 1), used, events)


def _fields(text: str) -> tuple[str, ...]:
    """The fields of a header, without their units; a single one counts where its unit stands beside it."""
    found = [_FIELD.match(cell.strip()) for cell in text[:2000].split(",")]
    named = tuple(field[1] for field in found if field and _KNOWN.match(field[1]))
    alone = len(found) < _FEWEST and not any(field and field[2] for field in found)
    return () if alone or len(named) < len(found) else named


def _asked(around: Around) -> tuple[str, ...]:
    """The fields of the query that was echoed, or that a banner quotes."""
    found = _QUERY.search(around.command[:2000]) or _QUERY.search(around.label)
    return tuple(found[1].replace(" ", "").split(",")) if found else ()


def _is_row(fields: tuple[str, ...], text: str) -> bool:
    """Whether a line has as many cells as fields, each of its field's form; a single field needs to have one."""
    cells = [cell.strip() for cell in text[:2001].split(",")]
    if not text.strip() or len(text) > 2000 or len(cells) != len(fields):  # noqa: PLR2004
        return False
    known = len(fields) >= _FEWEST or _form(fields[0]) is not None
    return known and "--query" not in text and all(map(_fits, fields, cells))  # the echo has as many commas


def _fits(field: str, cell: str) -> bool:
    form = _form(field)
    return form is None or form.match(cell) is not None or _ABSENT.match(cell) is not None


def _form(field: str) -> re.Pattern[str] | None:
    return next((form for names, form in _FORMS if field.startswith(names)), None)


def _event(cells: dict[str, str], line: Text, around: Around, snapshot: int) -> GpuListed | GpuProcess:
    stamp = moment(cells.get("timestamp", "").replace("/", "-"))
    where = (around.dated(stamp) if stamp else around).at(line)

    def sized(*names: str) -> Amount[Any] | None:
        text = next((cells[name] for name in names if name in cells), "")
        return size(text.removesuffix(" MiB"), line.ref, bare="MiB")

    def counted(name: str, unit: str = "count") -> Amount[Any] | None:
        return count(cells.get(name, "").split(" ")[0], line.ref, unit)

    if "pid" in cells:
        return GpuProcess(
            where=where,
            text=line.quoted,
            gpu=cells.get("gpu_bus_id", cells.get("gpu_uuid", "")),
            pid=whole(cells["pid"]) or 0,
            command=cells.get("process_name", cells.get("name", "")),
            used=sized("used_memory", "used_gpu_memory"),
            snapshot=snapshot,
        )
    return GpuListed(
        where=where,
        text=line.quoted,
        index=next(
            cells[name] for name in ("index", "pci.bus_id", "gpu_bus_id", "uuid", "gpu_uuid", "place") if name in cells
        ),
        name=cells.get("name", cells.get("gpu_name", "")),
        total=sized("memory.total"),
        used=sized("memory.used"),
        utilisation=counted("utilization.gpu", "percent"),
        temperature=counted("temperature.gpu"),
        clock=counted("clocks.sm") or counted("clocks.current.sm"),
        clock_limit=counted("clocks.max.sm"),
        throttle=", ".join(_reasons(cells)),
        ecc=counted("ecc.errors.uncorrected.volatile.total"),
        snapshot=snapshot,
    )


def _reasons(cells: dict[str, str]) -> list[str]:
    """What slows the GPU, from the mask of reasons and from the fields of single ones."""
    found: list[str] = []
    for name, value in cells.items():
        _, event, reason = name.partition("_reasons.")
        if event and reason == "active" and _MASK.match(value):
            found += [text for bit, text in _BITS.items() if int(value, 16) & bit]
        elif event and value == "Active" and "idle" not in reason:
            found.append(reason)
    return found
