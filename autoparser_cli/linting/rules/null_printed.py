"""AP006: content that is null is printed as a word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.written_by import line_that_wrote

_WORDS = ("None", "null")


@rule(
    "AP006",
    "null-content-printed",
    Severity.WARNING,
    summary="Null content beside a call is printed as the word None or null.",
    why=(
        "OpenAI's API has `content: null` in every turn that only calls. Hugging Face drops the key, other "
        "engines pass it on: there "
        "the model reads `None` in front of its calls and begins to write it."
    ),
    example="<|assistant|>{{ message.content }}{% for call in message.tool_calls %}",
    instead="Print `message.content or ''`, or ask `message.content` first.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Render a call with content empty and null; the second must not have one more null word."""
    if not subject.prints_calls:
        return
    shape = subject.call_shape
    for name in ("call", "answered"):
        null = replace(shape, call_content=None)
        empty, outcome = subject.render(name, replace(shape, call_content="")), subject.render(name, null)
        if empty.failed or outcome.failed:
            continue
        for word in _WORDS:
            if outcome.text.count(word) > empty.text.count(word):
                yield Hit(
                    f"null content beside a call is printed as {word}",
                    line_that_wrote(subject, name, null, word, last=True),
                )
                return
