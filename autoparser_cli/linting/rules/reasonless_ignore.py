"""AP901: An `ignore` comment without a reason."""

from __future__ import annotations

from collections.abc import Iterable

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP901",
    "ignore-without-reason",
    Severity.WARNING,
    summary="An `ignore` comment without a reason.",
    why="Whoever reads it next has to know whether it still holds; so it excuses nothing.",
    example="{# autoparser: ignore[AP003] #}",
    instead="Say why: `{# autoparser: ignore[AP003] the model knows one system message #}`.",
)
def check(subject: Subject) -> Iterable[Hit]:
    """Find nothing: the comments are judged when all other rules have run."""
    return ()
