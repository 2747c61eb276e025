"""AP903: An `ignore` comment with a code that no rule has."""

from __future__ import annotations

from collections.abc import Iterable

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP903",
    "unknown-code",
    Severity.WARNING,
    summary="An `ignore` comment with a code that no rule has.",
    why="It excuses nothing; mostly a slip of the pen.",
    example="{# autoparser: ignore[AP999] reason #}",
    instead="Look the code up with `autoparser rule`.",
)
def check(subject: Subject) -> Iterable[Hit]:
    """Find nothing: the comments are judged when all other rules have run."""
    return ()
