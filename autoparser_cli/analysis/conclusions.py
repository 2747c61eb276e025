"""What an analysis found -> one sentence for each probe, in plain words."""

from __future__ import annotations

from collections.abc import Iterable

from autoparser_cli.analysis.model import (
    CallFormat,
    CallIdPosition,
    ContentFields,
    ContentMode,
    GenerationPrompt,
    ReasoningFields,
    ReasoningMode,
    ToolFields,
    ToolFormatMode,
    TurnFormat,
)

_FORMATS = {
    ToolFormatMode.NONE: "no call is rendered",
    ToolFormatMode.JSON_NATIVE: "the function's name stands inside JSON",
    ToolFormatMode.TAG_WITH_JSON: "the function's name stands outside JSON, the arguments are JSON",
    ToolFormatMode.TAG_WITH_TAGGED: "neither the function's name nor the arguments' names stand in JSON",
}
_POSITIONS = {
    CallIdPosition.PRE_FUNC_NAME: "the id stands before the function's name",
    CallIdPosition.BETWEEN_FUNC_AND_ARGS: "the id stands between the function's name and the arguments",
    CallIdPosition.POST_ARGS: "the id stands behind the arguments",
}
_STRING_ARGUMENTS = {
    "as is": "JSON text is printed as it is",
    "encoded twice": "JSON text is encoded once more",
    "refused": "JSON text is refused",
}


def reasoning_markers(reasoning: ReasoningFields) -> str:
    """Say where reasoning stands."""
    if reasoning.mode is ReasoningMode.NONE:
        return "reasoning is not shown"
    return f"reasoning stands {_between(reasoning.start, reasoning.end)}"


def reasoning_field(reasoning: ReasoningFields) -> str:
    """Say which part of a message reasoning is read from."""
    if not reasoning.field:
        return "reasoning is read from no field"
    return f"reasoning is read from `{reasoning.field}`"


def stripped_reasoning(reasoning: ReasoningFields, closer: str) -> str:
    """Say whether the template takes reasoning out of content."""
    if reasoning.mode is ReasoningMode.NONE:
        return f"what stands before {closer!r} stays in the content, or is no reasoning"
    return f"what stands before {closer!r} is taken out of the content: it is reasoning"


def reasoning_scope(reasoning: ReasoningFields) -> str:
    """Say beside what reasoning is shown."""
    shown = {
        ReasoningMode.NONE: "reasoning is shown beside neither",
        ReasoningMode.TOOLS_ONLY: "reasoning is shown beside calls only",
        ReasoningMode.TAG_BASED: "reasoning is shown beside content too",
    }
    return f"{shown[reasoning.mode]}: {reasoning.mode.value}"


def content_wrapping(content: ContentFields) -> str:
    """Say what wraps content, and when."""
    around = _between(content.start, content.end)
    when = {
        ContentMode.PLAIN: "nothing wraps content",
        ContentMode.ALWAYS_WRAPPED: f"content always stands {around}",
        ContentMode.WRAPPED_WITH_REASONING: f"beside reasoning, content stands {around}",
    }
    return f"{when[content.mode]}: {content.mode.value}"


def null_content(content: ContentFields) -> str:
    """Say whether null is as good as an empty text."""
    if content.requires_nonnull_content:
        return "null content is refused, or printed as text: give an empty text"
    return "null content is as good as an empty text"


def call_format(tools: ToolFields) -> str:
    """Say how a call is written."""
    return f"{_FORMATS[tools.format.mode]}: {tools.format.mode.value}"


def calls_layout(tools: ToolFields, calls: CallFormat) -> str:
    """Say what stands around, between and before all calls."""
    form = tools.format
    parts = []
    if form.per_call_start or form.per_call_end:
        parts.append(f"each call stands {_between(form.per_call_start, form.per_call_end)}")
    if form.section_start or form.section_end:
        parts.append(f"all calls stand {_between(form.section_start, form.section_end)}")
    if form.tools_array_wrapped:
        parts.append("they are the items of a JSON array")
    if not calls.parallel:
        parts.append("the template renders one call at most")
    elif form.separator:
        parts.append(f"{form.separator!r} separates two calls")
    return "; ".join(parts) or "nothing stands around a call"


def function_name(tools: ToolFields) -> str:
    """Say where the name stands."""
    form = tools.format
    if form.mode is ToolFormatMode.JSON_NATIVE:
        if form.fun_name_is_key:
            return "the name is the key of the call's object"
        return f"the name stands in the field `{form.name_field}`"
    prefix, suffix = tools.function.name_prefix, tools.function.name_suffix
    return f"the name stands {_between(form.per_call_start + prefix, suffix)}"


def argument_separator(tools: ToolFields) -> str:
    """Say what separates arguments."""
    if tools.format.mode is not ToolFormatMode.TAG_WITH_TAGGED:
        return "the comma of JSON separates two arguments"
    separator = tools.arguments.separator
    return f"{separator!r} separates two arguments" if separator else "nothing separates two arguments"


def argument_container(tools: ToolFields) -> str:
    """Say what holds the arguments."""
    arguments = tools.arguments
    if tools.format.mode is ToolFormatMode.JSON_NATIVE:
        return f"the arguments stand in the field `{tools.format.args_field or 'under the name'}`"
    if not arguments.start and not arguments.end:
        return "nothing holds the arguments together"
    return f"the arguments stand {_between(arguments.start, arguments.end)}"


def argument_name(tools: ToolFields) -> str:
    """Say what stands around an argument's name."""
    return f"an argument's name stands {_between(tools.arguments.name_prefix, tools.arguments.name_suffix)}"


def argument_value(tools: ToolFields) -> str:
    """Say what stands around an argument's value."""
    return (
        f"an argument's value stands {_between(tools.arguments.value_prefix, tools.arguments.value_suffix)}"
    )


def value_encoding(tools: ToolFields, kind: str) -> str:
    """Say how a type of value is written."""
    known = dict(tools.arguments.value_encoding)
    return f"{kind}: {known.get(kind) or known.get('object') or 'json'}"


def call_id(tools: ToolFields) -> str:
    """Say where a call's id stands."""
    form, identifier = tools.format, tools.call_id
    if form.id_field:
        return f"the id stands in the field `{form.id_field}`"
    if form.gen_id_field:
        return f"the template numbers the calls itself, in the field `{form.gen_id_field}`"
    if identifier.pos is CallIdPosition.NONE:
        return "the id is not printed"
    if identifier.name_in_id:
        return f"the id holds the function's name: {identifier.pos.value}"
    around = _between(identifier.prefix, identifier.suffix)
    return f"{_POSITIONS[identifier.pos]}, {around}: {identifier.pos.value}"


def string_arguments(found: str) -> str:
    """Say what becomes of arguments that come as JSON text."""
    return _STRING_ARGUMENTS.get(found, found or "the template shows no difference")


def turn_borders(turn: TurnFormat) -> str:
    """Say what opens and closes the assistant's turn."""
    return f"the assistant's turn stands {_between(turn.header, turn.end)}"


def prompt_end(prompts: Iterable[GenerationPrompt], *, after_tool: bool) -> str:
    """Say what the generation prompt is."""
    found = next((prompt.text for prompt in prompts if prompt.after_tool is after_tool), None)
    if not found:
        return "the template adds no generation prompt here"
    return f"the generation prompt is {found!r}"


def thinking_prompts(off: str, on: str) -> str:
    """Say what is in the prompt with thinking switched off and on, of that which differs."""
    if off == on:
        return "no switch for thinking changes the prompt"
    return f"thinking off adds {off!r} to the prompt, thinking on {on!r}"


def reads(what: str, does: bool) -> str:
    """Say whether the template reads something."""
    return f"the template {'reads' if does else 'does not read'} {what}"


def _between(before: str, behind: str) -> str:
    """Name the texts on either side of something."""
    if before and behind:
        return f"between {before!r} and {behind!r}"
    if before or behind:
        return f"behind {before!r}" if before else f"before {behind!r}"
    return "without anything around it"
