"""Makes hostile text harmless for where it is shown: terminals, GitHub Markdown, plain ASCII."""

from __future__ import annotations

import regex

# Control, format (bidi overrides, zero-width, tags), surrogate, and the two Unicode line ends.
_UNSEEN = regex.compile(r"[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]")
_COLOUR = regex.compile(r"\x1b\[[\d;:]*m")
_MARKUP = regex.compile(r"[\\`*_\[\]|~]")
# What begins a list, a heading or an underline where it begins a line; a number before `.` or `)` begins a list.
_OPENS_A_BLOCK = regex.compile(r"^(?:([-+](?:\s|$)|#{1,6}(?:\s|$)|[-=]+\s*$)|(\d{1,9})([.)](?:\s|$)))")
_REFERENCE = regex.compile(r"[@#](?=\w)|\b(?:GH|gh)-(?=\d)|:(?=[a-z_+-][\w+-]*:)")
_CALLS = regex.compile(r"@(?=\w)|<(?=[A-Za-z/!])")
_ADDRESS = regex.compile(r"(?i)(www)\.|(https?|ftp|mailto|xmpp):")
_BACKTICKS = regex.compile(r"`+")

_ASCII = str.maketrans("×÷−–—·←“”’✗│─├┤≈", 'x/---;<""\'X|-||~') | {ord("…"): "...", ord("→"): "->"}


def uncoloured(text: str) -> str:
    """`text` without the colours that it was printed in: in a quote they say nothing."""
    return str(_COLOUR.sub("", text))


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


def printable(text: str, encoding: str) -> str:
    r"""`text` as an encoding can print it: what it lacks by its usual stand-in, else as a `\u` escape."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        lacking = {ord(sign): stand_in for sign in set(text) if (stand_in := _stand_in(sign, encoding))}
        return text.translate(lacking).encode(encoding, "backslashreplace").decode(encoding)
    return text


def _stand_in(sign: str, encoding: str) -> str | None:
    try:
        sign.encode(encoding)
    except UnicodeEncodeError:
        found = _ASCII.get(ord(sign))
        return chr(found) if isinstance(found, int) else found
    return None


def markdown(text: str) -> str:
    """`text` as Markdown prose or table cell that renders as itself: no markup, HTML, link or mention comes of it."""
    quiet = _REFERENCE.sub(_apart, visible(text))
    quiet = quiet.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("$", "&#36;")
    quiet = _MARKUP.sub(r"\\\g<0>", quiet)
    quiet = _OPENS_A_BLOCK.sub(_no_block, quiet.lstrip())
    return str(_ADDRESS.sub(lambda m: f"{m[1]}&#46;" if m[1] else f"{m[2]}&#58;", quiet))


def _apart(match: regex.Match[str]) -> str:
    # GitHub links @name, #1 and GH-1 and draws :bug: after it has undone entities and escapes; only a zero-width space
    # keeps it from that.
    return f"{match[0]}\u200b"


def _no_block(match: regex.Match[str]) -> str:
    return f"\\{match[1]}" if match[1] else f"{match[2]}\\{match[3]}"


def inert(text: str) -> str:
    """`text` for a chat, which may draw HTML and calls whoever is `@named`: a zero-width space keeps it from both."""
    return str(_CALLS.sub(_apart, visible(text)))


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
