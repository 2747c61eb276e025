"""Literals with places that vary: plain strings while they are compared, `MarkerText` once they are settled.

While two literals are compared, what varies is one private-use character each, so that prefixes and suffixes are those of strings.
"""

from __future__ import annotations

import re

from autoparser_cli.analysis.model import MarkerText, Var

SENTINELS = {
    Var.NAME: "\ue000",
    Var.ID: "\ue001",
    Var.KEY: "\ue002",
    Var.INDEX: "\ue003",
    Var.ARGUMENTS: "\ue004",
}
_VARS = {character: var for var, character in SENTINELS.items()}
_PIECES = re.compile(f"([{''.join(_VARS)}])")
_DIGITS = re.compile(r"(\d+)")


def marker_text(text: str) -> MarkerText:
    """Return a literal with its variables as values of their own."""
    return tuple(_VARS.get(piece, piece) for piece in _PIECES.split(text) if piece)


def plain_text(text: str) -> str:
    """Return a literal without its variables."""
    return _PIECES.sub("", text)


def shown_text(literal: MarkerText | str) -> str:
    """Return a literal for people, its variables in capitals."""
    if isinstance(literal, str):
        literal = marker_text(literal)
    return "".join(piece.value if isinstance(piece, Var) else piece for piece in literal)


def with_index(first: str, second: str) -> tuple[str, int] | None:
    """Compare the same literal of two neighbouring calls.

    Returns the literal with INDEX where a number counts up by one, and the number of the first; None where nothing counts.
    """
    left, right = _DIGITS.split(first), _DIGITS.split(second)
    if len(left) != len(right) or left[::2] != right[::2]:
        return None
    base: int | None = None
    pieces: list[str] = []
    for at, piece in enumerate(left):
        if at % 2 == 0 or piece == right[at]:
            pieces.append(piece)
        elif int(right[at]) - int(piece) == 1 and base in (None, int(piece)):
            base = int(piece)
            pieces.append(SENTINELS[Var.INDEX])
        else:
            return None
    return None if base is None else ("".join(pieces), base)
