"""AP015: what a tool gave does not show up in the prompt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from autoparser_cli.linting.conversations import RESULTS, VALUES
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP015",
    "results-dropped",
    Severity.WARNING,
    summary="Calls are printed, what the tool gave is not.",
    why="The model asks for the same thing again, or makes the result up.",
    example="{% if message.role == 'tool_response' %}",
    instead="Print messages of the role `tool`.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Render a call with its result and look for it."""
    if not subject.renders_calls:
        return
    shape = subject.call_shape
    outcomes = [
        subject.render(name, replace(shape, parts=parts))
        for name in ("result", "answered")
        for parts in (False, True)
    ]
    shown = [outcome for outcome in outcomes if not outcome.failed]
    if not shown:
        yield Hit(f"a tool's result raises: {outcomes[0].error}", outcomes[0].line, key="raises")
    elif not any(RESULTS[0] in outcome.text for outcome in shown) and any(
        VALUES[0] in outcome.text for outcome in shown
    ):
        yield Hit("a tool's result is dropped", key="dropped")
