"""AP012: structures are printed as Python writes them, not as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.conversations import KEY, VALUES, Conversation, call, user
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.written_by import line_that_wrote

#: What only Python's way of writing a dict puts around a name.
_SIGNS = {
    "tools": (f"'{KEY}': {{", "'type': 'string'", "'function': {'", f"['{KEY}']"),
    "call": (f"{{'{KEY}': '{VALUES[0]}'",),
    "result": ("{'role': ", "'tool_call_id': "),
}
_WHAT = {
    "tools": "the tools are",
    "call": "a call's arguments are",
    "result": "a tool's result is",
}

#: A value, what Python writes for it, and what it is.
_VALUES: tuple[tuple[object, str, str], ...] = (
    (True, "True", "true"),
    (None, "None", "null"),
    (["Tromsø", "Turku"], "['Tromsø', 'Turku']", "a list"),
)


@rule(
    "AP012",
    "python-repr",
    Severity.WARNING,
    summary="A dict or list is printed in Python's notation.",
    why=(
        "`{'a': True, 'b': None}` is not JSON. Other engines print the same value differently, and the "
        "model is taught quotes that "
        "no JSON parser takes."
    ),
    example="{{ tool.function.parameters }}",
    instead="Add `| tojson`.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for Python's quotes around the names of the tools' schema and of the arguments, and for its words."""
    told = False
    for name, signs in _SIGNS.items():
        if name == "call" and not _prints_objects(subject):
            continue
        outcome = subject.render(name)
        sign = next((sign for sign in signs if not outcome.failed and sign in outcome.text), None)
        if sign is not None:
            told = told or name == "call"
            message = f"{_WHAT[name]} printed in Python's notation, not as JSON"
            yield Hit(message, line_that_wrote(subject, name, None, sign), key=name)
    if not told and _prints_objects(subject):
        yield from _values(subject)


def _prints_objects(subject: Subject) -> bool:
    return subject.renders_calls and not subject.call_shape.string_arguments


def _values(subject: Subject) -> Iterator[Hit]:
    """Find values of arguments that are written as Python does, where the texts beside them are not."""
    shape = subject.call_shape
    plain = subject.render_conversation(_with(VALUES[1]), shape)
    if plain.failed or f"'{VALUES[0]}'" in plain.text:
        return  # a notation that is Python's throughout was meant
    by_line: dict[int | None, list[str]] = {}
    for value, written, what in _VALUES:
        conversation = _with(value)
        outcome = subject.render_conversation(conversation, shape)
        if not outcome.failed and outcome.text.count(written) > plain.text.count(written):
            line = line_that_wrote(subject, conversation, shape, written, last=True)
            by_line.setdefault(line, []).append(f"{what} as {written}")
    for line, found in by_line.items():
        yield Hit(f"a call's argument is printed in Python's notation: {', '.join(found)}", line, key="value")


def _with(value: object) -> Conversation:
    arguments = {KEY: VALUES[0], "other": value}
    return Conversation("value", "a value", (user(), call(arguments=arguments)), tools=True)
