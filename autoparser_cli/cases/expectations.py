"""The parts of a case's JSON that say what is right -> expectations; and the checks of keys and types.

Each error names the key, with dots for what is inside (`expect.tool_calls[0].name`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from autoparser_cli.cases.model import (
    ExpectedCall,
    ExpectedError,
    ExpectedMessage,
    Generator,
    More,
    StrictError,
)
from autoparser_cli.errors import CaseError

MESSAGE_KEYS: Final = frozenset({"content", "reasoning_content", "tool_calls"})
LENIENT_KEYS: Final = frozenset({"content", "reasoning", "tool_calls", "diagnostics"})
CALL_KEYS: Final = frozenset({"name", "arguments", "id", "arguments_partial", "complete"})
ACCEPT: Final = ("no_tool_calls", "content_passthrough", "exception")
MORE_KEYS: Final = frozenset(
    {
        "strict_error",
        "strict_error_allowed",
        "lenient",
        "content_contains_in_order",
        "reasoning_contains_in_order",
        "diagnostics",
        "alternative",
        "invariants",
        "partial",
        "tool_calls",
        "limits",
        "recognised",
        "unparsed_tail_starts_with",
    }
)


def check_keys(data: Mapping[str, Any], known: frozenset[str], prefix: str) -> None:
    """Raise CaseError for a key that is not known."""
    for key in data:
        if key not in known:
            raise CaseError(f"unknown key `{prefix}{key}`")


def typed(data: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:
    """Return the value of `key`, `default` where absent. Raise CaseError where it is of another type."""
    if key not in data:
        return default
    value = data[key]
    if not isinstance(value, kind):
        words = {str: "text", bool: "true or false", list: "a list", Mapping: "an object", int: "a number"}
        raise CaseError(f"`{key}` must be {words[kind]}, not {json.dumps(value, default=str)[:60]}")
    return value


def text_list(data: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return a list of texts. Raise CaseError."""
    values = typed(data, key, list, [])
    if not all(isinstance(value, str) for value in values):
        raise CaseError(f"`{key}` must be a list of texts")
    return tuple(values)


def read_expected(data: object, prefix: str, *, partial: bool = False) -> ExpectedMessage:
    """Read a message in the words of `expect`; null is the same as an empty text. Raise CaseError."""
    if not isinstance(data, Mapping):
        raise CaseError(f"`{prefix}` must be an object")
    check_keys(data, MESSAGE_KEYS, f"{prefix}.")
    return ExpectedMessage(
        content=_text(data, "content", prefix),
        reasoning=_text(data, "reasoning_content", prefix),
        calls=_read_calls(data, prefix, partial=partial),
    )


def read_error(data: Mapping[str, Any]) -> ExpectedError | None:
    """Read `expect_error`. Raise CaseError."""
    wanted = typed(data, "expect_error", Mapping, None)
    if wanted is None:
        return None
    check_keys(wanted, frozenset({"reason", "accept"}), "expect_error.")
    accept = text_list(wanted, "accept")
    if not accept or not set(accept) <= set(ACCEPT):
        raise CaseError(f"`expect_error.accept` must list some of {', '.join(ACCEPT)}")
    return ExpectedError(str(wanted.get("reason", "")), accept)


def read_more(data: Mapping[str, Any], *, partial: bool, parses: bool) -> More:
    """Read what is judged of `expect_more`. Raise CaseError."""
    more = typed(data, "expect_more", Mapping, {})
    if not parses:
        return More(facts=more)
    check_keys(more, MORE_KEYS, "expect_more.")
    strict = typed(more, "strict_error", Mapping, None)
    lenient = typed(more, "lenient", Mapping, None)
    recognised = typed(more, "recognised", Mapping, None)
    return More(
        strict_error=StrictError(typed(strict, "offset", int, None)) if strict is not None else None,
        error_allowed=any(key in more for key in ("strict_error", "strict_error_allowed", "lenient")),
        lenient=_read_lenient(lenient, partial=partial) if lenient is not None else None,
        recognised=read_parsed(recognised, "expect_more.recognised") if recognised is not None else None,
        unparsed_start=typed(more, "unparsed_tail_starts_with", str, ""),
        content_in_order=text_list(more, "content_contains_in_order"),
        reasoning_in_order=text_list(more, "reasoning_contains_in_order"),
    )


def read_generator(data: Mapping[str, Any]) -> Generator | None:
    """Read `generator` and the limits that go with it. Raise CaseError."""
    made = typed(data, "generator", Mapping, None)
    if made is None:
        return None
    check_keys(made, frozenset({"kind", "path", "content_chars", "chunk_chars"}), "generator.")
    if made.get("kind") != "long-argument":
        raise CaseError("`generator.kind` must be long-argument")
    limits = data.get("expect_more", {}).get("limits", {})
    return Generator(
        path=typed(made, "path", str, "a.txt"),
        content_chars=typed(made, "content_chars", int, 200_000),
        chunk_chars=typed(made, "chunk_chars", int, 32),
        seconds=limits.get("seconds"),
        ratio=limits.get("ratio_time_200k_over_50k"),
    )


def read_parsed(data: Mapping[str, Any], prefix: str) -> ExpectedMessage:
    """Read a message in the words of a bug report: `reasoning` for `reasoning_content`. Raise CaseError."""
    words = {"reasoning": "reasoning_content"}
    return read_expected({words.get(key, key): value for key, value in data.items()}, prefix)


def _read_lenient(data: Mapping[str, Any], *, partial: bool) -> ExpectedMessage:
    """Read the forgiving result. Here null is a text that the case leaves open: what could not be read as a
    call stays somewhere, and the case does not say where."""
    check_keys(data, LENIENT_KEYS, "expect_more.lenient.")
    prefix = "expect_more.lenient"
    return ExpectedMessage(
        content=_text(data, "content", prefix) if data.get("content") is not None else None,
        reasoning=_text(data, "reasoning", prefix) if data.get("reasoning") is not None else None,
        calls=_read_calls(data, prefix, partial=partial),
    )


def _text(data: Mapping[str, Any], key: str, prefix: str) -> str:
    value = data.get(key)
    if value is not None and not isinstance(value, str):
        raise CaseError(f"`{prefix}.{key}` must be text or null")
    return value or ""


def _read_calls(data: Mapping[str, Any], prefix: str, *, partial: bool) -> tuple[ExpectedCall, ...]:
    calls = data.get("tool_calls") or []
    if not isinstance(calls, list):
        raise CaseError(f"`{prefix}.tool_calls` must be a list")
    return tuple(
        _read_call(call, f"{prefix}.tool_calls[{index}]", partial=partial) for index, call in enumerate(calls)
    )


def _read_call(call: object, prefix: str, *, partial: bool) -> ExpectedCall:
    if not isinstance(call, Mapping):
        raise CaseError(f"`{prefix}` must be an object")
    check_keys(call, CALL_KEYS, f"{prefix}.")
    name = call.get("name")
    if not isinstance(name, str):
        raise CaseError(f"`{prefix}.name` must be text")
    if not partial and ("arguments_partial" in call or "complete" in call):
        raise CaseError(f"`{prefix}`: an open call needs `partial` of the case")
    arguments = call.get("arguments", call.get("arguments_partial"))
    if not isinstance(arguments, str):
        return ExpectedCall(name, arguments, None, call.get("id"))
    if partial:
        return ExpectedCall(name, None, arguments, call.get("id"))
    try:
        return ExpectedCall(name, json.loads(arguments), None, call.get("id"))
    except ValueError:
        raise CaseError(f"`{prefix}.arguments` is text, but not JSON: {arguments[:60]!r}") from None
