"""Two texts -> edits from the first character to the last: what both have, and what only the one or the other.

What differs is found line by line, then marker by marker, then to the character at both ends of a change, then word by
word. As with `split_diff`, no marker is cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from autoparser_cli.diffing.alignment import align
from autoparser_cli.diffing.segments import segment
from autoparser_cli.diffing.split import DiffSplit, split_diff

#: A text of the left, one of the right, and whether they are the same.
Edit = tuple[str, str, bool]

_PIECES = re.compile(r"[^\n]*\n|[^\n]+")
_WORDS = re.compile(r"\w+|[^\S\n]+|\n|[^\w\s]")


def line_pieces(text: str) -> list[str]:
    """Cut a text behind each line break."""
    found: list[str] = _PIECES.findall(text)
    return found


def edits(left: str, right: str) -> Iterator[Edit]:
    """Yield the edits from the first character to the last: whole lines, then what differs inside of them."""
    split = split_diff(left, right)
    start = split.prefix.rfind("\n") + 1
    end = len(split.suffix) - (split.suffix.find("\n") + 1) if "\n" in split.suffix else 0
    yield split.prefix[:start], split.prefix[:start], True
    yield from _line_edits(left[start : len(left) - end], right[start : len(right) - end])
    yield split.suffix[len(split.suffix) - end :], split.suffix[len(split.suffix) - end :], True


def _line_edits(left: str, right: str) -> Iterator[Edit]:
    for old, new, same in _aligned(line_pieces(left), line_pieces(right)):
        if same:
            yield old, new, True
        else:
            yield from _marker_edits(old, new)


def _marker_edits(left: str, right: str) -> Iterator[Edit]:
    """Compare markers, and the text between them: a conversation may be one line."""
    found = _aligned(_marker_tokens(left), _marker_tokens(right))
    for old, new, same in _without_coincidences(found):
        if same:
            yield old, new, True
            continue
        split = _without_letters(split_diff(old, new))
        yield split.prefix, split.prefix, True
        yield from _word_edits(split.left, split.right)
        yield split.suffix, split.suffix, True


def _aligned(old: list[str], new: list[str]) -> list[Edit]:
    return [
        ("".join(old[part.old_start : part.old_end]), "".join(new[part.new_start : part.new_end]), part.same)
        for part in align(old, new)
    ]


def _without_letters(split: DiffSplit) -> DiffSplit:
    """Take a single letter at either end into the change: two words that begin alike are two words."""
    prefix, left, right, suffix = split.prefix, split.left, split.right, split.suffix
    if len(prefix) == 1 and prefix.isalpha():
        prefix, left, right = "", prefix + left, prefix + right
    if len(suffix.strip()) == 1 and suffix[0].isalpha():
        left, right, suffix = left + suffix[0], right + suffix[0], suffix[1:]
    return DiffSplit(prefix, left, right, suffix)


def _word_edits(left: str, right: str) -> Iterable[Edit]:
    """Compare word by word; texts that have little in common are one change, not many small ones."""
    found = list(_without_coincidences(_aligned(_tokens(left), _tokens(right))))
    kept = sum(len(text) for text, _, same in found if same)
    return found if 2 * kept >= max(len(left), len(right)) else [(left, right, False)]


def _without_coincidences(found: list[Edit]) -> Iterator[Edit]:
    """Join changes that only a blank or a sign keeps apart: two texts share those by chance."""
    old = new = ""
    for left, right, same in found:
        if same and (old or new) and not _says_something(left):
            old, new = old + left, new + right
        elif same:
            if old or new:
                yield old, new, False
            yield left, right, True
            old = new = ""
        else:
            old, new = old + left, new + right
    if old or new:
        yield old, new, False


def _says_something(text: str) -> bool:
    return sum(char.isalnum() for char in text) > 1


def _marker_tokens(text: str) -> list[str]:
    tokens: list[str] = []
    for piece in segment(text):
        tokens += [piece.text] if piece.is_marker else line_pieces(piece.text)
    return tokens


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    for piece in segment(text):
        tokens += [piece.text] if piece.is_marker else _WORDS.findall(piece.text)
    return tokens
