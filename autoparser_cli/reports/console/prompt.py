"""A rendered prompt -> the same text in colour: markers, the assistant's reasoning, content and calls; or
with a gutter.

Reasoning, content and calls are only looked for inside the assistant's turns: a system prompt may quote their
markers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from autoparser_cli.analysis.model import TemplateAnalysis, Var
from autoparser_cli.diffing.segments import marker_spans
from autoparser_cli.reports.console.screen import Screen, plain_text, visible

if TYPE_CHECKING:
    from autoparser_cli.analysis.model import MarkerText
    from autoparser_cli.templates.tracing import Span

_MARKER, _REASONING, _CONTENT, _CALLS = "bold cyan", "blue", "green", "magenta"


def show_prompt(screen: Screen, text: str, analysis: TemplateAnalysis | None) -> None:
    """Show a prompt; without an analysis only what has the shape of a marker is coloured."""
    drawn = plain_text(text)
    if drawn.plain == text:  # escaped characters would shift every style
        for start, end in marker_spans(text):
            drawn.stylize(_MARKER, start, end)
        for start, end, style in _turn_ranges(text, analysis) if analysis else ():
            drawn.stylize(style, start, end)
    screen.show(drawn)


def show_sources(screen: Screen, spans: Sequence[Span]) -> None:
    """Show each span behind the template line that wrote it; `┊` where it continues a line of the text."""
    width = max((len(str(span.line)) for span in spans if span.line is not None), default=1)
    starts_line = True
    for span in spans:
        for piece in _lines(span.text):
            number = "?" if span.line is None else str(span.line)
            gutter = f"{number:>{width}} {'│' if starts_line else '┊'} "
            screen.show(Text.assemble((gutter, "dim"), visible(piece, keep=" ")))
            starts_line = piece.endswith("\n")


def _lines(text: str) -> list[str]:
    pieces = [f"{line}\n" for line in text.split("\n")]
    pieces[-1] = pieces[-1][:-1]
    return [piece for piece in pieces if piece]


def _turn_ranges(text: str, analysis: TemplateAnalysis) -> Iterator[tuple[int, int, str]]:
    """Yield ranges with their style, the later over the earlier."""
    header, closing = analysis.turn.header, analysis.turn.end.strip()
    start = text.find(header)
    while start >= 0:
        begin = start + len(header)
        end = text.find(closing, begin) if closing else text.find(header, begin) if header else -1
        end = end if end >= 0 else len(text)
        inner = [
            *_between(text, begin, end, analysis.reasoning.start, analysis.reasoning.end, _REASONING),
            *_between(text, begin, end, *_call_borders(analysis), _CALLS),
        ]
        if not closing:
            end = _first_foreign(text, begin, end, inner)
        yield begin, end, _CONTENT
        yield from inner
        start = text.find(header, end) if header else -1


def _first_foreign(text: str, begin: int, end: int, inner: Sequence[tuple[int, int, str]]) -> int:
    """Return where the first marker stands that is in none of the ranges: no end tells a turn from what follows it."""
    for at, _ in marker_spans(text[begin:end]):
        if not any(start <= begin + at < stop for start, stop, _ in inner):
            return begin + at
    return end


def _between(
    text: str, begin: int, end: int, opening: str, closing: str, style: str
) -> Iterator[tuple[int, int, str]]:
    opening, closing = opening.strip(), closing.strip()
    at = text.find(opening, begin, end) if opening else -1
    while at >= 0:
        stop = text.find(closing, at + len(opening), end) if closing else -1
        stop = stop + len(closing) if stop >= 0 else end
        yield at, stop, style
        at = text.find(opening, stop, end)


def _call_borders(analysis: TemplateAnalysis) -> tuple[str, str]:
    if analysis.calls is None:
        return "", ""
    opening = analysis.calls.section_start or _first_literal(analysis.calls.per_call_start)
    closing = analysis.calls.section_end or _first_literal(analysis.calls.per_call_end)
    return opening, closing


def _first_literal(text: MarkerText) -> str:
    return next((part for part in text if not isinstance(part, Var)), "")
