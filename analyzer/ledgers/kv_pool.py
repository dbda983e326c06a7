"""The KV-pool ledger: what one rank's pool holds, what a token costs, and what more memory or HiCache would add."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer import events as ev
from analyzer.immutable import immutable
from analyzer.units import Amount, Byte, Per, Token, total

if TYPE_CHECKING:
    from analyzer.evidence import Ref
    from analyzer.incident import Host, Incident
    from analyzer.launches import Timed


@immutable
class DevicePool:
    """One rank's pool on the GPU; `per_token` from its own size and tokens, so right for any model and dtype."""

    tokens: Amount[Token] | None
    size: Amount[Byte] | None
    ref: Ref

    @property
    def per_token(self) -> Amount[Per[Byte, Token]] | None:
        """KV bytes per token and rank, as logged; `None` where the size is rounded to nothing."""
        if self.tokens is None or self.size is None or self.tokens.value <= 0 or self.size.value <= 0:
            return None
        size, tokens = self.size.called("KV pool of one rank"), self.tokens.called("tokens in it")
        return size.per(tokens).called("KV bytes per token")


def device_pool(incident: Incident, host: Host | None = None) -> DevicePool | None:
    """The target model's pool: the first that a rank announces (draft models print theirs later)."""
    pools = [t for t in incident.of(ev.KvPoolAllocated) if host is None or t.node == host.node]
    first = next((t for t in pools if t.event.tokens is not None), None)
    if first is None:
        printed = incident.first(ev.CapacityPrinted)
        return DevicePool(printed.event.tokens, None, printed.ref) if printed else None
    return DevicePool(first.event.tokens, _size(first), first.ref)


def _size(item: Timed[ev.KvPoolAllocated]) -> Amount[Byte] | None:
    event = item.event
    if event.kv_size is not None:
        return event.kv_size
    parts = [a for a in (event.k_size, event.v_size) if a is not None]
    return total(parts) if parts else None
