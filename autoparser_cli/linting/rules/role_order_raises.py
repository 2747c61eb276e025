"""AP003: the template raises for roles in an order that clients send."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.conversations import CONVERSATIONS
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject

_ORDERS = ("late-system", "two-users", "two-answers", "assistant-first", "system-only", "developer")
_TOOL_ORDERS = ("two-results", "result-user", "two-call-rounds")


@rule(
    "AP003",
    "role-order-raises",
    Severity.WARNING,
    summary="The template raises for an order of roles that clients send.",
    why=(
        "Agents insert system messages late, cancelled turns leave two user messages in a row, and "
        "histories are cut at the front. "
        "A template that raises there turns into an error of the whole server request."
    ),
    example=(
        "{% if m.role == 'system' and not loop.first %}{{ raise_exception('System must be first') }}{% "
        "endif %}"
    ),
    instead="Render the message where it stands, or say in the model card which orders are refused.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Render the orders; one hit for each line that raises."""
    if subject.render("round").failed:
        return
    orders = [*_ORDERS]
    if subject.renders_results:
        orders += _TOOL_ORDERS
    raised: dict[tuple[int | None, str], list[str]] = {}
    for name in orders:
        outcome = subject.render(name)
        if outcome.failed:
            raised.setdefault((outcome.line, str(outcome.error)), []).append(CONVERSATIONS[name].title)
    for (line, message), titles in raised.items():
        yield Hit(f"raises for {_listed(titles)}: {message}", line, key=message)


def _listed(titles: list[str]) -> str:
    return titles[0] if len(titles) == 1 else f"{', '.join(titles[:-1])} and {titles[-1]}"
