"""AP205: `is sequence` and `is iterable`, to which engines answer differently."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from jinja2 import nodes

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.settled_types import settled_types
from autoparser_cli.linting.subject import Subject

#: Test -> engine -> the types for which it answers otherwise than Jinja2, and how.
_DIFFERENT = {
    "sequence": {
        "llama.cpp": {"mapping": "false for a mapping"},
        "minijinja": {"mapping": "false for a mapping", "string": "false for a text"},
    },
    "iterable": {
        "llama.cpp": {"mapping": "false for a mapping"},
        "minijinja": {"none": "true for none"},
        "transformers.js": {"mapping": "false for a mapping"},
    },
}

#: Nobody passes a mapping where templates ask for a list; alone it makes no finding.
_UNUSUAL = "mapping"


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
    """Look for the two tests where something of such a type can get to them; one hit for each test."""
    settled = settled_types(subject)
    for name, engines in _DIFFERENT.items():
        lines: list[int] = []
        answers: dict[str, list[str]] = {}
        for test in subject.find(nodes.Test):
            if test.name != name:
                continue
            told = _answers(subject, engines, settled.get(id(test), set()))
            lines += [test.lineno] if told else []
            for answer, engine in told:
                if engine not in answers.setdefault(answer, []):
                    answers[answer].append(engine)
        if lines:
            count = f" ({len(lines)} times)" if len(lines) > 1 else ""
            listed = "; ".join(f"{answer} in {' and '.join(names)}" for answer, names in answers.items())
            yield Hit(f"'is {name}'{count} is {listed}; not so in Jinja2", min(lines), key=name)


def _answers(
    subject: Subject, engines: Mapping[str, Mapping[str, str]], settled: set[str]
) -> list[tuple[str, str]]:
    found = [
        (answer, engine, kind)
        for engine, types in engines.items()
        if engine in subject.engines
        for kind, answer in types.items()
        if kind not in settled
    ]
    usual = any(kind != _UNUSUAL for _, _, kind in found)
    return [(answer, engine) for answer, engine, _ in found] if usual else []
