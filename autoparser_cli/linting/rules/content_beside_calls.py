"""AP024: text in front of a call is lost."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.conversations import ANSWERS, VALUES
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP024",
    "content-beside-calls",
    Severity.INFO,
    summary="Where an assistant's turn has text and calls, the text is dropped or the template raises.",
    why="Models explain what they are about to do; in the next turn that is gone from their history.",
    example="{% if message.tool_calls %}...calls...{% else %}{{ message.content }}{% endif %}",
    instead="Print the content, then the calls.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Render a turn with both."""
    if not subject.renders_calls or subject.render("call").failed:
        return
    outcome = subject.render("content-call")
    if outcome.failed:
        yield Hit(f"text beside a call raises: {outcome.error}", outcome.line, key="raises")
    elif VALUES[0] in outcome.text and ANSWERS[0] not in outcome.text:
        yield Hit("text beside a call is dropped", key="dropped")
