"""AP017: the id of a call is printed beside the call or beside its result, and not beside both."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.conversations import IDS
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.written_by import line_that_wrote


@rule(
    "AP017",
    "one-sided-call-id",
    Severity.INFO,
    summary="A call's id is printed only with the call, or only with its result.",
    why="An id helps the model to tell which result belongs to which call; that takes both.",
    example="<result id={{ message.tool_call_id }}>  {# and calls without `call.id` #}",
    instead="Print `call.id` and `message.tool_call_id`, or neither.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Render two calls and their results, and count the id."""
    if not subject.renders_calls or not subject.renders_results:
        return
    outcome = subject.render("answered")
    before = subject.render("call")
    if outcome.failed or before.failed or outcome.text.count(IDS[0]) != 1:
        return
    side = "the call" if IDS[0] in before.text else "its result"
    yield Hit(
        f"the call's id is printed only with {side}",
        line_that_wrote(subject, "answered", None, IDS[0]),
        key=side,
    )
