"""A piece of a render -> the template line that printed it."""

from __future__ import annotations

from autoparser_cli.errors import AutoparserError
from autoparser_cli.linting.conversations import CONVERSATIONS, Conversation, Shape
from autoparser_cli.linting.subject import Subject
from autoparser_cli.templates.tracing import line_at


def line_that_wrote(
    subject: Subject, conversation: Conversation | str, shape: Shape | None, text: str, *, last: bool = False
) -> int | None:
    """Return the line that printed the first (or last) `text` in a conversation; None where that
    cannot be told.
    """
    if isinstance(conversation, str):
        conversation = CONVERSATIONS[conversation]
    inputs = subject.inputs(conversation, shape or subject.shape_for(conversation))
    try:
        spans = subject.tracer.trace(inputs)
    except AutoparserError:
        return None
    rendered = "".join(span.text for span in spans)
    at = rendered.rfind(text) if last else rendered.find(text)
    return line_at(spans, at) if at >= 0 else None
