"""A call format -> expressions.

How a section of calls opens, how it goes on from call to call, and how it ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from autoparser_cli.analysis.model import CallFormat, JsonCall, TaggedCall
from autoparser_cli.parsing.tagged import TaggedBody
from autoparser_cli.parsing.wire import (
    Cases,
    core,
    first_marker,
    is_strong,
    leading_white,
    literal_items,
    marker_items,
    markers_of,
    syntax_of,
)
from autoparser_cli.peg.expressions import (
    Choice,
    Exit,
    Expression,
    Goto,
    Literal,
    Mark,
    Optional,
    Peek,
    Record,
    Rest,
    Sequence,
    Space,
    Span,
    Switch,
    Tag,
)

NEXT_CALL = "next_call"
AFTER_CALLS = "after_calls"
MISSING_SECTION_START = "missing-section-start"
MISSING_CALL_START = "missing-call-start"
MISSING_CALL_END = "missing-call-end"
MISSING_SECTION_END = "missing-section-end"


@dataclass(frozen=True, slots=True)
class CallExpressions:
    """The expressions of one call format. `ending` are the markers of the end of a turn."""

    format: CallFormat
    cases: Cases
    ending: tuple[str, ...]

    def exits(self, before: str = "") -> Iterator[Exit]:
        """Return the ways out of a text into a call; `before` is printed between that text and the calls."""
        joined = before + self.format.section_start
        trim = leading_white(joined) if joined.strip() else joined
        for prefix in dict.fromkeys((before if before.strip() else "", "")):
            yield from self._openings(prefix, trim)

    def _openings(self, prefix: str, trim: str) -> Iterator[Exit]:
        """Return the openings as printed, without the start of the section, and without any marker before the
        body.
        """
        section = prefix + self.format.section_start
        per_call = core(self.format.per_call_start)
        body = self._body_opening()
        strong_before = self._before_body()
        anchor = first_marker(section) or ("[" if self.format.array_wrapped else "") or per_call or body
        strong = is_strong(strong_before)
        yield Exit(
            first_marker(anchor),
            self._opening(section, True, strong, ""),
            trim,
            guard="" if is_strong(anchor) else self._guard(anchor),
            certain=is_strong(anchor),
        )
        if prefix:
            return
        if section.strip() and is_strong(per_call):
            item = self._opening("", True, True, MISSING_SECTION_START)
            yield Exit(first_marker(per_call), item, trim, certain=True)
        if (section.strip() or per_call) and isinstance(self.format.body, TaggedCall) and is_strong(body):
            item = self._opening("", False, is_strong(body), MISSING_CALL_START)
            yield Exit(first_marker(body), item, trim)

    def _guard(self, anchor: str) -> str:
        """Return the characters of which one follows a weak anchor."""
        if isinstance(self.format.body, JsonCall):
            return r"\"'" if anchor == "{" else r"{"
        return r"\w" if anchor == self._before_body() and not self._body_opening() else ""

    def certain_exits(self) -> Iterator[tuple[Exit, Expression]]:
        """Return the openings that leave no doubt, each with what it opens with up to the name."""
        for exit_ in self.exits():
            if is_strong(exit_.anchor) and isinstance(exit_.item, Sequence):
                yield exit_, Sequence(tuple(_up_to_name(exit_.item.items)))

    def _opening(self, section: str, per_call: bool, strong: bool, repair: str) -> Expression:
        items: list[Expression] = [Mark("call")]
        if repair:
            items.append(Mark("repair", repair))
        items += literal_items(section)
        if self.format.array_wrapped and (section.strip() or not repair):
            items += [Space(), Literal("["), Space()]
        items += self._call(per_call, strong)
        return Sequence((*items, Goto(NEXT_CALL)))

    def _call(self, per_call: bool, strong: bool) -> list[Expression]:
        items: list[Expression] = [Space(), *marker_items(self.format.per_call_start)] if per_call else []
        items += [*self._body(strong), *self._call_end(), Mark("called")]
        return items

    def _body(self, strong: bool) -> list[Expression]:
        body = self.format.body
        if isinstance(body, JsonCall):
            return [Space(), record_of(body, self.cases, weak=not strong)]
        tagged = TaggedBody(body, self.format, self.cases)
        return [Space(), tagged.expression(strong or is_strong(tagged.opening))]

    def _call_end(self) -> list[Expression]:
        """Return what ends a call.

        It may be missing where the call itself is whole, and something known follows.
        """
        items = marker_items(self.format.per_call_end)
        body = self.format.body
        closed = isinstance(body, JsonCall) or TaggedBody(body, self.format, self.cases).closed
        if not any(isinstance(item, Literal) for item in items):
            return []
        if not closed:
            return [Space(), *items]
        follows: list[Expression] = [Rest(self.ending)]
        for text in (self.format.section_end, self.format.section_start, core(self.format.per_call_start)):
            if first_marker(text):
                follows.append(Sequence((Space(), Literal(first_marker(text)))))
        missing = Sequence((Peek(Choice(tuple(follows))), Mark("repair", MISSING_CALL_END)))
        return [Choice((Sequence((Space(), *items)), missing))]

    def next_call(self) -> Expression:
        """Return the state behind a call: one more, or the end of the section."""
        ways = [self._another(), self._section_end()]
        end = first_marker(self.format.section_end)
        if self.format.section_end_optional or (not end and not self.format.array_wrapped):
            ways.append(Goto(AFTER_CALLS))
        elif end:
            follows: list[Expression] = [Rest(self.ending)]
            start = first_marker(self.format.section_start)
            if start:
                follows.append(Sequence((Space(), Literal(start))))
            ways.insert(
                1,
                Sequence(
                    (Peek(Choice(tuple(follows))), Mark("repair", MISSING_SECTION_END), Goto(AFTER_CALLS))
                ),
            )
            if self.format.array_wrapped:
                ways.pop(1)
        return Choice(tuple(ways)) if len(ways) > 1 else ways[0]

    def _another(self) -> Expression:
        """Return one more call in the same section."""
        separator = self.format.separator.strip()
        items: list[Expression] = [Space(self.format.separator if not separator else "")]
        strong = self.format.array_wrapped or is_strong(self._before_body())
        if self.format.array_wrapped:
            items += [Literal(","), Space(self.format.separator.strip(",")), Mark("call")]
        elif separator:
            known = is_strong(core(self.format.per_call_start))
            printed: Expression = Sequence((*literal_items(self.format.separator), Space()))
            items += [Optional(printed, missing="white-space") if known else printed, Mark("call")]
        else:
            items.append(Mark("call"))
        return Sequence((*items, *self._call(True, strong), Goto(NEXT_CALL)))

    def _section_end(self) -> Expression:
        items: list[Expression] = []
        if self.format.array_wrapped or self.format.section_end.strip():
            items.append(Space())
        if self.format.array_wrapped:
            items += [Literal("]"), Space()]
        items += literal_items(self.format.section_end.rstrip())
        return Sequence((*_without_last_space(items), Goto(AFTER_CALLS)))

    def _before_body(self) -> str:
        array = "[" if self.format.array_wrapped else ""
        return self.format.section_start.strip() + array + core(self.format.per_call_start)

    def _body_opening(self) -> str:
        body = self.format.body
        return "{" if isinstance(body, JsonCall) else TaggedBody(body, self.format, self.cases).opening

    def markers(self) -> tuple[str, ...]:
        """Return the markers that open a section."""
        return markers_of(self.format.section_start)


def record_of(body: JsonCall, cases: Cases, weak: bool) -> Record:
    """Return a call that is one JSON object."""
    return Record(
        cases=cases,
        tag_path=body.name_path,
        value_path=body.arguments_path,
        id_path=body.id_path,
        syntax=syntax_of(body.arguments.encoding),
        as_string=body.arguments.as_string,
        tag_is_key=body.fun_name_is_key,
        key_order=body.key_order,
        constants=body.constants,
        weak=weak,
    )


def _up_to_name(items: tuple[Expression, ...]) -> Iterator[Expression]:
    """Return the items up to the name of a call, of which a declared one must stand there."""
    for item in items:
        if isinstance(item, Record):
            yield from (Literal("{"), Space(), Literal('"'))
            return
        if isinstance(item, Switch):
            yield Switch(item.cases, tuple(_up_to_name(item.body)))
            return
        if isinstance(item, Span):
            yield from _up_to_name(item.item.items if isinstance(item.item, Sequence) else (item.item,))
            return
        if isinstance(item, Tag):
            yield replace(item, commit=False, known_only=True)
            return
        yield item


def _without_last_space(items: list[Expression]) -> list[Expression]:
    return items[:-1] if len(items) > 1 and isinstance(items[-1], Space) else items
