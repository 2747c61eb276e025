"""AP201: a list or dict is changed, which the sandbox of transformers refuses."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from autoparser_cli.linting.engines import MUTATING, refusing
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP201",
    "mutating-method",
    Severity.ERROR,
    summary="The template calls a method that changes a list or a dict.",
    why="Hugging Face renders in an immutable sandbox: `append`, `update`, `pop` and the like raise there.",
    example="{% set _ = parts.append(text) %}",
    instead="Build a new value: `{% set ns.parts = ns.parts + [text] %}` with a `namespace`.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for calls of such methods."""
    for call in subject.find(nodes.Call):
        method = call.node
        if not isinstance(method, nodes.Getattr) or method.attr not in MUTATING:
            continue
        engines = refusing(subject.engines, "methods", method.attr)
        if engines:
            yield Hit(
                f".{method.attr}() is refused by {', '.join(engines)}",
                method.lineno,
                column=subject.column(method.lineno, f".{method.attr}("),
                key=method.attr,
            )
