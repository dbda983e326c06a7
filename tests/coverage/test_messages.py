"""Every place of a source file that prints is found, with what it may say there."""

from __future__ import annotations

import pytest

from analyzer.coverage.filling import filled
from analyzer.coverage.messages import Message, messages
from analyzer.coverage.release import Module


def found(source: str) -> list[Message]:
    return messages(Module("srt/managers/scheduler.py", source))


def texts(source: str) -> list[str]:
    return [filled(wording) for message in found(source) for wording in message.wordings]


@pytest.mark.parametrize(
    "source",
    ["logger.debug('not shown')", "math.info('x')", "logger.info()", "raise", "raise error", "assert x", "def (", "\0"],
)
def test_what_prints_nothing_is_no_message(source: str) -> None:
    assert found(source) == []


@pytest.mark.parametrize("source", ["logger.info(text)", "raise ValueError(3)", "raise NotImplementedError()"])
def test_what_has_no_fixed_text_has_no_wording(source: str) -> None:
    assert [message.worded for message in found(source)] == [False]


@pytest.mark.parametrize(
    ("source", "level", "text"),
    [
        ("logger.info('Load weight begin.')", "info", "Load weight begin."),
        ("logging.warn('careful now')", "warning", "careful now"),
        ("warnings.warn('careful now')", "warning", "careful now"),
        ("self.logger.exception('it broke')", "error", "it broke"),
        ("logger.critical('%d of %s', num_done, name)", "error", "3 of thing"),
        ("log_info_on_rank0(logger, 'only once')", "info", "only once"),
        ("print_warning_once('only once')", "warning", "only once"),
        ("print('one', 'two')", "print", "onetwo"),
        ("assert size > 0, 'size must be positive'", "raise", "size must be positive"),
    ],
)
def test_a_call_that_prints_gives_its_level_and_its_text(source: str, level: str, text: str) -> None:
    (message,) = found(source)
    assert message.level == level
    assert [filled(wording) for wording in message.wordings] == [text]


def test_a_raise_names_its_class_as_a_traceback_does() -> None:
    source = "class Gone(Exception): ...\nraise Gone('it went')\nraise ValueError('no')\nraise zmq.ZMQError('closed')"
    assert [message.type for message in found(source)] == [
        "sglang.srt.managers.scheduler.Gone",
        "ValueError",
        "zmq.ZMQError",
    ]


def test_a_message_is_put_together_from_its_pieces() -> None:
    source = """
def report(self, more):
    msg = f"Decode batch, #running-req: {num_running}"
    if more:
        msg += f", #queue-req: {len(queue)}"
    logger.info(msg)
"""
    assert texts(source) == ["Decode batch, #running-req: 3, #queue-req: 3", "Decode batch, #running-req: 3"]


def test_branches_are_alternatives_and_an_early_end_is_none() -> None:
    source = """
def check(x):
    if x:
        msg = "first of all"
    elif y:
        msg = "second to that"
        return
    else:
        msg = "third at last"
    raise ValueError(msg)
"""
    assert texts(source) == ["first of all", "third at last"]


def test_a_name_that_is_assigned_anew_means_the_new_text_only() -> None:
    assert texts("msg = 'old text'\nmsg = 'new text'\nlogger.error(msg)") == ["new text"]
    assert texts("msg = 'old text'\nmsg = make()\nlogger.error(f'failed: {msg}')") == ["failed: it did not work"]


def test_what_the_same_function_catches_is_marked() -> None:
    source = """
def work():
    try:
        raise ValueError("inside")
    except (KeyError, ValueError):
        pass
    try:
        raise RuntimeError("passed on")
    except RuntimeError:
        raise
    raise ValueError("outside")
"""
    assert [(filled(message.wordings[0]), message.caught) for message in found(source)] == [
        ("inside", True),
        ("passed on", False),
        ("outside", False),
    ]


def test_a_method_that_only_asks_for_a_subclass_is_left_out() -> None:
    assert (
        found("class Base:\n    def f(self):\n        'Says.'\n        raise NotImplementedError('subclass me')") == []
    )


def test_a_message_knows_its_place() -> None:
    (message,) = found("class Scheduler:\n    def run(self):\n        logger.error('it broke')")
    assert (message.place, message.function, message.folder) == (
        "srt/managers/scheduler.py:3",
        "Scheduler.run",
        "managers",
    )
