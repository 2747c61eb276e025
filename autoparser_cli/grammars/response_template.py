"""An analysis -> the `response_template` of a tokenizer configuration, by which engines parse outputs on
their own.

Regions have an open and a close and do not nest; what stands in none of them is content. It cannot say: a
function name that is a JSON key, argument names that are tag names, values as tags within tags. Those raise
FormatError with the reason. Patterns begin with a marker or with bounded white space, because an unbounded
one is scanned again and again.
"""

from __future__ import annotations

import re
from typing import Any

from autoparser_cli.analysis.model import (
    CallFormat,
    ContentMode,
    Escapes,
    JsonCall,
    LiteralArguments,
    MarkerText,
    ReasoningMode,
    TaggedArguments,
    TaggedCall,
    TemplateAnalysis,
    TurnPart,
    ValueEncoding,
    Var,
)
from autoparser_cli.errors import FormatError
from autoparser_cli.grammars.message_template import message_fields

VERSION = 1
WHITE = r"\s{0,8}"
#: A name ends before what opens or closes markup, brackets or strings.
NAME_CHAR = r"[^\s<>\[\]{}()\"']"
NAME = NAME_CHAR + "{1,256}?"
Field = dict[str, Any]


def response_template(analysis: TemplateAnalysis) -> dict[str, Any]:
    """Return the response template. Raises FormatError for what it cannot express, with the reason."""
    template: dict[str, Any] = {"version": VERSION, "defaults": {"role": "assistant"}}
    if analysis.turn.header:
        template["start_anchor"] = analysis.turn.header
    else:
        template["start_anchor_pattern"] = r"\A"
    messages = analysis.messages
    return {**template, "fields": message_fields(messages) if messages else _fields(analysis)}


def _fields(analysis: TemplateAnalysis) -> dict[str, Field]:
    fields: dict[str, Field] = {}
    reasoning = analysis.reasoning
    start, end = reasoning.start.strip(), reasoning.end.strip()
    if reasoning.mode is not ReasoningMode.NONE and end:
        if not start:
            raise _impossible("reasoning begins without a marker, so nothing can open its region")
        fields["thinking"] = _thinking(analysis, start, end)  # the name that vLLM and SGLang take
    fields["content"] = _content(analysis)
    if analysis.calls is not None:
        fields["tool_calls"] = _tool_calls(analysis.calls)
    return fields


def _thinking(analysis: TemplateAnalysis, start: str, end: str) -> Field:
    """Return the region of reasoning; where the template closes reasoning that nothing opened, it may begin at its end."""
    begins = (joint.text for joint in analysis.turn.joints if joint.before is TurnPart.START)
    opening: Field = {"open": start}
    if any(text.strip().startswith(end) for text in begins):
        opening = {"open_pattern": f"(?:{re.escape(start)}|(?={re.escape(end)}))"}
    return {**opening, "close": end, "content": "text"}


def _content(analysis: TemplateAnalysis) -> Field:
    content = analysis.content
    if content.mode is ContentMode.ALWAYS_WRAPPED and content.start.strip():
        return {"open": content.start.strip(), "close": [content.end.strip() or "eos"], "content": "text"}
    return {"content": "text"}


def _impossible(reason: str) -> FormatError:
    return FormatError(f"no response_template: {reason}")


def _tool_calls(calls: CallFormat) -> Field:
    if isinstance(calls.body, TaggedCall):
        if _is_python(calls, calls.body):
            return _python_calls(calls)
        return _tagged(calls, calls.body)
    if calls.body.fun_name_is_key:
        raise _impossible("the function name is a JSON key, and a transform can only look up known keys")
    arguments = _json_arguments(calls.body.arguments.encoding)
    if calls.array_wrapped:
        return _json_array(calls, calls.body, arguments)
    opening, closing = _around(calls, (*calls.per_call_start,), (*calls.per_call_end,))
    if not opening:
        key = calls.body.key_order[0] if calls.body.key_order else calls.body.name_path[0]
        opening = rf'(?=\{{{WHITE}"{re.escape(key)}"{WHITE}:)'
    return _field(opening, closing, "json", arguments, _transform(calls.body, "content."), repeats=True)


def _json_array(calls: CallFormat, body: JsonCall, arguments: Field) -> Field:
    opening = _pattern((calls.section_start,)) or rf"(?=\[{WHITE}\{{{WHITE}\")"
    closing = _pattern((calls.section_end,))
    field = _field(opening, closing, "json", arguments, _transform(body, ""), repeats=False)
    return {**field, "transform_each": True}


def _transform(body: JsonCall, scope: str) -> dict[str, Any]:
    function = {
        "name": "{" + scope + ".".join(body.name_path) + "}",
        "arguments": "{" + scope + ".".join(body.arguments_path) + "}",
    }
    return {"type": "function", "function": function}


def _json_arguments(encoding: ValueEncoding) -> Field:
    if encoding.escapes is Escapes.PYTHON:
        raise _impossible("values are written as Python literals, which its JSON reader does not take")
    arguments: Field = {}
    if encoding.bare_keys:
        arguments["unquoted_keys"] = True
    if encoding.quotes and encoding.quotes[0] != ('"', '"'):
        arguments["string_delims"] = [list(pair) for pair in encoding.quotes]
    return arguments


def _is_python(calls: CallFormat, body: TaggedCall) -> bool:
    """Tell whether calls are a list of Python calls in a section."""
    arguments = body.arguments
    listed = calls.section_start.rstrip().endswith("[") and calls.section_end.lstrip().startswith("]")
    return (
        listed and isinstance(arguments, TaggedArguments) and not arguments.open and body.body[0] is Var.NAME
    )


def _python_calls(calls: CallFormat) -> Field:
    opening = _pattern((calls.section_start.rstrip()[:-1],)) + r"(?=\[)"
    closing = rf"(?<=\]){WHITE}" + _pattern((calls.section_end.lstrip()[1:],))
    function = {"name": "{name}", "arguments": "{arguments}"}
    transform = {"type": "function", "function": function}
    field = _field(opening, closing, "python-call-list", {}, transform, repeats=False)
    return {**field, "transform_each": True}


def _tagged(calls: CallFormat, body: TaggedCall) -> Field:
    if Var.ARGUMENTS not in body.body:
        raise _impossible("no place was found where arguments stand")
    at = body.body.index(Var.ARGUMENTS)
    before, behind = body.body[:at], body.body[at + 1 :]
    opening, closing = _around(calls, (*calls.per_call_start, *before), (*behind, *calls.per_call_end))
    function: dict[str, Any] = {"name": "{name}", "arguments": "{content}"}
    transform: dict[str, Any] = {"type": "function", "function": function}
    if isinstance(body.arguments, LiteralArguments):
        arguments = _json_arguments(body.arguments.encoding)
        return _field(opening, closing, "json", arguments, transform, repeats=True)
    return _field(opening, closing, "xml-inline", _xml(body.arguments), transform, repeats=True)


def _xml(arguments: TaggedArguments) -> Field:
    forms = arguments.forms
    if any(Var.KEY in (*form.mid, *form.close) for form in forms):
        raise _impossible("argument names are tag names, which stand in the closing tag once more")
    if any(form.encoding.nested for form in forms):
        raise _impossible("lists and objects are tags within tags, and regions do not nest")
    mids = "|".join(dict.fromkeys(_pattern(form.mid) for form in forms))
    closes = "|".join(dict.fromkeys(_pattern(form.close) for form in forms))
    if not closes.strip("|"):
        raise _impossible("nothing closes an argument's value")
    lead, trail = _margin(forms[0].mid[-1:]), _margin(forms[0].close[:1], ahead=True)
    key = rf"(?P<key>{NAME})"
    befores = "|".join(dict.fromkeys(_pattern(form.before) for form in forms))
    opening = _pattern(arguments.open) + (f"(?:{befores})" if befores else "")
    pattern = f"{opening}{key}(?:{mids}){lead}(?P<value>.*?){trail}(?:{closes})"
    return {"tag_pattern": pattern}


def _margin(ends: MarkerText, *, ahead: bool = False) -> str:
    """Return the white space printed next to a raw value, as one optional piece: the value keeps its own."""
    text = ends[0] if ends and isinstance(ends[0], str) else ""
    white = text[: len(text) - len(text.lstrip())] if ahead else text[len(text.rstrip()) :]
    return f"(?:{re.escape(white)})?" if white else ""


def _around(calls: CallFormat, before: MarkerText, behind: MarkerText) -> tuple[str, str]:
    """Return the patterns that open and close one call; the section's own markers go with the calls they
    stand next to.
    """
    opening, closing = _pattern(before), _pattern(behind)
    section_start, section_end = _pattern((calls.section_start,)), _pattern((calls.section_end,))
    if not opening:
        opening = section_start
    elif section_start:
        opening = f"(?:{section_start}{WHITE})?{opening}"
    if not closing:
        closing = section_end
    elif section_end:
        closing = f"{closing}(?:{WHITE}{section_end})?"
    return opening, closing


def _pattern(text: MarkerText) -> str:
    """Return marker text as a pattern; white space in it may be more or less, and at its ends is left out."""
    seen: set[Var] = set()
    pieces: list[str] = []
    for piece in text:
        if isinstance(piece, str):
            pieces.append(WHITE.join(re.escape(part) for part in re.split(r"\s+", piece)))
        elif piece is Var.NAME and piece not in seen:
            pieces.append(f"(?P<name>{NAME})")
        elif piece is Var.ID and piece not in seen:
            pieces.append(f"(?P<id>{NAME})")
        else:
            pieces.append(r"\d{1,9}" if piece is Var.INDEX else NAME)
        if isinstance(piece, Var):
            seen.add(piece)
    pattern = "".join(pieces).removeprefix(WHITE).removesuffix(WHITE)
    open_end = bool(text) and (isinstance(text[-1], Var) or not text[-1].strip())
    return f"{pattern}(?!{NAME_CHAR})" if open_end and seen else pattern


def _field(
    opening: str, closing: str, content: str, arguments: Field, transform: dict[str, Any], *, repeats: bool
) -> Field:
    if content == "json" and closing:
        closing = rf"(?<=[}}\]]){WHITE}{closing}"
    field: Field = {"open_pattern": WHITE + opening}
    if not closing and repeats and content == "json":  # the next call, or the end
        following = re.sub(r"\?P<[a-z]+>", "?:", opening)
        closing = rf"(?<=[}}\]])(?={WHITE}{following})"
    field.update({"close_pattern": closing} if closing else {"close": "eos"})
    if repeats:
        field["repeats"] = True
    field["content"] = content
    if arguments:
        field["content_args"] = arguments
    if "(?P<id>" in opening + closing:
        transform = {"type": "function", "id": "{id}", "function": transform["function"]}
    return {**field, "transform": transform}
