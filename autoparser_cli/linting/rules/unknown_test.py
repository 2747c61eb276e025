"""AP204: a test that an engine does not know."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from autoparser_cli.linting.calls_in_source import filter_calls
from autoparser_cli.linting.engines import ENGINES, refusing
from autoparser_cli.linting.rule import Edit, Hit, Severity, rule
from autoparser_cli.linting.subject import Subject

_SELECTING = {"select": 0, "reject": 0, "selectattr": 1, "rejectattr": 1}


@rule(
    "AP204",
    "unknown-test",
    Severity.WARNING,
    summary="A test (`is ...`) that an engine does not know, or not in this form.",
    why="The template raises there as soon as the line is reached, or does not even compile.",
    example="{{ tools | selectattr('type', '==', 'function') | list }}",
    instead="Use the names that all have: `equalto`, `defined`, `string`, `mapping`; or compare with `==`.",
    fixable=True,
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for tests, and for tests that are named in a filter."""
    for test in subject.find(nodes.Test):
        engines = set(refusing(subject.engines, "tests", test.name))
        if test.args:
            engines.update(name for name in subject.engines if not ENGINES[name].tests_with_arguments)
        if engines:
            listed = ", ".join(name for name in subject.engines if name in engines)
            yield Hit(
                f"the test {test.name!r}{' with an argument' if test.args else ''} is refused by {listed}",
                test.lineno,
                key=test.name,
            )
    yield from _named_in_filters(subject)


def _named_in_filters(subject: Subject) -> Iterator[Hit]:
    for found in filter_calls(subject.tokens):
        at = _SELECTING.get(found.name.text)
        if at is None or len(found.arguments) <= at or len(found.arguments[at]) != 1:
            continue
        named = found.arguments[at][0]
        name = named.text[1:-1]
        engines = refusing(subject.engines, "test_names_in_filters", name) if named.kind == "string" else ()
        if engines:
            message = f"the test {name!r} in {found.name.text} is refused by {', '.join(engines)}"
            edits = (Edit(named.start + 1, named.end - 1, "equalto"),) if name == "==" else ()
            key = f"{found.name.text} {name}"
            yield Hit(message, named.line, column=named.column, key=key, edits=edits)
