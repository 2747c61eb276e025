"""Rendered pairs -> each change once, with all conversations that it is in.

Most changes of a template show in many conversations: what it says about tools, in every one with tools.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from autoparser_cli.comparison.model import RenderedPair
from autoparser_cli.diffing.lines import Block, Place, diff_lines


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


@dataclass(slots=True)
class _Found:
    blocks: tuple[Block, ...]
    conversations: list[str] = field(default_factory=list)


def text_changes(pairs: Iterable[RenderedPair]) -> tuple[TextChange, ...]:
    """Return the changes of all pairs that rendered twice, in the order found; equal lines are one change."""
    found: dict[object, _Found] = {}
    for pair in pairs:
        if pair.old is None or pair.new is None:
            continue
        blocks = diff_lines(pair.old, pair.new)
        for at, block in enumerate(blocks):
            if not block.changed:
                continue
            around = blocks[max(at - 1, 0) : at + 2]
            change = found.setdefault(_lines_of(block), _Found(around))
            if pair.conversation not in change.conversations:
                change.conversations.append(pair.conversation)
    return tuple(
        TextChange(change.blocks, _place(change.blocks), tuple(change.conversations))
        for change in found.values()
    )


def refusals(pairs: Iterable[RenderedPair]) -> tuple[Refusal, ...]:
    """Return what one template renders and the other does not, by what is said."""
    found: dict[tuple[str, str], list[str]] = {}
    for pair in pairs:
        if (pair.old is None) != (pair.new is None):
            found.setdefault((pair.error_old, pair.error_new), []).append(pair.conversation)
    return tuple(Refusal(old, new, tuple(names)) for (old, new), names in found.items())


def _lines_of(block: Block) -> object:
    return tuple(tuple(line.text for line in side) for side in (block.left, block.right))


def _place(blocks: Sequence[Block]) -> Place:
    block = next(block for block in blocks if block.changed)
    line = (block.right or block.left)[0]
    column = 1
    for run in line.runs:
        if run.changed:
            break
        column += len(run.text)
    return Place(line.number, column)
