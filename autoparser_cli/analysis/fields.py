"""The wire format -> the method's named fields, for people, reports and JSON."""

from __future__ import annotations

import re
from dataclasses import replace

from autoparser_cli.analysis.model import (
    ArgumentFields,
    CallFormat,
    CallIdFields,
    CallIdPosition,
    ContentFields,
    ContentMode,
    Escapes,
    FunctionFields,
    GenerationPrompt,
    JsonCall,
    JsonType,
    LiteralArguments,
    MarkerText,
    ReasoningFields,
    ReasoningMode,
    TaggedArguments,
    TaggedCall,
    ToolFields,
    ToolFormatFields,
    ToolFormatMode,
    TurnPart,
    ValueEncoding,
    Var,
)
from autoparser_cli.analysis.observing import Shapes
from autoparser_cli.analysis.shapes import core
from autoparser_cli.analysis.turns import Markers
from autoparser_cli.analysis.variables import shown_text
from autoparser_cli.diffing.segments import marker_spans, markers

REASONING, CALLS = TurnPart.REASONING, TurnPart.CALLS


def reasoning_fields(
    shapes: Shapes, markers: Markers, prompts: tuple[GenerationPrompt, ...], field: str
) -> ReasoningFields:
    """Name the reasoning markers; a start that is only the prompt's prose is none (delimiter style)."""
    end = markers.reasoning_end
    if not core(end) and not core(markers.reasoning_start):
        return ReasoningFields()
    start = markers.reasoning_start
    has_marker = any(True for _ in marker_spans(start))
    if not has_marker and any(core(start) and core(start) in prompt.text for prompt in prompts):
        start = ""
    with_content = any(REASONING in shape.parts and CALLS not in shape.parts for shape in shapes.values())
    with_calls = any(REASONING in shape.parts and CALLS in shape.parts for shape in shapes.values())
    mode = ReasoningMode.TOOLS_ONLY if with_calls and not with_content else ReasoningMode.TAG_BASED
    return ReasoningFields(mode, start, end, field)


def content_fields(markers: Markers, requires: bool) -> ContentFields:
    """Name the content's wrapping; `requires`: content must not be null."""
    if core(markers.content_start):
        return ContentFields(ContentMode.ALWAYS_WRAPPED, markers.content_start, markers.content_end, requires)
    if core(markers.wrapped_start):
        mode = ContentMode.WRAPPED_WITH_REASONING
        return ContentFields(mode, markers.wrapped_start, markers.content_end, requires)
    return ContentFields(requires_nonnull_content=requires)


def tool_fields(calls: CallFormat | None, content_start: str = "") -> ToolFields:
    """Name the markers of a call; the header of a message that ends as that of content does is none of them."""
    if calls is None:
        return ToolFields()
    if isinstance(calls.body, JsonCall):
        return _json_fields(calls, calls.body)
    return _tagged_fields(calls, calls.body, content_start)


def _json_fields(calls: CallFormat, body: JsonCall) -> ToolFields:
    name, arguments = ".".join(body.name_path), ".".join(body.arguments_path)
    function = body.name_path[0] if len(body.name_path) > 1 else ""
    identifier = ".".join(body.id_path or ())
    fields = ToolFormatFields(
        mode=ToolFormatMode.JSON_NATIVE,
        section_start=calls.section_start,
        section_end=calls.section_end,
        per_call_start=shown_text(calls.per_call_start),
        per_call_end=shown_text(calls.per_call_end),
        separator=calls.separator,
        fun_name_is_key=body.fun_name_is_key,
        tools_array_wrapped=calls.array_wrapped,
        function_field=function,
        name_field=name,
        args_field="" if body.fun_name_is_key else arguments,
        id_field="" if body.counted_id else identifier,
        gen_id_field=identifier if body.counted_id else "",
        parameter_order=body.key_order,
    )
    return ToolFields(fields, arguments=ArgumentFields(value_encoding=_encodings(body.arguments)))


def _tagged_fields(calls: CallFormat, body: TaggedCall, content_start: str) -> ToolFields:
    literals, slots = _pieces(body.body)
    at = slots.index(Var.ARGUMENTS) if Var.ARGUMENTS in slots else len(slots)
    names = [i for i, slot in enumerate(slots) if slot is Var.NAME and i < at]
    last_name = names[-1] if names else 0
    ids = [i for i, slot in enumerate(slots) if slot is Var.ID]
    identifier = _id_fields(body, literals, slots, ids[0] if ids else None, last_name, at)
    start = literals[at] if at < len(literals) else ""
    tagged = isinstance(body.arguments, TaggedArguments)
    before = [
        text for at, text in enumerate(literals[: last_name + 1]) if not at or slots[at - 1] is not Var.ID
    ]
    per_start, prefix = shown_text(calls.per_call_start), "".join(before)
    if not prefix and len(before) == last_name + 1:
        per_start, prefix = _split_start(per_start)
    own = _behind_header(before, content_start)
    if own:
        per_start, prefix = "", own
    arguments = _argument_fields(body.arguments, start)
    fields = ToolFormatFields(
        mode=ToolFormatMode.TAG_WITH_TAGGED
        if tagged or _bare(body.arguments)
        else ToolFormatMode.TAG_WITH_JSON,
        section_start=calls.section_start,
        section_end=calls.section_end,
        per_call_start=per_start,
        per_call_end=shown_text(calls.per_call_end),
        separator=calls.separator,
    )
    suffix = ""
    if (
        fields.mode is ToolFormatMode.TAG_WITH_JSON
        and identifier.pos is not CallIdPosition.BETWEEN_FUNC_AND_ARGS
    ):
        # Nothing holds the arguments but their own braces: what stands in front of them ends the name.
        suffix, arguments = arguments.start, replace(arguments, start="")
    return ToolFields(fields, FunctionFields(prefix, suffix, ""), arguments, identifier)


def _behind_header(before: list[str], content_start: str) -> str:
    """Return what a call opens with behind the header of its message, which names the function too; empty where none does."""
    spans = list(marker_spans(content_start))
    ends = content_start[slice(*spans[-1])] if spans else ""
    doubled = len(before) > 1 and ends and before[1].startswith(ends)
    return "".join(before[1:])[len(ends) :].lstrip() if doubled else ""


def _pieces(text: MarkerText) -> tuple[list[str], list[Var]]:
    """Return the literals and the variables of a text, alternating, a literal first and last."""
    literals: list[str] = [""]
    slots: list[Var] = []
    for piece in text:
        if isinstance(piece, Var) and piece is not Var.INDEX:
            slots.append(piece)
            literals.append("")
        else:
            literals[-1] += shown_text((piece,))
    return literals, slots


def _split_start(start: str) -> tuple[str, str]:
    """The last marker in front of the name is the function's own where another one stands in front of it."""
    spans = list(marker_spans(start))
    if not spans or spans[0][1] == len(start):
        return start, ""
    behind = start[spans[0][1] :]
    cut = len(start) - len(behind.lstrip())
    return start[:cut], start[cut:]


def _id_fields(
    body: TaggedCall, literals: list[str], slots: list[Var], at: int | None, name: int, arguments: int
) -> CallIdFields:
    if body.id_text is not None:
        return CallIdFields(CallIdPosition.PRE_FUNC_NAME, name_in_id=True)
    if at is None:
        return CallIdFields()
    if Var.NAME not in slots:
        return CallIdFields(CallIdPosition.PRE_FUNC_NAME, name_in_id=True)
    if at < name:
        return CallIdFields(CallIdPosition.PRE_FUNC_NAME, literals[at], literals[at + 1])
    if at < arguments:
        return CallIdFields(CallIdPosition.BETWEEN_FUNC_AND_ARGS, literals[at], "")
    return CallIdFields(CallIdPosition.POST_ARGS, literals[at], literals[at + 1])


def _bare(arguments: TaggedArguments | LiteralArguments) -> bool:
    return isinstance(arguments, LiteralArguments) and arguments.encoding.bare_keys


def _argument_fields(arguments: TaggedArguments | LiteralArguments, start: str) -> ArgumentFields:
    if isinstance(arguments, LiteralArguments):
        if arguments.encoding.bare_keys:
            return ArgumentFields(
                start + "{",
                "}",
                value_prefix="",
                name_suffix=":",
                separator=",",
                value_encoding=_encodings(arguments),
            )
        return ArgumentFields(start, value_encoding=_encodings(arguments))
    mids = [_shown_form(form.mid) for form in arguments.forms]
    close = shown_text(_shortest([form.close for form in arguments.forms]))
    if any(form.before for form in arguments.forms):
        close = _shared_mid([shown_text(form.close) for form in arguments.forms])
    suffix, prefix = _split_mid(_shared_mid(mids))
    return ArgumentFields(
        start=start,
        name_prefix=shown_text(arguments.open)
        + _shared_mid([_shown_form(form.before) for form in arguments.forms]),
        name_suffix=suffix,
        value_prefix=prefix,
        value_suffix=close.replace("KEY", "NAME"),
        separator=arguments.separator,
        value_encoding=_encodings(arguments),
    )


def _shown_form(mid: MarkerText) -> str:
    return shown_text(mid).replace("KEY", "NAME")


def _shortest(texts: list[MarkerText]) -> MarkerText:
    return min(texts, key=lambda text: len(shown_text(text)))


def _shared_mid(mids: list[str]) -> str:
    """Return what all forms print between name and value; a word that differs by type becomes TYPE."""
    shortest = min(mids, key=len)
    if all(mid.startswith(shortest) for mid in mids):
        return shortest
    pattern = re.split(r"(\w+)", mids[0])
    others = [re.split(r"(\w+)", mid) for mid in mids]
    if any(len(other) != len(pattern) for other in others):
        return shortest
    return "".join(
        piece if all(other[i] == piece for other in others) else "TYPE" for i, piece in enumerate(pattern)
    )


def _split_mid(mid: str) -> tuple[str, str]:
    """Two markers between name and value: the first ends the name, the second begins the value."""
    spans = list(marker_spans(mid))
    if len(spans) >= 2:
        return mid[: spans[-1][0]], mid[spans[-1][0] :]
    return mid, ""


#: The groups of types that are told apart for people.
_SHOWN_TYPES = {
    "string": JsonType.STRING,
    "number": JsonType.INTEGER,
    "boolean": JsonType.BOOLEAN,
    "null": JsonType.NULL,
    "object": JsonType.OBJECT,
}


def _encodings(arguments: TaggedArguments | LiteralArguments) -> tuple[tuple[str, str], ...]:
    if isinstance(arguments, LiteralArguments):
        return tuple((name, _encoding_name(arguments.encoding, kind)) for name, kind in _SHOWN_TYPES.items())
    found = []
    for name, kind in _SHOWN_TYPES.items():
        form = next((form for form in arguments.forms if kind in form.types), None)
        found.append((name, _encoding_name(form.encoding, kind) if form else "left out"))
    return tuple(found)


def _encoding_name(encoding: ValueEncoding, kind: JsonType) -> str:
    if encoding.nested:
        return "nested tags"
    if encoding.is_raw:
        return "raw"
    if kind is JsonType.NULL:
        return "json" if encoding.null == "null" else "python"
    if kind is JsonType.INTEGER or (kind is JsonType.BOOLEAN and encoding.true == "true"):
        return "json"
    if encoding.escapes is Escapes.JSON and not encoding.bare_keys and encoding.true == "true":
        return "json"
    if encoding.bare_keys and kind is JsonType.OBJECT:
        return "bare keys"
    if encoding.true == "True":
        return "python"
    return f"quoted {encoding.quotes[0][0]}"


def preserved_tokens(
    reasoning: ReasoningFields, content: ContentFields, tools: ToolFields
) -> tuple[str, ...]:
    """Return every marker of the format once, in the order of the fields."""
    form, function, arguments = tools.format, tools.function, tools.arguments
    texts = (
        *(reasoning.start, reasoning.end, content.start, content.end),
        *(form.section_start, form.section_end, form.per_call_start, form.per_call_end),
        *(function.name_prefix, function.name_suffix, function.close),
        *(arguments.start, arguments.end, arguments.name_prefix, arguments.name_suffix),
        *(arguments.value_prefix, arguments.value_suffix, tools.call_id.prefix, tools.call_id.suffix),
    )
    return tuple(dict.fromkeys(marker for text in texts for marker in markers(text)))
