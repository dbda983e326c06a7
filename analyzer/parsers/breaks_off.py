"""Whether a log stops in the middle of what its writer was writing: a copy that was cut, a disk that was full."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.expression import lazy

if TYPE_CHECKING:
    from collections.abc import Sequence

LOOKED_AT = 400  # lines before the last with which it is compared
_HEADER = lazy(r"\[(?:gpu|TP|DP|PP|20\d\d-?|\d\d:)[\d :,.TDPE=_-]{0,40}$")
_FRAME = lazy(r'\s+File "[^"]*(?:", line \d+(?:, in .*)?)?$')
_OPENED = lazy(r"(?:server_args=ServerArgs\(|server_args=\{).{20}")
_DIGITS = lazy(r"\d+(?:\.\d+)?")
_GOES_ON = (",", ":", "=", "(", "#", "-")
_LEAST = 12  # characters of a line that is told to be the beginning of another


def breaks_off(texts: Sequence[str], *, ended: bool) -> bool:
    """Whether the last of these lines is incomplete; `ended` where a line end follows it.

    A line is whole where one like it stands before. It is not where it is a header that never closes, an argument
    list without its end, a frame of a traceback that never names its exception, the beginning of a wording that
    stands before in full, or stops behind a blank.
    """
    last = next((text for text in reversed(texts) if text.strip()), "")
    if _FRAME.match(last):
        return True
    if ended or not last:
        return False
    if last.endswith("�") or _HEADER.match(last) or (last.startswith("[") and last.endswith(" ")):
        return True
    opened = _OPENED.search(last)
    if opened:
        return not last.rstrip().endswith((")", "}"))
    if len(last) < _LEAST or not (last.startswith("[") or last.endswith(_GOES_ON) or last.count("[") > last.count("]")):
        return False  # what another process wrote without a line end looks like a longer line of the same wording
    shape = _shape(last)
    before = [_shape(text) for text in texts[-LOOKED_AT:-1]]
    return shape not in before and any(other.startswith(shape) for other in before)


def _shape(text: str) -> str:
    return _DIGITS.sub("0", text.rstrip())
