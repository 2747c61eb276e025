"""AP902: An `ignore` comment that excuses nothing."""

from __future__ import annotations

from collections.abc import Iterable

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP902",
    "unused-ignore",
    Severity.WARNING,
    summary="An `ignore` comment that excuses nothing.",
    why="It would hide the next real finding on that line.",
    example="{# autoparser: ignore[AP202] old engine #} on a line without a finding",
    instead="Take the comment out.",
    fixable=True,
)
def check(subject: Subject) -> Iterable[Hit]:
    """Find nothing: the comments are judged when all other rules have run."""
    return ()
