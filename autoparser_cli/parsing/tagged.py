"""A call whose name stands outside JSON -> expressions.

Markers, the name, and its arguments as one object or one by one.
"""

from __future__ import annotations

from dataclasses import replace

from autoparser_cli.analysis.model import (
    CallFormat,
    LiteralArguments,
    MarkerText,
    TaggedArguments,
    TaggedCall,
    Var,
)
from autoparser_cli.frozen import frozen
from autoparser_cli.parsing.arguments import fields_of
from autoparser_cli.parsing.closing import tolerant_close
from autoparser_cli.parsing.wire import (
    core,
    cores,
    id_run,
    is_strong,
    literal_items,
    marker_items,
    markers_of,
    syntax_of,
)
from autoparser_cli.peg.expressions import (
    Choice,
    Cut,
    Expression,
    Literal,
    Mark,
    Optional,
    Payload,
    Peek,
    Run,
    Same,
    Sequence,
    Slot,
    Space,
    Span,
    Switch,
    Tag,
)
from autoparser_cli.peg.names import Cases

MISSING_PREFIX = "incomplete-id"
SELF_CLOSING = "self-closing-call"


@frozen
class TaggedBody:
    """The body of a call, and what its surroundings need to know of it.

    `other_ends`: what may stand behind the last argument though its own end is missing.
    `closed`: its own last marker tells where it ends, so that what stands behind it may be missing.
    """

    body: TaggedCall
    format: CallFormat
    cases: Cases
    other_ends: tuple[str, ...] = ()

    @property
    def opening(self) -> str:
        """Return the literal that the body begins with."""
        return core(self.body.body)

    @property
    def closed(self) -> bool:
        """Tell whether the body shows by itself where it ends."""
        return isinstance(self.body.arguments, LiteralArguments) or bool(cores(_behind(self.body.body)))

    def closes_itself(self) -> bool:
        """Tell whether models may close the tag that opens a call at once, in place of the call's end."""
        behind = self.body.body[_name_at(self.body.body) + 1 :]
        return Var.ARGUMENTS in behind and _self_closing(behind, self.format.per_call_end) is not None

    def expression(self, strong: bool, call_end: list[Expression] | None = None) -> Expression:
        """Return the body as an expression, with the end of the call where it has to be part of it.

        `strong`: what stands before it leaves no doubt that a call follows.
        """
        text = self.body.body
        at = _name_at(text)
        behind = text[at + 1 :]
        next_text = _next_core(behind, self.format)
        tag = Tag(
            before=self._behind_name(behind),
            commit=strong and self.body.id_text is None,
            known_only=not strong,
            certain=strong and self.body.id_text is None and self._doubly_marked(),
            inside_id=Var.NAME not in text,
            before_end=self._end_of_empty(),
        )
        items, rest = self._head(text, at, tag)
        if Var.ARGUMENTS in text[:at]:
            items += [*self._close(rest), *(call_end or [])]
        elif rest:
            items += self._arguments(rest, next_text, strong, call_end or [])
        return Switch(self.cases, tuple(items))

    def _behind_name(self, behind: MarkerText) -> str:
        """Return the literal that stands directly behind the name: the body's, or what opens the first argument."""
        arguments = self.body.arguments
        if behind and behind[0] is Var.ARGUMENTS and isinstance(arguments, TaggedArguments):
            behind = arguments.open
        return behind[0] if behind and isinstance(behind[0], str) else ""

    def _end_of_empty(self) -> str:
        """Return what stands behind the name of a call without arguments, where that is not what is behind any name."""
        empty = self.body.empty_body or tuple(piece for piece in self.body.body if piece is not Var.ARGUMENTS)
        if Var.NAME not in empty:
            return ""
        return _next_core(empty[empty.index(Var.NAME) + 1 :], self.format)

    def _doubly_marked(self) -> bool:
        """Tell whether both a call's surroundings and the call itself have a marker before the name."""
        before = (self.format.section_start, core(self.format.per_call_start), self.opening)
        return sum(is_strong(marker) for text in before for marker in markers_of(text)) > 1

    def _head(self, text: MarkerText, at: int, tag: Tag) -> tuple[list[Expression], MarkerText]:
        """Return what stands up to the name, or to the end of the id that holds it, and what is left."""
        whole_id = self.body.id_text
        if tag.inside_id:
            return [*self._before_name(text[:at]), Span("id", tag), Space()], text[at + 1 :]
        if whole_id is None:
            return [*self._before_name(text[:at]), tag], text[at + 1 :]
        before, inside, after = _cut_out(text, whole_id)
        position = inside.index(Var.NAME)
        prefix = tuple(_exact(inside[:position]))
        optional = [Optional(Sequence(prefix), missing=MISSING_PREFIX)] if prefix else []
        parts = [*optional, tag, *_exact(inside[position + 1 :])]
        items = [*marker_items(before), Span("id", Sequence(tuple(parts))), Cut()]
        return [*items, Space()] if after and after[0] is not Var.ARGUMENTS else items, after

    def _before_name(self, text: MarkerText) -> list[Expression]:
        """Return what stands before the name, the arguments among it in some formats."""
        if Var.ARGUMENTS not in text:
            return marker_items(text)
        at = text.index(Var.ARGUMENTS)
        return [
            *marker_items(text[:at]),
            self._values(_first_core(text[at + 1 :])),
            *marker_items(text[at + 1 :]),
        ]

    def _arguments(
        self, rest: MarkerText, end: str, strong: bool, call_end: list[Expression]
    ) -> list[Expression]:
        """Return what stands behind the name, by way of the body without arguments where that is another."""
        at = rest.index(Var.ARGUMENTS) if Var.ARGUMENTS in rest else len(rest)
        before, behind = rest[:at], rest[at + 1 :]
        main: list[Expression] = marker_items(before)
        if not strong:
            main.append(Cut())
        main.append(self._values(_first_core(behind) or _first_core(self.format.per_call_end) or end))
        main += [*self._close(behind), *call_end]
        empty = self._empty(before + behind)
        closing = _self_closing(before, self.format.per_call_end if call_end else behind)
        ways = [empty and [*empty, *call_end], closing]
        others = [Sequence(tuple(way)) for way in ways if way is not None]
        return [Choice((*others, Sequence(tuple(main))))] if others else main

    def _close(self, behind: MarkerText) -> list[Expression]:
        items = marker_items(behind)
        if not self.other_ends or not any(isinstance(item, Literal) for item in items):
            return items
        whole = isinstance(self.body.arguments, LiteralArguments)
        return [tolerant_close(items, self.other_ends, whole=whole)]

    def _values(self, end: str) -> Expression:
        arguments = self.body.arguments
        if isinstance(arguments, LiteralArguments):
            return Payload(syntax_of(arguments.encoding), arguments.as_string)
        fields = fields_of(arguments, end, (*self.other_ends, *self._next_starts()))
        return replace(fields, behind=self._behind_call()) if end in self.format.per_call_end else fields

    def _next_starts(self) -> tuple[str, ...]:
        """Return what opens the next call, where nothing ends this one."""
        format_ = self.format
        own_end = cores(_behind(self.body.body)) or cores(format_.per_call_end) or format_.separator.strip()
        return () if own_end else (core(format_.per_call_start),)

    def _behind_call(self) -> tuple[tuple[str, str], ...]:
        """Return what may stand behind the end of a call: the next one or the end of all, nothing where that is not printed."""
        format_ = self.format
        last = format_.section_end.strip() or ("]" if format_.array_wrapped else "")
        if not last:
            return ()
        start = core(format_.per_call_start) or self.opening
        name_at = _name_at(self.body.body)
        behind_name = "" if start else _first_core(self.body.body[name_at + 1 :])
        another = format_.separator.strip() or start
        return tuple((text, name) for text, name in ((another, behind_name), (last, "")) if text)

    def _empty(self, around: MarkerText) -> list[Expression] | None:
        """Return what stands behind the name where there are no arguments, if it is not just nothing."""
        text = self.body.empty_body
        if text is None or Var.NAME not in text:
            return None
        behind = text[text.index(Var.NAME) + 1 :]
        if behind == around and isinstance(self.body.arguments, TaggedArguments):
            return None
        items = [*marker_items(tuple(piece for piece in behind if piece is not Var.ARGUMENTS))]
        end = _first_core(self.format.per_call_end) or self.format.section_end.strip()
        if not end and not cores(behind):
            return None
        follows = [Sequence((Space(), Literal(text))) for text in (end, *self._next_starts()) if text]
        if end:
            items += [Peek(Choice(tuple(follows)) if len(follows) > 1 else follows[0])]
        return [*items, Mark("arguments", "{}")]


def _name_at(body: MarkerText) -> int:
    """Return where the name stands, or the id that holds it."""
    return body.index(Var.NAME if Var.NAME in body else Var.ID)


def _self_closing(before: MarkerText, behind: MarkerText) -> list[Expression] | None:
    """Return the end of a tag that opens a call and closes it at once, where the template closes it by
    another tag.
    """
    first = before[0] if before else ""
    if not isinstance(first, str) or ">" not in first or not _first_core(behind).startswith("</"):
        return None
    end = first[: first.index(">")] + "/>"
    return [Space(), Literal(end), Mark("repair", SELF_CLOSING), Mark("arguments", "{}")]


def _exact(text: MarkerText) -> list[Expression]:
    """Return the pieces of an id, which has no white space of its own."""
    items: list[Expression] = []
    for position, piece in enumerate(text):
        if isinstance(piece, str):
            items.append(Literal(piece))
        elif piece is Var.INDEX:
            items.append(Run("index", "[0-9]", "a number"))
        elif piece is Var.ID:
            items.append(id_run(text[position + 1 :]))
        else:
            items.append(Same(Slot.TAG))
    return items


def _cut_out(text: MarkerText, inner: MarkerText) -> tuple[MarkerText, MarkerText, MarkerText]:
    """Return what stands before `inner`, `inner` itself, and what stands behind it.

    The literals at its ends may be parts of longer ones in `text`.
    """
    slots = [piece for piece in inner if not isinstance(piece, str)]
    first = text.index(slots[0])
    last = first + inner.index(slots[-1]) - inner.index(slots[0])
    head = inner[0] if isinstance(inner[0], str) else ""
    tail = inner[-1] if isinstance(inner[-1], str) else ""
    before, after = list(text[:first]), list(text[last + 1 :])
    if head and before and isinstance(before[-1], str):
        before[-1] = before[-1].removesuffix(head)
    if tail and after and isinstance(after[0], str):
        after[0] = after[0].removeprefix(tail)
    return tuple(piece for piece in before if piece), inner, tuple(piece for piece in after if piece)


def _behind(body: MarkerText) -> MarkerText:
    last = next((slot for slot in (Var.ARGUMENTS, Var.NAME, Var.ID) if slot in body), None)
    return body[body.index(last) + 1 :] if last is not None else body


def _first_core(text: MarkerText) -> str:
    """Return the first literal of marker text, up to a border between markers."""
    for piece in text:
        if isinstance(piece, str) and piece.strip():
            return next(item.text for item in literal_items(piece) if isinstance(item, Literal))
    return ""


def _next_core(behind: MarkerText, format_: CallFormat) -> str:
    return _first_core(behind) or _first_core(format_.per_call_end) or format_.section_end.strip()
