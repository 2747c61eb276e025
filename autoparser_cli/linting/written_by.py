"""A piece of a render -> the template line that printed it."""

from __future__ import annotations

from autoparser_cli.errors import AutoparserError
from autoparser_cli.linting.conversations import CONVERSATIONS, TOOLS, Conversation, Shape
from autoparser_cli.linting.subject import Subject
from autoparser_cli.templates import RenderInputs
from autoparser_cli.templates.tracing import trace


def line_that_wrote(
    subject: Subject, conversation: Conversation | str, shape: Shape | None, text: str, *, last: bool = False
) -> int | None:
    """Return the line that printed the first (or last) `text` in a conversation; None where that
    cannot be told.
    """
    if isinstance(conversation, str):
        conversation = CONVERSATIONS[conversation]
    if shape is None:
        has_calls = any(message.get("tool_calls") for message in conversation.messages)
        shape = subject.call_shape if has_calls else subject.plain_shape
    inputs = RenderInputs(
        messages=shape.apply(conversation.messages),
        tools=list(TOOLS) if conversation.tools else None,
        add_generation_prompt=conversation.generation,
        kwargs=subject.kwargs,
        keep_nulls=shape.call_content is None,
    )
    try:
        spans = trace(subject.template, inputs)
    except AutoparserError:
        return None
    rendered = "".join(span.text for span in spans)
    at = rendered.rfind(text) if last else rendered.find(text)
    if at < 0:
        return None
    for span in spans:
        if at < len(span.text):
            return span.line
        at -= len(span.text)
    return None
