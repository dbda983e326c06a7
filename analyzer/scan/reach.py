"""How far a record reaches, in lines: the exact reading goes by it, and so does the compiled pass."""

from __future__ import annotations

from typing import Final

FURTHER: Final = 200  # lines of a message
MORE: Final = 400  # further lines of a record that stay: those of the longest traceback
HELD: Final = 16  # lines behind a traceback among which one may go on with it
STRANGERS: Final = 40  # lines of others within a traceback, after which it is over
