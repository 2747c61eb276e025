"""What a model wrote -> a message, with where it stopped fitting, what was repaired, and what the schemas
say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autoparser_cli.errors import ClosedStreamError
from autoparser_cli.frozen import frozen
from autoparser_cli.messages import Delta, Message, ToolCall
from autoparser_cli.parsing.findings import Finding, SchemaChecker
from autoparser_cli.parsing.mapper import Mapper, Repair
from autoparser_cli.parsing.options import ParseOptions
from autoparser_cli.parsing.received import Received
from autoparser_cli.peg.expressions import Grammar
from autoparser_cli.peg.matching import CompiledGrammar, Matcher

RECOVERY = "recovery"
UNPARSED_REPAIR = "unparsed-text"
_EXPECTED_LIMIT = 12
#: A failed match is taken up with pieces of this size: each of many failures costs no more than one.
_RECOVERED_AT_ONCE = 4096


@frozen
class ParseError:
    """Where an output stopped fitting.

    `offset`: 0-based, in code points of the output; `line` and `column`: 1-based. `unparsed`: the tail that
    was not used. `open_call`: the call that was not finished, as far as it is known.
    """

    offset: int
    line: int
    column: int
    expected: tuple[str, ...]
    unparsed: str
    open_call: ToolCall | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the error as JSON types."""
        return {
            "offset": self.offset,
            "line": self.line,
            "column": self.column,
            "expected": list(self.expected),
            "unparsed": self.unparsed,
            "open_call": self.open_call.to_dict() if self.open_call else None,
        }


@frozen
class ParseResult:
    """The message that was recognised, and all that is to say about how."""

    message: Message
    error: ParseError | None = None
    repairs: tuple[Repair, ...] = ()
    findings: tuple[Finding, ...] = ()
    unparsed: str = ""

    @property
    def open_call(self) -> ToolCall | None:
        """Return the call that was not finished, if there is one."""
        return self.error.open_call if self.error else None


class OutputParser:
    """Parses outputs of one template, for one set of tools and one prompt.

    Can be used any number of times.
    """

    def __init__(
        self,
        grammar: Grammar,
        prefix: str,
        schemas: Mapping[str, Any],
        allowed: Mapping[str, Any],
        options: ParseOptions,
        argument_opening: str = "",
        notes: tuple[Finding, ...] = (),
    ) -> None:
        self.grammar = grammar
        self.prefix = prefix
        self.schemas = schemas
        self.options = options
        self.notes = notes
        self.compiled = CompiledGrammar(grammar)
        named = options.named_tool
        if named and named not in allowed:
            known = ", ".join(schemas) or "no tools were given"
            raise ValueError(f"tool_choice: no tool is called {named!r} (auto, required, none, or: {known})")
        #: The tools that may be called; what they hold does not matter.
        self.allowed = allowed
        self.checker = SchemaChecker(schemas, argument_opening)

    def parse(self, output: str) -> ParseResult:
        """Parse a whole output."""
        stream = self.stream()
        stream.feed(output)
        return stream.close()

    def stream(self) -> OutputStream:
        """Begin to parse an output that comes in chunks."""
        return OutputStream(self)

    def dump(self) -> str:
        """Return the grammar as readable text."""
        from autoparser_cli.peg.dump import dump_grammar

        return dump_grammar(self.grammar)


class OutputStream:
    """One output under way."""

    def __init__(self, parser: OutputParser) -> None:
        self.parser = parser
        self._received = Received()
        self._take_chunk = self._received.chunks.append
        self._mapper = Mapper(parser.options, parser.allowed)
        self._matcher = Matcher(parser.compiled, -len(parser.prefix))
        self._waiting = self._mapper.take(self._matcher.feed(parser.prefix)) if parser.prefix else ()
        self._result: ParseResult | None = None
        self.last_deltas: tuple[Delta, ...] = ()

    def feed(self, chunk: str) -> tuple[Delta, ...]:
        """Take in a chunk; return what it adds to the message. Raise ClosedStreamError behind `close`."""
        if self._result is not None:
            raise ClosedStreamError("the stream is closed", hint="begin another one with parser.stream()")
        self._take_chunk(chunk)
        matcher = self._matcher
        deltas = self._mapper.take(matcher.feed(chunk))
        if matcher.stopped and self._lost():
            deltas += self._recover(closing=False)
        if self._waiting:
            deltas, self._waiting = self._waiting + deltas, ()
        return deltas

    def close(self) -> ParseResult:
        """Take in that the output has ended.

        Return the result. `last_deltas` has what became certain only now.
        """
        if self._result is None:
            deltas = self._waiting + self._mapper.take(self._matcher.close())
            if self._lost():
                deltas += self._recover(closing=True)
            self.last_deltas = deltas + self._mapper.finish()
            self._result = self._finished()
        return self._result

    def _lost(self) -> bool:
        """Tell whether the match has failed, and may be taken up again."""
        can = RECOVERY in self.parser.grammar.states and self.parser.options.lenient
        return can and self._matcher.stopped and not self._matcher.matched

    def _recover(self, closing: bool) -> tuple[Delta, ...]:
        """Go on behind a failed call at the next place where one opens."""
        deltas: list[Delta] = []
        while self._lost():
            start = self._begin_again()
            size = self._received.size()
            for at in range(start, size, _RECOVERED_AT_ONCE):
                if self._matcher.stopped:
                    break
                piece = self._received.part(at, at + _RECOVERED_AT_ONCE)
                deltas += self._mapper.take(self._matcher.feed(piece))
            if closing:
                deltas += self._mapper.take(self._matcher.close())
            if start >= size:
                break
        return tuple(deltas)

    def _begin_again(self) -> int:
        """Leave a failed match, and begin another behind it; return where."""
        source, call = self._matcher.source, self._mapper.open
        start = max(source.far, call.offset + 1 if call else 0, 0)
        self._mapper.repairs.append(Repair(UNPARSED_REPAIR, call.offset if call else start))
        begun = call.offset if call else max(0, min(source.far, source.base + source.pos))
        self._mapper.skipped.append(self._received.part(begun, start))
        self._mapper.open = None
        self._matcher = Matcher(self.parser.compiled, start, RECOVERY)
        return start

    def _finished(self) -> ParseResult:
        mapper = self._mapper
        repairs = tuple(mapper.repairs)
        message = mapper.message()
        findings = self.parser.checker.check(message.tool_calls, mapper.call_offsets) + self.parser.notes
        error = self._error()
        return ParseResult(message, error, repairs, findings, "".join(mapper.skipped))

    def _error(self) -> ParseError | None:
        mapper, source = self._mapper, self._matcher.source
        if mapper.refusal is not None:
            refusal = mapper.refusal
            return self._at(refusal.offset, refusal.expected, refusal.unparsed_from, None)
        if not self._matcher.matched:
            call = mapper.open
            stopped = min(source.far, source.base + source.pos)
            start = call.offset if call else stopped
            open_call = call.to_call() if call and call.name else None
            return self._at(source.far, tuple(source.expected), start, open_call)
        if self.parser.options.tool_choice == "required" and not mapper.calls:
            size = self._received.size()
            return self._at(size, ("a tool call",), size, None)
        return None

    def _at(
        self, offset: int, expected: tuple[str, ...], unparsed_from: int, open_call: ToolCall | None
    ) -> ParseError:
        output = self._received.text()
        offset = max(0, min(offset, len(output)))
        line = output.count("\n", 0, offset) + 1
        column = offset - (output.rfind("\n", 0, offset) + 1) + 1
        shown = tuple(text for text in expected if text)[:_EXPECTED_LIMIT]
        return ParseError(offset, line, column, shown, output[max(0, unparsed_from) :], open_call)
