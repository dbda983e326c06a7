"""Everything this program raises on purpose, each with the exit code it ends in."""

from __future__ import annotations


class PostmortemError(Exception):
    """Base of all; its message is shown to the user without a traceback."""

    exit_code = 1


class UsageError(PostmortemError):
    """The command line asks for something that cannot be done."""

    exit_code = 2


class UnreadableError(PostmortemError):
    """A path or archive member that could not be read; the rest of the input goes on."""

    exit_code = 6


class StoppedError(PostmortemError):
    """The reading was interrupted before anything had been read."""

    exit_code = 130


class LeakError(PostmortemError):
    """A redacted document still holds something private; it is not written."""


class PatternError(PostmortemError):
    """A pattern file is wrong; the message names file, pattern and key."""

    exit_code = 2


class KnowledgeError(PostmortemError):
    """A shipped fact file is wrong."""
