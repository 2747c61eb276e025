"""AP016: calls are printed, but the tools are not described to the model."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP016",
    "tools-ignored",
    Severity.INFO,
    summary="Calls are printed, but `tools` make no difference to the prompt.",
    why="The model is never told which tools there are; a client that passes `tools` believes otherwise.",
    example="{% for call in message.tool_calls %}...  {# and nowhere `tools` #}",
    instead="Describe `tools` in the system turn, or say that the client has to.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Render a question with and without tools."""
    if not subject.renders_calls:
        return
    with_tools, without = subject.render("tools-prompt"), subject.render("prompt")
    both = not with_tools.failed and not without.failed
    if both and with_tools.text == without.text:
        yield Hit("the tools are not described to the model")
