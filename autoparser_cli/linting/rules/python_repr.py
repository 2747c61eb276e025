"""AP012: structures are printed as Python writes them, not as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.conversations import KEY, VALUES
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.written_by import line_that_wrote

#: What only Python's way of writing a dict puts around a name.
_SIGNS = {
    "tools": (f"'{KEY}': {{", "'type': 'string'", "'function': {'"),
    "call": (f"{{'{KEY}': '{VALUES[0]}'",),
    "result": ("{'role': ", "'tool_call_id': "),
}
_WHAT = {"tools": "the tools", "call": "a call's arguments", "result": "a tool's result"}


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
    """Look for Python's quotes around the names of the tools' schema and of the arguments."""
    for name, signs in _SIGNS.items():
        if name == "call" and (not subject.renders_calls or subject.call_shape.string_arguments):
            continue
        outcome = subject.render(name)
        sign = next((sign for sign in signs if not outcome.failed and sign in outcome.text), None)
        if sign is not None:
            yield Hit(
                f"{_WHAT[name]} are printed in Python's notation, not as JSON"
                if name != "result"
                else "a tool's result is printed in Python's notation, not as JSON",
                line_that_wrote(subject, name, None, sign),
                key=name,
            )
