"""AP103: two different values are printed as one text."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.conversations import KEY, Conversation, call, user
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.written_by import line_that_wrote

_PAIRS = ((7, "7", "the number 7 and the text '7'"), (True, "true", "the value true and the text 'true'"))


@rule(
    "AP103",
    "same-values",
    Severity.INFO,
    summary="A number and the text of the same digits, or true and the text 'true', are printed alike.",
    why=(
        "Only the declared type of the parameter can tell them apart; where a parser has no schema, it has "
        "to guess."
    ),
    example="<parameter={{ name }}>{{ value }}</parameter>",
    instead="Encode values with `tojson`, or say in the format which type a value has.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Render a call with the one value and with the other."""
    if not subject.renders_calls or subject.call_shape.string_arguments or subject.render("call").failed:
        return
    same = []
    for value, text, what in _PAIRS:
        first, second = (_rendered(subject, item) for item in (value, text))
        if first is not None and first == second:
            same.append(what)
    if same:
        line = line_that_wrote(subject, _with_value(_PAIRS[0][1]), None, _PAIRS[0][1], last=True)
        yield Hit(f"{'; '.join(same)}: printed alike", line, key="alike")


def _rendered(subject: Subject, value: object) -> str | None:
    outcome = subject.render_conversation(_with_value(value), subject.call_shape)
    return None if outcome.failed else outcome.text


def _with_value(value: object) -> Conversation:
    return Conversation("value", "a value", (user(), call(arguments={KEY: value})), tools=True)
