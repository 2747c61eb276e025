"""AP205: `is sequence` and `is iterable`, to which engines answer differently."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeGuard

from jinja2 import nodes

from autoparser_cli.linting.rule import Hit, Severity, rule
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
_TYPES = frozenset({"mapping", "string", "none"})


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
    settled = _settled(subject)
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
    return [
        (answer, engine)
        for engine, types in engines.items()
        if engine in subject.engines
        for kind, answer in types.items()
        if kind not in settled
    ]


def _settled(subject: Subject) -> dict[int, set[str]]:
    """Find for each test (by id) the types that a condition around it, before it or beside it rules out."""
    found: dict[int, set[str]] = {}

    def rule_out(kinds: list[tuple[nodes.Node, str]], places: Iterable[nodes.Node]) -> None:
        tests = [test for place in places for test in _tests(place)] if kinds else []
        for test in tests:
            found.setdefault(id(test), set()).update(kind for what, kind in kinds if what == test.node)

    for condition in subject.find(nodes.If):
        earlier: list[tuple[nodes.Node, str]] = []
        for branch in (condition, *condition.elif_):
            rule_out(earlier, [branch.test, *branch.body])
            earlier += [(part.node, part.name) for part in _flat(branch.test, nodes.Or) if _asks_type(part)]
        rule_out(earlier, condition.else_)
    for joined in [*subject.find(nodes.And)]:
        parts = _flat(joined, nodes.And)
        kinds: list[tuple[nodes.Node, str]] = [
            (part.node.node, part.node.name)
            for part in parts
            if isinstance(part, nodes.Not) and _asks_type(part.node)
        ]
        rule_out(kinds + [(part, "none") for part in parts], [joined])
    return found


def _asks_type(node: nodes.Node) -> TypeGuard[nodes.Test]:
    return isinstance(node, nodes.Test) and node.name in _TYPES


def _tests(node: nodes.Node) -> list[nodes.Test]:
    return [*([node] if isinstance(node, nodes.Test) else []), *node.find_all(nodes.Test)]


def _flat(node: nodes.Node, kind: type[nodes.BinExpr]) -> list[nodes.Node]:
    """Return the operands of a chain of one operator."""
    if isinstance(node, kind):
        return [*_flat(node.left, kind), *_flat(node.right, kind)]
    return [node]
