"""A template -> what it supports, by rendering: tools, roles, results, and what becomes of arguments and content beside calls."""

from __future__ import annotations

from dataclasses import replace

from autoparser_cli.analysis.conversations import (
    PROBE_TOOLS,
    Call,
    Conventions,
    Renderer,
    Turn,
    assistant_message,
    result_message,
    user_message,
)
from autoparser_cli.analysis.joints import content_as_reasoning
from autoparser_cli.analysis.model import CallFormat, Capabilities, TurnPart
from autoparser_cli.analysis.observing import Shapes
from autoparser_cli.analysis.probes import CONTENT, KEYS, NAMES, RESULT, SYSTEM, VALUES
from autoparser_cli.analysis.shapes import turn_text

CONTENT_AS_REASONING = "as reasoning"


def find_capabilities(
    renderer: Renderer,
    text: Conventions,
    called: Conventions | None,
    calls: CallFormat | None,
    shapes: Shapes,
) -> Capabilities:
    """Return what the template supports, by rendering."""
    with_tools = renderer.prompt(text, generation=False, tools=True)
    plain = renderer.prompt(text, generation=False)
    parted = turn_text(renderer, Turn(content=CONTENT), replace(text, parts=True))
    system = renderer.render([{"role": "system", "content": SYSTEM}, user_message(text)], text)
    generation = renderer.prompt(text, generation=True)
    return Capabilities(
        supports_tools=(with_tools is not None and with_tools != plain)
        or _tools_beside_system(renderer, text),
        supports_tool_calls=calls is not None,
        supports_parallel_tool_calls=calls is not None and calls.parallel,
        supports_system_role=system is not None and SYSTEM in system,
        supports_tool_results=_renders_result(renderer, called or text),
        supports_typed_content=parted is not None and parted.count(CONTENT) == 1 and "'type'" not in parted,
        requires_typed_content=text.parts,
        requires_string_arguments=called is not None and called.arguments_as_string,
        string_arguments=_string_arguments(renderer, called)
        if called is not None and calls is not None
        else "",
        content_with_calls=_content_with_calls(renderer, called, shapes) if calls is not None else "",
        supports_generation_prompt=generation is not None and generation != plain,
    )


def _tools_beside_system(renderer: Renderer, text: Conventions) -> bool:
    """Tell whether tools are printed where a system message is given, and only there."""
    if "tools" not in renderer.template.variables:
        return False
    messages = [{"role": "system", "content": SYSTEM}, user_message(text)]
    return NAMES[0] in (renderer.render(messages, text, tools=PROBE_TOOLS) or "")


def _renders_result(renderer: Renderer, called: Conventions) -> bool:
    call = Call()
    messages = [user_message(called), assistant_message(Turn(calls=(call,)), called), result_message(call)]
    return RESULT in (renderer.render(messages, called, tools=PROBE_TOOLS) or "")


def _string_arguments(renderer: Renderer, called: Conventions) -> str:
    """Tell what becomes of arguments given as JSON text: `as is`, `encoded twice`, `malformed` (braces around it), `refused`."""
    text = turn_text(renderer, Turn(calls=(Call(),)), replace(called, arguments_as_string=True), PROBE_TOOLS)
    if text is None or KEYS[0] not in text or str(VALUES[0]) not in text:
        return "refused"
    if f'{{{{"{KEYS[0]}"' in text:
        return "malformed"
    return "encoded twice" if f'\\"{KEYS[0]}' in text else "as is"


def _content_with_calls(renderer: Renderer, called: Conventions | None, shapes: Shapes) -> str:
    for shape in shapes.values():
        parts = [part for part in shape.parts if part in (TurnPart.CONTENT, TurnPart.CALLS)]
        if len(parts) == 2:
            if content_as_reasoning(shape, shapes.values()):
                return CONTENT_AS_REASONING
            return "before" if parts[0] is TurnPart.CONTENT else "after"
    if called is None:
        return ""
    text = turn_text(renderer, Turn(content=CONTENT, calls=(Call(),)), called, PROBE_TOOLS)
    if text is None:
        return "refused"
    return "calls dropped" if CONTENT in text and Call().name not in text else "dropped"


def requires_content(renderer: Renderer, text: Conventions) -> bool:
    """Tell whether null content beside a call fails or is printed as text."""
    rendered = turn_text(renderer, Turn(calls=(Call(),)), replace(text, call_content=None), PROBE_TOOLS)
    empty = turn_text(renderer, Turn(calls=(Call(),)), replace(text, call_content=""), PROBE_TOOLS)
    return (rendered is None and empty is not None) or (
        "None" in (rendered or "") and "None" not in (empty or "")
    )
