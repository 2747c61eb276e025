"""AP303: `response_schema`, which current transformers ignore."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.vocabulary import configuration


@rule(
    "AP303",
    "response-schema",
    Severity.WARNING,
    summary="The tokenizer's configuration has a `response_schema`.",
    why=(
        "transformers 5.13 replaced it by `response_template` and drops the old key without a word: "
        "outputs are not parsed."
    ),
    example='"response_schema": {"x-regex": "..."}',
    instead="Write a `response_template`: `autoparser grammar TEMPLATE --format response-template` makes one.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for the key."""
    config = configuration(subject.path)
    if "response_schema" in config and "response_template" not in config:
        yield Hit("response_schema is ignored by current transformers")
