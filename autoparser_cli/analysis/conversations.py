"""An assistant turn in neutral terms -> the messages that a template takes, and their render.

Templates differ in the shapes they accept: arguments as an object or as JSON text, content empty, absent or null beside calls,
content as text or as typed parts, reasoning under one of several names. `Conventions` holds one choice of each.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import field, fields, replace
from functools import cached_property, lru_cache
from typing import Any

from autoparser_cli.analysis.known_renders import KnownRenders, by_value
from autoparser_cli.analysis.probes import CANARY, DESCRIPTION, IDS, KEYS, NAMES, RESULT, SYSTEM, USER, VALUES
from autoparser_cli.analysis.source_variables import SourceReading, read_source
from autoparser_cli.errors import RenderError, ResourceLimitError
from autoparser_cli.frozen import frozen
from autoparser_cli.templates import ChatTemplate, Kept, RenderInputs, noting_missed
from autoparser_cli.templates.failure import describe_shape

_LOG = logging.getLogger(__name__)

#: The fields that templates read reasoning from. Hugging Face writes the first of the first three into `reasoning_content`.
REASONING_FIELDS = ("reasoning_content", "thinking", "reasoning", "thought", "tool_plan")

#: The most seconds that the renders of one analysis may take together; a usual one needs a tenth of a second.
MAX_SECONDS = 30.0


@frozen
class Call:
    """A call to be rendered."""

    name: str = NAMES[0]
    arguments: Mapping[str, Any] = field(default_factory=lambda: {KEYS[0]: VALUES[0]})
    id: str = IDS[0]


@frozen
class Turn:
    """An assistant turn; None is an absent part."""

    reasoning: str | None = None
    content: str | None = None
    calls: tuple[Call, ...] = ()


@frozen
class Conventions:
    """The message shapes that a template understands.

    `call_content` is what stands for no content beside calls: `""`, `None` (present and null) or `absent`.
    `reasoning_place` is `fields`, one field's name, or the type of a content part (`part:thinking`) or of a block
    (`block:thoughts`). `parts`: content is a list of typed parts. `answered`: a call renders only when more turns
    follow; `needs_tools`: nothing renders without tools; `text_values`: arguments may hold nothing but text.
    """

    arguments_as_string: bool = False
    call_content: str | None = ""
    reasoning_place: str = "fields"
    parts: bool = False
    flat_calls: bool = False
    answered: bool = False
    text_values: bool = False
    needs_tools: bool = False
    system_first: bool = False
    flat_tools: bool = False
    supplied: tuple[str, ...] = ()
    kwargs: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        """Say what is not as usual."""
        usual = Conventions()
        unusual = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if getattr(self, field.name) != getattr(usual, field.name)
        ]
        return ", ".join(unusual) or "the usual shapes"

    def with_kwargs(self, /, **kwargs: Any) -> Conventions:
        """Return the same conventions with some template variables set."""
        return replace(self, kwargs=tuple({**dict(self.kwargs), **kwargs}.items()))


ABSENT = "absent"


class Renderer:
    """Renders neutral turns through one template; what is known is not rendered again, errors are kept as values."""

    def __init__(self, template: ChatTemplate) -> None:
        self.template = template
        self.errors: dict[str, RenderError] = {}
        self.refused: dict[str, RenderInputs] = {}
        self.count = 0
        self._known = KnownRenders(template.standard_variables)
        self.start_clock()

    def start_clock(self) -> None:
        """Give the renders from now on all the time that an analysis has."""
        self._deadline = time.monotonic() + MAX_SECONDS

    @property
    def texts(self) -> tuple[str, ...]:
        """All that was rendered so far."""
        return tuple(self._known.texts)

    @cached_property
    def source(self) -> SourceReading:
        """What the syntax tree tells of the variables that the template reads from outside."""
        _ = self.template.variables  # a tree that was compiled is walked at half the cost
        return read_source(self.template.tree)

    def prompt(
        self, conventions: Conventions, *, generation: bool, after_tool: bool = False, tools: bool = False
    ) -> str | None:
        """Render a conversation that ends before the assistant's turn."""
        messages = [user_message(conventions)]
        if after_tool:
            messages += [assistant_message(Turn(calls=(Call(),)), conventions), result_message(Call())]
        return self.render(
            messages, conventions, generation=generation, tools=PROBE_TOOLS if tools or after_tool else None
        )

    def turn(
        self, turn: Turn, conventions: Conventions, *, tools: Sequence[Mapping[str, Any]] | None
    ) -> str | None:
        """Render a conversation that ends with the assistant's turn (more turns follow where `answered` asks for it)."""
        return self.render(turn_messages(turn, conventions), conventions, tools=tools)

    def render(
        self,
        messages: list[dict[str, Any]],
        conventions: Conventions,
        *,
        generation: bool = False,
        tools: Sequence[Mapping[str, Any]] | None = None,
    ) -> str | None:
        """Render messages; None where the template raises (the error is in `errors` under its text).

        Raise ResourceLimitError: a template that goes beyond the limits once is not rendered a hundred times.
        """
        if tools is None and conventions.needs_tools:
            tools = PROBE_TOOLS
        given = list(tools) if tools is not None and tools is not PROBE_TOOLS else tools is not None
        shape = (conventions.system_first, conventions.flat_tools)
        written = by_value(messages)
        conversation = (written, generation, shape, by_value(given))
        variables = {name: by_value(value) for name, value in conventions.kwargs}
        known = self._known.find(conversation, variables)
        if known is not None:
            return known[0]
        with noting_missed() as missed:
            text = self._render(Kept.of_plain(messages, written), conventions, generation, tools)
        self._known.add(conversation, variables, missed, text)
        return text

    def _render(
        self,
        messages: Sequence[Mapping[str, Any]],
        conventions: Conventions,
        generation: bool,
        tools: Sequence[Mapping[str, Any]] | None,
    ) -> str | None:
        self.count += 1
        if time.monotonic() > self._deadline:
            raise ResourceLimitError(f"the analysis took longer than {MAX_SECONDS:g} s", kind="TimeLimit")
        inputs = render_inputs(messages, conventions, generation=generation, tools=tools)
        try:
            text = self.template.render(inputs)
        except ResourceLimitError:
            raise
        except RenderError as error:
            self.errors.setdefault(str(error), error)
            self.refused.setdefault(str(error), inputs)
            self._log(inputs, f"line {error.line}: {error}")
            return None
        self._log(inputs, f"{len(text)} characters")
        return text

    def error_about(self, key: str) -> RenderError | None:
        """Return the first error about a conversation that has a message with this key."""
        for text, inputs in self.refused.items():
            if any(key in message for message in inputs.messages):
                return self.errors[text]
        return None

    def error_about_answers(self) -> RenderError | None:
        """Return the first error about a conversation that has a plain answer."""
        for text, inputs in self.refused.items():
            answers = [message for message in inputs.messages if message.get("role") == "assistant"]
            if answers and not any("tool_calls" in message for message in answers):
                return self.errors[text]
        return None

    def why(self, error: RenderError) -> str:
        """Return what an error said and the first conversation that it was said about."""
        inputs = self.refused.get(str(error))
        return f"{error} (while it rendered {describe_shape(inputs)})" if inputs is not None else str(error)

    def _log(self, inputs: RenderInputs, outcome: str) -> None:
        if _LOG.isEnabledFor(logging.DEBUG):
            _LOG.debug("render %d: %s -> %s", self.count, describe_shape(inputs), outcome)


def render_inputs(
    messages: Sequence[Mapping[str, Any]],
    conventions: Conventions,
    *,
    generation: bool = False,
    tools: Sequence[Mapping[str, Any]] | None = None,
) -> RenderInputs:
    """Return what a template is rendered with under the conventions."""
    if conventions.system_first and messages[0]["role"] != "system":
        messages = [{"role": "system", "content": _text(SYSTEM, conventions)}, *messages]
    if tools is not None and conventions.flat_tools:
        tools = [tool["function"] for tool in tools]
    return RenderInputs(
        messages=messages,
        tools=tools,
        add_generation_prompt=generation,
        kwargs=dict(conventions.kwargs),
        keep_nulls=conventions.call_content is None,
    )


def turn_messages(turn: Turn, conventions: Conventions) -> list[dict[str, Any]]:
    """Return a question and the turn, and what follows it where the conventions ask for more."""
    messages = [user_message(conventions), assistant_message(turn, conventions)]
    if conventions.answered:
        messages += [result_message(call) for call in turn.calls]
        messages.append({"role": "assistant", "content": _text("Zafterwards", conventions)})
    return messages


def user_message(conventions: Conventions, text: str = USER) -> dict[str, Any]:
    """Return a user's message."""
    return {"role": "user", "content": _text(text, conventions)}


def result_message(call: Call, text: str = RESULT) -> dict[str, Any]:
    """Return the result of a call."""
    return {"role": "tool", "tool_call_id": call.id, "name": call.name, "content": text}


def assistant_message(turn: Turn, conventions: Conventions) -> dict[str, Any]:
    """Return the turn as the message that the conventions ask for."""
    message: dict[str, Any] = {"role": "assistant"}
    if turn.content is not None:
        message["content"] = _text(turn.content, conventions)
    elif conventions.call_content != ABSENT:
        empty = conventions.parts and conventions.call_content == ""
        message["content"] = _text("", conventions) if empty else conventions.call_content
    if turn.calls:
        message["tool_calls"] = [_call_entry(call, conventions) for call in turn.calls]
    if turn.reasoning is not None:
        _add_reasoning(message, turn, conventions)
    return message


def tool_entry(name: str, properties: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return a tool as templates take it."""
    parameters = {"type": "object", "properties": dict(properties or {}), "required": []}
    return {
        "type": "function",
        "function": {"name": name, "description": DESCRIPTION, "parameters": parameters},
    }


#: By the number of calls in a turn, the tools that are called and no more: templates take most of a render to print them.
TOOLS_CALLED = {
    count: Kept(
        tool_entry(name, {key: {"type": "integer", "description": "Zd"} for key in KEYS})
        for name in NAMES[:count]
    )
    for count in range(1, len(NAMES) + 1)
}
PROBE_TOOLS = TOOLS_CALLED[1]

_JSON_TYPES = {
    str: "string",
    float: "number",
    bool: "boolean",
    type(None): "null",
    list: "array",
    dict: "object",
}


def tools_declaring(value: Any) -> Kept:
    """Return the tool of the probes with its first parameter declared as what the value is: some templates print that."""
    return _declared(_JSON_TYPES[type(value)]) if type(value) in _JSON_TYPES else PROBE_TOOLS


@lru_cache
def _declared(kind: str) -> Kept:
    first, second = ({"type": name, "description": "Zd"} for name in (kind, "integer"))
    return Kept([tool_entry(NAMES[0], {KEYS[0]: first, KEYS[1]: second})])


def _text(text: str, conventions: Conventions) -> Any:
    return [{"type": "text", "text": text}] if conventions.parts else text


def _call_entry(call: Call, conventions: Conventions) -> dict[str, Any]:
    arguments: Any = dict(call.arguments)
    if conventions.text_values:
        arguments = {key: str(value) if value in VALUES else value for key, value in arguments.items()}
    if conventions.arguments_as_string:
        arguments = json.dumps(arguments, ensure_ascii=False)
    function = {"name": call.name, "arguments": arguments}
    if conventions.flat_calls:
        return {"id": call.id, **function}
    return {"id": call.id, "type": "function", "function": function}


def _add_reasoning(message: dict[str, Any], turn: Turn, conventions: Conventions) -> None:
    place = conventions.reasoning_place
    if place == "fields":
        message.update(dict.fromkeys(REASONING_FIELDS, turn.reasoning))
    elif place.startswith("part:"):
        kind = place.removeprefix("part:")
        text = [{"type": "text", "text": turn.content}] if turn.content is not None else []
        message["content"] = [{"type": kind, kind: turn.reasoning, CANARY: CANARY}, *text]
    elif place.startswith("block:"):
        kind = place.removeprefix("block:")
        text = [{"type": "response", "text": turn.content}] if turn.content is not None else []
        message["content"] = {"blocks": [{"type": kind, "text": turn.reasoning, CANARY: CANARY}, *text]}
    elif place.startswith("inline:"):
        start, end = place.removeprefix("inline:").split("\x00")
        message["content"] = f"{start}{turn.reasoning}{end}{turn.content or ''}"
    else:
        message[place] = turn.reasoning
