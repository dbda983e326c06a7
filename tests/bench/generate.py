"""Logs to measure with: a server that serves for hours, and one that crashes, in the wording of three releases.

Made from a seed alone, a block at a time, so that a log of any size costs no memory.
"""

from __future__ import annotations

import json
import random
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

_START = datetime(2026, 2, 17, 10, 0, 0)
_RANKS = ([""], [f" TP{n}" for n in range(4)], [f" DP{n} TP{n} EP{n}" for n in range(8)])
_BLOCK = 5000  # lines
_WORDS = (
    "please explain why the cache is out of memory while a batch decodes: error 500, {'a': 1} [x] naïve 你好".split()  # noqa: SIM905 - reads better
)
_FRAMES = (
    "Traceback (most recent call last):",
    '  File "/opt/sglang/srt/managers/scheduler.py", line 2884, in run_scheduler_process',
    "    scheduler.event_loop_overlap()",
    '  File "/opt/sglang/srt/models/deepseek_v2.py", line 1912, in forward',
    "    hidden_states = layer(positions, hidden_states)",
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.96 GiB.",
)
_BAR = "\rLoading safetensors checkpoint shards:  {0}% Completed | {1}/163 [00:07<01:03, {2:.2f}it/s]"
_TUNED = "  triton_mm_{0} {1:.4f} ms {2:.1%} ACC_TYPE='tl.float32', BLOCK_K=64, num_warps=4"
_TERMINATED = "terminate called after throwing an instance of 'c10::DistBackendError'"
# As in stacks of real logs a function's offset is always the same, and its address another in each process.
_NATIVE = "frame #{0}: c10d::ProcessGroupNCCL::HeartbeatMonitor::runLoop() + 0x{1:x} (0x{2:x} in libtorch_cuda.so)"
_OFFSETS = [0x5B + 977 * n for n in range(60)]
_PROCESSES = [0x7F0000000000 + 0x3A7B5000 * n for n in range(64)]


def _decode(chance: random.Random, release: int) -> str:
    running, tokens, usage = chance.randrange(256), chance.randrange(900_000), chance.random()
    rate, queue = chance.random() * 9000, chance.randrange(400)
    if release == 0:  # 0.4.6
        return f"Decode batch. #running-req: {running}, #token: {tokens}, token usage: {usage:.2f}, gen throughput (token/s): {rate:.2f}, #queue-req: {queue}, "
    if release == 1:  # 0.5.9
        return f"Decode batch, #running-req: {running}, #token: {tokens}, token usage: {usage:.2f}, accept len: {1 + usage:.2f}, accept rate: {usage:.2f}, cuda graph: {queue < 390}, gen throughput (token/s): {rate:.2f}, #queue-req: {queue}"
    return f"Decode batch [{tokens}], #running-req: {running}, #full token: {tokens}, full token usage: {usage:.2f}, pre-allocated usage: {usage:.2f}, #prealloc-req: 0, #transfer-req: 3, #retracted-req: 0, cuda graph: True, gen throughput (token/s): {rate:.2f}, #queue-req: {queue}"


def _prefill(chance: random.Random, release: int) -> str:
    new, cached, usage, queue = chance.randrange(8192), chance.randrange(5000), chance.random(), chance.randrange(400)
    dot = "." if release == 0 else ","
    end = ", " if release == 0 else f", cuda graph: False, input throughput (token/s): {new * 9.5:.2f}"
    return f"Prefill batch{dot} #new-seq: 3, #new-token: {new}, #cached-token: {cached}, token usage: {usage:.2f}, #running-req: 9, #queue-req: {queue}{end}"


def _access(chance: random.Random) -> str:
    path, status = ("/health", "200 OK") if chance.random() < 0.1 else ("/v1/chat/completions", "200 OK")
    return f'INFO:     10.0.{chance.randrange(256)}.7:{chance.randrange(1024, 65535)} - "POST {path} HTTP/1.1" {status}'


def serving(chance: random.Random, second: int, release: int) -> str:
    """A line, or one record of several, of a log that is steady state for the most part."""
    head = f"[{_START + timedelta(seconds=second)}{chance.choice(_RANKS[release])}] "
    kind = chance.random()
    if kind < 0.46:
        return head + _decode(chance, release)
    if kind < 0.59:
        return head + _prefill(chance, release)
    if kind < 0.97:
        return _access(chance)
    if kind < 0.973:
        return head + f"Receive: obj=GenerateReqInput(text='{' '.join(chance.choices(_WORDS, k=2000))}')"
    if kind < 0.9995:
        return head + f"radix cache evict {chance.randrange(999)} pages"
    return "\n".join([head + "Scheduler hit an exception: " + _FRAMES[0], *_FRAMES[1:], ""])


def crashing(chance: random.Random, second: int, release: int) -> str:
    """The same of a log that is mostly headerless: bars, tuning spam, stacks, exact repeats."""
    kind = chance.random()
    if kind < 0.25:
        return serving(chance, second, release)
    if kind < 0.5:
        return _BAR.format(chance.randrange(100), 7, 2.31)
    if kind < 0.75:
        return f"  triton_mm_{chance.randrange(99)} 0.0{chance.randrange(999)} ms {chance.randrange(99)}.9% ACC_TYPE='tl.float32', BLOCK_K=64, num_warps=4"
    if kind < 0.95:
        return _TERMINATED
    return "\n".join(_FRAMES)


def in_a_row(chance: random.Random, second: int, release: int) -> str:
    """The same with lines of one kind in a row, as crashes leave them: every rank's stack, bars, the lines of a tuning."""
    kind, count = chance.random(), chance.randrange(1, 60)
    if kind < 0.4:
        return "\n".join(serving(chance, second, release) for _ in range(count))
    if kind < 0.55:
        return "\n".join(_BAR.format(n, n * 163 // count, chance.random() * 9) for n in range(count))
    if kind < 0.65:
        return "\n".join(
            _TUNED.format(chance.randrange(99), chance.random(), chance.random()) for _ in range(4 * count)
        )
    if kind < 0.8:
        return "\n".join([_TERMINATED] * (1 + count // 8))
    if kind < 0.9:
        base = chance.choice(_PROCESSES)
        return "\n".join(_NATIVE.format(n, _OFFSETS[n], base + _OFFSETS[n]) for n in range(count))
    stamp = f"[{_START + timedelta(seconds=second)}"
    return "\n".join(f"{stamp} TP{n}] Scheduler hit an exception: " + "\n".join(_FRAMES) for n in range(8))


def in_compose(chance: random.Random, second: int, release: int) -> str:
    """The serving mix behind the name that docker compose puts before each line."""
    return _behind("sglang-1  | ", serving(chance, second, release))


def in_cri(chance: random.Random, second: int, release: int) -> str:
    """The serving mix as a container runtime of Kubernetes keeps it."""
    time = f"{_START + timedelta(seconds=second):%Y-%m-%dT%H:%M:%S}.{chance.randrange(10**9):09d}Z"
    return _behind(f"{time} stderr F ", serving(chance, second, release))


def in_docker(chance: random.Random, second: int, release: int) -> str:
    """The serving mix as docker keeps it by itself: what is no error of the server's goes to the other stream."""
    time = f"{_START + timedelta(seconds=second):%Y-%m-%dT%H:%M:%S}.{chance.randrange(10**9):09d}Z"
    lines = serving(chance, second, release).split("\n")
    streams = ("stdout" if line.startswith("INFO:") else "stderr" for line in lines)
    texts = (json.dumps(f"{line}\n", ensure_ascii=False) for line in lines)
    return "\n".join(
        f'{{"log":{text},"stream":"{stream}","time":"{time}"}}' for text, stream in zip(texts, streams, strict=True)
    )


def _behind(wrapper: str, text: str) -> str:
    return wrapper + text.replace("\n", f"\n{wrapper}")


MIXES: dict[str, Callable[[random.Random, int, int], str]] = {
    "serving": serving,
    "serving in compose": in_compose,
    "serving in cri": in_cri,
    "serving in docker json-file": in_docker,
    "crash": crashing,
    "crash in a row": in_a_row,
}


def write(path: Path, mix: str, size: int, seed: int = 7) -> None:
    """Writes a log of about `size` bytes."""
    with path.open("wb") as file:
        for block in _blocks(MIXES[mix], size, seed):
            file.write(block)


def _blocks(line: Callable[[random.Random, int, int], str], size: int, seed: int) -> Iterator[bytes]:
    chance = random.Random(seed)  # noqa: S311 - the same log every time
    written = blocks = 0
    while written < size:
        release, first = blocks % 3, blocks * _BLOCK // 50
        block = "".join(line(chance, first + n // 50, release) + "\n" for n in range(_BLOCK)).encode()
        yield block
        written += len(block)
        blocks += 1
