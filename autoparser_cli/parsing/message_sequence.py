"""An analysis whose turns are sequences of messages -> the grammar of one.

Each message has a header: perhaps a recipient, a channel, perhaps the recipient only here, perhaps a content type. The header says
what its body is: the recipient of a declared tool makes it a call, the channel of reasoning makes it reasoning, any other
channel content. A message for somebody else is no part of the answer: its text is kept in `unparsed`.
"""

from __future__ import annotations

import re

from autoparser_cli.analysis.model import (
    JSON_ENCODING,
    LiteralArguments,
    MessageSequence,
    TaggedCall,
    TemplateAnalysis,
)
from autoparser_cli.parsing.calls import AFTER_CALLS
from autoparser_cli.parsing.closing import MISSING_CALL_END
from autoparser_cli.parsing.options import ParseOptions
from autoparser_cli.parsing.response import response_ways
from autoparser_cli.parsing.wire import (
    Cases,
    first_marker,
    leading_white,
    literal_items,
    syntax_of,
    trailing_white,
)
from autoparser_cli.peg.expressions import (
    Choice,
    Exit,
    Expression,
    Goto,
    Grammar,
    Literal,
    Margin,
    Mark,
    Not,
    Optional,
    Payload,
    Peek,
    Rest,
    Run,
    Sequence,
    Space,
    Span,
    Switch,
    Tag,
    Text,
)

START, HEADER, REASONING, CONTENT, OTHER, GARBLED, UNFINISHED, DONE, END, RECOVERY = (
    "start", "header", "reasoning", "content", "other", "garbled", "unfinished", "done", "end", "recovery",
)  # fmt: skip
#: Not reached from any other: where calls begin inside text, for grammars that wait for one.
OPENINGS = "openings"
OPENED_AGAIN = "message-opened-again"
OTHER_RECIPIENT = "message-to-another-recipient"
UNKNOWN_CHANNEL = "unknown-channel"
MISSING_CHANNEL = "missing-channel"
MISSING_HEADER = "missing-header"
MISSING_MESSAGE_END = "missing-message-end"
MISSING_MESSAGE_START = "missing-message-start"
MISSING_NAMESPACE = "missing-namespace"
HEADER_WITHOUT_BODY = "header-without-body"
GARBLED_HEADER = "garbled-header"
_WORD = r"[\w-]"
_RECIPIENT = r"[^\s<>\[\]{}]"


def message_grammar(
    analysis: TemplateAnalysis, messages: MessageSequence, cases: Cases, options: ParseOptions, opened: bool
) -> Grammar:
    """Return the grammar of a turn; `opened`: the prompt holds what opens the first message."""
    return _Messages(analysis, messages, cases, options).grammar(opened)


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

    def __init__(
        self, analysis: TemplateAnalysis, messages: MessageSequence, cases: Cases, options: ParseOptions
    ) -> None:
        self.messages = messages
        self.cases = cases
        self.options = options
        self.kept = options.reasoning_format == "none"
        body = analysis.calls.body if analysis.calls is not None else None
        literal = isinstance(body, TaggedCall) and isinstance(body.arguments, LiteralArguments)
        self.arguments = body.arguments if literal and isinstance(body, TaggedCall) else LiteralArguments()
        self.ends = Rest(messages.ends)
        self.body = literal_items(messages.body.rstrip())
        self.margin = trailing_white(messages.body)

    def grammar(self, opened: bool) -> Grammar:
        """Return the grammar of the turn."""
        start = self._opening()
        repair = [Mark("repair", OPENED_AGAIN)] if opened else []
        states: dict[str, Expression] = {
            START: Choice((Sequence((*start, *repair, Goto(HEADER))), Goto(HEADER))),
            HEADER: self._header(),
            REASONING: self._text("content" if self.kept else "reasoning", keeps_end=self.kept),
            CONTENT: self._content(),
            OTHER: self._text("skipped"),
            GARBLED: self._garbled(),
            AFTER_CALLS: self._after_call(),
            RECOVERY: self._recovery(),
            UNFINISHED: Sequence(tuple(self.body)),
            END: self.ends,
            DONE: Sequence(()),
        }
        if self.cases and self.messages.recipient:
            states[OPENINGS] = self._openings()
        return Grammar(states, START)

    # ----------------------------------------------------------------------------------------------- headers

    def _header(self) -> Expression:
        """Return the ways of a header, those that leave no doubt first."""
        ways: list[Expression] = []
        if self.cases and self.messages.recipient:
            ways += self._calls()
        ways += [*self._reasoning(), *self._answers(), *self._others(), *self._unusual()]
        return Choice(tuple(ways))

    def _calls(self) -> list[Expression]:
        """Return the header of a call, its recipient before the channel or behind it."""
        ways: list[Expression] = []
        for known in (False, True) if self.messages.namespace else (True,):
            to = self._recipient(known)
            channel = (Space(), *self._channels())
            for body in (
                (Space(" "), *to, *channel, *self._call()),
                (*channel, Space(" "), *to, *self._call()),
            ):
                ways.append(
                    self._called(*body, repair=MISSING_NAMESPACE if known and self.messages.namespace else "")
                )
        return ways

    def _called(self, *body: Expression, repair: str = "") -> Expression:
        repairs = [Mark("repair", repair)] if repair else []
        return Sequence((Mark("call"), *repairs, Switch(self.cases, body), Mark("called"), Goto(AFTER_CALLS)))

    def _recipient(self, known: bool) -> list[Expression]:
        """Return the name of a tool; outside the namespace of tools only a declared one is a name of theirs."""
        namespace = [] if known else literal_items(self.messages.namespace)
        return [
            Literal(self.messages.recipient),
            *namespace,
            Tag(commit=True, known_only=known, certain=not known),
        ]

    def _call(self) -> list[Expression]:
        """Return what follows the recipient and the channel of a call."""
        return [*self._content_type(), *self.body, Space(), self._payload()]

    def _openings(self) -> Expression:
        """Return the ways into a call from its recipient on, which is what tells that one begins."""
        anchor = self.messages.recipient + self.messages.namespace
        _, *_, tag = self._recipient(not self.messages.namespace)
        channel_first = Sequence(tuple(self._call()))
        role_first = Sequence((Space(), *self._channels(), *self._call()))
        item = self._called(Literal(anchor), tag, Choice((role_first, channel_first)))
        return Text("content", (Exit(anchor, item),), DONE)

    def _payload(self) -> Expression:
        arguments = self.arguments
        if isinstance(arguments, LiteralArguments):
            return Payload(syntax_of(arguments.encoding), arguments.as_string)
        return Payload(syntax_of(JSON_ENCODING))

    def _channels(self) -> list[Expression]:
        """Return the channel of a call: any, of which those that are known are what is expected."""
        marker = literal_items(self.messages.channel)
        known = dict.fromkeys((self.messages.call_channel, self.messages.reasoning_channel))
        words = [Sequence((*marker, Literal(word), Not(Run("", _WORD, "")))) for word in known if word]
        unknown = (*marker, Run("channel", _WORD, "a channel"), Mark("repair", UNKNOWN_CHANNEL))
        return [Choice((*words, Sequence(unknown)))]

    def _content_type(self) -> list[Expression]:
        """Return what may stand in front of the body: white space, a marker of the same shape, a word."""
        channel = self.messages.channel.strip()
        edges = re.fullmatch(r"(\W+)[\w-]+(\W+)", channel)
        marker: list[Expression] = []
        if edges is not None:
            token = (Literal(edges[1]), Run("marker", _WORD, "a marker"), Literal(edges[2]))
            others = Choice((Sequence(tuple(self.body)), Literal(channel)))
            marker = [Not(others), *token]
        word = Run("content_type", _WORD, "a content type")
        ways: list[Expression] = [Sequence((Space(" "), *marker, Optional(word)))] if marker else []
        return [Optional(Choice((*ways, Sequence((Space(" "), word))))), Space()]

    def _channel(self, word: Expression) -> list[Expression]:
        return [Space(), *literal_items(self.messages.channel), word, *self._content_type(), *self.body]

    def _reasoning(self) -> list[Expression]:
        word = self.messages.reasoning_channel
        if not word:
            return []
        items = self._channel(Literal(word))
        opening: list[Expression] = [Span("opening", Sequence(tuple(items)))] if self.kept else items
        return [Sequence((*opening, Margin(self.margin), Goto(REASONING)))]

    def _answers(self) -> list[Expression]:
        """Return the headers of content: on its own channel, on that of calls, on any other, on none."""
        known = dict.fromkeys((self.messages.content_channel, self.messages.call_channel))
        words: list[list[Expression]] = [[Literal(word)] for word in known if word]
        words.append([Run("channel", _WORD, "a channel"), Mark("repair", UNKNOWN_CHANNEL)])
        into = (Margin(self.margin), Goto(CONTENT))
        ways: list[Expression] = [Sequence((*self._channel(Sequence(tuple(word))), *into)) for word in words]
        return [*ways, Sequence((Space(), *self.body, Mark("repair", MISSING_CHANNEL), *into))]

    def _others(self) -> list[Expression]:
        """Return the headers of messages to others than tools; one to a tool is content where there is none to call."""
        if not self.messages.recipient:
            return []
        ways: list[Expression] = []
        if not self.cases and self.messages.namespace:
            ways += self._to(literal_items(self.messages.namespace), Goto(CONTENT))
        return [*ways, *self._to([], Mark("repair", OTHER_RECIPIENT), Goto(OTHER))]

    def _to(self, namespace: list[Expression], *into: Expression) -> list[Expression]:
        """Return the headers with a recipient in `namespace`, before the channel and behind it."""
        name = Run("recipient", _RECIPIENT, "a recipient")
        recipient = (Space(" "), Literal(self.messages.recipient), *namespace, name)
        channel = (Space(), *literal_items(self.messages.channel), Run("channel", _WORD, "a channel"))
        rest = (*self._content_type(), *self.body, *into)
        return [Sequence((*recipient, *channel, *rest)), Sequence((*channel, *recipient, *rest))]

    def _unusual(self) -> list[Expression]:
        """Return what stands where a header should: one in front of another, one without a body, none."""
        channel = first_marker(self.messages.channel)
        name = Run("recipient", _RECIPIENT, "a recipient")
        recipient: list[Expression] = [Literal(self.messages.recipient)] if self.messages.recipient else []
        to: list[Expression] = [Optional(Sequence((Space(" "), *recipient, name)))] if recipient else []
        doubled = (Space(), Literal(channel), Run("channel", _WORD, "a channel"), *to, Peek(Literal(channel)))
        opens = [Literal(channel), *recipient]
        garbled = (Space(), Peek(Choice(tuple(opens))), Mark("repair", GARBLED_HEADER), Goto(GARBLED))
        return [
            Sequence((*doubled, Mark("repair", HEADER_WITHOUT_BODY), Goto(HEADER))),
            Sequence(garbled),
            self.ends,
            Sequence((Mark("repair", MISSING_HEADER), Goto(CONTENT))),
        ]

    # ------------------------------------------------------------------------------------------------ bodies

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
            exits.append(Exit(marker, item, leading_white(self.messages.body)))
        return Text(kind, (*exits, *self._unended()), DONE)

    def _next(self) -> Expression:
        """Return what may follow the end of a message."""
        unopened = Sequence((Peek(self._plain_header()), Mark("repair", MISSING_MESSAGE_START), Goto(HEADER)))
        return Choice((Sequence((*self._opening(), Goto(HEADER))), unopened, self.ends))

    def _unended(self) -> list[Exit]:
        """Return the ways out of a text whose message was not closed: the next one opens, or only its header."""
        repair = Mark("repair", MISSING_MESSAGE_END)
        channel = first_marker(self.messages.channel)
        opened = Sequence((*self._opening(), repair, Goto(HEADER)))
        header = Sequence((Peek(self._plain_header()), repair, Goto(HEADER)))
        return [Exit(first_marker(self.messages.start), opened), Exit(channel, header)]

    def _plain_header(self) -> Expression:
        """Return a whole header with a known channel."""
        known = (self.messages.reasoning_channel, self.messages.content_channel, self.messages.call_channel)
        ways: list[Expression] = []
        for word in dict.fromkeys(word for word in known if word):
            ways.append(Sequence((*literal_items(self.messages.channel), Literal(word), *self.body)))
        return Choice(tuple(ways))

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
