"""AP008: content as a list of typed parts raises, or is printed as a Python list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from autoparser_cli.linting.conversations import QUESTIONS
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.written_by import line_that_wrote


@rule(
    "AP008",
    "typed-content",
    Severity.INFO,
    summary="Content as typed parts, or as plain text, is not understood.",
    why=(
        "Many clients send `[{'type': 'text', 'text': ...}]` for plain text. Some servers flatten it "
        "first, others do not: there the "
        "request fails, or the model reads a Python list."
    ),
    example="{{ message.content }}",
    instead="Ask `message.content is string`; else print the `text` of each part.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Render a question in the form that the template does not prefer."""
    shape = subject.plain_shape
    if subject.render("question", shape).failed:
        return
    other = replace(shape, parts=not shape.parts)
    outcome = subject.render("question", other)
    form = "typed parts" if other.parts else "plain text"
    if outcome.failed:
        yield Hit(f"content as {form} raises: {outcome.error}", outcome.line, key=form)
    elif "'type': 'text'" in outcome.text:
        line = line_that_wrote(subject, "question", other, "'type': 'text'")
        yield Hit("content as typed parts is printed as a Python list", line, key=form)
    elif QUESTIONS[0] not in outcome.text and QUESTIONS[0] in subject.render("question", shape).text:
        yield Hit(f"content as {form} is dropped", key=form)
