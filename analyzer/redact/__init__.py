"""What must not leave: secrets are masked in every document, who and where in those that are to be passed on.

Works on the report before it is rendered, with one book of stand-ins for all texts; `leaks` then searches the finished
document, decoded and unwrapped, for every original.
"""

from __future__ import annotations

import shlex
from dataclasses import field, replace
from typing import TYPE_CHECKING, TypeVar

import regex

from analyzer.immutable import immutable
from analyzer.redact.forms import IDENTITIES, SECRETS
from analyzer.redact.inputs import FOR_NAMES, FOR_SECRETS, heads, pairs
from analyzer.redact.second_look import FOLD, readings, unwrapped
from analyzer.redact.stand_ins import COVER, StandIns
from analyzer.redact.walk import rewritten, texts_of

if TYPE_CHECKING:
    from analyzer.bundle import Source
    from analyzer.contract import Report

__all__ = ["Private", "leaks", "mask_secrets", "redact", "redact_texts"]


K = TypeVar("K")
_QUOTED_WHOLE = 400
_COVERED = regex.compile(f"{COVER}+")
# A prompt is met in the line that prints it.
_BY_ITSELF = frozenset({"secret"})


@immutable
class Private:
    """All that is known to be private: secrets and prompts; users, hosts, addresses and folders."""

    secrets: StandIns = field(default_factory=lambda: StandIns(SECRETS))
    identities: StandIns = field(default_factory=lambda: StandIns(IDENTITIES))

    def learn(self, sources: list[Source], *, names: bool) -> None:
        """Reads the beginnings of the inputs: a report may hold a secret or a name without what says that it is one.

        `names` also looks for users, hosts, addresses and folders, and further in.
        """
        for text in heads(sources, FOR_NAMES if names else FOR_SECRETS):
            lines = pairs(text)
            self.secrets.read(*lines, kinds=_BY_ITSELF)
            if names:
                self.identities.read(*lines)

    def cover(self, lines: dict[K, str]) -> dict[K, str]:
        """Lines of the same length whose secrets and prompts are gone, so that they can be cut anywhere.

        Those that are short enough to be quoted whole come back as they are.
        """
        long = {key: text for key, text in lines.items() if len(text) > _QUOTED_WHOLE}
        self.secrets.read(*long.values())
        return lines | {key: self._covered(text) for key, text in long.items()}

    def _covered(self, text: str) -> str:
        for start, end in self.secrets.spans(text):
            text = f"{text[:start]}{COVER * (end - start)}{text[end:]}"
        return text

    def originals(self) -> dict[str, list[str]]:
        """What each stand-in stands for; secrets and prompts are left out."""
        used = [made for by_name in self.identities.used.values() for made in by_name.items()]
        return {name: sorted(originals) for name, originals in used}


def mask_secrets(report: Report, known: Private | None = None) -> Report:
    """The report without secrets, prompts and token ids: `--api-key secret-1`. Applied to every report."""
    book = (known or Private()).secrets
    return rewritten(_through(report, book), lambda text: str(_COVERED.sub("[masked]", text)))


def redact(report: Report, known: Private | None = None) -> tuple[Report, Private]:
    """The report without secrets, users, hosts, addresses and private folders, and what is known to be private.

    `known` holds what was learned from the inputs. Line numbers, figures, ids and the names of arguments stay.
    """
    book = known or Private()
    masked = mask_secrets(report, book)
    for name in [*(host.name for host in masked.hosts), *(launch.server.host or "" for launch in masked.launches)]:
        book.identities.name("host", name)
    for path in _absolute(masked.tool.command):
        book.identities.name("model", path)
    clean = _through(masked, book.identities)
    counts = {kind: len(names) for kind, names in (book.secrets.used | book.identities.used).items()}
    return replace(clean, tool=replace(clean.tool, redacted=counts)), book


def redact_texts(texts: list[str], known: Private, *, names: bool) -> list[str]:
    """Other texts that leave with a report, by the same stand-ins; secrets and prompts alone without `names`.

    What they name is known from here on: the report is redacted after them.
    """
    for book in (known.secrets, known.identities)[: 2 if names else 1]:
        book.read(*texts)
        texts = list(map(book.rewriter(texts), texts))
        texts = [_over_line_ends(text, book) for text in texts]
    return texts


def _over_line_ends(text: str, book: StandIns) -> str:
    """The text without what a terminal broke in two: a stand-in, then the line end."""
    for original in book.left_in(unwrapped(text)):
        stand_in = book.rewriter([original])(original)
        broken = regex.compile(FOLD.join(map(regex.escape, original)), regex.IGNORECASE)
        text = broken.sub(lambda found, made=stand_in: made + "\n" * found[0].count("\n"), text)
    return text


def leaks(document: str, known: Private) -> list[str]:
    """The originals that a finished document still holds, in whatever escapes and line breaks."""
    books = (known.secrets, known.identities)
    return sorted({left for text in readings(document) for book in books for left in book.left_in(text)})


def _absolute(command: str) -> list[str]:
    """The absolute paths on a command line: its folders say whose the inputs are as those of a model do."""
    try:
        words = shlex.split(command)
    except ValueError:  # a text that no shell wrote
        words = command.split()
    return [word for word in words if word.startswith("/")]


def _through(report: Report, book: StandIns) -> Report:
    texts = texts_of(report)
    book.read(*texts)
    return rewritten(report, book.rewriter(texts))
