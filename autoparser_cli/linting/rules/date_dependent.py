"""AP021: the same conversation gives another prompt on another day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from jinja2 import nodes

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject

_DAYS = (datetime(2024, 3, 5, 9, 7, 1), datetime(2031, 11, 28, 22, 41, 59))


@rule(
    "AP021",
    "date-dependent",
    Severity.INFO,
    summary="The prompt depends on the day on which it is rendered.",
    why="Prompts cannot be cached over midnight, and results cannot be repeated.",
    example="Today is {{ strftime_now('%d %B %Y') }}.",
    instead="Take the date from a variable that the caller may set, and print none where it is not set.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Render on two days."""
    if "strftime_now" not in subject.source:
        return
    for name in ("prompt", "system", "tools-prompt"):
        first, second = (subject.render(name, now=day) for day in _DAYS)
        if not first.failed and not second.failed and first.text != second.text:
            calls = [
                call
                for call in subject.find(nodes.Call)
                if isinstance(call.node, nodes.Name) and call.node.name == "strftime_now"
            ]
            yield Hit("the prompt depends on the day", calls[0].lineno if calls else None)
            return
