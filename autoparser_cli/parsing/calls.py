"""A call format -> expressions.

How a section of calls opens, how it goes on from call to call, and how it ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field, replace

from autoparser_cli.analysis.model import (
    JSON_ENCODING,
    CallFormat,
    JsonCall,
    LiteralArguments,
    MarkerText,
    TaggedCall,
    Var,
)
from autoparser_cli.frozen import frozen
from autoparser_cli.parsing.closing import MISSING_CALL_END, closing_markers, tolerant_close
from autoparser_cli.parsing.tagged import TaggedBody
from autoparser_cli.parsing.wire import (
    core,
    core_text,
    first_marker,
    is_strong,
    leading_white,
    literal_items,
    marker_items,
    markers_of,
    syntax_of,
    without_first_markers,
    without_last_space,
)
from autoparser_cli.peg.expressions import (
    Choice,
    Exit,
    Expression,
    Goto,
    Literal,
    Mark,
    Peek,
    Record,
    Rest,
    Run,
    Sequence,
    Space,
    Span,
    Switch,
    Tag,
)
from autoparser_cli.peg.names import Cases

NEXT_CALL = "next_call"
NEXT_OF_LIST = "next_of_listed_calls"
NEXT_OF_SEVERAL = "next_of_several_calls"
AFTER_CALLS = "after_calls"
#: What models write before the name though their template does not print it.
_OTHER_FIRST_KEYS = ("type", "id")
MISSING_SECTION_START = "missing-section-start"
OTHER_MARKER = "marker-the-template-lacks"
OTHER_START = "marker-of-other-calls"
MISSING_CALL_START = "missing-call-start"
CALLS_AS_LIST = "calls-as-a-list"


@frozen
class CallExpressions:
    """The expressions of one call format; what several states share is made once.

    `ending` are the markers of the end of a turn. `lenient`: closing markers may be wrong, doubled or missing. `state` is the state
    behind a call.
    """

    format: CallFormat
    cases: Cases
    ending: tuple[str, ...]
    lenient: bool = False
    state: str = NEXT_CALL
    _exits: dict[str, tuple[Exit, ...]] = field(default_factory=dict, init=False, compare=False, repr=False)
    _bodies: dict[bool, tuple[Expression, ...]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def exits(self, before: str = "") -> tuple[Exit, ...]:
        """Return the ways out of a text into a call; `before` is printed between that text and the calls."""
        if before not in self._exits:
            self._exits[before] = tuple(self._all_exits(before))
        return self._exits[before]

    def several(self) -> CallExpressions | None:
        """Return the expressions of two or more calls, where more stands around those than around one."""
        format_ = self.format
        if not format_.several_start:
            return None
        listed = (format_.several_start.strip(), format_.several_end.strip()) == ("[", "]")
        return CallExpressions(
            replace(
                format_,
                section_start=format_.section_start + ("" if listed else format_.several_start),
                section_end=("" if listed else format_.several_end) + format_.section_end,
                several_start="",
                several_end="",
                array_wrapped=listed,
            ),
            self.cases,
            self.ending,
            self.lenient,
            NEXT_OF_SEVERAL,
        )

    def listed(self) -> CallExpressions | None:
        """Return the expressions of calls in one list, where the template prints each between markers that leave no doubt."""
        format_ = self.format
        start, end = format_.per_call_start, format_.per_call_end
        if not isinstance(format_.body, JsonCall) or format_.array_wrapped or format_.several_start:
            return None
        if not (is_strong(core(start)) and is_strong(core(end)) and len(start) == len(end) == 1):
            return None
        listed = replace(
            format_,
            section_start=format_.section_start + core_text(start),
            section_end=core_text(end) + format_.section_end,
            per_call_start=(),
            per_call_end=(),
            separator=", ",
            array_wrapped=True,
        )
        return CallExpressions(listed, self.cases, self.ending, self.lenient, NEXT_OF_LIST)

    def _all_exits(self, before: str) -> Iterator[Exit]:
        several = self.several()
        if several is not None:
            prefixes = dict.fromkeys((before if before.strip() else "", ""))
            yield from (several.printed_exit(prefix, several.trim(before)) for prefix in prefixes)
        trim = self.trim(before)
        for prefix in dict.fromkeys((before if before.strip() else "", "")):
            yield from self._openings(prefix, trim)

    def trim(self, before: str) -> str:
        """Return the white space printed before the calls, and before what stands in front of them."""
        joined = before + self.format.section_start + core_text(self.format.per_call_start)
        return leading_white(joined) if joined.strip() else joined

    def _openings(self, prefix: str, trim: str) -> Iterator[Exit]:
        """Return the openings as printed, without the start of the section, and without any marker before the
        body.
        """
        yield self.printed_exit(prefix, trim)
        if not prefix:
            listed = self.listed()
            if listed is not None:
                start = listed.format.section_start
                yield Exit(first_marker(start), listed._opening(start, (), True, CALLS_AS_LIST), trim)
            anchor = self._anchor("")
            if self.lenient and not is_strong(anchor):
                yield self._behind_other_marker(trim)
            yield from self._other_starts(trim)
            yield from self._without_start(trim)

    def _anchor(self, prefix: str) -> str:
        """Return what the first call opens with."""
        array = "[" if self.format.array_wrapped else ""
        section = first_marker(prefix + self.format.section_start)
        return section or array or core(self.format.per_call_start) or self._body_opening()

    def printed_exit(self, prefix: str, trim: str) -> Exit:
        """Return the opening as printed behind `prefix`."""
        anchor = self._anchor(prefix)
        strong = is_strong(self.before_body())
        return Exit(
            first_marker(anchor),
            self._opening(prefix + self.format.section_start, self.format.per_call_start, strong, ""),
            trim,
            guard="" if is_strong(anchor) else self._guard(anchor),
            certain=is_strong(anchor) and not anchor[0].isalnum(),
        )

    def _behind_other_marker(self, trim: str) -> Exit:
        """Return the opening behind a marker that the template does not have, where its own is no marker."""
        token = (Literal("<|"), Run("inside", r"[^<>|\s]", "a marker"), Literal("|>"))
        skipped = (Span("skipped", Sequence(token)), Mark("repair", OTHER_MARKER), Space())
        opening = self._opening(self.format.section_start, self.format.per_call_start, False, "")
        return Exit("<|", Sequence((*skipped, opening)), trim)

    def _other_starts(self, trim: str) -> Iterator[Exit]:
        """Return the openings behind a marker that the template prints before other calls."""
        for start in self.format.other_starts:
            item = self._opening(
                start + self.format.section_start, self.format.per_call_start, True, OTHER_START
            )
            yield Exit(first_marker(start), item, trim, certain=True)

    def _without_start(self, trim: str) -> Iterator[Exit]:
        """Return the openings with some of the first markers left out, where what is left leaves no doubt."""
        per_call = self.format.per_call_start
        if self.format.section_start.strip() and is_strong(core(per_call)):
            item = self._opening("", per_call, True, MISSING_SECTION_START)
            yield Exit(first_marker(core(per_call)), item, trim, certain=True)
        for shorter in without_first_markers(per_call):
            item = self._opening("", shorter, True, MISSING_CALL_START)
            yield Exit(first_marker(core(shorter)), item, trim)
        body = self._body_opening()
        marked = self.format.section_start.strip() or core(per_call)
        if marked and isinstance(self.format.body, TaggedCall) and is_strong(body):
            yield Exit(first_marker(body), self._opening("", (), True, MISSING_CALL_START), trim)
        if marked and isinstance(self.format.body, JsonCall) and not self.format.array_wrapped:
            yield from self._bare_object(self.format.body, trim)

    def _bare_object(self, body: JsonCall, trim: str) -> Iterator[Exit]:
        """Return the opening of a call without a marker before it; it counts only with the one behind it."""
        end = first_marker(core(self.format.per_call_end)) or first_marker(self.format.section_end)
        if not end:
            return
        record = record_of(body, self.cases, weak=True)
        whole = Peek(Sequence((record, Space(), Literal(end))))
        marks = (Mark("call"), Mark("repair", MISSING_CALL_START))
        item = Sequence((whole, *marks, record, *self._call_end(), Mark("called"), Goto(self.state)))
        yield Exit("{", item, trim, guard=_first_keys(body))

    def _guard(self, anchor: str) -> str:
        """Return the pattern of what follows a weak anchor."""
        if self.format.array_wrapped and anchor != "[":
            return r"\["
        if isinstance(self.format.body, JsonCall):
            return _first_keys(self.format.body) if anchor == "{" else r"\{"
        return r"\w" if anchor == self.before_body() and not self._body_opening() else ""

    def certain_exits(self) -> Iterator[tuple[Exit, Expression]]:
        """Return the openings that leave no doubt, each with what it opens with up to the name."""
        for exit_ in self.exits():
            if is_strong(exit_.anchor) and isinstance(exit_.item, Sequence):
                yield exit_, Sequence(tuple(_up_to_name(exit_.item.items)))

    def _opening(self, section: str, per_call: MarkerText, strong: bool, repair: str) -> Expression:
        items: list[Expression] = [Mark("call")]
        if repair:
            items.append(Mark("repair", repair))
        items += _behind_text(section)
        if self.format.array_wrapped and (section.strip() or not repair):
            items += [Space(), Literal("["), Space(free=True)]
        items += self.call(per_call, strong)
        return Sequence((*items, Goto(self.state)))

    def call(self, per_call: MarkerText, strong: bool) -> list[Expression]:
        """Return a call behind the marker `per_call`; `strong`: what stands before it leaves no doubt."""
        items: list[Expression] = [Space(), *marker_items(per_call)] if per_call else []
        if strong not in self._bodies:
            self._bodies[strong] = tuple(self._body(strong))
        return [*items, *self._bodies[strong], Mark("called")]

    def _body(self, strong: bool) -> list[Expression]:
        body = self.format.body
        if isinstance(body, JsonCall):
            return [Space(), record_of(body, self.cases, weak=not strong), *self._call_end()]
        tagged = self._tagged(body)
        strong = strong or is_strong(tagged.opening)
        if tagged.closes_itself():
            return [Space(), tagged.expression(strong, self._call_end())]
        return [Space(), tagged.expression(strong), *self._call_end()]

    def _tagged(self, body: TaggedCall) -> TaggedBody:
        other_ends = self.closing() if self.lenient else ()
        return TaggedBody(body, self.format, self.cases, other_ends)

    def _call_end(self) -> list[Expression]:
        """Return what ends a call.

        It may be missing where the call itself is whole, and something known follows.
        """
        items = marker_items(self.format.per_call_end)
        body = self.format.body
        closed = isinstance(body, JsonCall) or self._tagged(body).closed
        if not any(isinstance(item, Literal) for item in items):
            return []
        needed: list[Expression] = []
        if not closed:
            at = next(place for place, item in enumerate(items) if isinstance(item, Literal)) + 1
            needed, items = items[:at], items[at:]
            if not any(isinstance(item, Literal) for item in items):
                return [Space(), *self._tolerated([*needed, *without_last_space(items)], whole=False)]
        follows: list[Expression] = [Rest(self.ending)]
        for text in (self.format.section_end, self.format.section_start, core(self.format.per_call_start)):
            if first_marker(text):
                follows.append(Sequence((Space(), Literal(first_marker(text)))))
        missing = Sequence((Peek(Choice(tuple(follows))), Mark("repair", MISSING_CALL_END)))
        printed: list[Expression] = [Space(), *items]
        if self.lenient:
            return [*self._tolerated(needed, whole=False), *self._tolerated(printed, whole=True)]
        return [*needed, Choice((Sequence(tuple(printed)), missing))]

    def _tolerated(self, items: list[Expression], *, whole: bool) -> list[Expression]:
        """Return closing markers with what a lenient parser takes in their place."""
        if not self.lenient or not items:
            return items
        return [tolerant_close(items, (*self.closing(), *self.ending), whole=whole)]

    def closing(self) -> tuple[str, ...]:
        """Return the markers that close calls, and that nothing else begins with."""
        return closing_markers(self.format, self.ending)

    def before_call(self) -> str:
        """Return the literal that each call opens with, empty where that is its name."""
        return core(self.format.per_call_start) or self._body_opening()

    def before_body(self) -> str:
        """Return the literals before the body of the first call."""
        array = "[" if self.format.array_wrapped else ""
        return self.format.section_start.strip() + array + core(self.format.per_call_start)

    def _body_opening(self) -> str:
        body = self.format.body
        if isinstance(body, JsonCall):
            return "{"
        first_is_object = body.body[0] is Var.ARGUMENTS and isinstance(body.arguments, LiteralArguments)
        return "{" if first_is_object else self._tagged(body).opening

    def markers(self) -> tuple[str, ...]:
        """Return the markers that open a section."""
        return markers_of(self.format.section_start)


def _first_keys(body: JsonCall) -> str:
    """Return the pattern of a key that a call as an object may begin with."""
    if body.fun_name_is_key or body.arguments.encoding != JSON_ENCODING:
        return "[\"']"
    paths = [body.name_path, body.arguments_path, body.id_path or (), *(path for path, _ in body.constants)]
    keys = dict.fromkeys([*(path[0] for path in paths if path), *_OTHER_FIRST_KEYS])
    return f'"(?:{"|".join(map(re.escape, keys))})"'


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
        paths=body.paths,
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


def _behind_text(section: str) -> list[Expression]:
    """Return what opens a section; the way out of the text before it has judged the white space at its front."""
    items = literal_items(section)
    if items and isinstance(items[0], Space):
        return [replace(items[0], free=True), *items[1:]]
    return list(items)
