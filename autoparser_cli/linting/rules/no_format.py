"""AP102: calls are printed in a way that nothing could be inferred from."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP102",
    "no-call-format",
    Severity.WARNING,
    summary="The template prints calls, and no format could be inferred for parsing them.",
    why="Generic parsers treat the model as one without tools; each engine needs code of its own for it.",
    example="{{ message.tool_calls }}  {# Python's notation of the whole list #}",
    instead="Print each call with a marker before and behind it, and its arguments as JSON.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Compare what renders with what the analysis found."""
    if not subject.renders_calls:
        return
    analysis = subject.analysis
    if analysis.calls is None:
        reasons = [warning.message for warning in analysis.warnings]
        line = next((warning.line for warning in analysis.warnings if warning.line is not None), None)
        yield Hit(
            f"no format of calls was found: {'; '.join(reasons) or 'no probe showed one'}", line, key="none"
        )
