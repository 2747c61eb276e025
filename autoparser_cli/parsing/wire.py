"""Marker text of a wire format -> expressions: literals, white space, and what stands in the slots."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from autoparser_cli.analysis.model import Escapes, MarkerText, ValueEncoding, Var
from autoparser_cli.peg.expressions import (
    Expression,
    Literal,
    Optional,
    Run,
    Same,
    Sequence,
    Slot,
    Space,
    Syntax,
)

_WHITE = " \t\r\n"
#: White space with a line break in it, white space at an end, and the place between two markers.
_CUTS = re.compile(r"([ \t\r]*\n[ \t\r\n]*|^[ \t]+|[ \t]+$|(?<=>)(?=<)|(?<=\])(?=\[))")
_ESCAPES = {Escapes.NONE: "none", Escapes.JSON: "json", Escapes.PYTHON: "python"}
_STRONG_LENGTH = 3
MISSING_ID = "missing-id"


@lru_cache(maxsize=2048)
def literal_items(text: str) -> tuple[Expression, ...]:
    """Return a text as literals and the white space between markers; the same texts come again and again."""
    items: list[Expression] = []
    for piece in _CUTS.split(text):
        if piece and piece.strip(_WHITE):
            if items and isinstance(items[-1], Literal):
                items.append(Space())
            items.append(Literal(piece))
        elif piece:
            items.append(Space(piece))
    return tuple(items)


def marker_items(text: MarkerText) -> list[Expression]:
    """Return marker text as expressions; a name or key in it repeats what was read before."""
    items: list[Expression] = []
    for position, piece in enumerate(text):
        if isinstance(piece, str):
            if position and piece[0] in "<[":
                items.append(Space())
            items += literal_items(piece)
        elif piece is Var.INDEX:
            items.append(Run("index", "[0-9]", "a number"))
        elif piece is Var.ID:
            items = _with_id(items, text, position)
        else:
            items.append(Same(Slot.KEY if piece is Var.KEY else Slot.TAG))
    return items


def _with_id(items: list[Expression], text: MarkerText, position: int) -> list[Expression]:
    """Return the items with the id behind them.

    A marker that is there only for the id may be missing with it.
    """
    run = id_run(text[position + 1 :])
    before = text[position - 1] if position else ""
    if not isinstance(before, str) or not is_strong(before):
        return [*items, run]
    own = literal_items(before)
    return [*items[: len(items) - len(own)], Optional(Sequence((*own, run)), missing=MISSING_ID)]


def id_run(behind: MarkerText) -> Expression:
    """Return the run of a call's id, which ends before what stands behind it."""
    stop = re.escape(behind[0][0]) if behind and isinstance(behind[0], str) else ""
    return Run("id", rf"[^\s<>\[\]{{}}\"{stop}]", "a call id")


def core(text: MarkerText) -> str:
    """Return the literal text of a marker up to its first slot, without white space at its ends."""
    return core_text(text).strip(_WHITE)


def core_text(text: MarkerText) -> str:
    """Return the literal text of a marker up to its first slot."""
    return text[0] if text and isinstance(text[0], str) else ""


def cores(text: MarkerText) -> str:
    """Return all literal text of a marker, each piece without white space at its ends."""
    return "".join(piece.strip() for piece in text if isinstance(piece, str))


def without_first_markers(text: MarkerText) -> list[MarkerText]:
    """Return marker text without its first marker, the first two ...: those that begin with a strong one."""
    shorter: list[MarkerText] = []
    markers = markers_of(core_text(text))
    rest = core_text(text)
    for marker, following in pairwise(markers):
        rest = rest[rest.index(following, rest.index(marker) + len(marker)) :]
        if is_strong(following):
            shorter.append((rest, *text[1:]))
    return shorter


def first_marker(text: str) -> str:
    """Return the first marker of a text: up to the first border between markers."""
    literals = [item.text for item in literal_items(text) if isinstance(item, Literal)]
    return literals[0] if literals else ""


def markers_of(text: str) -> tuple[str, ...]:
    """Return the markers of a text in order."""
    return tuple(item.text for item in literal_items(text) if isinstance(item, Literal))


def leading_white(text: str) -> str:
    """Return the white space that a text begins with."""
    return text[: len(text) - len(text.lstrip(_WHITE))]


def trailing_white(text: str) -> str:
    """Return the white space that a text ends with."""
    return text[len(text.rstrip(_WHITE)) :]


def is_strong(text: str) -> bool:
    """Tell whether a marker is unlikely to stand in prose by chance."""
    text = text.strip(_WHITE)
    return len(text) >= _STRONG_LENGTH and not text.isalnum()


def syntax_of(encoding: ValueEncoding) -> Syntax:
    """Return how an encoding writes values, as the matcher wants it."""
    return Syntax(
        quotes=encoding.quotes or (('"', '"'),),
        escapes=_ESCAPES[encoding.escapes] if encoding.quotes else "json",
        bare_keys=encoding.bare_keys,
        sorted_keys=encoding.sorted_keys,
        true=encoding.true,
        false=encoding.false,
        null=encoding.null,
    )


def without_last_space(items: list[Expression]) -> list[Expression]:
    """Return items without white space at their end."""
    return items[:-1] if len(items) > 1 and isinstance(items[-1], Space) else items
