"""AP014: of two calls in one turn, one is lost."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.conversations import VALUES
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP014",
    "parallel-calls",
    Severity.WARNING,
    summary="Two calls in one turn raise, or one of them is dropped.",
    why="Most APIs allow several calls in a turn, and clients send such turns back as history.",
    example="{% set call = message.tool_calls[0] %}",
    instead="Loop over `message.tool_calls`; or raise, and say in the model card that one call is the limit.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Render a turn with two calls."""
    if not subject.renders_calls:
        return
    outcomes = [subject.render(name) for name in ("two-calls", "two-results")]
    shown = [outcome for outcome in outcomes if not outcome.failed]
    if not shown:
        yield Hit(f"two calls in one turn raise: {outcomes[0].error}", outcomes[0].line, key="raises")
    elif not any(all(value in outcome.text for value in VALUES) for outcome in shown):
        yield Hit("of two calls in one turn, one is dropped", key="dropped")
