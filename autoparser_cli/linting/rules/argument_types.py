"""AP004: a call renders only when its arguments are an object, or only when they are JSON text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP004",
    "argument-type-raises",
    Severity.WARNING,
    summary="A call raises for one of the two ways in which clients pass arguments.",
    why=(
        "OpenAI's API has a call's `arguments` as JSON text, many libraries pass an object. Servers hand "
        "on what they got."
    ),
    example="{% for key, value in call.function.arguments.items() %}",
    instead="Ask `arguments is string` (or `is mapping`) first, and handle both.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Render a call in the shape that works, then with the other type of arguments."""
    if not subject.renders_calls:
        return
    shape = subject.call_shape
    other = replace(shape, string_arguments=not shape.string_arguments)
    name = "call" if not subject.render("call", shape).failed else "answered"
    outcome = subject.render(name, other)
    if outcome.failed:
        kind = "JSON text" if other.string_arguments else "an object"
        yield Hit(f"a call whose arguments are {kind} raises: {outcome.error}", outcome.line, key=kind)
