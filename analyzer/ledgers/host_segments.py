"""What Mooncake's store takes of the host beside the pools: the segments that a server lends to the cluster."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from analyzer import events as ev
from analyzer import units

if TYPE_CHECKING:
    from analyzer.evidence import Ref
    from analyzer.incident import Host, Incident
    from analyzer.units import Amount, Byte

_VARIABLE = "env.MOONCAKE_GLOBAL_SEGMENT_SIZE"
_SHARED_SINCE = "0.5.3"  # before, every rank lent the whole size
_LONGEST = 65536


def segments(incident: Incident, host: Host) -> Amount[Byte] | None:
    """The segments of all local ranks; `None` where the store is not Mooncake's or no size is told."""
    if str(incident.arguments.get("hicache_storage_backend")) != "mooncake":
        return None
    size, ranks = _size(incident), incident.ranks(host)
    if size is None or ranks is None or size.value <= 0:
        return None
    if incident.launch.release.certainly_before(_SHARED_SINCE):
        return (size.called("segment of one rank") * ranks).called("Mooncake's segments on the host")
    tp, pp = (incident.arguments.count(name, 1) or 1 for name in ("tp_size", "pp_size"))
    replica = units.counted(tp * pp, tuple(units.lines_of(ranks)), "ranks of a replica").called("ranks that share them")
    share = (size.called("segments of a replica") / replica).called("segment of one rank")
    return (share * ranks).called("Mooncake's segments on the host")


def _size(incident: Incident) -> Amount[Byte] | None:
    """From the backend's own configuration, else from the environment."""
    ref = incident.arguments.ref("hicache_storage_backend_extra_config")
    told = _setting(incident.arguments.get("hicache_storage_backend_extra_config"), "global_segment_size")
    if told is not None and ref is not None:
        return _read(told, ref)
    fact = next((t for t in incident.of(ev.Fact) if t.event.name == _VARIABLE), None)
    return _read(fact.event.value, fact.ref) if fact is not None else None


def _setting(config: Any, key: str) -> str | None:
    """One value of a configuration, which is a dict or JSON (a `@file` is not at hand)."""
    if isinstance(config, str):
        try:
            config = json.loads(config[:_LONGEST])
        except ValueError:
            return None
    value = config.get(key) if isinstance(config, dict) else None
    return None if value is None else str(value)


def _read(text: str, ref: Ref) -> Amount[Byte] | None:
    """Mooncake's `gb` are GiB; a bare number is bytes."""
    plain = text.strip().lower()
    unit = "GiB" if plain.endswith("gb") else "B"
    try:
        return units.read(plain.removesuffix("gb").strip(), unit, ref)
    except ValueError:
        return None
