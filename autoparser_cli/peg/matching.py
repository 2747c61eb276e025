"""A resumable matcher: a `Grammar` is compiled into generators that stop where they need more input.

Each expression becomes a *part*: a plain step (True: matched, False: not, None: needs more input and has
moved nothing), or a generator that yields for more input and returns whether it matched. A whole input is one
chunk and the end: the same code. What is matched at a place of no return is given out and forgotten, so that
any number of chunks costs the same in total.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from functools import partial
from typing import cast

from autoparser_cli.peg import expressions as ex
from autoparser_cli.peg.fields import fields_part
from autoparser_cli.peg.json_values import json_value
from autoparser_cli.peg.names import tag_part
from autoparser_cli.peg.parts import Part, attempt, fused_part, join_parts, same_part, skip_printed, white_end
from autoparser_cli.peg.record import record_part
from autoparser_cli.peg.source import Event, Match, Source, begins
from autoparser_cli.peg.text import text_part
from autoparser_cli.peg.values import payload_part

#: A marker at the end of a turn may itself be cut short; less than this much of one is text.
_CUT_MARKER = 3
#: Where a run ends at the latest: what is no id or tag would be read again at each place where one might begin.
_LONGEST_RUN = 1024


class Matcher:
    """One match of a grammar against an input that comes in chunks."""

    def __init__(self, compiled: CompiledGrammar, offset: int = 0, state: str = "") -> None:
        self.source = Source(offset)
        self._match = compiled.run(self.source, state)
        #: Whether nothing that comes can change the match any more.
        self.stopped = False
        self.matched = False

    def feed(self, chunk: str) -> list[Event]:
        """Take in a chunk; return the events that are final now."""
        source = self.source
        if source.lane is not None:
            passed = source.pass_by(source.lane, chunk)
            if passed is not None:
                return passed
            source.lane = None
        if source.feed(chunk) and not self.stopped:
            try:
                next(self._match)
            except StopIteration as stop:
                self.matched = bool(stop.value)
                self.stopped = True
        if source.depth or source.final:
            return source.take()
        events = source.events
        source.events = []
        return events

    def close(self) -> list[Event]:
        """Take in that no more comes; return the last events. `matched` tells whether all fitted."""
        self.source.close()
        if not self.stopped:
            self._resume()
        events = self.source.take()
        return events + self.source.events if self.source.depth else events

    def _resume(self) -> None:
        try:
            next(self._match)
        except StopIteration as stop:
            self.matched = bool(stop.value)
            self.stopped = True


class CompiledGrammar:
    """A grammar whose states are compiled when they are first reached; can be shared by many matches."""

    def __init__(self, grammar: ex.Grammar) -> None:
        self.grammar = grammar
        self._states: dict[str, Part] = {}

    def state(self, name: str) -> Part:
        """Return the compiled state."""
        part = self._states.get(name)
        if part is None:
            part = self._states[name] = compile_expression(self.grammar.states[name])
        return part

    def run(self, source: Source, state: str = "") -> Match:
        """Match the grammar from a state, its first by default, to its end."""
        source.state = state or self.grammar.start
        while source.state is not None:
            step, generator = self.state(source.state)
            source.state = None
            if step is not None:
                while (ok := step(source)) is None:
                    yield
            else:
                assert generator is not None
                ok = yield from generator(source)
            if not ok:
                return False
        return True


def compile_expression(expression: ex.Expression) -> Part:
    """Compile one expression into a part."""
    return _COMPILERS[type(expression)](expression)


def _sequence(expression: ex.Expression) -> Part:
    return _items(cast(ex.Sequence, expression).items)


def _items(items: tuple[ex.Expression, ...]) -> Part:
    """Compile items in order, neighbouring literals and white space as one."""
    parts: list[Part] = []
    fused: list[ex.Literal | ex.Space] = []
    for item in items:
        if isinstance(item, ex.Literal | ex.Space):
            fused.append(item)
            continue
        if fused:
            parts.append(fused_part(fused))
            fused = []
        parts.append(compile_expression(item))
    if fused:
        parts.append(fused_part(fused))
    return join_parts(parts)


def _fused(expression: ex.Expression) -> Part:
    return fused_part([cast("ex.Literal | ex.Space", expression)])


def _margin(expression: ex.Expression) -> Part:
    printed = cast(ex.Margin, expression).printed
    return partial(skip_printed, printed=printed), None


def _choice(expression: ex.Expression) -> Part:
    items = cast(ex.Choice, expression).items
    *tried, last = [(_lead(item), *compile_expression(item)) for item in items]

    def generator(source: Source) -> Match:
        held = None
        for lead, step, inner in tried:
            if lead is not None and _rules_out(lead, source):
                continue
            if step is not None:
                while (ok := step(source)) is None:
                    yield
            else:
                assert inner is not None
                held = held or source.hold()
                ok = yield from inner(source)
            if ok:
                if held is not None:
                    source.keep(held)
                return True
            if held is not None and not source.back(held):
                return False
        if held is not None:
            source.keep(held)
        return (yield from attempt(last[1:], source))

    return None, generator


#: Whether white space may stand before it, and the literal that an expression begins with.
_Lead = tuple[bool, str]


def _lead(expression: ex.Expression, white: bool = False) -> _Lead | None:
    """Return what an expression begins with, None where that is no literal."""
    if isinstance(expression, ex.Literal):
        return white, expression.text
    if isinstance(expression, ex.Span):
        return _lead(expression.item, white)
    if isinstance(expression, ex.Sequence):
        for item in expression.items:
            if isinstance(item, ex.Space):
                white = True
            elif not isinstance(item, ex.Mark):
                return _lead(item, white)
    return None


def _rules_out(lead: _Lead, source: Source) -> bool:
    """Tell whether something else stands here for certain, and note what was expected."""
    white, literal = lead
    text, at = source.text, source.pos
    if white:
        at = white_end(text, at)
    if text.startswith(literal, at) or literal.startswith(text[at : at + len(literal)]):
        return False
    source.fail(at, literal)
    return True


def _optional(expression: ex.Expression) -> Part:
    node = cast(ex.Optional, expression)
    part = compile_expression(node.item)

    def generator(source: Source) -> Match:
        held = source.hold()
        if not (yield from attempt(part, source)):
            if not source.back(held):
                return False
            if node.missing:
                source.emit("repair", node.missing)
        source.keep(held)
        return True

    return None, generator


def _look(part: Part, source: Source) -> Match:
    """Try a part and undo it; a cut in it does nothing."""
    held = source.hold()
    source.uncut += 1
    ok = yield from attempt(part, source)
    source.uncut -= 1
    source.back(held)
    source.keep(held)
    return ok


def _peek(expression: ex.Expression) -> Part:
    part = compile_expression(cast(ex.Peek, expression).item)
    return None, lambda source: _look(part, source)


def _not(expression: ex.Expression) -> Part:
    part = compile_expression(cast(ex.Not, expression).item)

    def generator(source: Source) -> Match:
        return not (yield from _look(part, source))

    return None, generator


def _cut(expression: ex.Expression) -> Part:
    def step(source: Source) -> bool:
        source.cut()
        return True

    return step, None


def _mark(expression: ex.Expression) -> Part:
    node = cast(ex.Mark, expression)

    def step(source: Source) -> bool:
        source.emit(node.kind, node.value)
        return True

    return step, None


def _goto(expression: ex.Expression) -> Part:
    state = cast(ex.Goto, expression).state

    def step(source: Source) -> bool:
        source.state = state
        return True

    return step, None


def _run(expression: ex.Expression) -> Part:
    node = cast(ex.Run, expression)
    pattern = re.compile(f"(?:{node.pattern}){{1,{_LONGEST_RUN}}}+")

    def step(source: Source) -> bool | None:
        found = pattern.match(source.text, source.pos)
        if found is None:
            if source.pos == len(source.text) and not source.closed:
                return None
            return source.fail(source.pos, node.what)
        may_go_on = found.end() == len(source.text) and len(found[0]) < _LONGEST_RUN
        if may_go_on and not source.closed:
            return None
        source.emit(node.kind, found[0])
        source.pos = found.end()
        return True

    return step, None


def _span(expression: ex.Expression) -> Part:
    node = cast(ex.Span, expression)
    part = compile_expression(node.item)

    def generator(source: Source) -> Match:
        held = source.hold()
        if not (yield from attempt(part, source)):
            source.back(held)
            source.keep(held)
            return False
        start = held[0]
        source.events.insert(held[1], (node.kind, source.text[start : source.pos], source.base + start))
        source.keep(held)
        return True

    return None, generator


def _rest(expression: ex.Expression) -> Part:
    markers = cast(ex.Rest, expression).markers

    def step(source: Source) -> bool | None:
        text = source.text
        at = white_end(text, source.pos)
        for marker in markers:
            if text.startswith(marker, at):
                at = white_end(text, at + len(marker))
        if at < len(text):
            if any(begins(text, at, marker) for marker in markers):
                if not source.closed:
                    return None
                if len(text) - at >= _CUT_MARKER:
                    source.pos = len(text)
                    return True
            return source.fail(at, "end of output")
        if not source.closed:
            return None
        source.pos = at
        return True

    return step, None


def _unclosed(expression: ex.Expression) -> Part:
    node = cast(ex.Unclosed, expression)
    head = compile_expression(node.head)
    item = compile_expression(node.item)
    closing = re.compile("|".join(map(re.escape, node.closing)))

    def generator(source: Source) -> Match:
        held = source.hold()
        ok = yield from _look(head, source)
        behind = source.pos
        while ok:
            found = closing.search(source.text, behind)
            if found is None:
                if source.closed:
                    break
                yield
                continue
            end = (yield from _end_of(item, source)) if behind == source.pos else 0
            if end > found.start():
                behind = end
            else:
                source.skip_to = found.start()
                ok = source.fail(source.pos)
        source.keep(held)
        return ok and (yield from attempt(item, source))

    return None, generator


def _end_of(part: Part, source: Source) -> Generator[None, None, int]:
    """Return where a part that begins here ends, 0 where it does not match; undo it."""
    held = source.hold()
    source.uncut += 1
    ok = yield from attempt(part, source)
    source.uncut -= 1
    end = source.pos
    source.back(held)
    source.keep(held)
    source.state = None
    return end if ok else 0


def _ahead(expression: ex.Expression) -> Part:
    pattern = re.compile("|".join(map(re.escape, cast(ex.Ahead, expression).markers)))

    def generator(source: Source) -> Match:
        held = source.hold()
        while not (found := pattern.search(source.text, source.pos)) and not source.closed:
            yield
        source.keep(held)
        return found is not None

    return None, generator


def _json(expression: ex.Expression) -> Part:
    kind = cast(ex.Json, expression).kind
    return None, lambda source: json_value(source, kind)


def _switch(expression: ex.Expression) -> Part:
    node = cast(ex.Switch, expression)

    def enter(source: Source) -> bool:
        source.cases = node.cases
        return True

    step, generator = _items(node.body)
    return join_parts([(enter, None), (step, generator)])


def _text(expression: ex.Expression) -> Part:
    return text_part(cast(ex.Text, expression), compile_expression)


def _tag(expression: ex.Expression) -> Part:
    return tag_part(cast(ex.Tag, expression))


def _same(expression: ex.Expression) -> Part:
    return same_part(cast(ex.Same, expression))


def _payload(expression: ex.Expression) -> Part:
    return payload_part(cast(ex.Payload, expression))


def _fields(expression: ex.Expression) -> Part:
    return fields_part(cast(ex.Fields, expression), _items)


def _record(expression: ex.Expression) -> Part:
    return record_part(cast(ex.Record, expression))


_COMPILERS: dict[type, Callable[[ex.Expression], Part]] = {
    ex.Literal: _fused,
    ex.Space: _fused,
    ex.Margin: _margin,
    ex.Run: _run,
    ex.Sequence: _sequence,
    ex.Choice: _choice,
    ex.Optional: _optional,
    ex.Peek: _peek,
    ex.Not: _not,
    ex.Cut: _cut,
    ex.Mark: _mark,
    ex.Text: _text,
    ex.Unclosed: _unclosed,
    ex.Ahead: _ahead,
    ex.Rest: _rest,
    ex.Goto: _goto,
    ex.Same: _same,
    ex.Span: _span,
    ex.Tag: _tag,
    ex.Payload: _payload,
    ex.Fields: _fields,
    ex.Switch: _switch,
    ex.Record: _record,
    ex.Json: _json,
}
