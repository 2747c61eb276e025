"""AP002: a plain question and answer cannot be rendered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from autoparser_cli.linting.conversations import CONVERSATIONS
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP002",
    "plain-chat-fails",
    Severity.ERROR,
    summary="A plain conversation cannot be rendered.",
    why="A question, with or without an answer before it, is what every client sends first.",
    example="{{ messages[1].content }}  {# fails for a single message #}",
    instead=(
        "Guard what may be absent (`messages[1]`, `tools`, a variable of your own) with `is defined` or a "
        "default."
    ),
)
def check(subject: Subject) -> Iterator[Hit]:
    """Render the plain conversations, with content as text and as typed parts; one of the two is enough."""
    for name in ("prompt", "round", "follow-up-prompt"):
        shape = subject.plain_shape
        outcomes = [
            subject.render(name, replace(shape, parts=parts)) for parts in (shape.parts, not shape.parts)
        ]
        error = outcomes[0].error
        if error is None or not outcomes[1].failed:
            continue
        title = CONVERSATIONS[name].title
        if not subject.render("tools-prompt").failed:
            message = f"{title} can only be rendered with tools: {error}"
            yield Hit(message, error.line, key=f"{error}", severity=Severity.WARNING)
        else:
            yield Hit(f"{title} cannot be rendered: {error}", error.line, key=f"{error}")
        return
