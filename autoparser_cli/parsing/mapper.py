"""Events of a match -> a message and the deltas that build it up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from autoparser_cli.frozen import frozen
from autoparser_cli.messages import Delta, Message, ToolCall, ToolCallDelta
from autoparser_cli.parsing.options import ParseOptions
from autoparser_cli.peg.source import Event

UNKNOWN_TOOL = "unknown-tool"
SECOND_CALL = "second-call"


@frozen
class Repair:
    """A tolerance that was used, and the offset in the output where it was."""

    name: str
    offset: int


@dataclass(slots=True)
class OpenCall:
    """A call while it is read: `index` is its number in the stream; a name that was read may be empty."""

    index: int
    offset: int
    name: str | None = None
    id: str | None = None
    arguments: list[str] = field(default_factory=list)
    waiting: str = ""
    told_id: bool = False

    def to_call(self) -> ToolCall:
        """Return the call as far as it is known."""
        return ToolCall(self.name or "", "".join(self.arguments), self.id)


@frozen
class Refusal:
    """Why the events were not taken in to their end.

    What was expected where, and where the text begins that was not used.
    """

    offset: int
    expected: tuple[str, ...]
    unparsed_from: int


class Mapper:
    """Takes in events, and keeps the message so far."""

    def __init__(self, options: ParseOptions, names: Mapping[str, object]) -> None:
        self.options = options
        self.names = names
        self.texts: dict[str, list[str]] = {"content": [], "reasoning": []}
        self.white: dict[str, str] = {"content": "", "reasoning": ""}
        self.calls: list[ToolCall] = []
        self.call_offsets: list[int] = []
        self.open: OpenCall | None = None
        self.repairs: list[Repair] = []
        self.refusal: Refusal | None = None
        self.skipped: list[str] = []
        self.prefilled = ""
        self._indices = 0
        self._deltas: list[Delta] = []
        self._kind = ""
        self._pieces: list[str] = []

    def take(self, events: list[Event]) -> tuple[Delta, ...]:
        """Take in events; return the deltas that they make, one a field."""
        if not events:
            return ()
        if len(events) == 1 and self.refusal is None:
            kind, text, offset = events[0]
            if kind == "arguments":
                call = self.open
                if call is not None and call.name:
                    call.arguments.append(text)
                    return (Delta(None, None, ToolCallDelta(call.index, None, None, text)),)
            elif offset >= 0 and kind in self.texts and self.texts[kind]:
                self.texts[kind].append(text)
                return (Delta(text) if kind == "content" else Delta(None, text),)
        for event in events:
            if self.refusal is not None:
                break
            kind = event[0]
            if kind == "arguments":
                self._arguments(event[1])
            elif kind in self.texts:
                self._text(kind, event[1], event[2])
            else:
                _TAKE.get(kind, _ignore)(self, event[1], event[2])
        self._flush()
        deltas, self._deltas = self._deltas, []
        return tuple(deltas)

    def message(self) -> Message:
        """Return the message so far, of whole calls only."""
        return Message("".join(self.texts["content"]), "".join(self.texts["reasoning"]), tuple(self.calls))

    def finish(self) -> tuple[Delta, ...]:
        """Give out white space that turned out to be all there is."""
        only = self.white["content"]
        if only and not self.calls and not self.texts["content"] and not self.texts["reasoning"]:
            self.texts["content"].append(only)
            return (Delta(content=only),)
        return ()

    def _opening(self, piece: str, offset: int) -> None:
        """Take in the start of reasoning that is left in the content.

        One that the prompt opened belongs there too.
        """
        if offset >= 0 or self.options.continue_final_message:
            self._text("content", piece, offset)
        else:
            self.prefilled = piece

    def _closing(self, piece: str, offset: int) -> None:
        """Take in the end of reasoning that is left in the content; what the prompt itself closed is none."""
        if offset >= 0 or self.options.continue_final_message:
            self._text("content", piece, offset)
        else:
            self.prefilled = ""

    def _text(self, kind: str, piece: str, offset: int) -> None:
        if offset < 0 and not self.options.continue_final_message:
            if self.prefilled:
                self.prefilled += piece[:-offset]
            piece = piece[-offset:]
        if self.prefilled and piece:
            piece, self.prefilled = self.prefilled + piece, ""
        if not self.texts[kind]:
            piece = self.white[kind] + piece
            if not piece or piece.isspace():
                self.white[kind] = piece
                return
        self.texts[kind].append(piece)
        self._add(kind, piece)

    def _arguments(self, piece: str) -> None:
        call = self.open
        if call is None:
            return
        call.arguments.append(piece)
        if call.name is not None:
            self._add("arguments", piece)
        else:
            call.waiting += piece

    def _begin(self, _: str, offset: int) -> None:
        if self.calls and not self.options.parallel_tool_calls:
            if not self.options.lenient:
                self.refusal = Refusal(offset, ("end of output",), offset)
                return
            self.repairs.append(Repair(SECOND_CALL, offset))
        self.white["content"] = ""
        self.open = OpenCall(self._indices, offset)
        self._indices += 1

    def _name(self, name: str, offset: int) -> None:
        call = self.open
        if call is None:
            return
        call.name = name
        if name not in self.names:
            if not self.options.lenient:
                self.refusal = Refusal(offset, tuple(self.names), call.offset)
                self.open = None
                return
            self.repairs.append(Repair(UNKNOWN_TOOL, offset))
        self._flush()
        self._deltas.append(
            Delta(tool_call=ToolCallDelta(call.index, id=call.id, name=name, arguments=call.waiting))
        )
        call.told_id = call.id is not None

    def _id(self, call_id: str, _: int) -> None:
        call = self.open
        if call is None or not call_id.strip():
            return
        call.id = call_id.strip().strip('"')
        if call.name is not None and not call.told_id:
            self._flush()
            self._deltas.append(Delta(tool_call=ToolCallDelta(call.index, id=call.id)))
            call.told_id = True

    def _end(self, _: str, __: int) -> None:
        if self.open is not None:
            self.calls.append(self.open.to_call())
            self.call_offsets.append(self.open.offset)
            self._flush()
            self.open = None

    def _repair(self, name: str, offset: int) -> None:
        if offset >= 0:
            self.repairs.append(Repair(name, offset))

    def _skip(self, text: str, _: int) -> None:
        self.skipped.append(text)

    def _add(self, kind: str, piece: str) -> None:
        if kind != self._kind:
            self._flush()
            self._kind = kind
        self._pieces.append(piece)

    def _flush(self) -> None:
        """End the delta under way."""
        if not self._pieces:
            return
        text = "".join(self._pieces)
        self._pieces.clear()
        if self._kind == "content":
            self._deltas.append(Delta(content=text))
        elif self._kind == "reasoning":
            self._deltas.append(Delta(reasoning_content=text))
        elif self.open is not None:
            self._deltas.append(Delta(tool_call=ToolCallDelta(self.open.index, arguments=text)))
        self._kind = ""


def _ignore(mapper: Mapper, text: str, offset: int) -> None:
    """Take no notice of an event that is for others."""


_TAKE = {
    "call": Mapper._begin,
    "tag": Mapper._name,
    "id": Mapper._id,
    "called": Mapper._end,
    "opening": Mapper._opening,
    "closing": Mapper._closing,
    "repair": Mapper._repair,
    "skipped": Mapper._skip,
}
