"""Messages are told apart by what they are for, and by whether a log ever sees them."""

from __future__ import annotations

import pytest

from analyzer.coverage.groups import Group, group
from analyzer.coverage.messages import messages
from analyzer.coverage.release import Module


def of(source: str, module: str = "srt/managers/scheduler.py") -> Group | None:
    (message,) = messages(Module(module, source))
    return group(message)


@pytest.mark.parametrize(
    ("source", "module"),
    [
        ("logger.error(e)", "srt/managers/scheduler.py"),
        ("print('Load weight end.')", "srt/managers/scheduler.py"),
        ("logger.info('Profiling done.')", "srt/managers/scheduler.py"),
        ("def update_weights():\n    logger.info(f'Update weights begin. avail mem={x}')", "srt/managers/scheduler.py"),
        ("try:\n    raise ValueError('inside')\nexcept ValueError:\n    pass", "srt/managers/scheduler.py"),
        ("raise fastapi.HTTPException('no such route')", "srt/entrypoints/http_server.py"),
        ("raise ValueError('n must be positive')", "srt/entrypoints/openai/protocol.py"),
        ("raise ValueError('n must be positive')", "srt/managers/io_struct.py"),
    ],
)
def test_what_no_log_sees_or_only_informs_has_no_group(source: str, module: str) -> None:
    assert of(source, module) is None


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("logger.info(f'Load weight begin. avail mem={x:.2f} GB')", Group.LAUNCH),
        ("logger.info(f'max_total_num_tokens={x}, context_len={y}')", Group.LAUNCH),
        ("logger.info(f'Decode batch. #running-req: {n}, gen throughput (token/s): {t}')", Group.BATCH),
        ("logger.warning('Cache not flushed')", Group.WARNING),
        ("logger.exception('it broke')", Group.ERROR),
        ("raise ValueError('--page-size must divide 64')", Group.DECISIVE),
        ("assert x, 'page_size must be positive'", Group.INNER),
    ],
)
def test_a_message_has_the_group_of_its_kind(source: str, expected: Group) -> None:
    assert of(source) == expected


def test_every_group_says_what_it_holds() -> None:
    assert all(known.sentence for known in Group)
