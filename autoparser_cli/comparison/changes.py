"""Rendered pairs -> each change once, with all conversations that it is in.

Most changes of a template show in many conversations: what it says about tools, in every one with tools. An
edit is known again by its text and by what stands before it, so that templates that print few line breaks
are compared as well. Where a new edit stands beside known ones, the block is kept whole, and these are marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from autoparser_cli.comparison.model import RenderedPair
from autoparser_cli.diffing.lines import Block, Line, Place, Run, diff_lines, first_difference


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
        blocks = diff_lines(pair.old, pair.new, paired=True)
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
            self._blocks.append(tuple(_marked(block, new) if block.changed else block for block in blocks))
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
    return (edit for _, edit in _runs(side, line) if edit is not None)


def _runs(side: str, line: Line) -> Iterator[tuple[Run, _Edit | None]]:
    """Yield the runs of a line, each that has text of its own with the edit that it is."""
    before = ""
    for run in line.runs:
        yield run, (side, run.text, before[-_BEFORE:]) if run.changed and run.text else None
        before += run.text


def _marked(block: Block, new: frozenset[_Edit]) -> Block:
    """Mark the runs that are not new; a place where only the other side has text is as new as that text."""
    sides = (("old", block.left), ("new", block.right))
    runs = [pair for side, lines in sides for line in lines for pair in _runs(side, line)]
    numbers = frozenset(run.edit for run, edit in runs if edit in new)
    left, right = (tuple(_marked_line(side, line, new, numbers) for line in lines) for side, lines in sides)
    return Block(left, right, changed=True)


def _marked_line(side: str, line: Line, new: frozenset[_Edit], numbers: frozenset[int]) -> Line:
    def known(run: Run, edit: _Edit | None) -> bool:
        return run.changed and (run.edit not in numbers if edit is None else edit not in new)

    return Line(line.number, tuple(replace(run, known=known(run, edit)) for run, edit in _runs(side, line)))


def _place(blocks: Sequence[Block]) -> Place:
    """Return where a block's sides part, in lines of the new text, or else of the old one."""
    block = next(block for block in blocks if block.changed)
    texts = ["".join(line.text for line in side) for side in (block.left, block.right)]
    inside = first_difference(*texts)
    assert inside is not None
    return Place((block.right or block.left)[0].number + inside.line - 1, inside.column)
