"""An analysis whose turns are sequences of messages -> the grammar of one.

A message is a header, a body and perhaps an end; behind it another one may open. A message for somebody who is no tool is no part of
the answer: its text is kept in `unparsed`.
"""

from __future__ import annotations

from autoparser_cli.analysis.model import LiteralArguments, MessageSequence, TaggedCall, TemplateAnalysis
from autoparser_cli.parsing.calls import AFTER_CALLS
from autoparser_cli.parsing.closing import MISSING_CALL_END
from autoparser_cli.parsing.message_headers import (
    CONTENT,
    DONE,
    GARBLED,
    HEADER,
    OTHER,
    REASONING,
    Headers,
)
from autoparser_cli.parsing.options import ParseOptions
from autoparser_cli.parsing.response import response_ways
from autoparser_cli.parsing.wire import first_marker, leading_white, literal_items
from autoparser_cli.peg.expressions import (
    Choice,
    Exit,
    Expression,
    Goto,
    Grammar,
    Literal,
    Mark,
    Peek,
    Rest,
    Sequence,
    Space,
    Span,
    Text,
)
from autoparser_cli.peg.names import Cases

START, UNFINISHED, END, RECOVERY = "start", "unfinished", "end", "recovery"
#: Not reached from any other: where calls begin inside text, for grammars that wait for one.
OPENINGS = "openings"
OPENED_AGAIN = "message-opened-again"
MISSING_MESSAGE_END = "missing-message-end"
MISSING_MESSAGE_START = "missing-message-start"


def message_grammar(
    analysis: TemplateAnalysis, messages: MessageSequence, cases: Cases, options: ParseOptions, opened: bool
) -> Grammar:
    """Return the grammar of a turn; `opened`: the prompt holds what opens the first message."""
    body = analysis.calls.body if analysis.calls is not None else None
    arguments = body.arguments if isinstance(body, TaggedCall) else None
    literal = arguments if isinstance(arguments, LiteralArguments) else LiteralArguments()
    headers = Headers(messages, cases, literal, kept=options.reasoning_format == "none")
    return _Messages(messages, headers, options).grammar(opened)


def fed_messages(messages: MessageSequence, prompt: str, continued: bool) -> str:
    """Return what a prompt's end holds of the turn, behind the opening of a message.

    Of the last message; where the turn is `continued`, of all that follow each other without another's between.
    """
    start = messages.start.strip()
    at = prompt.rfind(start)
    if at < 0:
        return ""
    while continued and (earlier := prompt.rfind(start, 0, at)) >= 0:
        if prompt.count(messages.body.strip(), earlier, at) > 1:
            break
        at = earlier
    return prompt[at + len(start) :]


class _Messages:
    """Builds the states of one turn."""

    def __init__(self, messages: MessageSequence, headers: Headers, options: ParseOptions) -> None:
        self.messages = messages
        self.headers = headers
        self.options = options
        self.ends = Rest(messages.ends)

    def grammar(self, opened: bool) -> Grammar:
        """Return the grammar of the turn."""
        kept = self.headers.kept
        repair = [Mark("repair", OPENED_AGAIN)] if opened else []
        states: dict[str, Expression] = {
            START: Choice((Sequence((*self._opening(), *repair, Goto(HEADER))), Goto(HEADER))),
            HEADER: self.headers.header(),
            REASONING: self._text("content" if kept else "reasoning", keeps_end=kept),
            CONTENT: self._content(),
            OTHER: self._text("skipped"),
            GARBLED: self._garbled(),
            AFTER_CALLS: self._after_call(),
            RECOVERY: self._recovery(),
            UNFINISHED: Sequence(tuple(self.headers.body)),
            END: self.ends,
            DONE: Sequence(()),
        }
        if self.headers.has_calls:
            states[OPENINGS] = self.headers.openings()
        return Grammar(states, START)

    def _content(self) -> Expression:
        text = self._text("content")
        if self.options.json_schema is None:
            return text
        return Choice((*response_ways(self.options.json_schema, Goto(END)), text))

    def _text(self, kind: str, *, keeps_end: bool = False) -> Text:
        """Return the text of a message, up to a marker behind which another one opens, or nothing comes."""
        exits = []
        for marker in self.messages.ends:
            end: Expression = Literal(marker)
            item = Sequence((Span("closing", end) if keeps_end else end, self._next()))
            exits.append(Exit(marker, item))
        return Text(kind, (*exits, *self._unended()), DONE)

    def _next(self) -> Expression:
        """Return what may follow the end of a message."""
        unopened = Sequence((Peek(self.headers.plain()), Mark("repair", MISSING_MESSAGE_START), Goto(HEADER)))
        return Choice((Sequence((*self._opening(), Goto(HEADER))), unopened, self.ends))

    def _unended(self) -> list[Exit]:
        """Return the ways out of a text whose message was not closed: the next one opens, or only its header."""
        repair = Mark("repair", MISSING_MESSAGE_END)
        channel = first_marker(self.messages.channel)
        opened = Sequence((*self._opening(), repair, Goto(HEADER)))
        header = Sequence((Peek(self.headers.plain()), repair, Goto(HEADER)))
        return [Exit(first_marker(self.messages.start), opened), Exit(channel, header)]

    def _opening(self) -> list[Expression]:
        return [Space(leading_white(self.messages.start)), *literal_items(self.messages.start.strip())]

    def _after_call(self) -> Expression:
        """Return the state behind a call: the end of its message and a further one, or the end of the output."""
        further = (*self._opening(), Goto(HEADER))
        ways: list[Expression] = [
            Sequence((Space(), Literal(marker), *further)) for marker in self.messages.ends
        ]
        ways.append(Sequence((Mark("repair", MISSING_CALL_END), *further)))
        return Choice((*ways, self.ends))

    def _garbled(self) -> Expression:
        """Return the text of a header that cannot be read, up to the next message; nothing may end with it."""
        further = (*self._opening(), Goto(HEADER))
        exits = [Exit(marker, Sequence((Literal(marker), *further))) for marker in self.messages.ends]
        return Text("skipped", tuple(exits), UNFINISHED)

    def _recovery(self) -> Expression:
        """Return the text behind a failed call, up to the next message."""
        opened = Sequence((*self._opening(), Goto(HEADER)))
        ends = [Exit(marker, Sequence((Literal(marker), self.ends))) for marker in self.messages.ends]
        return Text("skipped", (Exit(first_marker(self.messages.start), opened), *ends), DONE)
