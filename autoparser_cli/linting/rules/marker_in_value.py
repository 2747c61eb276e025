"""AP104: a value that holds a closing marker ends early."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.analysis.model import CallFormat, JsonType, MarkerText, TaggedArguments, TaggedCall
from autoparser_cli.linting.conversations import KEY, Conversation, call, user
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.written_by import line_that_wrote


@rule(
    "AP104",
    "marker-in-value",
    Severity.INFO,
    summary="A text value is printed as it is, also where it holds the marker that ends it.",
    why=(
        "A file with that marker in it, or a user who knows the format, ends the value early; the rest is "
        "read as markup."
    ),
    example="<parameter={{ name }}>{{ value }}</parameter>",
    instead="Encode text values with `tojson`, or refuse values with the marker in them.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Render a value with the closing marker in it."""
    if not subject.renders_calls or subject.call_shape.string_arguments:
        return
    close = _close_of_text(subject.analysis.calls)
    if not close:
        return
    value = f"before{close}behind"
    conversation = Conversation(
        "marker", "a marker in a value", (user(), call(arguments={KEY: value})), tools=True
    )
    outcome = subject.render_conversation(conversation, subject.call_shape)
    if not outcome.failed and value in outcome.text:
        line = line_that_wrote(subject, conversation, subject.call_shape, value)
        yield Hit(f"a text value may hold {close!r}, which ends it", line, key=close)


def _close_of_text(calls: CallFormat | None) -> str:
    """Return the marker that ends a raw text value; empty where texts are quoted, or end otherwise."""
    if (
        calls is None
        or not isinstance(calls.body, TaggedCall)
        or not isinstance(calls.body.arguments, TaggedArguments)
    ):
        return ""
    for form in calls.body.arguments.forms:
        if JsonType.STRING in form.types and form.encoding.is_raw:
            return _constant(form.close)
    return ""


def _constant(marker: MarkerText) -> str:
    return marker[0].strip() if len(marker) == 1 and isinstance(marker[0], str) else ""
