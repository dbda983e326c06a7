"""Ports that are taken: which, for what, and by whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.events import Notice, PortListening, ProcessListed
from analyzer.vocabulary import Status
from tests.build import size, where
from tests.rules.answers import answers, failure, found, numbers

if TYPE_CHECKING:
    from analyzer.events import Failure

RULE = "port-in-use"
START = "python3 -m sglang.launch_server --model-path /m"
BIND = "[Errno 98] error while attempting to bind on address ('0.0.0.0', 30000): address already in use"
SERVER = ProcessListed(
    where=where(2, source="ps.txt"), pid=4100, parent=1, command=f"{START} --tp 2", elapsed=size("581 s", 2, "ps.txt")
)


def taken(detail: str = "30000", text: str = BIND) -> Failure:
    return failure(RULE, text, 91, "10:04:24", detail=detail)


def listens(port: int, pid: int, command: str = "python3") -> PortListening:
    return PortListening(where=where(2, source="ss.txt"), port=port, pid=pid, command=command)


def test_a_port_that_the_server_waits_for_or_passes_over_is_no_failure() -> None:
    assert answers(RULE, Notice(where=where(5, "10:00:00"), topic="port-busy", detail="30001")) == []


def test_the_holder_of_another_port_is_not_accused() -> None:
    assert found(RULE, taken(), outside=(listens(30001, 811, "nginx"),)).summary == "port 30000 (--port) is taken"


def test_a_stranger_that_holds_the_port_is_named() -> None:
    assert found(RULE, taken(), outside=(listens(30000, 811, "nginx"),)).summary == (
        "port 30000 (--port) is taken: pid 811 holds it (nginx)"
    )


def test_an_earlier_server_that_holds_the_port_is_named_with_its_age() -> None:
    verdict = found(RULE, taken(), outside=(listens(30000, 4100), SERVER))
    assert "an SGLang server that was started earlier" in verdict.summary
    assert numbers(verdict) == {"age of the process that holds it": 581}
    assert verdict.status is Status.ESTABLISHED


def test_a_port_that_the_server_chose_itself_is_told_from_the_one_that_was_asked_for() -> None:
    zmq = taken("tcp://127.0.0.1:30235", "zmq.error.ZMQError: Address already in use (addr='tcp://127.0.0.1:30235')")
    assert found(RULE, zmq).summary == "port 30235 (one that SGLang derives from --port 30000) is taken"


def test_the_rendezvous_s_port_is_named_as_such() -> None:
    argv = f"{START} --nnodes 2 --dist-init-addr 192.0.2.11:20000"
    assert found(RULE, taken("20000"), argv=argv).summary == "port 20000 (--dist-init-addr) is taken"


def test_the_port_that_is_offered_is_far_enough_and_free() -> None:
    remedy = found(RULE, taken(), outside=(listens(31000, 900),), argv=f"{START} --port 30000").remedy[1]
    assert remedy.after == "32000", "30000 + 1000 is taken, too"
    assert remedy.command_line == f"{START} --port 32000"
