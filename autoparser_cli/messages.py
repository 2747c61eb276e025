"""Messages, tool calls, tools and deltas in the terms of OpenAI's chat completions.

Everything here is a frozen value with `to_dict` (JSON types) and, where it is read from a user, `from_dict`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autoparser_cli.errors import ToolsError
from autoparser_cli.frozen import frozen


@frozen
class ToolCall:
    """A call that the model asks for; `arguments` is JSON text, `id` None where the wire format has none."""

    name: str
    arguments: str
    id: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the call as an entry of `tool_calls`."""
        entry: dict[str, Any] = {
            "type": "function",
            "function": {"name": self.name, "arguments": self.arguments},
        }
        if self.id is not None:
            entry = {"id": self.id, **entry}
        return entry


@frozen
class Message:
    """What an assistant turn says; an empty text stands for an absent one."""

    content: str = ""
    reasoning_content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the message as a chat completion's `message`."""
        message: dict[str, Any] = {"role": "assistant", "content": self.content}
        if self.reasoning_content:
            message["reasoning_content"] = self.reasoning_content
        if self.tool_calls:
            message["tool_calls"] = [call.to_dict() for call in self.tool_calls]
        return message


@frozen
class ToolCallDelta:
    """A piece of the call at `index`; `id` and `name` come once and first, `arguments` is JSON text to append."""

    index: int
    id: str | None = None
    name: str | None = None
    arguments: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the delta as an entry of a chunk's `tool_calls`."""
        function: dict[str, Any] = {}
        if self.name is not None:
            function["name"] = self.name
        function["arguments"] = self.arguments
        entry: dict[str, Any] = {"index": self.index}
        if self.id is not None:
            entry["id"] = self.id
        if self.name is not None:
            entry["type"] = "function"
        entry["function"] = function
        return entry


@frozen
class Delta:
    """One step of a stream: exactly one of the three fields is set."""

    content: str | None = None
    reasoning_content: str | None = None
    tool_call: ToolCallDelta | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the delta as a chunk's `delta`."""
        if self.tool_call is not None:
            return {"tool_calls": [self.tool_call.to_dict()]}
        if self.reasoning_content is not None:
            return {"reasoning_content": self.reasoning_content}
        return {"content": self.content}


@frozen
class ToolSpec:
    """A tool the model may call; `parameters` is the JSON Schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any]

    @classmethod
    def from_dict(cls, entry: object, *, where: str = "tools") -> ToolSpec:
        """Read one entry of a `tools` list: OpenAI's `{"type": "function", "function": {...}}`, or the bare function.

        Raises ToolsError naming `where` and what is wrong.
        """
        if not isinstance(entry, Mapping):
            raise ToolsError(f"{where}: a tool must be an object, not {type(entry).__name__}")
        function = entry.get("function", entry)
        if not isinstance(function, Mapping):
            raise ToolsError(f"{where}.function: must be an object, not {type(function).__name__}")
        name = function.get("name")
        if not isinstance(name, str) or not name:
            raise ToolsError(f"{where}: the tool has no name")
        parameters = function.get("parameters")
        if parameters is None:
            parameters = {"type": "object", "properties": {}}
        if not isinstance(parameters, Mapping):
            raise ToolsError(f"{where}.parameters of {name}: must be a JSON Schema object")
        return cls(name, str(function.get("description") or ""), parameters)

    def to_dict(self) -> dict[str, Any]:
        """Return the tool as templates and engines take it."""
        function = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": function}


def read_tools(data: object, *, where: str = "tools") -> tuple[ToolSpec, ...]:
    """Read a whole `tools` value; None and `[]` mean no tools. Raises ToolsError."""
    if data is None:
        return ()
    if isinstance(data, Mapping) and isinstance(data.get("tools"), Sequence):
        data = data["tools"]
    if not isinstance(data, Sequence) or isinstance(data, str):
        raise ToolsError(f"{where}: must be a list of tools, not {type(data).__name__}")
    return tuple(ToolSpec.from_dict(entry, where=f"{where}[{index}]") for index, entry in enumerate(data))
