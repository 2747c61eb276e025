"""Blocks of diff lines -> styled text: white space visible, markers underlined, long common stretches
shortened.

On a wide terminal the two sides stand next to each other; elsewhere they stand below each other, as git
shows them. Without colours a row of carets marks what differs inside a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, zip_longest

from rich.cells import cell_len
from rich.text import Text

from autoparser_cli.diffing.lines import Block, Line, Run, shown_context
from autoparser_cli.diffing.segments import segment
from autoparser_cli.frozen import frozen
from autoparser_cli.reports.console.screen import visible

_OLD, _NEW, _COMMON = "red", "green", "dim"
_KEPT = 48
#: So many lines that were shown before are shown again beside a new one.
_MOST_KNOWN = 1
_ELLIPSIS = Run("…")
_NO_SIGN = ("  ", "")
_DIVIDER = " │ "


@frozen
class Look:
    """How diffs are drawn; `context` equal lines are shown around a change.

    Longer lines are folded at `width` columns, where there is one.
    """

    side_by_side: bool
    colours: bool
    context: int = 3
    width: int | None = None


def draw_blocks(blocks: Sequence[Block], look: Look) -> Iterator[Text]:
    """Yield the rows to print for the lines of a diff."""
    if look.side_by_side and look.width is not None:
        yield from _beside(blocks, look, (look.width - len(_DIVIDER)) // 2)
        return
    for index, block in enumerate(blocks):
        if block.changed:
            yield from _changed_rows(block, look)
        else:
            yield from _context_rows(block, look, index == 0, index == len(blocks) - 1)


def line_text(line: Line, style: str) -> Text:
    """Return a line with `style` on what differs, bold where it is new."""
    text = Text()
    for piece, run in _shown_runs(line):
        if run.changed:
            _append(text, piece, style if run.known else f"bold {style}", spaces=True)
        else:
            _append(text, piece, _COMMON, spaces=not piece.strip(" \n"))
    return text


def _append(text: Text, piece: str, style: str, *, spaces: bool) -> None:
    for part in segment(piece):
        shown = visible(part.text, keep="" if spaces else " ")
        text.append(shown, f"{style} underline" if part.is_marker else style)


def _shown_runs(line: Line) -> Iterator[tuple[str, Run]]:
    """Yield the runs with what shows of them; long stretches without anything new are shortened."""
    last = len(line.runs) - 1
    at = 0
    for is_new, runs in groupby(line.runs, key=_is_new):
        stretch = list(runs)
        if is_new:
            yield from ((run.text, run) for run in stretch)
        else:
            yield from _shortened(stretch, first=at == 0, last=at + len(stretch) - 1 == last)
        at += len(stretch)


def _is_new(run: Run) -> bool:
    return run.changed and not run.known


def _shortened(stretch: Sequence[Run], *, first: bool, last: bool) -> Iterator[tuple[str, Run]]:
    """Cut a long stretch at its far ends, so that what stands next to something new stays."""
    length = sum(len(run.text) for run in stretch)
    head = 2 * _KEPT if first and last else 0 if first else _KEPT
    tail = 0 if last else _KEPT
    if length <= 2 * _KEPT:
        head = length
    at = 0
    for run in stretch:
        start, end = at, at + len(run.text)
        yield run.text[: max(head - start, 0)], run
        if start <= head < end and head < length:
            yield "…", _ELLIPSIS
        yield run.text[max(length - tail - start, head - start, 0) :], run
        at = end


def _changed_rows(block: Block, look: Look) -> Iterator[Text]:
    for sign, style, lines in (("-", _OLD, block.left), ("+", _NEW, block.right)):
        for line in _without_known(lines):
            yield from _sign_rows(sign, line, style, look)


def _sign_rows(sign: str, line: Line | int, style: str, look: Look) -> Iterator[Text]:
    """Yield the rows of a line behind its sign, or of a number of lines that were shown before."""
    if isinstance(line, int):
        yield Text.assemble((f"{sign} ", style), (f"⋮ {line} lines as above", _COMMON))
        return
    carets = [] if look.colours else list(_carets(line))
    yield from _folded((f"{sign} ", style), line_text(line, style), look.width, carets)


def _without_known(lines: Sequence[Line]) -> Iterator[Line | int]:
    """Yield lines; where many together have nothing new, their number."""
    for new, group in groupby(lines, key=lambda line: any(map(_is_new, line.runs))):
        together = list(group)
        if new or len(together) <= _MOST_KNOWN:
            yield from together
        else:
            yield len(together)


def _folded(
    sign: tuple[str, str], body: Text, width: int | None, carets: Sequence[Text] = ()
) -> Iterator[Text]:
    """Yield a line after its sign, folded at `width`, each row with the carets below it."""
    rooms = None if width is None else max(width - len(sign[0]), 1)
    marks = _folds(carets[0], rooms) if carets else []
    for at, part in enumerate(_folds(body, rooms)):
        yield Text.assemble(sign if at == 0 else "  ", part)
        if at < len(marks) and marks[at].plain.strip():
            yield Text.assemble("  ", marks[at])


def _folds(text: Text, width: int | None) -> list[Text]:
    """Cut a text into pieces of at most `width` columns, at any character: blanks are shown as well."""
    if width is None or cell_len(text.plain) <= width:
        return [text]
    offsets: list[int] = []
    used = 0
    for at, char in enumerate(text.plain):
        size = cell_len(char)
        if used + size > width and at:
            offsets.append(at)
            used = 0
        used += size
    return list(text.divide(offsets))


def _carets(line: Line) -> Iterator[Text]:
    """Yield a row that marks what differs, where only a part of the line does: `^` what is new, `~` what is known."""
    kept = any(run.text.strip() for run in line.runs if not run.changed)
    if not kept or not any(run.changed for run in line.runs):
        return
    row = ""
    for piece, run in _shown_runs(line):
        sign = " " if not run.changed else "~" if run.known else "^"
        row += sign * cell_len(visible(piece))
    yield Text(row.rstrip())


def _context_rows(block: Block, look: Look, first: bool, last: bool) -> Iterator[Text]:
    above, hidden, below = shown_context(block.left, look.context, first=first, last=last)
    for line in above:
        yield from _folded(_NO_SIGN, line_text(line, _COMMON), look.width)
    if hidden:
        yield Text(f"  {_hidden_lines(hidden)}", _COMMON)
    for line in below:
        yield from _folded(_NO_SIGN, line_text(line, _COMMON), look.width)


def _hidden_lines(count: int) -> str:
    return f"⋮ {count} equal line{'s' if count > 1 else ''}"


def _beside(blocks: Sequence[Block], look: Look, width: int) -> Iterator[Text]:
    """Yield rows with a side of `width` columns on either side of the divider."""
    side = replace(look, width=width)
    for index, block in enumerate(blocks):
        if not block.changed:
            for row in _context_rows(block, side, index == 0, index == len(blocks) - 1):
                yield _joined(row, row, width)
            continue
        for left, right in zip_longest(_without_known(block.left), _without_known(block.right)):
            rows = zip_longest(_side("-", left, _OLD, side), _side("+", right, _NEW, side))
            for one, other in rows:
                yield _joined(one or Text(), other or Text(), width)


def _side(sign: str, line: Line | int | None, style: str, look: Look) -> Iterator[Text]:
    if line is not None:
        yield from _sign_rows(sign, line, style, look)


def _joined(left: Text, right: Text, width: int) -> Text:
    padding = " " * max(width - cell_len(left.plain), 0)
    return Text.assemble(left, padding, (_DIVIDER, _COMMON), right)
