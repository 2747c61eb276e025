"""A render that raised -> what to show of it: the template around the line, and the conversation's shape."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from autoparser_cli.errors import RenderError

if TYPE_CHECKING:
    from autoparser_cli.templates.inputs import RenderInputs
    from autoparser_cli.templates.template import ChatTemplate

#: How many lines show before and after the one that raised, and how much of a long line.
_CONTEXT = 2
_LINE_WINDOW = 100


def explain_failure(template: ChatTemplate, inputs: RenderInputs, error: RenderError) -> str:
    """Return several lines: place and message, the source around it, and what was being rendered."""
    place = template.name if error.line is None else f"{template.name}:{error.line}"
    kind = "" if error.kind == "TemplateError" else f"{error.kind}: "
    lines = [f"{place}: {kind}{error}", *source_context(template.source, error.line)]
    lines.append(f"while it rendered {describe_shape(inputs)}")
    if _renders_with_objects(template, inputs):
        lines.append("with the calls' arguments as objects it renders: parse their JSON text first")
    return "\n".join(lines)


def source_context(source: str, line: int | None) -> list[str]:
    """Return the numbered lines around `line` (1-based), which is marked; nothing where it is not known."""
    lines = source.split("\n")
    if line is None or not 1 <= line <= len(lines):
        return []
    first, last = max(1, line - _CONTEXT), min(len(lines), line + _CONTEXT)
    width = len(str(last))
    return [
        f"{'>' if number == line else ' '} {number:>{width}} | {_shortened(lines[number - 1])}"
        for number in range(first, last + 1)
    ]


def describe_shape(inputs: RenderInputs) -> str:
    """Tell in one line what kind of conversation this is: roles, what each message has, tools, options."""
    parts = [f"[{', '.join(_describe_message(message) for message in inputs.messages)}]"]
    if inputs.tools is not None:
        parts.append(f"tools: {len(inputs.tools)}")
    if inputs.add_generation_prompt:
        parts.append("generation prompt")
    if inputs.continue_final_message:
        parts.append("continued final message")
    parts += [f"{name}={value!r}" for name, value in inputs.kwargs.items()]
    return ", ".join(parts)


def _describe_message(message: Mapping[str, Any]) -> str:
    if not isinstance(message, Mapping):
        return type(message).__name__
    traits = [*_content_traits(message), *_call_traits(message.get("tool_calls"))]
    traits += [name for name in ("reasoning_content", "reasoning", "thinking") if message.get(name)]
    role = str(message.get("role", "no role"))
    return f"{role} ({'; '.join(traits)})" if traits else role


def _content_traits(message: Mapping[str, Any]) -> list[str]:
    content = message.get("content")
    if isinstance(content, str):
        return [] if content else ["empty content"]
    if content is None:
        return ["null content" if "content" in message else "no content"]
    return [
        "content in parts" if isinstance(content, (list, tuple)) else f"content: {type(content).__name__}"
    ]


def _call_traits(calls: Any) -> list[str]:
    if not isinstance(calls, Sequence) or not calls:
        return []
    functions = [call.get("function") or call if isinstance(call, Mapping) else {} for call in calls]
    as_text = any(isinstance(function.get("arguments"), str) for function in functions)
    plural = "s" if len(calls) > 1 else ""
    return [f"{len(calls)} call{plural}, arguments as {'text' if as_text else 'object'}"]


def _shortened(line: str) -> str:
    return line if len(line) <= _LINE_WINDOW else f"{line[: _LINE_WINDOW - 1]}…"


def _renders_with_objects(template: ChatTemplate, inputs: RenderInputs) -> bool:
    """Try the same conversation with arguments that are JSON text parsed, as many servers hand them on."""
    messages = [_with_objects(message) for message in inputs.messages]
    if messages == list(inputs.messages):
        return False
    try:
        template.render(replace(inputs, messages=messages))
    except RenderError:
        return False
    return True


def _with_objects(message: Mapping[str, Any]) -> Mapping[str, Any]:
    calls = message.get("tool_calls") if isinstance(message, Mapping) else None
    if not isinstance(calls, list):
        return message
    return {**message, "tool_calls": [_call_with_object(call) for call in calls]}


def _call_with_object(call: Any) -> Any:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("arguments"), str):
        return call
    try:
        return {**call, "function": {**function, "arguments": json.loads(function["arguments"])}}
    except (ValueError, RecursionError):
        return call
