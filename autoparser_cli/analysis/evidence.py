"""The comparisons behind an analysis, kept for people: what was compared, what differed, what was concluded.

Each is of renders that the inference made, under the message shapes that it settled on, or of those that show a conclusion most
plainly; equal ones are not rendered again. Where calls are compared, both sides are given the tools, so that only the turn differs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from autoparser_cli.analysis import conclusions as say
from autoparser_cli.analysis.comparing import Bench
from autoparser_cli.analysis.conversations import (
    REASONING_FIELDS,
    Call,
    Conventions,
    Renderer,
    Turn,
    assistant_message,
    result_message,
    user_message,
)
from autoparser_cli.analysis.model import Evidence, ReasoningMode, Switch, TemplateAnalysis, ToolFormatMode
from autoparser_cli.analysis.probes import (
    CONTENT,
    IDS,
    KEYS,
    NAMES,
    PROBES,
    REASONING,
    SYSTEM,
    TEXT_VALUES,
    VALUES,
)
from autoparser_cli.analysis.reasoning import COMMON_CLOSER

_ONE, _OTHER_NAME, _OTHER_ID = Call(), Call(NAMES[1]), Call(id=IDS[1])
_SECOND = Call(NAMES[1], {KEYS[0]: VALUES[1]}, IDS[1])
_PLAIN, _THOUGHT, _CALLED = Turn(content=CONTENT), Turn(REASONING, CONTENT), Turn(calls=(_ONE,))
#: A value of each type that is not an integer.
_TYPED_VALUES: tuple[tuple[str, Any], ...] = (
    ("string", TEXT_VALUES[0]),
    ("number", 4711.5),
    ("boolean", True),
    ("null", None),
    ("array", [TEXT_VALUES[0]]),
    ("object", {KEYS[1]: TEXT_VALUES[0]}),
)


def collect_evidence(
    renderer: Renderer, text: Conventions, called: Conventions | None, analysis: TemplateAnalysis
) -> tuple[Evidence, ...]:
    """Return the comparisons for each probe that applies.

    `text` and `called` are the shapes of messages without and with calls; None: no call is understood.
    """
    bench = Bench(renderer, text, called)
    found = [*_reasoning(bench, analysis), *_prompts(bench, analysis), *_content(bench, analysis)]
    found += _calls(bench, analysis) if called is not None else _no_calls(bench, analysis)
    found += _surroundings(bench, analysis)
    order = {probe: at for at, probe in enumerate(PROBES)}
    return tuple(sorted(found, key=lambda entry: order[entry.probe]))


def _reasoning(bench: Bench, analysis: TemplateAnalysis) -> Iterator[Evidence]:
    reasoning = analysis.reasoning
    plain, thought = bench.turn(_PLAIN), bench.turn(_THOUGHT)
    yield bench.compare("R1", plain, thought, say.reasoning_markers(reasoning))
    if bench.text.reasoning_place == "fields" and reasoning.field in REASONING_FIELDS:
        alone = bench.turn(_THOUGHT, replace(bench.text, reasoning_place=reasoning.field))
        name = f"with `{reasoning.field}` alone"
        yield bench.compare("R5", plain, alone, say.reasoning_field(reasoning), right_name=name)
    if reasoning.mode is ReasoningMode.NONE or reasoning.field == "content":
        closer = reasoning.end.strip() or COMMON_CLOSER
        inside = bench.turn(Turn(content=f"{REASONING}{closer}{CONTENT}"))
        yield replace(
            bench.compare("R4", plain, inside, say.stripped_reasoning(reasoning, closer)),
            decided=reasoning.mode is not ReasoningMode.NONE,
        )
    if bench.called is not None:
        with_call = bench.turn(Turn(REASONING, calls=(_ONE,)))
        tooled = bench.turn(_THOUGHT, tools=True)
        yield replace(
            bench.compare("R3", tooled, with_call, say.reasoning_scope(reasoning)),
            decided=reasoning.mode is not ReasoningMode.NONE,
        )


def _prompts(bench: Bench, analysis: TemplateAnalysis) -> Iterator[Evidence]:
    texts = {value: bench.ending(value) for value in (False, True)}
    yield bench.compare(
        "R2", bench.prompt(False), bench.prompt(True), say.thinking_prompts(texts[False], texts[True])
    )
    prompts = analysis.generation_prompts
    without, having = bench.prompt(None, generation=False), bench.prompt(None)
    yield bench.compare("G1", without, having, say.prompt_end(prompts, after_tool=False))
    if bench.called is not None:
        without = bench.prompt(None, generation=False, after_tool=True)
        having = bench.prompt(None, after_tool=True)
        yield bench.compare("G2", without, having, say.prompt_end(prompts, after_tool=True))
    for switch in analysis.switches:
        yield from _switch(bench, switch)


def _switch(bench: Bench, switch: Switch) -> Iterator[Evidence]:
    for value in switch.values:
        alike = any(_same(value, other) for other in switch.unset_acts_like)
        unset, having = (
            bench.told(value) if switch.in_message else bench.switched(switch.name, value, alone=alike)
        )
        shown = json.dumps(value, ensure_ascii=False, default=str)
        setting = f"{shown} in a message" if switch.in_message else f"{switch.name}={shown}"
        effect = "is as if it were not there" if alike else "changes what is rendered"
        without = f"without {shown}" if switch.in_message else f"{switch.name} not set"
        conclusion = f"{setting} {effect}"
        entry = bench.compare("S1", unset, having, conclusion, left_name=without, right_name=setting)
        yield replace(entry, decided=not alike)  # a text in a message differs by itself


def _same(value: Any, other: Any) -> bool:
    """Tell whether two values are the same JSON value: true is not 1."""
    return bool(value == other and type(value) is type(other))


def _content(bench: Bench, analysis: TemplateAnalysis) -> Iterator[Evidence]:
    wrapping = say.content_wrapping(analysis.content)
    plain = bench.turn(_PLAIN)
    yield bench.compare("E1", bench.prompt(None, generation=False), plain, say.turn_borders(analysis.turn))
    yield bench.compare("C2", plain, bench.turn(Turn(REASONING, "")), wrapping)
    if bench.called is not None:
        yield bench.compare("C1", bench.turn(_PLAIN, tools=True), bench.turn(_CALLED), wrapping)
        empty, null = (
            bench.turn(_CALLED, replace(bench.called, call_content=content)) for content in ("", None)
        )
        yield bench.compare("C3", empty, null, say.null_content(analysis.content))


def _no_calls(bench: Bench, analysis: TemplateAnalysis) -> Iterator[Evidence]:
    left, right = bench.turn(_PLAIN, tools=True), bench.turn(_CALLED, tools=True)
    yield bench.compare("T1", left, right, say.call_format(analysis.tools))


def _calls(bench: Bench, analysis: TemplateAnalysis) -> Iterator[Evidence]:
    tools, one = analysis.tools, bench.turn(_CALLED)
    yield bench.compare("T1", bench.turn(_PLAIN, tools=True), one, say.call_format(tools))
    if analysis.calls is None:
        return
    layout = say.calls_layout(tools, analysis.calls)
    yield bench.compare("T2", one, bench.turn(Turn(calls=(_ONE, _SECOND))), layout)
    yield bench.compare("T3", one, bench.turn(Turn(calls=(_OTHER_NAME,))), say.function_name(tools))
    if tools.format.mode is ToolFormatMode.TAG_WITH_TAGGED:
        yield bench.compare("A1", one, bench.argument(KEYS[1], VALUES[0]), say.argument_name(tools))
        first, second = (bench.argument(KEYS[0], value) for value in TEXT_VALUES[:2])
        yield bench.compare("A2", first, second, say.argument_value(tools))
    for kind, value in _TYPED_VALUES:
        typed = bench.argument(KEYS[0], value)
        yield bench.compare("A3", one, typed, say.value_encoding(tools, kind), right_name=f"value: {kind}")
    two = bench.turn(Turn(calls=(Call(arguments=dict(zip(KEYS, VALUES[:2], strict=True))),)))
    yield bench.compare("T5", one, two, say.argument_separator(tools))
    none = bench.turn(Turn(calls=(Call(arguments={}),)))
    yield bench.compare("T6", none, one, say.argument_container(tools))
    yield bench.compare("T7", one, bench.turn(Turn(calls=(_OTHER_ID,))), say.call_id(tools))
    as_object, as_text = (
        bench.turn(_CALLED, replace(bench.calls, arguments_as_string=it)) for it in (False, True)
    )
    conclusion = say.string_arguments(analysis.capabilities.string_arguments)
    yield bench.compare("T8", as_object, as_text, conclusion)


def _surroundings(bench: Bench, analysis: TemplateAnalysis) -> Iterator[Evidence]:
    """Yield what the template does with what is not the assistant's turn."""
    has = analysis.capabilities
    user = user_message(bench.text)
    prompt = bench.messages([user])
    yield bench.compare(
        "P1", prompt, bench.messages([user], tools=True), say.reads("tools", has.supports_tools)
    )
    system = {"role": "system", "content": SYSTEM}
    yield bench.compare(
        "P2", prompt, bench.messages([system, user]), say.reads("a system message", has.supports_system_role)
    )
    parts = bench.messages([user_message(replace(bench.text, parts=not bench.text.parts))])
    names = ("text", "typed parts") if not bench.text.parts else ("typed parts", "text")
    yield bench.compare(
        "P3",
        prompt,
        parts,
        say.reads("content in typed parts", has.supports_typed_content),
        left_name=names[0],
        right_name=names[1],
    )
    if bench.called is not None:
        asked = [user, assistant_message(_CALLED, bench.called)]
        before = bench.messages(asked, tools=True)
        after = bench.messages([*asked, result_message(_ONE)], tools=True)
        yield bench.compare("P4", before, after, say.reads("the result of a call", has.supports_tool_results))
