"""AP203: a slice with a step."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject

_ENGINES = ("llama.cpp", "transformers.js")


@rule(
    "AP203",
    "slice-step",
    Severity.INFO,
    summary="A slice with a step, such as `[::-1]`.",
    why=(
        "JavaScript engines learned it late, so that applications with an older one refuse it. llama.cpp's "
        "engine ignores the two "
        "ends where the step is negative."
    ),
    example="{% for message in messages[::-1] %}",
    instead="Use `| reverse`, or count the index down.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for slices with three parts."""
    if not set(_ENGINES).intersection(subject.engines):
        return
    for part in subject.find(nodes.Slice):
        if part.step is not None:
            yield Hit(
                "a slice with a step is refused by older releases of JavaScript engines",
                part.lineno,
                key="step",
            )
