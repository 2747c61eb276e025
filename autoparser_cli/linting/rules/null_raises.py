"""AP007: content that is null raises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP007",
    "null-content-raises",
    Severity.WARNING,
    summary="Null content beside a call raises.",
    why=(
        "OpenAI's API has `content: null` in every turn that only calls. Hugging Face drops the key, other "
        "engines pass it on."
    ),
    example="{{ '<|assistant|>' + message.content }}",
    instead="Use `(message.content or '')`.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Render a call with content empty, and with null."""
    if not subject.prints_calls:
        return
    shape = subject.call_shape
    for name in ("call", "answered"):
        if subject.render(name, replace(shape, call_content="")).failed:
            continue
        outcome = subject.render(name, replace(shape, call_content=None))
        if outcome.failed:
            yield Hit(f"null content beside a call raises: {outcome.error}", outcome.line)
            return
