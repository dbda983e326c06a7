"""The server's own first request."""

from __future__ import annotations

from analyzer.events import Fact, ServerReady
from analyzer.vocabulary import Status
from tests.build import where
from tests.rules.answers import answers, failure, found, raised

RULE = "warmup-failed"
SAID = failure(RULE, "Initialization failed. warmup error: Traceback (most recent call last):", 20, "10:05:00")


def env(name: str, value: str, line: int) -> Fact:
    return Fact(where=where(line, source="env.txt"), name=f"env.{name}", value=value)


def answer(status: int) -> object:
    return raised("AssertionError", f"res=<Response [{status}]>, res.text=''", 20, "10:05:00", process="main")


def test_a_server_that_came_up_is_not_asked() -> None:
    assert answers(RULE, SAID, ServerReady(where=where(30, "10:10:00"))) == []


def test_a_status_that_sglang_gives_accuses_no_proxy() -> None:
    verdict = found(RULE, SAID, answer(500), outside=(env("http_proxy", "http://proxy.example:3128", 1),))
    assert verdict.status is Status.ESTABLISHED
    assert "something between" not in verdict.summary
    assert verdict.not_known == ("why the first request failed",)


def test_a_proxy_that_spares_the_loopback_is_not_mentioned() -> None:
    outside = (env("http_proxy", "http://proxy.example:3128", 1), env("no_proxy", "localhost,127.0.0.1", 2))
    assert "no_proxy spares" not in found(RULE, SAID, answer(502), outside=outside).summary


def test_a_502_comes_from_something_between() -> None:
    verdict = found(RULE, SAID, answer(502), outside=(env("http_proxy", "http://proxy.example:3128", 1),))
    assert verdict.status is Status.SUPPORTED
    assert verdict.summary.endswith("http_proxy is set and no_proxy spares no loopback")
    assert "no_proxy=localhost" in verdict.remedy[0].action


def test_an_answer_that_is_no_json_is_not_sglang_s() -> None:
    thread = failure(RULE, "Exception in thread Thread-1 (_wait_and_warmup):", 20, "10:05:00")
    wrong = raised("json.decoder.JSONDecodeError", "Expecting value", 21, "10:05:00", process="")
    assert "something between answered" in found(RULE, thread, wrong).summary
