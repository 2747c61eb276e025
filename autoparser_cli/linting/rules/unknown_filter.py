"""AP206: a filter that an engine does not know."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from autoparser_cli.linting.engines import ENGINES, refusing
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP206",
    "unknown-filter",
    Severity.WARNING,
    summary="A filter that an engine does not know, or not in this form.",
    why="The template raises there as soon as the line is reached.",
    example="{{ names | map('upper') | join(', ') }}",
    instead="Use filters that all have (`trim`, `length`, `join`, `tojson`, `default`), or a loop.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for filters, and for `map` with the name of a filter."""
    for found in subject.find(nodes.Filter):
        name = found.name
        engines = refusing(subject.engines, "filters", name)
        if name == "map" and found.args:
            engines = tuple(engine for engine in subject.engines if not ENGINES[engine].map_with_filter)
            name = "map with a filter's name"
        if engines:
            yield Hit(f"the filter {name!r} is refused by {', '.join(engines)}", found.lineno, key=name)
