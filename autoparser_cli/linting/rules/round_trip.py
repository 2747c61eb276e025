"""AP101: what the template writes is not understood again."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.rule import Hit, NotEvaluatedError, Severity, rule
from autoparser_cli.linting.subject import Subject

_SHOWN = 3


@rule(
    "AP101",
    "round-trip",
    Severity.WARNING,
    summary="An assistant's turn, rendered and parsed back, is not the same message.",
    why="A parser that follows the template gives clients another text, other arguments or no call at all.",
    example="{{ value }}  {# a string and a number look the same, quotes are lost #}",
    instead="See with `autoparser analyze --explain` which turn is meant; encode values with `tojson`.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Read the proof of the analysis."""
    proof = subject.analysis.proof
    failed = [step for step in proof.steps if not step.passed]
    if not failed:
        return
    if proof.passed == 0:
        # The method's limit, more likely than the template's fault; and certainly no clean bill.
        raise NotEvaluatedError(f"the format was not understood: none of {proof.tried} turns comes back")
    shown = "; ".join(f"{step.name}: {step.detail}" if step.detail else step.name for step in failed[:_SHOWN])
    more = f"; and {len(failed) - _SHOWN} more" if len(failed) > _SHOWN else ""
    yield Hit(f"{len(failed)} of {proof.tried} turns do not come back: {shown}{more}", key="proof")
