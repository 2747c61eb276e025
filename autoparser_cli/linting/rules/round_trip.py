"""AP101: what the template writes is not understood again."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.analysis.model import ProofStep
from autoparser_cli.linting.rule import Hit, NotEvaluatedError, Severity, rule
from autoparser_cli.linting.subject import Subject

#: How much of what went wrong with a turn is quoted.
_LENGTH = 160


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
    """Read the proof of the analysis; one hit for each line that wrote a first difference."""
    proof = subject.analysis.proof
    failed = [step for step in proof.steps if not step.passed]
    if not proof.tried:
        told = [item.message for item in subject.analysis.warnings if item.code == "does-not-render"]
        raise NotEvaluatedError("; ".join(told) or "no assistant's turn shows whole behind a question")
    if failed and proof.passed == 0:
        # The method's limit, more likely than the template's fault; and certainly no clean bill.
        raise NotEvaluatedError(f"the format was not understood: none of {proof.tried} turns comes back")
    by_line: dict[int | None, list[ProofStep]] = {}
    for step in failed:
        by_line.setdefault(step.line, []).append(step)
    for line, steps in by_line.items():
        names = ", ".join(f"'{step.name}'" for step in steps)
        detail = steps[0].detail
        shown = f": {detail[:_LENGTH]}{'…' if len(detail) > _LENGTH else ''}" if detail else ""
        what = "turns does" if len(steps) == 1 else "turns do"
        message = f"{len(steps)} of {proof.tried} {what} not come back ({names}){shown}"
        yield Hit(message, line, key=names)
