"""Rendered pairs -> each change once, with all conversations that it is in.

Most changes of a template show in many conversations: what it says about tools, in every one with tools. An
edit is known again by its text and by what stands before it, so that templates that print few line breaks
are compared as well. Where a new edit stands beside known ones, the block is kept whole, and these are marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from autoparser_cli.comparison.model import RenderedPair
from autoparser_cli.diffing.lines import Block, Line, Place, Run, diff_lines, first_difference
from autoparser_cli.frozen import frozen


@frozen
class TextChange:
    """A changed block between the equal ones around it, as the first of the `conversations` has them.

    `place` is where it begins there, in the new text where that has lines of the block.
    """

    blocks: tuple[Block, ...]
    place: Place
    conversations: tuple[str, ...]


@frozen
class Refusal:
    """What is said where only one template renders the `conversations`; an empty error stands for a text.

    `lines` are those of the template that raised, around the place.
    """

    error_old: str
    error_new: str
    conversations: tuple[str, ...]
    lines: tuple[str, ...] = ()


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
                found.add(blocks[max(at - 1, 0) : at + 2], pair.conversation)
    return found.all()


class _Changes:
    """The changes found so far, and which of them first had each edit."""

    def __init__(self) -> None:
        self._blocks: list[tuple[Block, ...]] = []
        self._places: list[Place] = []
        self._conversations: list[dict[str, None]] = []
        self._first: dict[_Edit, int] = {}

    def add(self, blocks: tuple[Block, ...], conversation: str) -> None:
        """Add the changed one of `blocks`; equal ones may stand before and behind it."""
        edited = _Edited(blocks)
        edits = edited.edits()
        new = edits - self._first.keys()
        if new:
            self._first.update(dict.fromkeys(new, len(self._blocks)))
            self._blocks.append(tuple(edited.marked(new) if block.changed else block for block in blocks))
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
    found: dict[tuple[str, str], list[RenderedPair]] = {}
    for pair in pairs:
        if (pair.old is None) != (pair.new is None):
            found.setdefault((pair.error_old, pair.error_new), []).append(pair)
    return tuple(
        Refusal(old, new, tuple(pair.conversation for pair in same), same[0].lines_old or same[0].lines_new)
        for (old, new), same in found.items()
    )


class _Edited:
    """The changed block of some, each of its runs with the edit that it is (None for what both texts have)."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        at = next(at for at, block in enumerate(blocks) if block.changed)
        above = blocks[at - 1].left[-1].text if at else ""
        self._left = tuple(_line_edits("old", blocks[at].left, above))
        self._right = tuple(_line_edits("new", blocks[at].right, above))

    def edits(self) -> frozenset[_Edit]:
        """Return all edits."""
        return frozenset(edit for _, edit in self._runs() if edit is not None)

    def marked(self, new: frozenset[_Edit]) -> Block:
        """Mark the runs that are not new; a place where only the other side has text is as new as that text."""
        numbers = frozenset(run.edit for run, edit in self._runs() if edit in new)

        def known(run: Run, edit: _Edit | None) -> bool:
            return run.changed and (run.edit not in numbers if edit is None else edit not in new)

        left, right = (
            tuple(
                replace(line, runs=tuple(replace(run, known=known(run, edit)) for run, edit in pairs))
                for line, pairs in lines
            )
            for lines in (self._left, self._right)
        )
        return Block(left, right, changed=True)

    def _runs(self) -> Iterator[tuple[Run, _Edit | None]]:
        return (pair for _, pairs in (*self._left, *self._right) for pair in pairs)


def _line_edits(
    side: str, lines: Iterable[Line], above: str
) -> Iterator[tuple[Line, tuple[tuple[Run, _Edit | None], ...]]]:
    for line in lines:
        yield line, tuple(_run_edits(side, line, above))
        above = line.text


def _run_edits(side: str, line: Line, above: str) -> Iterator[tuple[Run, _Edit | None]]:
    """Yield the runs of a line; the line above tells one line break from another."""
    before = ""
    for run in line.runs:
        context = before if run.text.strip() else above + before
        yield run, (side, run.text, context[-_BEFORE:]) if run.changed and run.text else None
        before += run.text


def _place(blocks: Sequence[Block]) -> Place:
    """Return where a block's sides part, in lines of the new text, or else of the old one."""
    block = next(block for block in blocks if block.changed)
    texts = ["".join(line.text for line in side) for side in (block.left, block.right)]
    inside = first_difference(*texts)
    assert inside is not None
    return Place((block.right or block.left)[0].number + inside.line - 1, inside.column)
