"""AP205: `is sequence` and `is iterable`, to which engines answer differently."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject

#: Test -> engines that answer otherwise than Jinja2, and for what.
_DIFFERENT = {
    "sequence": {"llama.cpp": "false for a mapping", "minijinja": "false for a mapping and a text"},
    "iterable": {
        "llama.cpp": "false for a mapping",
        "minijinja": "true for none",
        "transformers.js": "false for a mapping",
    },
}


@rule(
    "AP205",
    "differing-test",
    Severity.INFO,
    summary="`is sequence` or `is iterable`, which engines answer differently.",
    why=(
        "In Jinja2 texts and mappings are sequences and iterable. In some engines mappings are not, and "
        "older ones do not know the tests."
    ),
    example="{% if message.content is sequence %}",
    instead="Ask for what you expect: `is string`, `is mapping`; what is left is a list.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for the two tests; one hit for each, at its first place."""
    for name, engines in _DIFFERENT.items():
        lines = [test.lineno for test in subject.find(nodes.Test) if test.name == name]
        answers = [f"{answer} in {engine}" for engine, answer in engines.items() if engine in subject.engines]
        if lines and answers:
            count = f" ({len(lines)} times)" if len(lines) > 1 else ""
            yield Hit(
                f"'is {name}'{count} is {', '.join(answers)}, other than in Jinja2", min(lines), key=name
            )
