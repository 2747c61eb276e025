"""AP404: something is printed only from or until a certain day."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from autoparser_cli.linting.literals import texts
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP404",
    "date-gated",
    Severity.WARNING,
    summary="Text is printed on a condition that compares today's date.",
    why=(
        "A template that is reviewed today can behave differently next month. Printing the date needs no "
        "condition."
    ),
    example="{% if strftime_now('%Y%m%d') > '20270101' %}...{% endif %}",
    instead="Print the date, and leave the rest to the model.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for comparisons of `strftime_now(...)`, or of a name that is set to it."""
    dated = {
        assignment.target.name
        for assignment in subject.find(nodes.Assign)
        if isinstance(assignment.target, nodes.Name) and _asks_date(assignment.node, frozenset())
    }
    for condition in subject.find(nodes.If):
        test = condition.test
        comparisons = [*([test] if isinstance(test, nodes.Compare) else []), *test.find_all(nodes.Compare)]
        dates = [item for item in comparisons if _asks_date(item, frozenset(dated))]
        if dates and any(text.strip() for body in condition.body for _, text in texts(body)):
            yield Hit("a condition on today's date", dates[0].lineno, key="date")


def _asks_date(node: nodes.Node, dated: frozenset[str]) -> bool:
    calls = [node] if isinstance(node, nodes.Call) else []
    names = {
        call.node.name for call in [*calls, *node.find_all(nodes.Call)] if isinstance(call.node, nodes.Name)
    }
    return "strftime_now" in names or any(name.name in dated for name in node.find_all(nodes.Name))
