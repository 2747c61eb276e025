"""A stream -> a screen that pages are drawn on: boxes and colour on a terminal, plain lines elsewhere.

Nothing is ever cut. On a terminal long text is folded at its width; in a pipe each line is as long as it is,
so that it can be searched. Text that comes from templates and models cannot control the terminal: what does
not print is escaped.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import IO, TypeAlias

from rich.box import ROUNDED
from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.panel import Panel
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from autoparser_cli.reports.printable import escaped

#: A name and what is said about it.
Row: TypeAlias = tuple[str, RenderableType]

#: How white space shows where it counts.
WHITE_SPACE = {" ": "·", "\n": "⏎", "\t": "⇥", "\r": "␍"}

#: Wide enough that no line folds: what a pipe gets.
_UNBOUNDED = 1_000_000
_NARROW = 50
_INDENT = 2
#: From this many columns on, two sides have room for most lines of a chat prompt.
WIDE = 120


class Screen:
    """Where a command shows its pages. `boxed`: a terminal that is wide enough for boxes, and NO_COLOR unset.

    FORCE_COLOR gives colours to a pipe too, for logs that show them; boxes it does not.
    """

    def __init__(self, stream: IO[str] | None = None) -> None:
        self._stream = stream if stream is not None else sys.stdout
        is_terminal = self._stream.isatty()
        no_color = bool(os.environ.get("NO_COLOR"))
        forced = os.environ.get("FORCE_COLOR", "") not in ("", "0") and not no_color
        plain = not is_terminal or no_color or os.environ.get("TERM") == "dumb"
        self._console = Console(
            file=self._stream if is_terminal else io.StringIO(),
            width=None if is_terminal else _UNBOUNDED,
            force_terminal=True if forced else None,
            color_system=("standard" if forced else None) if plain else "auto",
            highlight=False,
            markup=False,
            emoji=False,
        )
        self._is_terminal = is_terminal
        self.boxed = not plain and self._console.width >= _NARROW

    @property
    def wide(self) -> bool:
        """Tell whether two texts have room beside each other."""
        return self._is_terminal and self._console.width >= WIDE

    @property
    def width(self) -> int | None:
        """Return the columns of the terminal; None where lines may be as long as they are."""
        return self._console.width if self._is_terminal else None

    @property
    def coloured(self) -> bool:
        """Tell whether colours show."""
        return self._console.color_system is not None

    def show(self, *parts: RenderableType) -> None:
        """Write parts one below the other, and have them seen at once."""
        for part in parts:
            self._console.print(part, overflow="fold", no_wrap=False)
        if not self._is_terminal:
            self._copy_unpadded()
        self._stream.flush()

    def _copy_unpadded(self) -> None:
        buffer = self._console.file
        assert isinstance(buffer, io.StringIO)
        for line in buffer.getvalue().split("\n")[:-1]:
            self._stream.write(f"{line.rstrip(' ')}\n")
        buffer.seek(0)
        buffer.truncate()

    def section(self, title: str, body: RenderableType, *, style: str = "cyan") -> RenderableType:
        """Frame `body` under a title: a box on a terminal, an indented block elsewhere."""
        if self.boxed:
            return Panel(body, title=title, title_align="left", border_style=style)
        return Group(Text(title, style=f"bold {style}"), Indented(body))

    def table(self, groups: Iterable[tuple[str, Sequence[Row]]]) -> RenderableType:
        """Lay out groups of named values: one table on a terminal, a block for each group elsewhere."""
        if not self.boxed:
            return Group(*(self.section(title, self.rows(rows)) for title, rows in groups))
        table = Table(box=ROUNDED, show_header=False, border_style="dim", padding=(0, 1))
        table.add_column(style="bold cyan", overflow="fold", ratio=None)
        table.add_column(style="dim", overflow="fold")
        table.add_column(overflow="fold")
        for title, rows in groups:
            for index, (name, value) in enumerate(rows):
                table.add_row("" if index else title, name, value, end_section=index == len(rows) - 1)
        return table

    def rows(self, rows: Sequence[Row]) -> RenderableType:
        """Lay out names and values side by side, or one below the other where there is no room."""
        if self._console.width < _NARROW:
            return _stacked(rows)
        return _SideBySide(rows)


# Rich's own padding and grids measure all that is inside first, and each level does so once more: half of the time of a page.


class Indented:
    """A body further to the right."""

    def __init__(self, body: RenderableType) -> None:
        self._body = body

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from _beside(Text(" " * _INDENT), self._body, console, options)


class _SideBySide:
    """Names, and what is said about each, in two columns."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = max((cell_len(name) for name, _ in self._rows), default=0) + _INDENT
        for name, value in self._rows:
            yield from _beside(Text(set_cell_size(name, width), style="dim"), value, console, options)


def _beside(front: Text, body: RenderableType, console: Console, options: ConsoleOptions) -> RenderResult:
    """Draw a body behind a text of one line; further lines of the body stand below its first."""
    inside = options.update(width=max(options.max_width - front.cell_len, 1))
    for line in console.render_lines(body, inside, pad=False):
        yield from front.render(console)
        yield from line
        yield Segment.line()
        front = Text(" " * front.cell_len)


def _stacked(rows: Iterable[Row]) -> RenderableType:
    """Put each value below its name."""
    return Group(*(Group(Text(name, style="dim"), Indented(value)) for name, value in rows))


def visible(text: str, *, keep: str = "") -> str:
    """Return `text` with white space shown, and escaped what else does not print; `keep` stays as it is."""
    return "".join(
        character if character in keep else WHITE_SPACE.get(character) or escaped(character)
        for character in text
    )


def marker_text(text: str, *, style: str = "bold green") -> Text:
    """Draw a marker, its white space visible but paler than its letters; `(empty)` for an empty one."""
    if not text:
        return Text("(empty)", style="dim")
    drawn = Text()
    for is_space, characters in groupby(text, key=WHITE_SPACE.__contains__):
        drawn.append(visible("".join(characters)), style="dim yellow" if is_space else style)
    return drawn


def plain_text(text: str, *, style: str = "") -> Text:
    """Draw text as it is written, line by line; only what does not print is escaped."""
    return Text(visible(text, keep=" \n\t"), style=style)


def listing(entries: Sequence[str]) -> Text:
    """Draw entries with commas between them, or `none`."""
    return Text(", ".join(entries)) if entries else Text("none", style="dim")
