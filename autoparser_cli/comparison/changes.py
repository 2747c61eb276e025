"""Rendered pairs -> each change once, with all conversations that it is in.

Most changes of a template show in many conversations: what it says about tools, in every one with tools. An
edit is known again by its text and by what stands before it, so that templates that print few line breaks
are compared as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from autoparser_cli.comparison.model import RenderedPair
from autoparser_cli.diffing.lines import Block, Line, Place, diff_lines, first_difference


@dataclass(frozen=True, slots=True)
class TextChange:
    """A changed block between the equal ones around it, as the first of the `conversations` has them.

    `place` is where it begins there, in the new text where that has lines of the block.
    """

    blocks: tuple[Block, ...]
    place: Place
    conversations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """What is said where only one template renders the `conversations`; an empty error stands for a text."""

    error_old: str
    error_new: str
    conversations: tuple[str, ...]


#: An edit is the same one where this much of the text before it is the same, too.
_BEFORE = 12

_Edit = tuple[str, str, str]


def text_changes(pairs: Iterable[RenderedPair]) -> tuple[TextChange, ...]:
    """Return the changes of all pairs that rendered twice, in the order found.

    A block all of whose edits have been seen is no change of its own: its conversation joins those of the
    changes that had them.
    """
    found = _Changes()
    for pair in pairs:
        if pair.old is None or pair.new is None:
            continue
        blocks = diff_lines(pair.old, pair.new)
        for at, block in enumerate(blocks):
            if block.changed:
                found.add(blocks[max(at - 1, 0) : at + 2], _edits(block), pair.conversation)
    return found.all()


class _Changes:
    """The changes found so far, and which of them first had each edit."""

    def __init__(self) -> None:
        self._blocks: list[tuple[Block, ...]] = []
        self._places: list[Place] = []
        self._conversations: list[dict[str, None]] = []
        self._first: dict[_Edit, int] = {}

    def add(self, blocks: tuple[Block, ...], edits: frozenset[_Edit], conversation: str) -> None:
        """Add a changed block, in the middle of `blocks`."""
        new = edits - self._first.keys()
        if new:
            self._first.update(dict.fromkeys(new, len(self._blocks)))
            self._blocks.append(tuple(_trimmed(block, new) if block.changed else block for block in blocks))
            self._places.append(_place(blocks))
            self._conversations.append({})
        for edit in edits:
            self._conversations[self._first[edit]][conversation] = None

    def all(self) -> tuple[TextChange, ...]:
        """Return the changes in the order found."""
        return tuple(
            TextChange(blocks, place, tuple(names))
            for blocks, place, names in zip(self._blocks, self._places, self._conversations, strict=True)
        )


def refusals(pairs: Iterable[RenderedPair]) -> tuple[Refusal, ...]:
    """Return what one template renders and the other does not, by what is said."""
    found: dict[tuple[str, str], list[str]] = {}
    for pair in pairs:
        if (pair.old is None) != (pair.new is None):
            found.setdefault((pair.error_old, pair.error_new), []).append(pair.conversation)
    return tuple(Refusal(old, new, tuple(names)) for (old, new), names in found.items())


def _edits(block: Block) -> frozenset[_Edit]:
    sides = (("old", block.left), ("new", block.right))
    return frozenset(edit for side, lines in sides for line in lines for edit in _line_edits(side, line))


def _line_edits(side: str, line: Line) -> Iterator[_Edit]:
    before = ""
    for run in line.runs:
        if run.changed:
            yield side, run.text, before[-_BEFORE:]
        before += run.text


def _trimmed(block: Block, new: frozenset[_Edit]) -> Block:
    """Leave out the lines before the first and behind the last new edit: what they show was shown before."""
    left = _trimmed_lines("old", block.left, new)
    return Block(left, _trimmed_lines("new", block.right, new), changed=True)


def _trimmed_lines(side: str, lines: tuple[Line, ...], new: frozenset[_Edit]) -> tuple[Line, ...]:
    fresh = [at for at, line in enumerate(lines) if not new.isdisjoint(_line_edits(side, line))]
    return lines[fresh[0] : fresh[-1] + 1] if fresh else lines


def _place(blocks: Sequence[Block]) -> Place:
    """Return where a block's sides part, in lines of the new text, or else of the old one."""
    block = next(block for block in blocks if block.changed)
    texts = ["".join(line.text for line in side) for side in (block.left, block.right)]
    inside = first_difference(*texts)
    assert inside is not None
    return Place((block.right or block.left)[0].number + inside.line - 1, inside.column)
