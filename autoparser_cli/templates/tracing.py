"""A template and a conversation -> the rendered text in spans, each with the template line that wrote it.

The parsed tree is instrumented: each thing that an output node prints is put between marks, which are taken
out of the text again. Text that a macro or a `{% set %}` block wrote has the line inside of it. There marks
could change what the template does with the text, so each such region is only instrumented where the text
without the marks is still the true one; else its text has the line that put it into the output. Anything that
cannot be told has no line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jinja2 import nodes

from autoparser_cli.errors import RenderError
from autoparser_cli.frozen import frozen
from autoparser_cli.templates.rendering import CompiledTemplate, parse

if TYPE_CHECKING:
    from autoparser_cli.templates.inputs import RenderInputs
    from autoparser_cli.templates.template import ChatTemplate

#: Private-use characters that begin a mark, end its number, and close the span. No known template prints
#: them.
_OPEN, _NUMBERED, _CLOSE = "\U0010f801", "\U0010f802", "\U0010f803"
_MARK = re.compile(f"{_OPEN}([0-9]+){_NUMBERED}|{_CLOSE}")

#: Their bodies are kept as a text before they are printed, if at all.
_KEPT = (nodes.Macro, nodes.CallBlock, nodes.AssignBlock, nodes.FilterBlock)


@frozen
class Span:
    """A piece of the rendered text, and the 1-based template line that wrote it, None where unknown."""

    text: str
    line: int | None


@frozen
class _Origin:
    """What one pair of marks surrounds; a text of the template moves on one line with each newline."""

    line: int
    is_text: bool


def trace(template: ChatTemplate, inputs: RenderInputs) -> tuple[Span, ...]:
    """Render and tell where each span comes from; the spans add up to the render.

    Compile the template again, once or, where regions have to be left out, once for each. Raise what `render`
    raises.
    """
    return Tracer(template).trace(inputs)


class Tracer:
    """Traces any number of renders of one template; what has to be compiled for it is compiled once."""

    def __init__(self, template: ChatTemplate) -> None:
        self._template = template
        self._count = sum(1 for _ in _kept_regions(template.tree))
        self._marked: dict[frozenset[int], tuple[CompiledTemplate, list[_Origin]]] = {}

    def trace(self, inputs: RenderInputs) -> tuple[Span, ...]:
        """Render and tell where each span comes from, as `trace` does."""
        text = self._template.render(inputs)
        if any(character in text for character in (_OPEN, _NUMBERED, _CLOSE)):
            return _joined([Span(text, None)])
        spans = self._spans(inputs, text, frozenset(range(self._count)))
        if spans is None:
            spans = self._with_harmless_regions(inputs, text)
        return _joined(spans or [Span(text, None)])

    def _with_harmless_regions(self, inputs: RenderInputs, text: str) -> list[Span] | None:
        regions: frozenset[int] = frozenset()
        best = self._spans(inputs, text, regions)
        for region in range(self._count):
            spans = self._spans(inputs, text, regions | {region})
            if spans is not None:
                regions, best = regions | {region}, spans
        return best

    def _spans(self, inputs: RenderInputs, text: str, regions: frozenset[int]) -> list[Span] | None:
        """Render with marks in `regions` and outside of all; None where that renders another text."""
        if regions not in self._marked:
            self._marked[regions] = self._compile(regions)
        compiled, origins = self._marked[regions]
        try:
            marked = compiled.render(inputs, self._template.special_tokens)
        except RenderError:
            return None
        if _MARK.sub("", marked.text) != text:
            return None
        return _read_marks(marked.text, origins)

    def _compile(self, regions: frozenset[int]) -> tuple[CompiledTemplate, list[_Origin]]:
        # Parsed anew: marks are put into the tree, and the template's own tree is not to be changed.
        tree = parse(self._template.source, self._template.name)
        origins = _instrument(tree, regions)
        return CompiledTemplate(tree, self._template.source, self._template.name), origins


def line_at(spans: Sequence[Span], offset: int) -> int | None:
    """Return the line that wrote the character at an offset of the render; at its end, that of the last one."""
    for span in spans:
        if offset < len(span.text):
            return span.line
        offset -= len(span.text)
    return spans[-1].line if spans and offset == 0 else None


def _kept_regions(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield the outermost nodes that keep what is printed in them, in order."""
    for child in node.iter_child_nodes():
        if isinstance(child, _KEPT):
            yield child
        else:
            yield from _kept_regions(child)


def _instrument(tree: nodes.Template, regions: frozenset[int]) -> list[_Origin]:
    left_out = {
        id(output)
        for index, region in enumerate(_kept_regions(tree))
        if index not in regions
        for output in region.find_all(nodes.Output)
    }
    origins: list[_Origin] = []
    for output in list(tree.find_all(nodes.Output)):
        if id(output) not in left_out:
            output.nodes = [part for child in output.nodes for part in _marked(child, origins)]
    return origins


def _marked(child: nodes.Expr, origins: list[_Origin]) -> Iterator[nodes.Expr]:
    is_text = isinstance(child, nodes.TemplateData)
    # An operator's own line is that of its sign; the expression starts where its first operand does.
    line = min([child.lineno, *(part.lineno for part in child.find_all(nodes.Expr))])
    yield nodes.TemplateData(
        f"{_OPEN}{len(origins)}{_NUMBERED}", lineno=child.lineno, environment=child.environment
    )
    yield child
    yield nodes.TemplateData(_CLOSE, lineno=child.lineno, environment=child.environment)
    origins.append(_Origin(line, is_text))


def _read_marks(marked: str, origins: Sequence[_Origin]) -> list[Span] | None:
    """Cut the text at its marks; None where they do not nest. A continued message ends inside open ones."""
    spans: list[Span] = []
    lines: list[tuple[int | None, bool]] = [(None, False)]
    at = 0
    for mark in [*_MARK.finditer(marked), None]:
        piece = marked[at : mark.start() if mark else len(marked)]
        line, is_text = lines[-1]
        for part in piece.splitlines(keepends=True) if is_text and line is not None else [piece]:
            spans.append(Span(part, line))
            line = line + 1 if line is not None and is_text and part.endswith("\n") else line
        lines[-1] = (line, is_text)
        if mark is None:
            break
        at = mark.end()
        if mark[1] is not None:
            origin = origins[int(mark[1])]
            lines.append((origin.line, origin.is_text))
        elif len(lines) > 1:
            lines.pop()
        else:
            return None
    return spans


def _joined(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Drop empty spans, and join neighbours of one line."""
    joined: list[Span] = []
    for span in spans:
        if joined and span.text and joined[-1].line == span.line:
            joined[-1] = Span(joined[-1].text + span.text, span.line)
        elif span.text:
            joined.append(span)
    return tuple(joined)
