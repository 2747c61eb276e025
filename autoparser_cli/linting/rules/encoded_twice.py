"""AP005: arguments that are JSON text already are encoded once more."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from autoparser_cli.linting.conversations import KEY, VALUES
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.written_by import line_that_wrote


@rule(
    "AP005",
    "arguments-encoded-twice",
    Severity.WARNING,
    summary="Arguments given as JSON text are encoded a second time.",
    why=(
        "The model then sees its own calls as a quoted string with backslashes and learns to write them "
        "so. Nothing raises."
    ),
    example='"arguments": {{ call.function.arguments | tojson }}',
    instead="Write `arguments if arguments is string else arguments | tojson`.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Render a call with an object and with JSON text; the quoted text must not show where the object does
    not show quoted.
    """
    shape = subject.call_shape
    if not subject.renders_calls or shape.string_arguments:
        return
    once = json.dumps({KEY: VALUES[0]}, ensure_ascii=False)
    twice = json.dumps(once, ensure_ascii=False)[1:-1]
    for name in ("call", "answered"):
        as_object = subject.render(name, shape)
        as_text = subject.render(name, replace(shape, string_arguments=True))
        if as_object.failed or as_text.failed:
            continue
        if twice in as_text.text and twice not in as_object.text:
            line = line_that_wrote(subject, name, replace(shape, string_arguments=True), twice)
            yield Hit("arguments that are JSON text already are encoded twice", line)
            return
