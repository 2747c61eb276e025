"""What a render is given, and the variables that a template sees of it.

The rules are those of Hugging Face transformers 5.24: message keys whose value is None are dropped,
everything becomes plain JSON types in fresh containers (a render cannot change the caller's messages),
reasoning is passed under the older names too, and a conversation that ends with an open message is rendered
with a tag in it, at which the text is cut.
"""

from __future__ import annotations

import dataclasses
import marshal
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from datetime import datetime
from typing import Any

from autoparser_cli.errors import RenderError
from autoparser_cli.frozen import frozen

#: The names that reasoning is passed under; the first is the standard one.
REASONING_FIELDS = ("reasoning_content", "thinking", "reasoning")

#: The variables that every render has, given or not.
ALWAYS_PASSED = frozenset(("messages", "tools", "documents", "add_generation_prompt"))

#: Put behind the message that is to be continued. The space tells whether the template strips what it prints.
CONTINUE_TAG = "CONTINUE_FINAL_MESSAGE_TAG "


@frozen
class RenderInputs:
    """One conversation to render; `messages` and `tools` are in OpenAI's shape.

    `continue_final_message` is True or the name of the field that is left open. `kwargs` are further
    variables and win over special tokens. `now` is the time that `strftime_now` tells, None for the frozen
    one. `keep_nulls` passes None values on, as engines other than transformers do.
    """

    messages: Sequence[Mapping[str, Any]]
    tools: Sequence[Mapping[str, Any]] | None = None
    add_generation_prompt: bool = False
    continue_final_message: bool | str | None = None
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    documents: Sequence[Mapping[str, Any]] | None = None
    now: datetime | None = None
    keep_nulls: bool = False


@frozen
class OpenEnd:
    """The text that a continued message ends with; the render is cut behind it."""

    text: str

    def cut(self, rendered: str) -> str:
        """Return `rendered` up to the tag, exact where the tag kept its space, else right-stripped."""
        tag = CONTINUE_TAG.strip()
        if self.text.strip() not in rendered or tag not in rendered:
            raise _refusal("continue_final_message: the final message does not appear in the rendered text")
        at = rendered.rindex(tag)
        return rendered[:at] if rendered.startswith(CONTINUE_TAG, at) else rendered[:at].rstrip()


def template_variables(
    inputs: RenderInputs, special_tokens: Mapping[str, str], source: str
) -> tuple[dict[str, Any], OpenEnd | None]:
    """Return the variables of a render, all of them copies, and where to cut it."""
    if not inputs.messages:
        raise _refusal("the conversation is empty")
    messages = [_as_passed(message, inputs.keep_nulls) for message in _plain_messages(inputs.messages)]
    open_end = _open_final_message(messages, inputs, source) if inputs.continue_final_message else None
    variables: dict[str, Any] = {
        "messages": messages,
        "tools": plain(inputs.tools),
        "documents": plain(inputs.documents),
        "add_generation_prompt": inputs.add_generation_prompt,
        **special_tokens,
    }
    if inputs.now is not None:
        variables["strftime_now"] = _clock(inputs.now)
    variables.update((name, plain(value)) for name, value in inputs.kwargs.items())
    return variables, open_end


class Kept(tuple[Any, ...]):
    """JSON values that are rendered again and again: templates get a list of them that is copied in one step."""

    def __init__(self, values: Iterable[Any]) -> None:
        self._copied = marshal.dumps([plain(value) for value in self])

    @classmethod
    def of_plain(cls, values: Iterable[Any], marshalled: bytes) -> Kept:
        """Keep values that are JSON types already, and that `marshal` has written as a list."""
        kept = tuple.__new__(cls, values)
        kept._copied = marshalled
        return kept

    def copies(self) -> list[Any]:
        """Return the values anew, for one render to do with as it likes."""
        copied: list[Any] = marshal.loads(self._copied)
        return copied


def plain(value: Any) -> Any:
    """Rebuild `value` out of JSON types; anything else becomes a text that names its type.

    Templates come from strangers and must not get hold of an object with methods of its own.
    """
    kind = type(value)
    if kind is str or value is None or kind is bool or kind is int or kind is float:
        return value
    if kind is dict:
        return {key if type(key) is str else plain(key): plain(item) for key, item in value.items()}
    if kind is list:
        return [plain(item) for item in value]
    if kind is Kept:
        return value.copies()
    if isinstance(value, Mapping):
        return {plain(key): plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    return _plain_object(value)


def _plain_object(value: Any) -> Any:
    for kind in (str, int, float):
        if isinstance(value, kind):
            return kind(value) if kind is not str else str.__str__(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {item.name: plain(getattr(value, item.name)) for item in dataclasses.fields(value)}
    if callable(getattr(value, "model_dump", None)):
        return plain(value.model_dump())
    return f"<{type(value).__name__}>"


def _plain_messages(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    if type(messages) is Kept:
        return messages.copies()
    copies = [plain(message) for message in messages]
    for message, copy in zip(messages, copies, strict=True):
        if not isinstance(copy, dict):
            raise _refusal(f"a message is a {type(message).__name__}, not an object", kind="TypeError")
    return copies


def _as_passed(copy: dict[str, Any], keep_nulls: bool) -> dict[str, Any]:
    if not keep_nulls:
        copy = {key: value for key, value in copy.items() if value is not None}
    reasoning = next((copy[key] for key in REASONING_FIELDS if copy.get(key) is not None), None)
    if reasoning is None:
        return copy
    return {"thinking": reasoning, **copy, "reasoning_content": reasoning}


def _open_final_message(messages: list[dict[str, Any]], inputs: RenderInputs, source: str) -> OpenEnd:
    if inputs.add_generation_prompt:
        raise _refusal("continue_final_message and add_generation_prompt exclude each other")
    wanted = inputs.continue_final_message
    name = wanted if isinstance(wanted, str) else "content"
    message = messages[-1]
    value = message.get(name)
    if value is None:
        raise _refusal(f"continue_final_message: the final message has no {name!r}")
    names = [name]
    if name in REASONING_FIELDS:
        names = [alias for alias in REASONING_FIELDS if message.get(alias) == value]
    if not any(alias in source for alias in names):
        raise _refusal(f"continue_final_message: the template does not read {name!r}")
    if isinstance(value, (list, tuple)):
        return _open_last_text(value)
    for alias in names:
        message[alias] = value + CONTINUE_TAG
    return OpenEnd(value)


def _open_last_text(parts: Sequence[Any]) -> OpenEnd:
    for part in reversed(parts):
        if "text" in part:
            text = part["text"]
            part["text"] = text + CONTINUE_TAG
            return OpenEnd(text)
    raise _refusal("continue_final_message: the final message has no text to continue")


def _clock(now: datetime) -> Any:
    def strftime_now(format: str) -> str:
        return now.strftime(format)

    return strftime_now


def _refusal(message: str, kind: str = "ValueError") -> RenderError:
    return RenderError(message, kind=kind)
