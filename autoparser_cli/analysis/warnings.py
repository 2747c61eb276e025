"""What a user should know of an analysis: why something was not found, what was made up, what other engines refuse."""

from __future__ import annotations

from autoparser_cli.analysis.conventions import free_variables
from autoparser_cli.analysis.conversations import ABSENT, PROBE_TOOLS, Conventions, Renderer, Turn
from autoparser_cli.analysis.fields import CONTENT_AS_REASONING
from autoparser_cli.analysis.model import AnalysisWarning, CallFormat, Capabilities
from autoparser_cli.analysis.probes import NAMES
from autoparser_cli.analysis.shapes import turn_text
from autoparser_cli.analysis.tools import CALLS


def find_warnings(
    renderer: Renderer,
    text: Conventions,
    called: Conventions | None,
    calls: CallFormat | None,
    capabilities: Capabilities,
) -> tuple[AnalysisWarning, ...]:
    """Return the warnings, in the order a reader wants them."""
    found = []
    if calls is None:
        found.append(_no_calls(renderer, text))
    elif called is not None:
        found += _unusual_calls(called)
    if capabilities.content_with_calls == CONTENT_AS_REASONING:
        message = "content beside calls is rendered as reasoning: the two cannot be told apart in an output"
        found.append(AnalysisWarning("content-as-reasoning", message))
    supplied = [
        name for name, value in text.kwargs if name in free_variables(renderer) and isinstance(value, str)
    ]
    if supplied:
        names = ", ".join(f"`{name}`" for name in supplied)
        found.append(
            AnalysisWarning(
                "needs-variables", f"the template needs the variables {names}; they were supplied as text"
            )
        )
    for liberty in renderer.template.portability_warnings:
        found.append(AnalysisWarning("portability", liberty.message, liberty.line))
    return tuple(found)


def _no_calls(renderer: Renderer, text: Conventions) -> AnalysisWarning:
    with_tools = renderer.prompt(text, generation=False, tools=True)
    plain = renderer.prompt(text, generation=False)
    error = renderer.error_about("tool_calls")
    rendered = turn_text(renderer, Turn(calls=CALLS[:1]), text, PROBE_TOOLS)
    if rendered is None and error is not None:
        return AnalysisWarning(
            "calls-refused", f"the template raises on a tool call: {renderer.why(error)}", error.line
        )
    if rendered is not None and NAMES[0] in rendered:
        return AnalysisWarning(
            "calls-unreadable", "a tool call is rendered without arguments that can be found"
        )
    if with_tools is not None and with_tools != plain:
        return AnalysisWarning(
            "calls-not-rendered",
            "the prompt lists the tools, but the template does not render tool calls: how a call is written stands at most in prose",
        )
    return AnalysisWarning("tools-ignored", "the template reads neither tools nor tool calls")


def _unusual_calls(called: Conventions) -> list[AnalysisWarning]:
    found = []
    if called.arguments_as_string:
        found.append(
            AnalysisWarning("string-arguments", "the template needs a call's arguments as JSON text")
        )
    if called.call_content in (None, ABSENT):
        found.append(
            AnalysisWarning(
                "null-content", "the template renders a call only where content is null or absent"
            )
        )
    if called.answered:
        found.append(
            AnalysisWarning("answered-calls", "the template renders a call only where more turns follow")
        )
    if called.flat_calls:
        found.append(
            AnalysisWarning(
                "flat-calls", "the template reads name and arguments beside `function`, not inside"
            )
        )
    return found
