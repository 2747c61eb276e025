"""The standard conversations: one for each thing that a chat template decides, so that two templates can be
compared.

Every template gets the same messages, and each call once with its arguments as an object and once as JSON
text, since templates take the one, the other or both.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from autoparser_cli.analysis.model import Switch
from autoparser_cli.frozen import frozen
from autoparser_cli.templates import RenderInputs

TOOLS: tuple[Mapping[str, Any], ...] = (
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "Tell the weather of a city.",
            "parameters": {
                "type": "object",
                "properties": {
                    "city": {"type": "string", "description": "Name of the city"},
                    "days": {"type": "integer", "description": "How many days ahead"},
                    "details": {"type": "object", "description": "What else to tell"},
                },
                "required": ["city"],
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": "get_time",
            "description": "Tell the time.",
            "parameters": {"type": "object", "properties": {}},
        },
    },
)

_SYSTEM = {"role": "system", "content": "Answer briefly."}
_ASK = {"role": "user", "content": "What is the weather in Paris?"}
_ANSWER = {"role": "assistant", "content": "It is sunny."}
_AGAIN = {"role": "user", "content": "And tomorrow?"}
_THOUGHT = "The user asks for the weather."
_THINKING_ANSWER: dict[str, Any] = {**_ANSWER, "reasoning_content": _THOUGHT}
_ARGUMENTS = {"city": "Paris", "days": 2, "details": {"wind": True, "units": ["km/h", None]}}


@frozen
class Conversation:
    """A conversation under the name that differences are listed with."""

    name: str
    inputs: RenderInputs


def standard_conversations(
    switches: Sequence[Switch] = (), reasoning_markers: Sequence[tuple[str, str]] = ()
) -> tuple[Conversation, ...]:
    """Return the conversations.

    Each value of a switch has a prompt with it, and a whole exchange; each pair of markers has an answer that holds its
    reasoning inside of the content, as clients send it that do not take it out.
    """
    return (
        *_prompts(),
        *_answers(),
        *_exchanges(),
        *_other_orders(),
        *_inline_reasoning(reasoning_markers),
        *_switched(switches),
    )


def _prompts() -> Iterator[Conversation]:
    yield _prompt("user", [_ASK])
    yield _prompt("system and user", [_SYSTEM, _ASK])
    yield _prompt("second question", [_ASK, _ANSWER, _AGAIN])
    yield _prompt("tools", [_ASK], tools=TOOLS)
    yield _prompt("system and tools", [_SYSTEM, _ASK], tools=TOOLS)
    yield Conversation("no generation prompt", RenderInputs(messages=[_ASK]))
    parts = [{"type": "text", "text": "What is "}, {"type": "text", "text": "the weather?"}]
    yield _prompt("content in parts", [{"role": "user", "content": parts}])
    yield _prompt("image", [{"role": "user", "content": [{"type": "image"}, *parts]}])
    yield _prompt("named user", [{**_ASK, "name": "Ann"}])
    document = {"title": "Paris", "text": "Paris has mild weather."}
    asked = RenderInputs(messages=[_ASK], add_generation_prompt=True, documents=[document])
    yield Conversation("documents", asked)


def _answers() -> Iterator[Conversation]:
    yield _said("content", content="It is sunny.")
    yield _said("reasoning and content", content="It is sunny.", reasoning_content=_THOUGHT)
    yield _said("reasoning alone", content="", reasoning_content=_THOUGHT)
    yield _prompt("reasoning in an earlier turn", [_ASK, _THINKING_ANSWER, _AGAIN])
    started = [_ASK, {"role": "assistant", "content": "It is"}]
    yield Conversation("content continued", RenderInputs(messages=started, continue_final_message=True))
    spaced = [_spaced(_SYSTEM), _spaced(_ASK), _spaced(_THINKING_ANSWER)]
    yield Conversation("white space around texts", RenderInputs(messages=spaced))
    yield _prompt("white space around earlier texts", [*spaced, _spaced(_AGAIN)])


def _spaced(message: Mapping[str, str]) -> dict[str, Any]:
    return {key: value if key == "role" else f"\n {value} \n\n" for key, value in message.items()}


def _exchanges() -> Iterator[Conversation]:
    for as_text in (False, True):
        how = " (arguments as JSON text)" if as_text else ""
        call, other = _call(0, as_text), _call(1, as_text)
        result = {"role": "tool", "tool_call_id": call["id"], "name": "get_weather", "content": "sunny"}
        second = {"role": "tool", "tool_call_id": other["id"], "name": "get_time", "content": "noon"}
        turn = {"role": "assistant", "content": "", "tool_calls": [call]}
        yield _said(f"call{how}", tools=TOOLS, content="", tool_calls=[call])
        yield _said(f"call, null content{how}", tools=TOOLS, content=None, tool_calls=[call])
        yield _said(f"content and call{how}", tools=TOOLS, content="I look it up.", tool_calls=[call])
        yield _said(
            f"reasoning and call{how}", tools=TOOLS, content="", reasoning_content=_THOUGHT, tool_calls=[call]
        )
        yield _said(f"two calls{how}", tools=TOOLS, content="", tool_calls=[call, other])
        yield _prompt(f"tool result{how}", [_ASK, turn, result], tools=TOOLS)
        both = {**turn, "tool_calls": [call, other]}
        yield _prompt(f"two tool results{how}", [_ASK, both, result, second], tools=TOOLS)
        yield _prompt(f"after an exchange{how}", [_ASK, turn, result, _ANSWER, _AGAIN], tools=TOOLS)
        thinking = {**turn, "reasoning_content": _THOUGHT}
        yield _prompt(f"reasoning before a tool result{how}", [_ASK, thinking, result], tools=TOOLS)
        later: list[dict[str, Any]] = [_ASK, thinking, result, _THINKING_ANSWER, _AGAIN]
        yield _prompt(f"reasoning in an earlier exchange{how}", later, tools=TOOLS)
        parts = [{"type": "text", "text": "sunny"}]
        yield _prompt(f"tool result in parts{how}", [_ASK, turn, {**result, "content": parts}], tools=TOOLS)
        yield _prompt(f"tool result without tools{how}", [_ASK, turn, result])


def _other_orders() -> Iterator[Conversation]:
    """Yield what some templates refuse."""
    yield _prompt("system later", [_ASK, _ANSWER, _SYSTEM, _AGAIN])
    yield _prompt("two system messages", [_SYSTEM, {**_SYSTEM, "content": "Be kind."}, _ASK])
    yield _prompt("system alone", [_SYSTEM])
    yield _prompt("two questions", [_ASK, _AGAIN])
    yield _prompt("answer first", [_ANSWER, _AGAIN])
    yield _prompt("developer and user", [{**_SYSTEM, "role": "developer"}, _ASK])


def _inline_reasoning(markers: Sequence[tuple[str, str]]) -> Iterator[Conversation]:
    for start, end in dict.fromkeys(markers):
        answer = {**_ANSWER, "content": f"{start}{_THOUGHT}{end}{_ANSWER['content']}"}
        name = f"{start}…{end} inside content"
        yield Conversation(name, RenderInputs(messages=[_ASK, answer]))
        yield _prompt(f"{name} of an earlier turn", [_ASK, answer, _AGAIN])


def _switched(switches: Sequence[Switch]) -> Iterator[Conversation]:
    exchange = [_SYSTEM, _ASK, _THINKING_ANSWER, _AGAIN]
    known: set[str] = set()
    for switch in switches:
        for value in switch.values:
            name = f"{switch.name}={json.dumps(value, ensure_ascii=False, default=str)}"
            if name in known:
                continue
            known.add(name)
            if switch.in_message:
                asked = {**_ASK, "content": f"{_ASK['content']} {value}"}
                yield _prompt(f"user, {name}", [asked])
                yield _prompt(f"system, {name}", [{**_SYSTEM, "content": value}, _ASK])
                continue
            kwargs = {switch.name: value}
            for base in (_prompt("user", [_ASK]), _prompt("exchange and tools", exchange, tools=TOOLS)):
                yield Conversation(f"{base.name}, {name}", replace(base.inputs, kwargs=kwargs))


def _prompt(
    name: str, messages: list[dict[str, Any]], tools: Sequence[Mapping[str, Any]] | None = None
) -> Conversation:
    return Conversation(name, RenderInputs(messages=messages, tools=tools, add_generation_prompt=True))


def _said(name: str, tools: Sequence[Mapping[str, Any]] | None = None, **message: Any) -> Conversation:
    return Conversation(name, RenderInputs(messages=[_ASK, {"role": "assistant", **message}], tools=tools))


def _call(index: int, as_text: bool) -> dict[str, Any]:
    arguments: Any = (_ARGUMENTS, {})[index]
    if as_text:
        arguments = json.dumps(arguments, ensure_ascii=False)
    name = ("get_weather", "get_time")[index]
    return {
        "id": ("callAAA11", "callBBB22")[index],
        "type": "function",
        "function": {"name": name, "arguments": arguments},
    }
