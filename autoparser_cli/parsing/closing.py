"""What models write in place of a call's closing markers -> the ways to go on all the same.

A closing marker that is doubled, another one than printed, or cut short needs a guess: only lenient parsers
have these ways. What is skipped is kept as unparsed text.
"""

from __future__ import annotations

from collections.abc import Iterable

from autoparser_cli.analysis.model import CallFormat, MarkerText
from autoparser_cli.parsing.wire import is_strong, markers_of
from autoparser_cli.peg.expressions import (
    Choice,
    Expression,
    Goto,
    Literal,
    Mark,
    Not,
    Peek,
    Rest,
    Run,
    Sequence,
    Space,
    Span,
)

MISSING_CALL_END = "missing-call-end"
DOUBLED_CLOSE = "doubled-closing-marker"
WRONG_CLOSE = "wrong-closing-marker"
EXTRA_BRACKET = "extra-closing-bracket"


def closing_markers(format_: CallFormat, ending: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the markers that close a call or its section, those left out that end the turn too."""
    texts = [_literals(format_.per_call_end), format_.section_end]
    found = [marker for text in texts for marker in markers_of(text) if is_strong(marker)]
    return tuple(dict.fromkeys(marker for marker in found if marker not in set(ending)))


def doubled_close(marker: str, state: str) -> Expression:
    """Return the way over a closing marker that was there already."""
    skipped = Span("skipped", Literal(marker))
    return Sequence((Space(), skipped, Mark("repair", DOUBLED_CLOSE), Goto(state)))


def tolerant_close(printed: list[Expression], markers: tuple[str, ...], *, whole: bool) -> Expression:
    """Return the end of a call: as printed, or whatever stands in its place.

    `markers` are those that may come behind it, which are not wrong ones. `whole`: what is before it shows
    that the call is complete; otherwise more arguments may follow, or have been cut off, and only one of
    `markers` tells that none do.
    """
    close = Sequence(tuple(printed))
    own = tuple(item.text for item in printed if isinstance(item, Literal))
    others = [Not(Literal(marker)) for marker in markers if marker not in own]
    tag = Sequence((Literal("<"), Run("inside", r"[^<>\n]", "a tag"), Literal(">")))
    wrong = (Peek(Literal("</")), Span("skipped", tag), Mark("repair", WRONG_CLOSE))
    brackets = Span("skipped", Run("brackets", r"[\]}]", "a bracket"))
    absent = Mark("repair", MISSING_CALL_END)
    known = tuple(Literal(marker) for marker in markers if marker not in own)
    ways: tuple[Expression, ...] = (
        close,
        Sequence((Space(), *wrong, Space(), close)),
        Sequence((Space(), *others, *wrong)),
        Sequence((Space(), brackets, Mark("repair", EXTRA_BRACKET), Space(), close)),
    )
    if whole:
        return Choice((*ways, Sequence((Rest(own), absent)), absent))
    return Choice((*ways, Sequence((Space(), Peek(Choice(known)), absent))) if known else ways)


def _literals(text: MarkerText) -> str:
    return "".join(piece for piece in text if isinstance(piece, str))
