"""Two texts -> where they part, quoted from the beginning of the marker that they part in."""

from __future__ import annotations

import re

#: How much is quoted, and how far back a marker may begin.
_LENGTH = 40
_BACK = 24
_OPENING = re.compile(r"[<\[\n][^<>\[\]\s]*$")


def parting(one: str, other: str) -> tuple[str, str]:
    """Return both texts from where they part on, shortened, as quoted texts."""
    at = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    at = min(len(one), len(other)) if at is None else at
    opening = _OPENING.search(one[max(0, at - _BACK) : at])
    if opening is not None:
        at -= len(opening[0].lstrip("\n"))
    return _quoted(one[at:]), _quoted(other[at:])


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _LENGTH else f"{text[:_LENGTH]}…")
