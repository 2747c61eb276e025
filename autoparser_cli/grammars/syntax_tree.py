"""A Lark tree of an output -> the message it stands for, as far as the tree can say it: to be compared with
the parser's.

Names, text and reasoning are read from the tree; arguments that are JSON on the wire too. Tagged arguments
give their keys.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from autoparser_cli.messages import Message


@dataclass(frozen=True, slots=True)
class TreeCall:
    """A call in a tree:

    `arguments` is the value where it is JSON on the wire, else None; `keys` are those of tagged arguments.
    """

    name: str
    arguments: Any
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TreeMessage:
    """What a tree says, texts without the white space at their ends."""

    content: str
    reasoning: str
    calls: tuple[TreeCall, ...]

    def differences(self, message: Message) -> tuple[str, ...]:
        """Name what the parser's message has otherwise."""
        found: list[str] = []
        if _squeezed(self.content) != _squeezed(message.content):
            found.append("content")
        if _squeezed(self.reasoning) != _squeezed(message.reasoning_content):
            found.append("reasoning_content")
        if [call.name for call in self.calls] != [call.name for call in message.tool_calls]:
            return (*found, "tool_calls")
        for index, (call, parsed) in enumerate(zip(self.calls, message.tool_calls, strict=True)):
            if not _same_arguments(call, parsed.arguments):
                found.append(f"tool_calls[{index}].arguments")
        return tuple(found)


def read_tree(tree: Any) -> TreeMessage:
    """Read a tree that was parsed with a grammar of ours."""
    content = "".join(_text(node) for node in tree.find_data("content"))
    reasoning = "".join(_text(node) for node in tree.find_data("reasoning"))
    calls = [node for node in _in_order(tree) if node.data == "call"]
    return TreeMessage(content, reasoning, tuple(_call(node) for node in calls))


def _in_order(tree: Any) -> list[Any]:
    nodes = sorted(
        (node for node in tree.iter_subtrees() if not node.meta.empty and node.data == "call"),
        key=lambda node: node.meta.start_pos,
    )
    return [node for node in nodes if hasattr(node, "data")]


def _call(node: Any) -> TreeCall:
    name = _unquoted("".join(_text(found) for found in node.find_data("name")))
    arguments = "".join(_text(found) for found in node.find_data("arguments"))
    keys = tuple(_text(found) for found in sorted(node.find_data("key"), key=lambda key: key.meta.start_pos))
    return TreeCall(name, _json_or_none(arguments), keys)


def _text(node: Any) -> str:
    import lark

    return "".join(str(token) for token in node.scan_values(lambda value: isinstance(value, lark.Token)))


def _unquoted(text: str) -> str:
    if text[:1] in ('"', "'") and text[-1:] == text[:1] and len(text) > 1:
        value = _json_or_none(text)
        return value if isinstance(value, str) else text[1:-1]
    return text


def _json_or_none(text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return _json_or_none(value) if isinstance(value, str) else value


def _same_arguments(call: TreeCall, arguments: str) -> bool:
    parsed = _json_or_none(arguments)
    if isinstance(call.arguments, dict):
        return bool(call.arguments == parsed)
    if call.keys and isinstance(parsed, dict):
        return list(call.keys)[: len(parsed)] == list(parsed) or set(parsed) <= set(call.keys)
    return True


def _squeezed(text: str) -> str:
    return "".join(text.split())
