"""AP107: two different turns are printed as one text."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.conversations import REASONING, Conversation, call, user
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.written_by import line_that_wrote

_AS_CONTENT = Conversation("as-content", "text beside a call", (user(), call(content=REASONING)), tools=True)


@rule(
    "AP107",
    "same-turns",
    Severity.INFO,
    summary="Reasoning beside a call and text beside a call are printed alike.",
    why=(
        "Nobody can tell afterwards which of the two the model meant; clients show thoughts to users, or "
        "hide answers."
    ),
    example=(
        "{% if message.tool_calls %}<think>{{ message.reasoning_content or message.content }}</think>{% "
        "endif %}"
    ),
    instead="Give each its own marker.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Render the same words as reasoning and as text in front of a call."""
    if not subject.renders_calls:
        return
    reasoning = subject.render("reasoning-call")
    content = subject.render_conversation(_AS_CONTENT, subject.call_shape)
    if not reasoning.failed and reasoning.text == content.text and REASONING in reasoning.text:
        line = line_that_wrote(subject, "reasoning-call", None, REASONING)
        yield Hit("reasoning and text in front of a call are printed alike", line, key="alike")
