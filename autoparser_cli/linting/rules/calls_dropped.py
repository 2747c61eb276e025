"""AP013: the template knows tools, and drops the calls in the history."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.conversations import CALL_SHAPES, NAMES, VALUES
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP013",
    "calls-dropped",
    Severity.WARNING,
    summary="Tools are described to the model, but its calls are not in the history.",
    why="In the next turn the model reads a result that it never asked for, or asks again.",
    example=(
        "{% if tools %}{{ tools | tojson }}{% endif %}{% for message in messages %}{{ message.content }}{% "
        "endfor %}"
    ),
    instead="Print `message.tool_calls` in the format that the tools' description asks for.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Where the tools show and a conversation with calls renders, the calls must show in some shape."""
    if not subject.renders_tools or subject.renders_calls:
        return
    outcomes = [subject.render(name, shape) for name in ("call", "answered") for shape in CALL_SHAPES]
    rendered = [outcome.text for outcome in outcomes if not outcome.failed]
    if rendered and not any(VALUES[0] in text for text in rendered):
        yield Hit(f"the call of {NAMES[0]} is dropped, although the tools are described", key="dropped")
    elif not rendered:
        error = next(outcome for outcome in outcomes if outcome.failed)
        yield Hit(f"a call raises, although the tools are described: {error.error}", error.line, key="raises")
