"""Blocks of diff lines -> styled text: white space visible, markers underlined, long common stretches
shortened.

On a wide terminal the two sides stand next to each other; elsewhere they stand below each other, as git
shows them. Without colours a row of carets marks what differs inside a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from autoparser_cli.diffing.lines import Block, Line, shown_context
from autoparser_cli.diffing.segments import segment
from autoparser_cli.reports.console.screen import visible

_OLD, _NEW, _COMMON = "red", "green", "dim"
_KEPT = 48


@dataclass(frozen=True, slots=True)
class Look:
    """How diffs are drawn; `context` is the number of equal lines shown around a change."""

    side_by_side: bool
    colours: bool
    context: int = 3


def draw_blocks(blocks: Sequence[Block], look: Look) -> Iterator[RenderableType]:
    """Yield what to print for the lines of a diff."""
    if look.side_by_side:
        yield _beside(blocks, look)
        return
    for index, block in enumerate(blocks):
        if block.changed:
            yield from _changed_rows(block, look)
        else:
            yield from _context_rows(block, look, index == 0, index == len(blocks) - 1)


def line_text(line: Line, style: str) -> Text:
    """Return a line with `style` on what differs."""
    text = Text()
    last = len(line.runs) - 1
    for at, run in enumerate(line.runs):
        if run.changed:
            _append(text, run.text, f"bold {style}", spaces=True)
        else:
            shown = _shortened(run.text, first=at == 0, last=at == last)
            _append(text, shown, _COMMON, spaces=not shown.strip(" \n"))
    return text


def _append(text: Text, piece: str, style: str, *, spaces: bool) -> None:
    for part in segment(piece):
        shown = visible(part.text, keep="" if spaces else " ")
        text.append(shown, f"{style} underline" if part.is_marker else style)


def _shortened(text: str, *, first: bool, last: bool) -> str:
    """Cut a long common stretch at its far ends, so that what stands next to a change stays."""
    if len(text) <= 2 * _KEPT:
        return text
    if first and last:
        return text[: 2 * _KEPT] + "…"
    head = "" if first else text[:_KEPT]
    tail = "" if last else text[-_KEPT:]
    return f"{head}…{tail}"


def _changed_rows(block: Block, look: Look) -> Iterator[Text]:
    for sign, style, lines in (("-", _OLD, block.left), ("+", _NEW, block.right)):
        for line in lines:
            body = line_text(line, style)
            yield Text.assemble((f"{sign} ", style), body)
            if not look.colours:
                yield from _carets(line)


def _carets(line: Line) -> Iterator[Text]:
    """Yield a row of carets below what differs, where only a part of the line does."""
    if all(run.changed for run in line.runs) or not any(run.changed for run in line.runs):
        return
    row = "  "
    last = len(line.runs) - 1
    for at, run in enumerate(line.runs):
        shown = run.text if run.changed else _shortened(run.text, first=at == 0, last=at == last)
        row += ("^" if run.changed else " ") * cell_len(visible(shown))
    yield Text(row.rstrip())


def _context_rows(block: Block, look: Look, first: bool, last: bool) -> Iterator[Text]:
    above, hidden, below = shown_context(block.left, look.context, first=first, last=last)
    for line in above:
        yield Text.assemble("  ", line_text(line, _COMMON))
    if hidden:
        yield Text(f"  {_hidden_lines(hidden)}", _COMMON)
    for line in below:
        yield Text.assemble("  ", line_text(line, _COMMON))


def _hidden_lines(count: int) -> str:
    return f"⋮ {count} equal line{'s' if count > 1 else ''}"


def _beside(blocks: Sequence[Block], look: Look) -> Table:
    table = Table.grid(expand=True, padding=(0, 0))
    table.add_column(ratio=1, overflow="fold")
    table.add_column(width=3, justify="center")
    table.add_column(ratio=1, overflow="fold")
    for index, block in enumerate(blocks):
        rows = (
            _changed_pairs(block)
            if block.changed
            else _context_pairs(block, look, index == 0, index == len(blocks) - 1)
        )
        for left, right in rows:
            table.add_row(left, Text("│", _COMMON), right)
    return table


def _changed_pairs(block: Block) -> Iterator[tuple[Text, Text]]:
    for left, right in zip_longest(block.left, block.right):
        yield _side("-", left, _OLD), _side("+", right, _NEW)


def _side(sign: str, line: Line | None, style: str) -> Text:
    return Text() if line is None else Text.assemble((f"{sign} ", style), line_text(line, style))


def _context_pairs(block: Block, look: Look, first: bool, last: bool) -> Iterator[tuple[Text, Text]]:
    rows = list(_context_rows(block, look, first, last))
    yield from ((row, row) for row in rows)
