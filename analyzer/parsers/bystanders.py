"""Lists of containers, pods or jobs: of those that are not the server's only the facts are taken, not the ends."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from analyzer.events import ExitCode, OrchestratorAct, ProbeFailed, Workload
from analyzer.expression import lazy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from analyzer.events import Event
    from analyzer.evidence import Where

ENDS = (ExitCode, OrchestratorAct, ProbeFailed)

# Programs that stand beside a server, by a word of their name or of their image: so do those that are named after it.
_BESIDE = """
router gateway proxy nginx envoy haproxy traefik caddy istio linkerd kong redis valkey memcached postgres postgresql
mysql mariadb mongo mongodb elasticsearch opensearch kibana rabbitmq kafka zookeeper nats etcd consul minio prometheus
grafana loki promtail alloy alertmanager thanos exporter dcgm cadvisor fluentd fluentbit fluent vector filebeat logstash
jaeger otel telegraf influxdb datadog netdata zabbix jupyter jupyterhub jupyterlab mlflow airflow celery wandb
ollama vllm tgi tei lmdeploy tritonserver
"""
# What belongs to the system, unless its name is the server's as well (`docker-sglang.service`).
_SYSTEM = """
pause coredns flannel calico cilium kubelet containerd dockerd docker snapd podman sshd ssh cron crond dbus polkit
udisks2 packagekit fwupd multipathd networkmanager modemmanager rsyslog journald logind resolved timesyncd networkd
udevd oomd earlyoom chronyd ntpd cups avahi bluetooth gdm gdm3 lightdm unattended apt dnf slurmd slurmctld munge nfs
rpcbind firewalld ufw postfix user session systemd
"""
_OF_BESIDE, _OF_SYSTEM = frozenset(_BESIDE.split()), frozenset(_SYSTEM.split())
_ID = lazy(r"[0-9a-f]{12,64}$|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
_DIGEST = lazy(r"(?:sha256:)?[0-9a-f]{12,64}$")
_WORDS = lazy(r"[^a-z0-9]+")


class Row(NamedTuple):
    """What a list says of one owner (`container redis`), and whether it is SGLang's server as far as that is told.

    An empty owner is a row of all, or of another kind of thing. `ids` and `argv` as `Workload` has them.
    """

    owner: str
    server: bool | None
    events: list[Event]
    ids: tuple[str, ...] = ()
    argv: tuple[str, ...] = ()


def of_server(rows: Iterable[Row], *, mentioned: bool = False) -> Iterator[Event]:
    """The events of rows, each marked with its owner; without the ends of other owners where one is SGLang's.

    Where no row says that it is, any of them may be the server. Rows without an owner stay as they are. `mentioned`
    as `Workload` has it: the rows are events, and no list of what there is.
    """
    known = list(rows)
    owned: dict[str, list[Row]] = {}  # there may be thousands of them
    for row in known:
        if row.owner:
            owned.setdefault(row.owner, []).append(row)
    servers = {row.owner for row in known if row.owner and row.server}
    for owner, own in owned.items():
        place = next((event for row in own for event in row.events), None)
        if place is not None:
            told = owner in servers or next((row.server for row in own if row.server is not None), None)
            ids = tuple(id_ for row in own for id_ in row.ids)
            argv = next((row.argv for row in own if row.argv), ())
            shown = workload(owner, place.where, place.text, server=told, ids=ids, argv=argv)
            yield replace(shown, mentioned=mentioned)
    for row in known:
        alone = bool(servers) and row.owner and row.owner not in servers
        for event in row.events:
            if not isinstance(event, ENDS):
                yield event
            elif not alone:
                yield replace(event, owner=event.owner or row.owner)


def workload(  # noqa: PLR0913 - all that a tool shows of it
    owner: str,
    where: Where,
    text: str,
    *,
    server: bool | None,
    ids: Iterable[str] = (),
    argv: tuple[str, ...] = (),
) -> Workload:
    """That a tool shows this owner; of its `ids` those count that are long enough to name one alone."""
    bare = (id_.rpartition("/")[2].rpartition(":")[2] for id_ in ids)  # containerd://…, sha256:…
    known = tuple(dict.fromkeys(id_ for id_ in bare if _ID.match(id_)))
    return Workload(where=where, text=text, owner=owner, server=server, ids=known, argv=argv)


def serves(name: str, image: str = "", command: str = "") -> bool | None:
    """Whether something is SGLang's server, by its image and its command before its name; `None` where none tells."""
    program = "" if _DIGEST.match(image) else image.partition("@")[0].rpartition("/")[2].partition(":")[0]
    if any("router" in text.lower() for text in (program, command, name)) or "sglang.bench" in command:
        return False
    if any("sglang" in text.lower() for text in (program, command)):
        return True
    words = _words(program or name)
    if words & _OF_BESIDE:
        return False
    if "sglang" in name.lower():
        return True
    return False if words & _OF_SYSTEM or _words(name) & _OF_BESIDE else None


def _words(name: str) -> set[str]:
    return {word for word in _WORDS.split(name.lower()[:300]) if word}
