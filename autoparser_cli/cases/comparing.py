"""A message and what was expected of it -> what is wrong, in one line, or nothing.

Null equals an empty text; content and reasoning are compared without white space at both ends unless the case
wants them exact; arguments are compared as JSON values, where 3 is neither "3" nor true; an id only where the
case names one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from autoparser_cli.cases.model import Case, ExpectedCall, ExpectedMessage
from autoparser_cli.messages import Message, ToolCall


class Mismatch(Exception):  # noqa: N818 - not an error of autoparser: it carries the first thing that is wrong
    """What is wrong with a result; `expected` and `got` are texts to put side by side."""

    def __init__(self, reason: str, expected: str = "", got: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.expected = expected
        self.got = got


def compare(
    case: Case, wanted: ExpectedMessage, message: Message, *, what: str = "", partial: bool = False
) -> None:
    """Raise Mismatch with the first thing that is wrong, and both messages in full."""
    reason = next(_differences(case, wanted, message, partial=partial), None)
    if reason is not None:
        raise Mismatch(what + reason, describe_expected(wanted), describe(message))


def check_order(name: str, text: str, parts: tuple[str, ...]) -> None:
    """Raise Mismatch where the parts do not stand in `text` in their order."""
    at = 0
    for part in parts:
        found = text.find(part, at)
        if found < 0:
            raise Mismatch(f"{name} does not have {part!r} in its place", " ... ".join(parts), text)
        at = found + len(part)


def check_leaks(case: Case, message: Message) -> None:
    """Raise Mismatch where a marker or a stop token stands in the message and the expected one has it not."""
    wanted = describe_expected(case.expect) if case.expect is not None else ""
    texts = [("content", message.content), ("reasoning", message.reasoning_content)]
    texts += [
        (f"arguments of call {index + 1}", call.arguments) for index, call in enumerate(message.tool_calls)
    ]
    for marker in (*case.never_leak, *case.stop):
        if not marker or marker in wanted or json.dumps(marker, ensure_ascii=False)[1:-1] in wanted:
            continue
        for name, text in texts:
            if marker in text:
                raise Mismatch(f"the marker {marker} leaked into {name}", wanted, describe(message))


def same_json(left: Any, right: Any) -> bool:
    """Tell whether two JSON values are equal; 1 and 1.0 are, 1 and true are not."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same_json(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same_json, left, right))
    return bool(left == right)


def describe(message: Message) -> str:
    """Write a message as text, one field after the other, arguments in a canonical form."""
    calls = [(call.name, _canonical(call.arguments), call.id) for call in message.tool_calls]
    return _layout(message.reasoning_content, message.content, calls)


def describe_expected(wanted: ExpectedMessage) -> str:
    """Write an expected message as `describe` writes a message."""
    calls = [
        (call.name, _dump(call.arguments) if call.arguments_text is None else call.arguments_text, call.id)
        for call in wanted.calls
    ]
    return _layout(wanted.reasoning or "", wanted.content or "", calls)


def _layout(reasoning: str, content: str, calls: list[tuple[str, str, str | None]]) -> str:
    lines = [f"reasoning: {reasoning.strip()}", f"content: {content.strip()}"]
    for name, arguments, call_id in calls:
        lines.append(f"call: {name} {arguments}" + (f" (id {call_id})" if call_id else ""))
    return "\n".join(lines)


def _differences(case: Case, wanted: ExpectedMessage, message: Message, *, partial: bool) -> Iterator[str]:
    # A call that is not read is most often still in the content: what is missing tells more than where it went.
    if len(wanted.calls) != len(message.tool_calls):
        yield f"{_count(len(wanted.calls))} expected, {len(message.tool_calls)} found"
    pairs = [
        ("reasoning", wanted.reasoning, message.reasoning_content, case.more.reasoning_in_order),
        ("content", wanted.content, message.content, case.more.content_in_order),
    ]
    for name, text, found, in_order in pairs:
        if text is None or in_order:
            continue
        same = text == found if name in case.exact else text.strip() == found.strip()
        if not same:
            yield f"{name} differs"
    for index, (call, got) in enumerate(zip(wanted.calls, message.tool_calls, strict=False), 1):
        yield from _call_differences(f"call {index}", call, got, partial=partial)


def _count(calls: int) -> str:
    return "1 call" if calls == 1 else f"{calls} calls"


def _call_differences(label: str, wanted: ExpectedCall, got: ToolCall, *, partial: bool) -> Iterator[str]:
    if wanted.name != got.name:
        yield f"the name of {label} differs"
    if wanted.id is not None and wanted.id != got.id:
        yield f"the id of {label} is {got.id!r}, not {wanted.id!r}"
    if partial and wanted.arguments_text is not None:
        if not _same_start(wanted.arguments_text, got.arguments):
            yield f"the arguments of {label} start differently"
        return
    try:
        arguments = json.loads(got.arguments, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        yield f"the arguments of {label} are not JSON"
        return
    if not same_json(wanted.arguments, arguments):
        yield f"the arguments of {label} differ"


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _same_start(wanted: str, got: str) -> bool:
    """Tell whether one is how the other starts: how much of an open call shows is the parser's choice."""
    try:
        return same_json(json.loads(wanted), json.loads(got))
    except (ValueError, RecursionError):
        return wanted.startswith(got) or got.startswith(wanted)


def _canonical(arguments: str) -> str:
    try:
        return _dump(json.loads(arguments))
    except (ValueError, RecursionError):
        return arguments


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
