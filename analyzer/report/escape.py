"""Makes hostile text harmless for where it is shown: terminals, GitHub Markdown, plain ASCII."""

from __future__ import annotations

import regex

# Control, format (bidi overrides, zero-width, tags), surrogate, and the two Unicode line ends.
_UNSEEN = regex.compile(r"[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]")
_MARKUP = regex.compile(r"[\\`*_\[\]|~]")
_OPENS_A_BLOCK = regex.compile(r"^(\d*)([-+=#]|[.)]\s)")
_REFERENCE = regex.compile(r"([@#])(\w)")
_ADDRESS = regex.compile(r"(?i)(www)\.|(https?|ftp|mailto):")
_BACKTICKS = regex.compile(r"`+")

_ASCII = str.maketrans("×÷−–—·←“”’✗│─├┤≈", 'x/---;<""\'X|-||~') | {ord("…"): "...", ord("→"): "->"}


def visible(text: str) -> str:
    r"""`text` on one line with everything unseen spelled out: ESC as `\x1b`, a right-to-left override as `\u202e`."""
    return str(_UNSEEN.sub(_spelled, text.replace("\t", "  ")))


def _spelled(match: regex.Match[str]) -> str:
    character = match[0]
    return {"\n": r"\n", "\r": r"\r"}.get(character) or _code(ord(character))


def _code(number: int) -> str:
    if number <= 0xFF:  # noqa: PLR2004 - where Python's own spelling changes
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"  # noqa: PLR2004


def plain(text: str) -> str:
    r"""`text` in ASCII: typeset signs by their usual stand-ins, anything else as a `\u` escape."""
    return text.replace(" · ", "; ").translate(_ASCII).encode("ascii", "backslashreplace").decode("ascii")


def markdown(text: str) -> str:
    """`text` as Markdown prose or table cell that renders as itself: no markup, HTML, link or mention comes of it."""
    quiet = _REFERENCE.sub(_apart, visible(text))
    quiet = quiet.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("$", "&#36;")
    quiet = _MARKUP.sub(r"\\\g<0>", quiet)
    quiet = _OPENS_A_BLOCK.sub(r"\1\\\2", quiet.lstrip())
    return str(_ADDRESS.sub(lambda m: f"{m[1]}&#46;" if m[1] else f"{m[2]}&#58;", quiet))


def _apart(match: regex.Match[str]) -> str:
    # GitHub links @name and #1 after it has undone entities and escapes; only a zero-width space keeps it from that.
    return f"{match[1]}\u200b{match[2]}"


def code(text: str, *, in_table: bool = False) -> str:
    """`text` as an inline code span, its backticks one longer than any run inside."""
    shown = visible(text).replace("|", "\\|") if in_table else visible(text)
    ticks = "`" * (_longest(shown) + 1)
    return f"{ticks} {shown} {ticks}" if "`" in shown or not shown.strip() else f"`{shown}`"


def fenced(lines: list[str], language: str = "text") -> str:
    """Lines of a log as a code block whose fence is longer than any run of backticks inside."""
    body = [visible(line) for line in lines]
    fence = "`" * max(3, 1 + max(map(_longest, body), default=0))
    return "\n".join([fence + language, *body, fence])


def _longest(text: str) -> int:
    return max((len(run) for run in _BACKTICKS.findall(text)), default=0)
