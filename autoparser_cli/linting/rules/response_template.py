"""AP304: the `response_template` looks for markers that the template never prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.vocabulary import configuration

_RENDERS = (
    "prompt",
    "rounds",
    "call",
    "content-call",
    "two-calls",
    "answered",
    "reasoning",
    "reasoning-call",
    "tools-prompt",
)


@rule(
    "AP304",
    "response-template-disagrees",
    Severity.WARNING,
    summary=(
        "The `response_template` beside the template opens a field with a text that the template never "
        "writes."
    ),
    why="What the model writes follows the template; a parser that waits for another marker finds nothing.",
    example='"fields": {"tool_calls": {"open": "<tools>"}}  (the template writes <tool_call>)',
    instead="Write the marker as the template prints it, white space aside.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for each literal marker in the renders, and in the template's own text."""
    response = configuration(subject.path).get("response_template")
    fields = response.get("fields") if isinstance(response, Mapping) else None
    if not isinstance(fields, Mapping):
        return
    rendered = [outcome.text for outcome in map(subject.render, _RENDERS) if not outcome.failed]
    texts = [*rendered, subject.source]
    for name, field in fields.items():
        for key in ("open", "close"):
            markers = _literals(field, key)
            if markers and not any(marker.strip() in text for marker in markers for text in texts):
                yield Hit(
                    f"{name}.{key} is {markers[0]!r}, which the template never writes", key=f"{name} {key}"
                )


def _literals(field: Any, key: str) -> list[str]:
    value = field.get(key) if isinstance(field, Mapping) else None
    values = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return [item for item in values if isinstance(item, str) and item.strip()]
