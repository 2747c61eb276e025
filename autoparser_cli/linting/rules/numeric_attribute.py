"""AP202: `x.0`, which llama.cpp's engine refuses."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.engines import ENGINES
from autoparser_cli.linting.rule import Edit, Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP202",
    "numeric-attribute",
    Severity.WARNING,
    summary="An item is taken by a number behind a dot.",
    why=(
        "Jinja2 takes `messages.0`. llama.cpp's engine does not, and then reports everything about the "
        "template as unsupported."
    ),
    example="{{ messages.0.role }}",
    instead="Write `messages[0].role`.",
    fixable=True,
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for a dot and a number; only tokens tell `x.0` from `x[0]`."""
    engines = [name for name in subject.engines if not ENGINES[name].numeric_attributes]
    if not engines:
        return
    for dot, number in zip(subject.tokens, subject.tokens[1:], strict=False):
        if dot.text == "." and dot.kind == "operator" and number.kind == "integer":
            edit = Edit(dot.start, number.end, f"[{number.text}]")
            message = f".{number.text} is refused by {', '.join(engines)}: write [{number.text}]"
            yield Hit(message, dot.line, column=dot.column, key=number.text, edits=(edit,))
