"""AP206: a filter that an engine does not know."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.calls_in_source import filter_calls
from autoparser_cli.linting.engines import ENGINES, refusing
from autoparser_cli.linting.rule import Edit, Hit, Severity, rule
from autoparser_cli.linting.subject import Subject

#: Jinja's short names of filters, and the ones that all engines know them by.
_ALIASES = {"count": "length", "d": "default"}


@rule(
    "AP206",
    "unknown-filter",
    Severity.WARNING,
    summary="A filter that an engine does not know, or not in this form.",
    why="The template raises there as soon as the line is reached.",
    example="{{ names | map('upper') | join(', ') }}",
    instead="Use filters that all have (`trim`, `length`, `join`, `tojson`, `default`), or a loop.",
    fixable=True,
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for filters, and for `map` with the name of a filter."""
    for found in filter_calls(subject.tokens):
        name = found.name.text
        engines = refusing(subject.engines, "filters", name)
        if name == "map" and found.arguments and found.arguments[0][1:2] == ():
            engines = tuple(engine for engine in subject.engines if not ENGINES[engine].map_with_filter)
            name = "map with a filter's name"
        if engines:
            place = found.name
            edits = (Edit(place.start, place.end, _ALIASES[name]),) if name in _ALIASES else ()
            message = f"the filter {name!r} is refused by {', '.join(engines)}"
            yield Hit(message, place.line, column=place.column, key=name, edits=edits)
