"""A Lark tree of an output -> the message it stands for, to be compared with the parser's.

The grammar decides what is content, reasoning, a name, a key and a value; how a written value is read is the
parser's own, so that `True` is `true` in both.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from autoparser_cli.frozen import frozen
from autoparser_cli.messages import Message, ToolCall
from autoparser_cli.peg import expressions as peg
from autoparser_cli.peg.encoded_values import encoded_value
from autoparser_cli.peg.source import Source

_SYNTAXES = (
    peg.JSON_SYNTAX,
    peg.Syntax((("'", "'"), ('"', '"')), "python", true="True", false="False", null="None"),
)


@frozen
class Written:
    """A value as it stands in the output; `raw`: it may be a text without quotes."""

    text: str
    raw: bool = False


Value: TypeAlias = "Written | dict[str, Value] | list[Value]"


@frozen
class TreeCall:
    """A call in a tree; `id` is empty where the output has none."""

    name: str
    arguments: Value
    id: str = ""


@frozen
class TreeMessage:
    """What a tree says: the pieces of each text, and the calls."""

    content: tuple[str, ...]
    reasoning: tuple[str, ...]
    calls: tuple[TreeCall, ...]

    def differences(self, message: Message, syntaxes: tuple[peg.Syntax, ...] = ()) -> tuple[str, ...]:
        """Name what the parser's message has otherwise; white space at the ends of a text is not compared.

        `syntaxes` are those of the format's values.
        """
        known = (*_SYNTAXES, *syntaxes)
        found: list[str] = []
        if not _same_text(self.content, message.content):
            found.append("content")
        if not _same_text(self.reasoning, message.reasoning_content):
            found.append("reasoning_content")
        if [call.name for call in self.calls] != [call.name for call in message.tool_calls]:
            return (*found, "tool_calls")
        for index, (call, parsed) in enumerate(zip(self.calls, message.tool_calls, strict=True)):
            found += [f"tool_calls[{index}].{part}" for part in _call_differences(call, parsed, known)]
        return tuple(found)


def _call_differences(call: TreeCall, parsed: ToolCall, syntaxes: tuple[peg.Syntax, ...]) -> Iterator[str]:
    if not _same(call.arguments, json.loads(parsed.arguments), syntaxes):
        yield "arguments"
    if call.id and call.id not in (parsed.id or ""):
        yield "id"


def _same(value: Value, parsed: Any, syntaxes: tuple[peg.Syntax, ...]) -> bool:
    if isinstance(value, dict):
        return (
            isinstance(parsed, dict)
            and value.keys() == parsed.keys()
            and all(_same(item, parsed[key], syntaxes) for key, item in value.items())
        )
    if isinstance(value, list):
        return (
            isinstance(parsed, list)
            and len(value) == len(parsed)
            and all(_same(item, other, syntaxes) for item, other in zip(value, parsed, strict=True))
        )
    if value.raw and isinstance(parsed, str):
        return value.text == parsed
    return any(_equal(known, parsed) for known in _readings(value.text, syntaxes))


def read_tree(tree: Any, keys: Mapping[str, str]) -> TreeMessage:
    """Read a tree that was parsed with a grammar of ours; `keys` are its literals that open a field."""
    pieces: dict[str, list[str]] = {"content": [], "reasoning": []}
    calls: list[TreeCall] = []
    for node in _nodes(tree):
        if node.data in pieces:
            pieces[node.data].append(_text(node))
        elif node.data == "call":
            calls.append(_call(node, keys))
    return TreeMessage(tuple(pieces["content"]), tuple(pieces["reasoning"]), tuple(calls))


def syntaxes_of(tree: peg.Grammar) -> tuple[peg.Syntax, ...]:
    """Return the syntaxes of all values in an expression tree."""
    found: dict[peg.Syntax, None] = {}
    for expression in tree.states.values():
        found.update(dict.fromkeys(_syntaxes_in(expression)))
    return tuple(found)


def _syntaxes_in(value: Any) -> Iterator[peg.Syntax]:
    if isinstance(value, peg.Syntax):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _syntaxes_in(item)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            part = getattr(value, name)
            if not isinstance(part, Mapping | str):  # neither schemas nor texts hold any
                yield from _syntaxes_in(part)


def _nodes(tree: Any) -> Iterator[Any]:
    """Give a tree's nodes in the order of the text, outer ones first."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if hasattr(node, "data"):
            yield node
            pending.extend(reversed(node.children))


def _call(node: Any, keys: Mapping[str, str]) -> TreeCall:
    parts = {str(found.data): found for found in reversed(list(_nodes(node)))}
    name = _unquoted(_text(parts["name"]) if "name" in parts else "")
    call_id = _unquoted(_text(parts["id"])) if "id" in parts else ""
    arguments = parts.get("arguments")
    if arguments is None:
        return TreeCall(name, {}, call_id)
    fields = _fields(arguments, keys)
    text = _text(arguments)
    value: Value = Written(text) if not fields and text.strip() else dict(fields)
    return TreeCall(name, value, call_id)


def _fields(node: Any, keys: Mapping[str, str]) -> list[tuple[str, Value]]:
    return [_field(child, keys) for child in node.children if getattr(child, "data", "") == "field"]


def _field(node: Any, keys: Mapping[str, str]) -> tuple[str, Value]:
    key = keys.get(str(node.children[0]), "")
    found: Value = Written("", raw=True)
    for child in node.children:
        kind = getattr(child, "data", "")
        if kind == "key":
            key = _text(child)
        elif kind:
            found = _value(kind, child, keys)
    return key, found


def _value(kind: str, node: Any, keys: Mapping[str, str]) -> Value:
    if kind == "object":
        return dict(_fields(node, keys))
    if kind == "array":
        return [value for _, value in _fields(node, keys)]
    return Written(_text(node), raw=kind == "value")


def _text(node: Any) -> str:
    return "".join(str(token) for token in node.scan_values(lambda value: isinstance(value, str)))


def _unquoted(text: str) -> str:
    if text[:1] in ('"', "'") and text[-1:] == text[:1] and len(text) > 1:
        value = next((value for value in _readings(text, _SYNTAXES) if isinstance(value, str)), None)
        return text[1:-1] if value is None else value
    return text


def _readings(text: str, syntaxes: tuple[peg.Syntax, ...]) -> Iterator[Any]:
    """Give the values that a text is in each syntax; JSON text inside a JSON string is read once more."""
    for syntax in dict.fromkeys(syntaxes):
        written = _json_of(text.strip(), syntax)
        if written is None:
            continue
        value = json.loads(written)
        yield value
        if isinstance(value, str):
            yield from _readings(value, (peg.JSON_SYNTAX,))


def _json_of(text: str, syntax: peg.Syntax) -> str | None:
    """Return the JSON text of a value in a syntax, None where it is none."""
    source = Source()
    source.feed(text)
    source.close()
    match = encoded_value(source, "value", syntax)
    try:
        next(match)
    except StopIteration as stop:
        if stop.value and source.pos == len(text):
            return "".join(piece for kind, piece, _ in source.events if kind == "value")
    return None


def _equal(left: Any, right: Any) -> bool:
    """Compare JSON values; true is not 1."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


def _same_text(pieces: tuple[str, ...], text: str) -> bool:
    """Tell whether a text is made of the pieces; white space at their ends may be more or less."""
    spoken = (re.escape(piece.strip()) for piece in pieces if piece.strip())
    return re.fullmatch(r"\s*".join(["", *spoken, ""]) or r"\s*", text) is not None
