"""A turn with calls -> where each call's name, id and arguments stand in its text.

The needles are searched from left to right. A call that is one JSON object as a whole is found by reading JSON from each brace in
front of its name.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
from typing import Any

from autoparser_cli.analysis.conversations import Call
from autoparser_cli.analysis.model import Var
from autoparser_cli.analysis.shapes import Span
from autoparser_cli.frozen import frozen

_DECODER = json.JSONDecoder()


@frozen
class Slot:
    """A place that varies."""

    var: Var
    start: int
    end: int


@frozen
class LocatedCall:
    """One call in a text: its slots in order, and the JSON object it is as a whole, if it is one.

    `tagged`: ARGUMENTS spans from the first key to the last value only; the markers around them are found by other probes.
    """

    slots: tuple[Slot, ...]
    value: dict[str, Any] | None = None
    envelope: Span | None = None
    tagged: bool = False
    quoted_arguments: bool = False

    @property
    def start(self) -> int:
        """Return where the call's first slot (or its object) begins."""
        return self.envelope.start if self.envelope else self.slots[0].start

    @property
    def end(self) -> int:
        """Return where the call's last slot (or its object) ends."""
        return self.envelope.end if self.envelope else self.slots[-1].end

    def slot(self, var: Var) -> Slot | None:
        """Return the slot of a variable."""
        return next((slot for slot in self.slots if slot.var is var), None)


def locate_calls(text: str, calls: Sequence[Call]) -> tuple[LocatedCall, ...] | None:
    """Find every call, in order; None where one is missing or its arguments are not rendered."""
    found: list[LocatedCall] = []
    at = 0
    for number, call in enumerate(calls):
        others = [other.name for other in calls[number + 1 :]]
        one = _locate(text, call, at, others)
        if one is None:
            return None
        found.append(one)
        at = one.end
    return tuple(found)


def _locate(text: str, call: Call, at: int, others: Sequence[str]) -> LocatedCall | None:
    name = text.find(call.name, at)
    if not call.arguments:
        return None if name < 0 else _bare(text, call, at, name, others)
    arguments = _arguments_span(text, call, at)
    if arguments is None:
        return None
    span, tagged, quoted = arguments
    if name < 0 or (others and 0 <= text.find(others[0], at) < name):
        name = -1
    slots = [Slot(Var.ARGUMENTS, span.start, span.end)]
    if name >= 0:
        slots.append(Slot(Var.NAME, name, name + len(call.name)))
    end = max(slot.end for slot in slots)
    identifier = _identifier(text, call, at, end, others)
    if identifier is not None:
        slots.append(identifier)
    if name < 0 and identifier is None:
        return None
    slots.sort(key=lambda slot: slot.start)
    if name >= 0:
        slots += _closing_name(text, call, slots[-1].end)
    if not tagged and name >= 0:
        envelope = find_object(text, call.name, at, min(name, span.start), max(span.end, name), others)
        if envelope is not None:
            return LocatedCall(tuple(slots), envelope[1], envelope[0], quoted_arguments=quoted)
    return LocatedCall(tuple(slots), tagged=tagged, quoted_arguments=quoted)


def _bare(text: str, call: Call, at: int, name: int, others: Sequence[str]) -> LocatedCall:
    slots = [Slot(Var.NAME, name, name + len(call.name))]
    identifier = _identifier(text, call, at, len(text), others)
    if identifier is not None:
        slots.append(identifier)
    slots.sort(key=lambda slot: slot.start)
    slots += _closing_name(text, call, slots[-1].end)
    envelope = find_object(text, call.name, at, name, name, others)
    if envelope is not None:
        return LocatedCall(tuple(slots), envelope[1], envelope[0])
    return LocatedCall(tuple(slots))


def _identifier(text: str, call: Call, at: int, end: int, others: Sequence[str]) -> Slot | None:
    start = text.find(call.id, at)
    if start < 0:
        return None
    for other in others:
        place = text.find(other, end)
        if 0 <= place < start:
            return None
    return Slot(Var.ID, start, start + len(call.id))


def _closing_name(text: str, call: Call, at: int) -> list[Slot]:
    """Return the place of the name where it closes the call (`</NAME>`): no word but the last key stands before it."""
    start = text.find(call.name, at)
    between = text[at : max(start, at)]
    for key in call.arguments:
        between = between.replace(key, "")
    if start < 0 or re.search(r"\w", between):
        return []
    return [Slot(Var.NAME, start, start + len(call.name))]


def _arguments_span(text: str, call: Call, at: int) -> tuple[Span, bool, bool] | None:
    """Return (span, tagged, quoted): one mapping in some literal syntax, or from the first key to the last value."""
    keys = list(call.arguments)
    first, last = keys[0], keys[-1]
    value = str(call.arguments[last])
    value_at = text.find(value, at)
    if value_at < 0:
        return None
    key_at = text.rfind(first, at, value_at)
    if key_at < 0:
        return None
    literal = _literal_span(text, key_at, key_at + len(first), value_at + len(value))
    if literal is not None:
        return literal[0], False, literal[1]
    return Span(key_at, value_at + len(value)), True, False


_OPENING = re.compile(r'(?P<string>"?)\{\s*[^\w\s{}\[\]]{0,10}$')
_CLOSING = re.compile(r'[^\w\s{}\[\]]{0,10}\s*\}"?')
#: Between a key and its value in a mapping: perhaps a closing quote, a colon, perhaps an opening quote.
_BETWEEN = re.compile(r"[^\w\s{}\[\]]{0,10}?\s*:\s*[^\w\s{}\[\]]{0,10}")


def _literal_span(text: str, key_at: int, key_end: int, value_end: int) -> tuple[Span, bool] | None:
    opening = _OPENING.search(text, max(0, key_at - 40), key_at)
    if opening is None or _BETWEEN.match(text, key_end) is None:
        return None
    closing = _CLOSING.match(text, value_end)
    if closing is None:
        return None
    quoted = (
        text[key_at - 2 : key_at] == '\\"'
        and opening.group("string") == '"'
        and closing.group().endswith('"')
    )
    start = opening.start() if quoted else opening.start() + len(opening.group("string"))
    end = closing.end() if quoted or not closing.group().endswith('"') else closing.end() - 1
    return Span(start, end), quoted


def find_object(
    text: str, name: str, at: int, before: int, behind: int, others: Sequence[str]
) -> tuple[Span, dict[str, Any]] | None:
    """Read a JSON object from each `{` in `at..before`; the first that holds the name, reaches `behind` and no other call wins."""
    start = text.find("{", at, before)
    while start >= 0:
        value, end = read_object(text, start)
        inside = text[start:end]
        if (
            isinstance(value, dict)
            and end > behind
            and _holds(value, name)
            and not any(o in inside for o in others)
        ):
            return Span(start, end), value
        start = text.find("{", start + 1, before)
    return None


def _holds(value: dict[str, Any], name: str) -> bool:
    """Tell whether a name is a key or a field of an object, or of one inside of it; lists are no places for fields."""
    return any(
        name in (key, inner) or (isinstance(inner, dict) and _holds(inner, name))
        for key, inner in value.items()
    )


def read_object(text: str, start: int) -> tuple[Any, int]:
    """Read JSON, or else a Python literal, at `start`; (None, start) where neither is there."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return read_python(text, start)
    return value, end


def read_python(text: str, start: int) -> tuple[Any, int]:
    """Read a Python literal at `start`, up to any of the next closing brackets that completes it."""
    closing = {"{": "}", "[": "]"}.get(text[start : start + 1])
    end = start
    for _ in range(40 if closing else 0):
        end = text.find(closing or "", end) + 1
        if end <= 0:
            break
        try:
            return ast.literal_eval(text[start:end]), end
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    return None, start
