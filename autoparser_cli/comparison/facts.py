"""A TemplateAnalysis -> its facts by area and name, as JSON values that can be compared one by one.

The named fields come first. Of the wire format only what no named field tells is added: what stands between
the parts of a turn, and how a call is laid out beyond its markers. Evidence, proof, names and line numbers
are no behaviour.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

from autoparser_cli.analysis.model import (
    CallFormat,
    GenerationPrompt,
    JsonCall,
    JsonType,
    Switch,
    TaggedArguments,
    TaggedCall,
    TemplateAnalysis,
    TurnFormat,
    ValueForm,
    Var,
)
from autoparser_cli.comparison.model import Area, Difference, Value

Facts = Mapping[tuple[Area, str], Value]


def differences(old: TemplateAnalysis, new: TemplateAnalysis) -> tuple[Difference, ...]:
    """Return every fact that is not the same for both, in the order of the areas."""
    before, after = facts(old), facts(new)
    order = {area: at for at, area in enumerate(Area)}
    names = sorted({**before, **after}, key=lambda fact: order[fact[0]])
    found = [
        Difference(area, name, before.get((area, name)), after.get((area, name)))
        for area, name in names
        if before.get((area, name)) != after.get((area, name))
    ]
    return tuple(found)


def facts(analysis: TemplateAnalysis) -> Facts:
    """Return all facts of an analysis; a fact that is left out is as good as one that is None."""
    return {(area, name): value for area, name, value in _facts(analysis)}


def _facts(analysis: TemplateAnalysis) -> Iterator[tuple[Area, str, Value]]:
    parts = (
        (Area.REASONING, "reasoning", analysis.reasoning),
        (Area.CONTENT, "content", analysis.content),
        (Area.TOOLS, "tools", analysis.tools),
        (Area.CAPABILITIES, "capabilities", analysis.capabilities),
    )
    for area, path, part in parts:
        for name, value in _flat(path, part):
            yield area, name, value
    if analysis.calls is not None:
        for name, value in _call_facts(analysis.calls):
            yield Area.TOOLS, f"calls.{name}", value
    for name, value in _turn_facts(analysis.turn):
        yield Area.TURN, f"turn.{name}", value
    yield from _surroundings(analysis)


def _surroundings(analysis: TemplateAnalysis) -> Iterator[tuple[Area, str, Value]]:
    """Yield what is about the prompt and the tokens, not the turn."""
    yield Area.GENERATION_PROMPT, "generation_prompt", analysis.generation_prompt
    prompts = analysis.generation_prompts
    for prompt in prompts:
        made_up = [pair for pair in prompt.kwargs if all(pair in other.kwargs for other in prompts)]
        terms = _conditions(prompt, made_up)
        if terms:
            yield Area.GENERATION_PROMPT, f"generation_prompt ({', '.join(terms)})", prompt.text
    for switch in analysis.switches:
        yield Area.SWITCHES, f"switches.{switch.name}", _switch_value(switch)
    yield Area.SWITCHES, "supplied_variables", sorted(analysis.supplied_variables) or None
    for token in analysis.preserved_tokens:
        yield Area.PRESERVED_TOKENS, f"preserved_tokens[{json.dumps(token, ensure_ascii=False)}]", token
    for code in {warning.code for warning in analysis.warnings}:
        yield Area.WARNINGS, f"warnings.{code}", code


def _conditions(prompt: GenerationPrompt, made_up: Sequence[tuple[str, Any]]) -> list[str]:
    """Return what a generation prompt depends on: `enable_thinking=false`, `after a tool result`.

    What every prompt was given, since the template does not render without, is no condition.
    """
    terms = [f"{name}={json.dumps(value)}" for name, value in prompt.kwargs if (name, value) not in made_up]
    return [*terms, *(["after a tool result"] if prompt.after_tool else [])]


def _turn_facts(turn: TurnFormat) -> Iterator[tuple[str, Value]]:
    yield "header", turn.header
    for joint in turn.joints:
        if joint.observed:
            yield f"{joint.before.value}→{joint.after.value}", joint.text
    yield "end", turn.end


def _call_facts(calls: CallFormat) -> Iterator[tuple[str, Value]]:
    """Yield what no named field tells: white space around the markers, the whole body, what is optional."""
    yield "layout", _layout(calls)
    yield "around several calls", (calls.several_start + calls.several_end) or None
    yield "section_end_optional", calls.section_end_optional
    yield "parallel", calls.parallel
    yield "index_base", calls.index_base
    if isinstance(calls.body, JsonCall):
        yield from _json_call_facts(calls.body)
    else:
        yield from _tagged_call_facts(calls.body)


def _layout(calls: CallFormat) -> str:
    opening, closing = ("[", "]") if calls.array_wrapped else ("", "")
    pieces = (
        calls.section_start + opening,
        _shown(calls.per_call_start),
        _shown(calls.body.body) if isinstance(calls.body, TaggedCall) else "{CALL}",
        _shown(calls.per_call_end),
        f"{{SEPARATOR {calls.separator}}}" if calls.separator else "",
        closing + calls.section_end,
    )
    return "".join(pieces)


def _json_call_facts(body: JsonCall) -> Iterator[tuple[str, Value]]:
    yield "key_order", list(body.key_order) or None
    yield "constants", {".".join(path): text for path, text in body.constants} or None
    yield "counted_id", body.counted_id
    yield "arguments_as_string", body.arguments.as_string


def _tagged_call_facts(body: TaggedCall) -> Iterator[tuple[str, Value]]:
    yield "empty_body", None if body.empty_body is None else _shown(body.empty_body)
    yield "id_text", None if body.id_text is None else _shown(body.id_text)
    if isinstance(body.arguments, TaggedArguments):
        for form in body.arguments.forms:
            for kind in sorted(form.types, key=list(JsonType).index):
                yield f"argument.{kind.value}", _form(body.arguments, form)
    else:
        yield "arguments_as_string", body.arguments.as_string


def _form(arguments: TaggedArguments, form: ValueForm) -> str:
    return f"{_shown(arguments.open)}{_shown(form.before)}KEY{_shown(form.mid)}VALUE{_shown(form.close)}"


def _shown(literal: tuple[str | Var, ...]) -> str:
    return "".join(piece if isinstance(piece, str) else f"{{{piece.value}}}" for piece in literal)


def _switch_value(switch: Switch) -> Value:
    """Return all but the name; what is usual is left out."""
    value = {
        "default": switch.default,
        "values": switch.values,
        "unset_acts_like": switch.unset_acts_like,
        **({"in_message": True} if switch.in_message else {}),
    }
    return _json_value(value)


def _flat(path: str, value: Any) -> Iterator[tuple[str, Value]]:
    """Yield the fields of a dataclass by dotted path; pairs (`value_encoding`) are fields too."""
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _flat(f"{path}.{field.name}", getattr(value, field.name))
    elif isinstance(value, tuple) and value and all(isinstance(item, tuple) for item in value):
        for key, item in value:
            yield f"{path}.{key}", _json_value(item)
    else:
        yield path, _json_value(value)


def _json_value(value: Any) -> Value:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): _json_value(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_json_value(item) for item in value]
    return value
