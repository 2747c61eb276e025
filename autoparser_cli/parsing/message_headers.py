"""The header of a message -> expressions: what it says of the body, and where to go on.

A header is perhaps a recipient, a channel, perhaps the recipient only here, perhaps a content type, and the marker that ends it. The
recipient of a declared tool makes the message a call, the channel of reasoning makes it reasoning, any other channel content.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from autoparser_cli.analysis.model import LiteralArguments, MessageSequence
from autoparser_cli.parsing.calls import AFTER_CALLS
from autoparser_cli.parsing.wire import first_marker, literal_items, syntax_of, trailing_white
from autoparser_cli.peg.expressions import (
    Choice,
    Exit,
    Expression,
    Goto,
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
from autoparser_cli.peg.names import Cases

HEADER, REASONING, CONTENT, OTHER, GARBLED, DONE = (
    "header", "reasoning", "content", "other", "garbled", "done",
)  # fmt: skip
OTHER_RECIPIENT = "message-to-another-recipient"
UNKNOWN_CHANNEL = "unknown-channel"
MISSING_CHANNEL = "missing-channel"
MISSING_HEADER = "missing-header"
MISSING_NAMESPACE = "missing-namespace"
HEADER_WITHOUT_BODY = "header-without-body"
GARBLED_HEADER = "garbled-header"
_WORD = r"[\w-]"
_RECIPIENT = r"[^\s<>\[\]{}]"
_CHANNEL = Run("channel", _WORD, "a channel")
_NAME = Run("recipient", _RECIPIENT, "a recipient")
_TYPE = Run("content_type", _WORD, "a content type")


@dataclass(frozen=True)
class Headers:
    """The headers of one turn; `kept`: reasoning stays in the content, its header too."""

    messages: MessageSequence
    cases: Cases
    arguments: LiteralArguments
    kept: bool

    @cached_property
    def body(self) -> tuple[Expression, ...]:
        """The marker that ends a header."""
        return literal_items(self.messages.body.rstrip())

    @property
    def has_calls(self) -> bool:
        """Tell whether a message can be a call."""
        return bool(self.cases and self.messages.recipient)

    def header(self) -> Expression:
        """Return the ways of a header, those that leave no doubt first."""
        ways: list[Expression] = []
        if self.has_calls:
            ways += self._calls()
        ways += [*self._reasoning(), *self._answers(), *self._others(), *self._unusual()]
        return Choice(tuple(ways))

    def openings(self) -> Expression:
        """Return the ways into a call from its recipient on, which is what tells that one begins."""
        anchor = self.messages.recipient + self.messages.namespace
        _, *_, tag = self._recipient(not self.messages.namespace)
        channel_first = Sequence(tuple(self._call()))
        role_first = Sequence((Space(), *self._channels(), *self._call()))
        item = self._called(Literal(anchor), tag, Choice((role_first, channel_first)))
        return Text("content", (Exit(anchor, item),), DONE)

    def plain(self) -> Expression:
        """Return a whole header that leaves no doubt: a known channel, and the recipient of a call or none."""
        known = (self.messages.reasoning_channel, self.messages.content_channel, self.messages.call_channel)
        recipient: list[Expression] = [Space(" "), Literal(self.messages.recipient)]
        to = [*recipient, *literal_items(self.messages.namespace), _NAME, *self._content_type()]
        called = [Optional(Sequence(tuple(to)))] if self.has_calls else []
        words = Choice(tuple(Literal(word) for word in dict.fromkeys(known) if word))
        return Sequence((*literal_items(self.messages.channel), words, *called, *self.body))

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

    def _payload(self) -> Expression:
        return Payload(syntax_of(self.arguments.encoding), self.arguments.as_string)

    def _channels(self) -> list[Expression]:
        """Return the channel of a call: any, of which those that are known are what is expected."""
        marker = literal_items(self.messages.channel)
        known = dict.fromkeys((self.messages.call_channel, self.messages.reasoning_channel))
        words = [Sequence((*marker, Literal(word), Not(Run("", _WORD, "")))) for word in known if word]
        unknown = (*marker, _CHANNEL, Mark("repair", UNKNOWN_CHANNEL))
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
        ways: list[Expression] = [Sequence((Space(" "), *marker, Optional(_TYPE)))] if marker else []
        return [Optional(Choice((*ways, Sequence((Space(" "), _TYPE))))), Space()]

    def _channel(self, word: Expression) -> list[Expression]:
        return [Space(), *literal_items(self.messages.channel), word, *self._content_type(), *self.body]

    def _reasoning(self) -> list[Expression]:
        word = self.messages.reasoning_channel
        if not word:
            return []
        items = self._channel(Literal(word))
        opening: list[Expression] = [Span("opening", Sequence(tuple(items)))] if self.kept else items
        return [Sequence((*opening, Margin(trailing_white(self.messages.body)), Goto(REASONING)))]

    def _answers(self) -> list[Expression]:
        """Return the headers of content: on its own channel, on that of calls, on any other, on none."""
        known = dict.fromkeys((self.messages.content_channel, self.messages.call_channel))
        words: list[list[Expression]] = [[Literal(word)] for word in known if word]
        words.append([_CHANNEL, Mark("repair", UNKNOWN_CHANNEL)])
        into = (Margin(trailing_white(self.messages.body)), Goto(CONTENT))
        ways: list[Expression] = [Sequence((*self._channel(Sequence(tuple(word))), *into)) for word in words]
        return [*ways, Sequence((Space(), *self.body, Mark("repair", MISSING_CHANNEL), *into))]

    def _others(self) -> list[Expression]:
        """Return the headers of messages to others than tools; one to a tool is content where there is none to call."""
        if not self.messages.recipient:
            return []
        ways: list[Expression] = []
        if not self.cases and self.messages.namespace:
            ways += self._to(literal_items(self.messages.namespace), Goto(CONTENT))
        return [*ways, *self._to((), Mark("repair", OTHER_RECIPIENT), Goto(OTHER))]

    def _to(self, namespace: tuple[Expression, ...], *into: Expression) -> list[Expression]:
        """Return the headers with a recipient in `namespace`, before the channel and behind it."""
        recipient = (Space(" "), Literal(self.messages.recipient), *namespace, _NAME)
        channel = (Space(), *literal_items(self.messages.channel), _CHANNEL)
        rest = (*self._content_type(), *self.body, *into)
        return [Sequence((*recipient, *channel, *rest)), Sequence((*channel, *recipient, *rest))]

    def _unusual(self) -> list[Expression]:
        """Return what stands where a header should: one in front of another, one without a body, none."""
        channel = first_marker(self.messages.channel)
        recipient: list[Expression] = [Literal(self.messages.recipient)] if self.messages.recipient else []
        to: list[Expression] = [Optional(Sequence((Space(" "), *recipient, _NAME)))] if recipient else []
        empty = Span("skipped", Sequence((Literal(channel), _CHANNEL, *to)))
        doubled = (Space(), empty, Peek(Literal(channel)))
        opens = [Literal(channel), *recipient]
        garbled = (Space(), Peek(Choice(tuple(opens))), Mark("repair", GARBLED_HEADER), Goto(GARBLED))
        return [
            Sequence((*doubled, Mark("repair", HEADER_WITHOUT_BODY), Goto(HEADER))),
            Sequence(garbled),
            Rest(self.messages.ends),
            Sequence((Mark("repair", MISSING_HEADER), Goto(CONTENT))),
        ]
