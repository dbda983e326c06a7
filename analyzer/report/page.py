"""Lines of terminal text: labelled rows, hanging paragraphs and headings that fit any width, encoding and background.

Everything is cleaned here on its way in, so that no text of a log reaches a terminal in any other way.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from analyzer.immutable import immutable
from analyzer.report.escape import plain, visible

if TYPE_CHECKING:
    from collections.abc import Iterable

LABEL = 15
Part = str | tuple[str, str]


@immutable
class Look:
    """How a page is shown: columns, whether colours may be used, and whether only ASCII can be printed."""

    width: int = 100
    color: bool = False
    ascii: bool = False

    def glyph(self, typeset: str, simple: str) -> str:
        """The sign for this page."""
        return simple if self.ascii else typeset


def text_of(parts: Iterable[Part], look: Look) -> Text:
    """Parts joined into one text: a part is a string or (string, style)."""
    text = Text()
    for part in parts:
        words, style = (part, "") if isinstance(part, str) else part
        text.append(clean(words, look), style)
    return text


def clean(words: str, look: Look) -> str:
    """`words` as this page may show them."""
    return plain(visible(words)) if look.ascii else visible(words)


def row(label: str, parts: Iterable[Part], look: Look, most: int | None = None, style: str = "bold") -> list[Text]:
    """A label in the left column and a text beside it in at most `most` lines; a text that is cut ends in `…`."""
    lines = wrapped(text_of(parts, look), look.width - LABEL, look, most)
    heads = [labelled(label, look, style), *(labelled("", look) for _ in lines[1:])]
    return [head + line for head, line in zip(heads, lines, strict=True)]


def labelled(label: str, look: Look, style: str = "bold") -> Text:
    """The left column of a line, to be added to; its style ends with it."""
    return Text.assemble((clean(label[: LABEL - 1], look).ljust(LABEL), style))


def paragraph(parts: Iterable[Part], look: Look, indent: int = 0, hang: int = 0) -> list[Text]:
    """A text whose first line stands at `indent` and whose others stand `hang` further in."""
    lines = wrapped(text_of(parts, look), look.width - indent - hang, look)
    return [Text(" " * (indent + (hang if n else 0))) + line for n, line in enumerate(lines)]


def quote(before: Iterable[Part], text: str, look: Look, indent: int = 0) -> list[Text]:
    """A quoted text after its place; every line of a longer one on its own line."""
    first, *more = text.split("\n")
    page = paragraph([*before, first], look, indent, 2)
    return page + [line for rest in more for line in paragraph([rest], look, indent + 2, 2)]


def sided(parts: Iterable[Part], side: str, look: Look, indent: int = 0, hang: int = 0) -> list[Text]:
    """A paragraph with a note at the right edge of its last line, or below it where there is no room."""
    lines = paragraph(parts, look, indent, hang)
    if not side:
        return lines
    note = Text(clean(side, look), "dim")
    room = look.width - lines[-1].cell_len - note.cell_len
    if room >= 2:  # noqa: PLR2004 - a gap that can be seen
        return [*lines[:-1], lines[-1] + Text(" " * room) + note]
    return lines + paragraph([(side, "dim")], look, indent + hang, 2)


def heading(title: str, look: Look) -> list[Text]:
    """An empty line, then the title with a rule to the right edge."""
    rule = look.glyph("─", "-")
    lines = paragraph([(f"{rule * 2} {title}", "bold")], look, 0, 3)
    return [Text(), *lines[:-1], lines[-1] + Text(f" {rule * (look.width - lines[-1].cell_len - 1)}")]


def wrapped(text: Text, width: int, look: Look, most: int | None = None) -> list[Text]:
    """`text` folded into lines of `width` cells."""
    lines = list(text.wrap(_RULER, max(width, 10), overflow="fold")) or [Text()]
    if most is not None and len(lines) > most:
        ending = look.glyph("…", "...")
        last = lines[most - 1]
        last.truncate(max(width, 10) - len(ending))
        lines = [*lines[: most - 1], last + Text(ending)]
    return lines


def printed(lines: Iterable[Text], look: Look) -> str:
    """The page as one string, with ANSI colours of the terminal's own palette where they are wanted."""
    out = io.StringIO()
    console = Console(
        file=out,
        width=look.width + 1,
        force_terminal=look.color,
        color_system="standard" if look.color else None,
        no_color=not look.color,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        _environ={},
    )
    for line in lines:
        line.rstrip()
        console.print(line, no_wrap=True, overflow="ignore", crop=False)
    return out.getvalue()


_RULER = Console(file=io.StringIO(), width=100, _environ={})
