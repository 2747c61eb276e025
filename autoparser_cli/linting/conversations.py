"""The standard conversations that every template is rendered with. Data: what is said, in OpenAI's shape, and
under which name.

Each text stands in a conversation once and in no other text, so that a render shows which were printed, how
often and in which
order. They are ordinary sentences: some templates look for words.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from autoparser_cli.frozen import frozen

SYSTEM = "You answer briefly and kindly."
QUESTIONS = ("How tall is the old lighthouse?", "Which harbour lies nearest?", "When does the ferry leave?")
ANSWERS = ("It rises forty metres.", "The northern one does.", "It sails at noon.")
RESULTS = ("Clear skies all day", "Heavy rain until evening")
REASONING = "Forty seems right for that tower."
NAMES = ("get_weather", "find_route")
IDS = ("callAAA01", "callBBB02")
KEY = "city"
VALUES = ("Lisbon", "Oslo")

Message = Mapping[str, Any]


@frozen
class Conversation:
    """A named conversation. `texts` are those that its render should show, in order; `title` is for messages
    to people.
    """

    name: str
    title: str
    messages: tuple[Message, ...]
    texts: tuple[str, ...] = ()
    tools: bool = False
    generation: bool = False


def tool(name: str, description: str) -> dict[str, Any]:
    """Return a tool whose schema has what schemas have: a boolean, a null, a list, an object."""
    properties = {
        KEY: {"type": "string", "description": f"City for {name}", "default": None},
        "days": {"type": "integer", "enum": [1, 2]},
    }
    parameters = {
        "type": "object",
        "properties": properties,
        "required": [KEY],
        "additionalProperties": False,
    }
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    }


TOOLS = (tool(NAMES[0], "Forecast lookup"), tool(NAMES[1], "Directions lookup"))


def user(index: int = 0) -> Message:
    """Return a question."""
    return {"role": "user", "content": QUESTIONS[index]}


def answer(index: int = 0) -> Message:
    """Return an answer in words."""
    return {"role": "assistant", "content": ANSWERS[index]}


def call(*indices: int, content: str | None = "", arguments: Mapping[str, Any] | None = None) -> Message:
    """Return an answer that calls; `arguments` replaces those of every call."""
    calls = [
        {
            "id": IDS[index],
            "type": "function",
            "function": {
                "name": NAMES[index],
                "arguments": {KEY: VALUES[index]} if arguments is None else arguments,
            },
        }
        for index in indices or (0,)
    ]
    return {"role": "assistant", "content": content, "tool_calls": calls}


def result(index: int = 0, text: str | None = None) -> Message:
    """Return what a tool gave."""
    content = RESULTS[index] if text is None else text
    return {"role": "tool", "tool_call_id": IDS[index], "name": NAMES[index], "content": content}


_SYSTEM: Message = {"role": "system", "content": SYSTEM}
_Q, _A, _R = QUESTIONS, ANSWERS, RESULTS

CONVERSATIONS = {
    item.name: item
    for item in (
        Conversation("question", "a single question", (user(),), _Q[:1]),
        Conversation("prompt", "a single question", (user(),), _Q[:1], generation=True),
        Conversation("system", "a system message and a question", (_SYSTEM, user()), (SYSTEM, _Q[0])),
        Conversation("round", "one question and its answer", (user(), answer()), (_Q[0], _A[0])),
        Conversation("follow-up", "a second question", (user(), answer(), user(1)), (_Q[0], _A[0], _Q[1])),
        Conversation(
            "follow-up-prompt",
            "a second question",
            (user(), answer(), user(1)),
            (_Q[0], _A[0], _Q[1]),
            generation=True,
        ),
        Conversation(
            "rounds", "two rounds", (user(), answer(), user(1), answer(1)), (_Q[0], _A[0], _Q[1], _A[1])
        ),
        Conversation(
            "system-rounds",
            "a system message and two rounds",
            (_SYSTEM, user(), answer(), user(1), answer(1)),
            (SYSTEM, _Q[0], _A[0], _Q[1], _A[1]),
        ),
        Conversation(
            "three-rounds",
            "three rounds",
            (user(), answer(), user(1), answer(1), user(2), answer(2)),
            (_Q[0], _A[0], _Q[1], _A[1], _Q[2], _A[2]),
        ),
        # Roles in other places than the usual ones.
        Conversation(
            "late-system",
            "a system message that comes late",
            (user(), answer(), _SYSTEM, user(1)),
            (_Q[0], _A[0], SYSTEM, _Q[1]),
        ),
        Conversation("two-users", "two user messages in a row", (user(), user(1)), (_Q[0], _Q[1])),
        Conversation(
            "two-answers",
            "two assistant messages in a row",
            (user(), answer(), answer(1)),
            (_Q[0], _A[0], _A[1]),
        ),
        Conversation("assistant-first", "an assistant message first", (answer(), user(1)), (_A[0], _Q[1])),
        Conversation("system-only", "no user message", (_SYSTEM,), (SYSTEM,)),
        Conversation(
            "developer",
            "the developer role",
            ({"role": "developer", "content": SYSTEM}, user()),
            (SYSTEM, _Q[0]),
        ),
        # Tools, calls and results.
        Conversation("tools", "a question with tools", (user(),), _Q[:1], tools=True),
        Conversation("tools-prompt", "a question with tools", (user(),), _Q[:1], tools=True, generation=True),
        Conversation("call", "a call", (user(), call()), (_Q[0], NAMES[0], VALUES[0]), tools=True),
        Conversation(
            "call-without-tools", "a call, no tools given", (user(), call()), (_Q[0], NAMES[0], VALUES[0])
        ),
        Conversation(
            "content-call",
            "text and a call",
            (user(), call(content=_A[0])),
            (_Q[0], _A[0], VALUES[0]),
            tools=True,
        ),
        Conversation("two-calls", "two calls at once", (user(), call(0, 1)), (_Q[0], *VALUES), tools=True),
        Conversation(
            "no-arguments", "a call without arguments", (user(), call(arguments={})), _Q[:1], tools=True
        ),
        Conversation(
            "result",
            "a call and its result",
            (user(), call(), result()),
            (_Q[0], VALUES[0], _R[0]),
            tools=True,
        ),
        Conversation(
            "result-prompt",
            "a call and its result",
            (user(), call(), result()),
            (_Q[0], VALUES[0], _R[0]),
            tools=True,
            generation=True,
        ),
        Conversation(
            "answered",
            "a call, its result and an answer",
            (user(), call(), result(), answer()),
            (_Q[0], VALUES[0], _R[0], _A[0]),
            tools=True,
        ),
        Conversation(
            "two-results",
            "two results in a row",
            (user(), call(0, 1), result(), result(1), answer()),
            (_Q[0], *VALUES, *_R, _A[0]),
            tools=True,
        ),
        Conversation(
            "two-call-rounds",
            "two rounds of calls",
            (user(), call(), result(), call(1), result(1), answer()),
            (_Q[0], VALUES[0], _R[0], VALUES[1], _R[1], _A[0]),
            tools=True,
        ),
        Conversation(
            "result-user",
            "a question right behind a result",
            (user(), call(), result(), user(1)),
            (_Q[0], VALUES[0], _R[0], _Q[1]),
            tools=True,
        ),
        Conversation(
            "empty-result",
            "an empty result",
            (user(), call(), result(0, ""), answer()),
            (_Q[0], VALUES[0], _A[0]),
            tools=True,
        ),
        # Reasoning.
        Conversation(
            "reasoning",
            "reasoning and an answer",
            (user(), {**answer(), "reasoning_content": REASONING}),
            (_Q[0], _A[0]),
        ),
        Conversation(
            "only-reasoning",
            "reasoning without an answer",
            (user(), {"role": "assistant", "content": "", "reasoning_content": REASONING}, user(1)),
            (_Q[0], _Q[1]),
        ),
        Conversation(
            "empty-answer",
            "an empty answer",
            (user(), {"role": "assistant", "content": ""}, user(1)),
            (_Q[0], _Q[1]),
        ),
        Conversation("many-rounds", "twelve rounds", (user(), answer()) * 12),
        Conversation(
            "reasoning-call",
            "reasoning and a call",
            (user(), {**call(), "reasoning_content": REASONING}),
            (_Q[0],),
            tools=True,
        ),
    )
}


@frozen
class Shape:
    """How a template wants messages: content as typed parts, arguments as JSON text, what stands for no
    content beside calls.
    """

    parts: bool = False
    string_arguments: bool = False
    call_content: str | None = ""

    def apply(self, messages: tuple[Message, ...]) -> list[dict[str, Any]]:
        """Return messages in this shape."""
        return [self._message(message) for message in messages]

    def _message(self, message: Message) -> dict[str, Any]:
        shaped = dict(message)
        if message.get("tool_calls"):
            shaped["tool_calls"] = [self._call(entry) for entry in message["tool_calls"]]
            if message["content"] == "":
                shaped["content"] = self.call_content
        if self.parts and isinstance(shaped.get("content"), str) and message["role"] != "tool":
            shaped["content"] = [{"type": "text", "text": shaped["content"]}]
        return shaped

    def _call(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        if not self.string_arguments:
            return dict(entry)
        arguments = json.dumps(entry["function"]["arguments"], ensure_ascii=False)
        return {**entry, "function": {**entry["function"], "arguments": arguments}}


#: The shapes for calls, in the order in which they are tried.
CALL_SHAPES = tuple(
    Shape(string_arguments=string, call_content=content) for string in (False, True) for content in ("", None)
)
