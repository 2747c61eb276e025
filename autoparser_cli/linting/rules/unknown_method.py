"""AP207: a method of Python's types that an engine does not know."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from autoparser_cli.linting.engines import ENGINES, MUTATING, refusing
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject

_STRIPPING = frozenset({"strip", "lstrip", "rstrip"})


@rule(
    "AP207",
    "unknown-method",
    Severity.WARNING,
    summary="A method of Python's texts, lists or dicts that an engine does not have.",
    why=(
        "Only Jinja2 gives templates all of Python's methods. Elsewhere the template raises as soon as the "
        "line is reached."
    ),
    example="{{ message.content.removeprefix('x') }}",
    instead=(
        "Use a filter (`replace`, `trim`, `join`), a slice, or `split`, `startswith`, `endswith`, which "
        "all have."
    ),
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for calls of methods; those that change something have a rule of their own."""
    for call in subject.find(nodes.Call):
        method = call.node
        if not isinstance(method, nodes.Getattr) or method.attr in MUTATING:
            continue
        column = subject.column(method.lineno, f".{method.attr}(")
        engines = refusing(subject.engines, "methods", method.attr)
        if engines:
            yield Hit(
                f".{method.attr}() is refused by {', '.join(engines)}",
                method.lineno,
                column=column,
                key=method.attr,
            )
        elif method.attr in _STRIPPING and _strips_more(call):
            ignoring = [name for name in subject.engines if not ENGINES[name].strip_with_characters]
            if ignoring:
                message = (
                    f".{method.attr}() ignores its argument in {', '.join(ignoring)} and strips white space"
                )
                yield Hit(
                    message,
                    method.lineno,
                    column=column,
                    key=f"{method.attr} argument",
                    severity=Severity.INFO,
                )


def _strips_more(call: nodes.Call) -> bool:
    """Tell whether the characters to strip are anything but white space."""
    if len(call.args) != 1:
        return False
    characters = call.args[0]
    return not isinstance(characters, nodes.Const) or bool(str(characters.value).strip())
