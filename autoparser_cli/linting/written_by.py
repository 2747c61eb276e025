"""A piece of a render -> the template line that printed it."""

from __future__ import annotations

from autoparser_cli.diffing import common_prefix_length
from autoparser_cli.errors import AutoparserError
from autoparser_cli.linting.conversations import CONVERSATIONS, Conversation, Shape
from autoparser_cli.linting.subject import Subject
from autoparser_cli.templates.tracing import Span, line_at


def line_that_wrote(
    subject: Subject, conversation: Conversation | str, shape: Shape | None, text: str, *, last: bool = False
) -> int | None:
    """Return the line that printed the first (or last) `text` in a conversation; None where that
    cannot be told.
    """
    spans = _spans(subject, conversation, shape)
    rendered = "".join(span.text for span in spans)
    at = rendered.rfind(text) if last else rendered.find(text)
    return line_at(spans, at) if at >= 0 else None


def line_that_parts(subject: Subject, name: str, other: str) -> int | None:
    """Return the line that printed what comes where a conversation's render leaves another text; None where it only ends."""
    spans = _spans(subject, name, None)
    rendered = "".join(span.text for span in spans)
    at = common_prefix_length(rendered, other)
    return line_at(spans, at) if at < len(rendered) else None


def _spans(subject: Subject, conversation: Conversation | str, shape: Shape | None) -> tuple[Span, ...]:
    if isinstance(conversation, str):
        conversation = CONVERSATIONS[conversation]
    try:
        return subject.tracer.trace(subject.inputs(conversation, shape or subject.shape_for(conversation)))
    except AutoparserError:
        return ()
