"""A turn that did not come back -> the template line that wrote the first of what was lost or changed.

The message that was understood is rendered again: where that text leaves the first one, something was read wrongly.
Where both are one text, the template writes two messages alike, and the line is that of the part which differs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from autoparser_cli.analysis.conversations import (
    Call,
    Conventions,
    Renderer,
    Turn,
    render_inputs,
    turn_messages,
)
from autoparser_cli.diffing import common_prefix_length
from autoparser_cli.errors import AutoparserError
from autoparser_cli.frozen import frozen
from autoparser_cli.messages import Message

Tools = Sequence[Mapping[str, Any]] | None


@frozen
class RenderedTurn:
    """A turn and the render that ends with it; what the model writes begins at `start`."""

    turn: Turn
    conventions: Conventions
    tools: Tools
    text: str
    start: int


def differing_offset(renderer: Renderer, rendered: RenderedTurn, message: Message) -> int:
    """Return where the render of the turn, and that of the message that was read from it, part."""
    turn, text = rendered.turn, rendered.text
    again = renderer.turn(_turn_of(message, turn), rendered.conventions, tools=rendered.tools)
    if again is not None and again != text:
        return common_prefix_length(again, text)
    wanted = [turn.reasoning, turn.content, *(call.name for call in turn.calls)]
    found = [message.reasoning_content, message.content, *(call.name for call in message.tool_calls)]
    for part, other in zip_longest(wanted, found):
        if part and part.strip() != (other or "").strip():
            return max(text.rfind(part), 0)
    values = [str(value) for call in turn.calls for value in call.arguments.values()]
    return next((at for value in values if (at := text.rfind(value)) >= 0), len(text))


def line_that_wrote(renderer: Renderer, rendered: RenderedTurn, offset: int) -> int | None:
    """Return the template line that wrote the character at an offset of the render; None where that cannot be told."""
    # Most templates prove whole, and need none of it.
    from autoparser_cli.templates.tracing import Tracer, line_at

    messages = turn_messages(rendered.turn, rendered.conventions)
    inputs = render_inputs(messages, rendered.conventions, tools=rendered.tools)
    try:
        spans = Tracer(renderer.template).trace(inputs)
    except AutoparserError:
        return None
    return line_at(spans, offset)


def _turn_of(message: Message, turn: Turn) -> Turn:
    """Return what was understood in the form of what was rendered: what is absent in both stays absent."""
    calls = [
        Call(found.name, json.loads(found.arguments), found.id or (call.id if call else ""))
        for found, call in zip_longest(message.tool_calls, turn.calls[: len(message.tool_calls)])
    ]
    return Turn(message.reasoning_content or None, message.content or (turn.content and ""), tuple(calls))
