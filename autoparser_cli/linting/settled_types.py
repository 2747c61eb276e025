"""A template's tree -> for each test (`x is iterable`) the types that cannot get to it, or that make no difference there.

Type questions around, before or beside a test rule types out: `x is string or x is iterable`, `x is not mapping and ...`,
the branches before an `elif`. What is set in between is not followed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeGuard

from jinja2 import nodes

from autoparser_cli.linting.subject import Subject

_TYPES = frozenset({"mapping", "string", "none"})

#: Expressions, and a type that each is not.
_Known = list[tuple[nodes.Node, str]]


class _Settled(dict[int, set[str]]):
    """By the id of a test: the types ruled out for what it asks about."""

    def rule_out(self, known: _Known, places: Iterable[nodes.Node | None]) -> None:
        """Note what is known for all tests in these places."""
        if not known:
            return
        for test in (test for place in places if place is not None for test in _tests(place)):
            self.setdefault(id(test), set()).update(kind for what, kind in known if what == test.node)


def settled_types(subject: Subject) -> dict[int, set[str]]:
    """Return the types that are settled for each test, by the test's id."""
    found = _Settled()
    for condition in subject.find(nodes.If):
        _settle_branches(found, condition)
        found.rule_out(_replaced(condition), [subject.tree])
    for choice in subject.find(nodes.CondExpr):
        found.rule_out(_asked(choice.test), [choice.expr2])
    for either in subject.find(nodes.Or):
        found.rule_out(_asked(either.left), [either.right])
    for both in subject.find(nodes.And):
        parts = _flat(both, nodes.And)
        known: _Known = [(part, "none") for part in parts]
        for part in parts:
            if isinstance(part, nodes.Not) and _asks_type(part.node):
                known.append((part.node.node, part.node.name))
        found.rule_out(known, [both])
    return found


def _settle_branches(found: _Settled, condition: nodes.If) -> None:
    branches = (condition, *condition.elif_)
    earlier: _Known = []
    for branch in branches:
        found.rule_out(earlier, [branch.test, *branch.body])
        earlier += _asked(branch.test)
    found.rule_out(earlier, condition.else_)
    # A loop over none prints nothing: the same as a later branch for it that prints nothing.
    later: _Known = []
    for branch in reversed(branches):
        found.rule_out(later, [branch.test])
        if not any(map(_prints, branch.body)):
            later += [(what, kind) for what, kind in _asked(branch.test) if kind == "none"]


def _replaced(condition: nodes.If) -> _Known:
    """Return names that are given another value where they are none: `{% if tools is none %}{% set tools = [] %}`."""
    given = {
        target.target.name
        for target in condition.body
        if isinstance(target, nodes.Assign) and isinstance(target.target, nodes.Name)
    }
    return [
        (what, "none") for what, kind in _asked(condition.test) if kind == "none" and _name(what) in given
    ]


def _name(node: nodes.Node) -> str:
    return node.name if isinstance(node, nodes.Name) else ""


def _prints(node: nodes.Node) -> bool:
    outputs = [*([node] if isinstance(node, nodes.Output) else []), *node.find_all(nodes.Output)]
    parts = (part for output in outputs for part in output.nodes)
    return any(str(getattr(part, "data", getattr(part, "value", part))).strip() for part in parts)


def _asked(test: nodes.Node) -> _Known:
    """Return what a condition asks for the type of, where it is true for each of these types."""
    return [(part.node, part.name) for part in _flat(test, nodes.Or) if _asks_type(part)]


def _asks_type(node: nodes.Node) -> TypeGuard[nodes.Test]:
    return isinstance(node, nodes.Test) and node.name in _TYPES


def _tests(node: nodes.Node) -> list[nodes.Test]:
    return [*([node] if isinstance(node, nodes.Test) else []), *node.find_all(nodes.Test)]


def _flat(node: nodes.Node, kind: type[nodes.BinExpr]) -> list[nodes.Node]:
    """Return the operands of a chain of one operator."""
    if isinstance(node, kind):
        return [*_flat(node.left, kind), *_flat(node.right, kind)]
    return [node]
