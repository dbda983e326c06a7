"""The model could not be fetched from its hub.

What it is. A name that is no folder is looked up on a hub. The hub refuses (a gated or private model, no token),
limits the rate, does not know the name, or cannot be reached (no network, a proxy, offline mode without a cached
copy).

How it shows. `401`/`403`/`404`/`429 Client Error … huggingface.co`, `GatedRepoError`, `RepositoryNotFoundError`, `We
couldn't connect to`, `Max retries exceeded`, `offline mode is enabled`, before the weights are loaded.

What it is mistaken for. A wrong local path: `/models/X` that does not exist is looked up on the hub as well, and the
error then speaks of the hub. Requests for optional files that end in 404 are harmless.

What confirms and refutes it. `hf download NAME --dry-run` (or `curl -I
https://huggingface.co/MODEL_NAME/resolve/main/config.json`) from the same container with the same token.

How it is fixed. A token with access (HF_TOKEN), the right name, a mirror (HF_ENDPOINT), or a copy on disk that
--model-path names.

Since and until which release. Any.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer.ledgers.spoken import AFTER_A_CRASH, decisive, from_lines, in_time, survived, while_launching
from analyzer.rule import rule
from analyzer.verdict import Cleared, Confirm, Remedy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer import events as ev
    from analyzer.incident import Incident
    from analyzer.launches import Timed
    from analyzer.verdict import Verdict

_TOPIC = "model-download-failed"
_FOLDERS = ("/", "./", "../", "~")
_LIMITED = 429
_REFUSED = {
    401: "no token, or one that is not valid",
    403: "a token without access to this model",
    404: "no such model",
}
_CONFIRM = (
    Confirm(
        "curl -sI https://huggingface.co/MODEL_NAME/resolve/main/config.json",
        "whether the hub answers from here, and with which code",
        where="container",
    ),
    Confirm(
        "env | grep -E 'HF_|HUGGING|_proxy'", "which token, mirror, proxy and offline mode are set", where="container"
    ),
)


@rule(_TOPIC, explains=(*AFTER_A_CRASH, "checkpoint-unreadable"))
def failed(incident: Incident) -> Iterator[Verdict]:
    """The hub's refusal that ended the launch."""
    lines = in_time(while_launching(incident, decisive(incident, _TOPIC)))
    if not lines:
        yield from survived(incident, _TOPIC)
        return
    if _local(incident, lines):
        yield Cleared("the path is a local one: the hub was only asked because it is not there", (lines[0].ref,))
        return
    code = next((int(t.event.code.value) for t in lines if t.event.code is not None), None)
    gated = any("gated" in t.event.text.lower() for t in lines)
    found = from_lines(lines, remedy=_remedies(code, gated=gated), confirm=_CONFIRM)
    yield replace(found, summary=f"the model could not be fetched: {_what(lines[0].event, code)}")


def _local(incident: Incident, lines: list[Timed[ev.Failure]]) -> bool:
    """Whether a folder was meant, and is what is missing."""
    names = [str(incident.arguments.get("model_path") or ""), lines[0].event.detail]
    return any(name.startswith(_FOLDERS) for name in names) and bool(decisive(incident, "checkpoint-unreadable"))


def _what(event: ev.Failure, code: int | None) -> str:
    said = event.detail or event.text[:160]
    if code in _REFUSED:
        return f"the hub answers {code} ({_REFUSED[code]}): {said}"
    if code == _LIMITED:
        return f"the hub limits the rate (429): {said}"
    return said


def _remedies(code: int | None, *, gated: bool) -> tuple[Remedy, ...]:
    if code == _LIMITED:
        fix = "download once with a token (anonymous requests share one limit), and start all nodes from that copy"
    elif code in _REFUSED or gated:
        fix = "check the model's name; accept its terms on the hub and pass a token that may read it (HF_TOKEN)"
    else:
        fix = "give the container a way to the hub (network, proxy, HF_ENDPOINT for a mirror)"
    return (
        Remedy("fix", fix),
        Remedy(
            "mitigate", "download the model elsewhere and name the folder: --model-path /path", argument="model_path"
        ),
        Remedy("prevent", "keep models on storage of your own and start with HF_HUB_OFFLINE=1"),
    )
