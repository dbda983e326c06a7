"""What the compiled functions are given: kinds of lines, and tables of addresses.

Every text, array and table is given by its address; whoever makes one of these tuples holds on to what lies there.
"""

from __future__ import annotations

from typing import Final, NamedTuple

# What a line is: for the exact reading, a row under its own time, a row at the time before it, nothing at all, a user's
# text behind the words that say whose, a message that patterns claim or that looks like an error, a line without a
# header of which `flags` say what it is, the first or a further line of a traceback, one that goes on the row before
# it, or an empty one.
LEFT, DATED, UNDATED, SILENT, SAID, SPOKEN, HUSHED, OPENS, WITHIN, JOINED, BLANK = range(11)
# What has to be learned before a line can be told. The last two are asked for when it was told: what its shape is, by
# which others are told sooner, or for the line alone.
NOTHING, A_DAY, A_RANK, A_FORM, A_TAIL, A_WORDING, A_HUSH, A_SPEAKER, A_SHAPE, ITSELF = range(10)

UNKNOWN: Final = -2  # the number of a text that was never seen
REFUSED: Final = -3  # the number of lines that look like a traceback, and are more than that
FLAG: Final = -1  # the decimals of a value that is `True` or `False`
SHAPED: Final = 64  # the shapes of the wording's lines may be learned
ALIKE: Final = 128  # with ASK: what a line is depends on where its digits stand, not on which they are
FLAG_BITS: Final = 8  # of the number of a wording without a header; above them stands that of its form
ROW_BITS: Final = 24  # of a pair's key that are the further line's wording, below those of its row
MESSAGES: Final = 1 << 30  # from here on a pair's row is a message that says nothing, by the number of its wording
BEFORE: Final = (1 << ROW_BITS) - 1  # in place of a wording: whether a traceback belongs to the row
SPREAD: Final = 0x9E3779B97F4A7C15  # spreads the keys of pairs over their slots, which are told by the highest bits
OPENING: Final = 20  # bytes: `[2025-11-02 10:15:42`
LEVEL: Final = 32  # bytes from one level's text to the next


class Lexicon(NamedTuple):
    """Texts and the number of each: text `n` is the bytes from `starts[n]` on.

    `slots`, `mask` and one of them, find a text by its hash.
    """

    mask: int
    texts: int
    starts: int
    sizes: int
    numbers: int
    slots: int


class Forms(NamedTuple):
    """Forms of batch lines, so many of them: one entry for each, and one for each of its values.

    `texts` holds the fixed texts, `before` and `behind` where each begins and how long it is. `first` are the first
    eight bytes of a form, `table` the number of its table, `fields` its first value and the one behind its last.
    Of a value, `places` are its decimals, `column` is where it goes (below zero: nowhere), `factor` its unit.
    """

    length: int
    texts: int
    first: int
    table: int
    before: int
    fields: int
    behind: int
    places: int
    column: int
    factor: int


class Words(NamedTuple):
    """Lines by their shape, with zeros for their digits; by their wording, without them; or each by itself.

    The numbers have the flags of `scan.silence` in the lowest bits, and above them the number of the form.
    """

    shapes: Lexicon
    wordings: Lexicon
    exact: Lexicon


class Pairs(NamedTuple):
    """Whether a further line changes nothing in a row, by the number of `key`: `answers` beside the `keys`.

    A key's place is told by `shift`, and below `mask` it is the next that is free; a key below zero is none.
    """

    shift: int
    mask: int
    keys: int
    answers: int


class Learned(NamedTuple):
    """All that the exact reading has told: days as two words with their midnights, ranks, forms, tails, wordings.

    `heads` are the words that batch lines begin with; `levels` the texts of the levels of access lines. `messages` are
    those behind a header, `hushes` lines without one. `speakers` are the beginnings of requests and answers, `headed`
    and `bare` tracebacks behind a header and without.
    """

    day_count: int
    days: int
    midnights: int
    ranks: Lexicon
    head_count: int
    heads: int
    forms: Forms
    levels: int
    level_sizes: int
    plain: Lexicon
    coloured: Lexicon
    messages: Words
    hushes: Words
    speakers: Lexicon
    headed: Lexicon
    bare: Lexicon
    pairs: Pairs


class Lines(NamedTuple):
    """One entry for each line: where it ends, what it is, what has to be learned for it, where its message begins.

    `message` is zero without a plain header; `seconds` and `label` are of that header. Line `n` begins at `ends[n]` and
    ends before `ends[n + 1]`. `flags` are those of `scan.silence`, of lines without headers that say nothing, or
    nothing but events. `form` is the number of what the line says among those of its kind, below zero where it has
    none: of a batch line zero, of an access line one more than that of its tail, of a line that gives events, or a
    message, that of what is said with it.
    """

    length: int
    ends: int
    kind: int
    ask: int
    message: int
    seconds: int
    label: int
    flags: int
    form: int


class Found(NamedTuple):
    """The rows: row `r` of table `t` is line `lines[t, r]`, and `values[t, r, 1:]` what it says, NaN where nothing.

    The first value is the number of its form. The last table is of access lines: their `form` says all. There is room
    for `room` rows of `width` values in each.
    """

    tables: int
    width: int
    room: int
    counts: int
    lines: int
    values: int


class Rows(NamedTuple):
    """The rows of one table, with room for `room` of `width` values.

    They have line numbers, byte offsets, seconds, and labels of ranks, below zero for none. `columns` are the numbers
    that their values have in `Found`; of access lines the only value is the number of their tail.
    """

    width: int
    room: int
    columns: int
    number: int
    start: int
    label: int
    seconds: int
    values: int


class Bared(NamedTuple):
    """Room for lines without their wrappers: their `text`, where each ends, the number and the time of each wrapper.

    The number is below zero for a line that has none of those that are known. `seconds` are NaN where the wrapper tells
    no time; else `midnights` has, by its number, when its day begins. `columns` say where a line's text begins with its
    wrapper. In `key` stands what a wrapper is known by, with seven bytes behind it; in `state` how long that was last,
    in JSON as far as the text, and the wrapper that is to be learned (`asks`). `learns` unless further ones are no
    longer asked for.
    """

    learns: int
    text: int
    ends: int
    wrapper: int
    seconds: int
    columns: int
    midnights: int
    key: int
    state: int


class Place(NamedTuple):
    """The number of a chunk's first line, and where its text begins in the stream."""

    number: int
    start: int
