"""Two texts -> blocks of lines, as a line diff has them, with what differs inside each line."""

from __future__ import annotations

from dataclasses import dataclass, field

from autoparser_cli.diffing.edits import edits, line_pieces
from autoparser_cli.diffing.split import common_prefix_length
from autoparser_cli.frozen import frozen

#: A change with a line break of so many characters stays in the line that it stands in.
_LONGEST_INLINE = 40


@frozen
class Run:
    """A piece of a line: both texts have it (`edit` is 0), or only this one. A line break is part of a line's last run.

    `edit` counts the edits of a diff, and is the same on both sides; a run without text is where the other side has more.
    `known`: the edit has been shown before, and counts less than what is new.
    """

    text: str
    edit: int = 0
    known: bool = False

    @property
    def changed(self) -> bool:
        """Tell whether the other text has something else here."""
        return self.edit != 0


@frozen
class Line:
    """One line of a text, or several that are one line of the other text; `number` is that of the first, 1-based."""

    number: int
    runs: tuple[Run, ...]

    @property
    def text(self) -> str:
        """Return the line with its line break, if it has one."""
        return "".join(run.text for run in self.runs)


@frozen
class Block:
    """Neighbouring lines: those of one side against those of the other where `changed`, else the same."""

    left: tuple[Line, ...]
    right: tuple[Line, ...]
    changed: bool


@frozen
class Place:
    """A place in a text: `line` and `column` are 1-based, in code points."""

    line: int
    column: int


def diff_lines(left: str, right: str, *, paired: bool = False) -> tuple[Block, ...]:
    """Return the blocks of two texts in order; the lines of one side together are its text.

    With `paired`, lines stand against those that they correspond to: a line goes on behind a line break that only its side has,
    and has an empty run where only the other side has text.
    """
    pairs = _Pairs(paired)
    for old, new, same in edits(left, right):
        if same:
            pairs.add_common(old)
        else:
            pairs.add_changed(old, new)
    return pairs.close()


def first_difference(left: str, right: str) -> Place | None:
    """Return where the texts begin to differ; None where they are equal."""
    if left == right:
        return None
    shared = left[: common_prefix_length(left, right)]
    return Place(shared.count("\n") + 1, len(shared) - (shared.rfind("\n") + 1) + 1)


def unified_diff(left: str, right: str, *, context: int = 3) -> tuple[str, ...]:
    """Return the lines of a unified diff, without line breaks and without file headers."""
    blocks = diff_lines(left, right)
    lines: list[str] = []
    for index, block in enumerate(blocks):
        if block.changed:
            lines += [f"-{_bare(line)}" for line in block.left] + [f"+{_bare(line)}" for line in block.right]
        else:
            lines += _context_lines(block, context, first=index == 0, last=index == len(blocks) - 1)
    return tuple(lines)


def shown_context(
    lines: tuple[Line, ...], context: int, *, first: bool, last: bool
) -> tuple[tuple[Line, ...], int, tuple[Line, ...]]:
    """Cut a block of equal lines to those near a change: the lines kept above, how many are left out, those
    below.

    `first` and `last`: no change comes before, or after, the block. A single line is never left out.
    """
    above = 0 if first else context
    below = 0 if last else context
    if above + below + 1 >= len(lines) and not (first and last):
        return lines, 0, ()
    return lines[:above], len(lines) - above - below, lines[len(lines) - below :]


def _context_lines(block: Block, context: int, *, first: bool, last: bool) -> list[str]:
    above, hidden, below = shown_context(block.left, context, first=first, last=last)
    lines = [f" {_bare(line)}" for line in above]
    if hidden and below:
        old, new = below[0].number, below[0].number - block.left[0].number + block.right[0].number
        lines.append(f"@@ -{old} +{new} @@")
    return lines + [f" {_bare(line)}" for line in below]


def _bare(line: Line) -> str:
    return line.text.removesuffix("\n")


@dataclass(slots=True)
class _Side:
    """The lines of one side: the finished ones that wait for their block to end, and the open one."""

    number: int = 1
    waiting: list[Line] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)

    def add(self, text: str, edit: int = 0) -> None:
        """Add text to the open line."""
        if self.runs and self.runs[-1].edit == edit:
            text = self.runs.pop().text + text
        if text:
            self.runs.append(Run(text, edit))

    def mark(self, edit: int) -> None:
        """Mark the place in the open line where the other side has more."""
        if self.runs:
            self.runs.append(Run("", edit))

    def finish(self) -> None:
        """End the open line."""
        if self.runs:
            line = Line(self.number, tuple(self.runs))
            self.waiting.append(line)
            self.number += line.text.count("\n")
            self.runs = []

    def add_lines(self, text: str, edit: int) -> None:
        """Add any text, ending a line at each line break."""
        for piece in line_pieces(text):
            self.add(piece, edit)
            if piece.endswith("\n"):
                self.finish()


def _fits_in_line(left: str, right: str) -> bool:
    """Tell whether a line can go on behind a change: only white space, or little that breaks a line on one side only."""
    if not left.strip() and not right.strip():
        return True
    return max(len(left), len(right)) <= _LONGEST_INLINE and ("\n" in left) != ("\n" in right)


class _Pairs:
    """Cuts edits into lines, and lines into blocks."""

    def __init__(self, paired: bool) -> None:
        self._paired = paired
        self._edits = 0
        self._left = _Side()
        self._right = _Side()
        self._equal: tuple[list[Line], list[Line]] = ([], [])
        self._blocks: list[Block] = []

    def add_common(self, text: str) -> None:
        """Add text of both sides; whole lines of it are equal lines."""
        for piece in line_pieces(text):
            self._left.add(piece)
            self._right.add(piece)
            if piece.endswith("\n"):
                self._end_lines()

    def add_changed(self, left: str, right: str) -> None:
        """Add text that differs."""
        self._edits += 1
        inside = bool(self._left.runs or self._right.runs)
        inline = self._paired and inside and _fits_in_line(left, right)
        for side, text in ((self._left, left), (self._right, right)):
            if not text and self._paired:
                side.mark(self._edits)
            elif inline:
                side.add(text, self._edits)
            else:
                side.add_lines(text, self._edits)

    def close(self) -> tuple[Block, ...]:
        """Return all blocks."""
        self._end_lines()
        self._flush_changed()
        self._flush_equal()
        return tuple(self._blocks)

    def _end_lines(self) -> None:
        same = self._are_same()
        if same:
            self._flush_changed()
        self._left.finish()
        self._right.finish()
        if same and self._left.waiting:
            self._equal[0].append(self._left.waiting.pop())
            self._equal[1].append(self._right.waiting.pop())

    def _are_same(self) -> bool:
        """Tell whether both open lines are equal as a whole, so that they belong side by side."""
        left, right = self._left.runs, self._right.runs
        return left == right and not any(run.changed for run in left)

    def _flush_changed(self) -> None:
        left, right = self._left.waiting, self._right.waiting
        if left or right:
            self._flush_equal()
            self._blocks.append(Block(tuple(left), tuple(right), changed=True))
            self._left.waiting, self._right.waiting = [], []

    def _flush_equal(self) -> None:
        left, right = self._equal
        if left:
            self._blocks.append(Block(tuple(left), tuple(right), changed=False))
            self._equal = ([], [])
