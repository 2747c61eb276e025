"""Renders of one and two calls -> how a call is written.

What is found here is relative to the calls alone: the literal in front of the first call still holds the turn's header, the one
behind the last its end; `call_format.py` takes those off.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from autoparser_cli.analysis.arguments import argument_frame, tagged_arguments
from autoparser_cli.analysis.conversations import (
    PROBE_TOOLS,
    TOOLS_CALLED,
    Call,
    Conventions,
    Renderer,
    Turn,
    tools_declaring,
)
from autoparser_cli.analysis.locating import LocatedCall, locate_calls
from autoparser_cli.analysis.model import (
    JSON_ENCODING,
    JsonCall,
    LiteralArguments,
    MarkerText,
    TaggedArguments,
    TaggedCall,
    ValueEncoding,
    Var,
)
from autoparser_cli.analysis.probes import CONTENT, IDS, KEYS, NAMES, RESULT, VALUES
from autoparser_cli.analysis.shapes import Span, shared_end, turn_text
from autoparser_cli.analysis.value_encoding import MAPPING, mapping_encoding
from autoparser_cli.analysis.variables import SENTINELS, marker_text, with_index
from autoparser_cli.frozen import frozen

CALLS = tuple(
    Call(name, {KEYS[0]: value}, identifier)
    for name, value, identifier in zip(NAMES, VALUES, IDS, strict=True)
)


@frozen
class CallsText:
    """A rendered turn with calls, each located."""

    text: str
    calls: tuple[LocatedCall, ...]


@frozen
class CallProbe:
    """What is known about calls before the turn is taken apart.

    `one` and `two` are the renders of that many calls (None where the template refuses or drops some); `close_length` counts
    the characters behind the last slot that still belong to the last argument.
    """

    body: JsonCall | TaggedCall
    one: CallsText
    two: CallsText | None
    index_base: int
    close_length: int

    def span(self, rendered: CallsText) -> Span:
        """Return where the calls stand in a render, first slot to last."""
        return Span(rendered.calls[0].start, rendered.calls[-1].end + self.close_length)

    def between(self, rendered: CallsText) -> list[str]:
        """Return the literals between neighbouring calls."""
        return [
            rendered.text[left.end + self.close_length : right.start]
            for left, right in zip(rendered.calls, rendered.calls[1:], strict=False)
        ]


def probe_calls(renderer: Renderer, conventions: Conventions) -> CallProbe | None:
    """Infer how a call is written; None where the template renders none."""
    one = calls_text(renderer, conventions, CALLS[:1])
    if one is None:
        return None
    two = calls_text(renderer, conventions, CALLS[:2])
    if one.calls[0].value is not None:
        return CallProbe(_json_call(one, two, renderer, conventions), one, two, 0, 0)
    return _tagged_probe(renderer, conventions, one, two)


def calls_text(
    renderer: Renderer, conventions: Conventions, calls: Sequence[Call], turn: Turn | None = None
) -> CallsText | None:
    """Render a turn with these calls and locate them."""
    turn = replace(turn or Turn(), calls=tuple(calls))
    text = turn_text(renderer, turn, conventions, TOOLS_CALLED[len(calls)])
    if text is not None and conventions.answered:
        text = _without_results(renderer, text, conventions)
    located = locate_calls(text, calls) if text is not None else None
    return CallsText(text, located) if text is not None and located is not None else None


def _without_results(renderer: Renderer, text: str, conventions: Conventions) -> str:
    """Let a turn end before the results of its calls, with what ends a plain answer."""
    answer = turn_text(renderer, Turn(content=CONTENT), replace(conventions, answered=False)) or ""
    end = answer.rpartition(CONTENT)[2].strip()
    result = text.find(RESULT)
    at = text.rfind(end, 0, result) if end and result >= 0 else -1
    return text[: at + len(end)] if at >= 0 else text


# ------------------------------------------------------------------------------------------------ JSON as a whole


def _json_call(
    one: CallsText, two: CallsText | None, renderer: Renderer, conventions: Conventions
) -> JsonCall:
    value = one.calls[0].value or {}
    call = CALLS[0]
    paths = dict(_paths(value))
    arguments_path = next((path for path, found in paths.items() if _is_arguments(found, call)), ())
    name_path = next((path for path, found in paths.items() if found == call.name), ())
    as_key = not name_path
    id_path = next((path for path, found in paths.items() if found == call.id), None)
    counted = None
    if id_path is None and two is not None:
        counted = _counted_path(paths, dict(_paths(two.calls[1].value or {})), (name_path, arguments_path))
    taken = {name_path, arguments_path, id_path, counted}
    constants = tuple(
        (path, json.dumps(found, ensure_ascii=False))
        for path, found in paths.items()
        if path not in taken and not isinstance(found, dict) and path[: len(arguments_path)] != arguments_path
    )
    fields = {*taken, *(path for path, _ in constants)}
    return JsonCall(
        name_path=name_path,
        arguments_path=arguments_path,
        arguments=LiteralArguments(
            _whole_encoding(renderer, conventions, one), isinstance(paths.get(arguments_path), str)
        ),
        id_path=id_path or counted,
        counted_id=counted is not None,
        fun_name_is_key=as_key,
        key_order=() if as_key else tuple(value),
        paths=() if as_key else tuple(path for path in paths if path in fields),
        constants=constants,
    )


def _paths(value: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    found: list[tuple[tuple[str, ...], Any]] = []
    for key, inner in value.items() if isinstance(value, dict) else ():
        found.append(((*path, key), inner))
        found += _paths(inner, (*path, key))
    return found


def _is_arguments(found: Any, call: Call) -> bool:
    if isinstance(found, str):
        try:
            found = json.loads(found)
        except ValueError:
            return False
    return found in (call.arguments, {key: str(value) for key, value in call.arguments.items()})


def _counted_path(
    first: dict[tuple[str, ...], Any], second: dict[tuple[str, ...], Any], known: tuple[tuple[str, ...], ...]
) -> tuple[str, ...] | None:
    for path, value in first.items():
        other = second.get(path)
        if (
            path in known
            or path[:1] == known[1][:1]
            or isinstance(value, dict)
            or other is None
            or value == other
        ):
            continue
        if with_index(str(value), str(other)):
            return path
    return None


def _whole_encoding(renderer: Renderer, conventions: Conventions, one: CallsText) -> ValueEncoding:
    """Read MAPPING as the arguments; JSON where the template cannot render it."""
    text = turn_text(renderer, Turn(calls=(Call(arguments=MAPPING),)), conventions, PROBE_TOOLS)
    key_at = text.find(KEYS[0]) if text else -1
    start = (text or "").rfind("{", 0, key_at) if key_at >= 0 else -1
    if text is None or start < 0:
        return JSON_ENCODING
    if one.calls[0].quoted_arguments:
        return JSON_ENCODING
    found = mapping_encoding(text[start:])
    if found is None or found == JSON_ENCODING:
        return JSON_ENCODING
    return replace(found, sorted_keys=_sorts_keys(renderer, conventions))


def _sorts_keys(renderer: Renderer, conventions: Conventions) -> bool:
    """Tell whether arguments are printed in the order of their names, and not as they come."""
    arguments = dict(zip(sorted(KEYS[:2], reverse=True), VALUES[:2], strict=True))
    text = turn_text(renderer, Turn(calls=(Call(arguments=arguments),)), conventions, PROBE_TOOLS) or ""
    first, second = (text.find(str(value)) for value in VALUES[:2])
    return 0 <= second < first


# ------------------------------------------------------------------------------------------ the name outside JSON


def _tagged_probe(
    renderer: Renderer,
    conventions: Conventions,
    one: CallsText,
    two: CallsText | None,
) -> CallProbe:
    located = one.calls[0]
    arguments: TaggedArguments | LiteralArguments
    before, close = "", ""
    if located.tagged:
        arguments, before, close = _tagged(renderer, conventions, one)
    else:
        arguments = LiteralArguments(_whole_encoding(renderer, conventions, one), located.quoted_arguments)
    last_is_arguments = located.slots[-1].var is Var.ARGUMENTS
    first_is_arguments = located.slots[0].var is Var.ARGUMENTS
    body, base = _body(one, two, before, close)
    if first_is_arguments and before:
        body = body.removeprefix(before)
    belongs = close.replace(SENTINELS[Var.KEY], KEYS[0]) if last_is_arguments else ""
    first = body.replace(SENTINELS[Var.INDEX], str(base))
    empty, container_end = _empty_body(renderer, conventions, one, first, belongs)
    call = TaggedCall(marker_text(body + container_end), arguments, empty, _id_text(body))
    return CallProbe(call, one, two, base, len(belongs) + len(container_end))


def _tagged(
    renderer: Renderer, conventions: Conventions, one: CallsText
) -> tuple[TaggedArguments | LiteralArguments, str, str]:
    def call_text(call: Call) -> str | None:
        tools = tools_declaring(call.arguments.get(KEYS[0]))
        return turn_text(renderer, Turn(calls=(call,)), conventions, tools)

    located = one.calls[0]
    at = next(i for i, slot in enumerate(located.slots) if slot.var is Var.ARGUMENTS)
    name_end = located.slots[at - 1].end if at else 0
    two_arguments = Call(arguments=dict(zip(KEYS, VALUES[:2], strict=True)))
    frame = argument_frame(one.text, call_text(two_arguments), name_end)
    if frame is None:
        return LiteralArguments(), "", ""
    return tagged_arguments(call_text, frame, NAMES[0]), frame.before, frame.close


def _body(one: CallsText, two: CallsText | None, before: str, close: str) -> tuple[str, int]:
    """Return the body's literal with its variables, and what INDEX counts from."""
    first = _inner(one.text, one.calls[0], CALLS[0], before, close)
    if two is None:
        return first, 0
    left = _inner(two.text, two.calls[0], CALLS[0], before, close)
    right = _inner(two.text, two.calls[1], CALLS[1], before, close)
    counted = with_index(left, right)
    return counted if counted is not None else (first, 0)


def _inner(text: str, located: LocatedCall, call: Call, before: str, close: str) -> str:
    pieces: list[str] = []
    done = located.start
    for number, slot in enumerate(located.slots):
        literal = text[done : slot.start]
        if slot.var is Var.ARGUMENTS and before and number:
            literal = literal.removesuffix(before)
        pieces += [_repeated(literal, call), SENTINELS[slot.var]]
        done = slot.end
        if slot.var is Var.ARGUMENTS and close and number < len(located.slots) - 1:
            done += len(close.replace(SENTINELS[Var.KEY], KEYS[0]))
    return "".join(pieces)


def _repeated(literal: str, call: Call) -> str:
    return literal.replace(call.name, SENTINELS[Var.NAME]).replace(call.id, SENTINELS[Var.ID])


def _empty_body(
    renderer: Renderer, conventions: Conventions, one: CallsText, body: str, close: str
) -> tuple[MarkerText | None, str]:
    """Render a call without arguments.

    Returns its body, None where it is written as the body with nothing (or `{}`) for its arguments, and what stands behind the
    arguments only where there are some: the end of their container.
    """
    call = Call(CALLS[0].name, {}, CALLS[0].id)
    bare = calls_text(renderer, conventions, (call,))
    if bare is None or body.startswith(SENTINELS[Var.ARGUMENTS]):
        return None, ""
    tail = one.text[one.calls[0].end + len(close) :]
    written = _repeated(bare.text[bare.calls[0].start :], call)
    common = shared_end([written, tail])
    if common.strip() == tail.strip():
        container_end = ""
        written = written[: len(written) - len(common)]
        for nothing in ("", "{}"):
            expected = body.replace(SENTINELS[Var.ARGUMENTS], nothing)
            if expected == written:
                return None, ""
    else:
        container_end = tail[: len(tail) - len(common)]
        written = written[: len(written) - len(common)]
    return (marker_text(written), container_end) if written.strip() else (None, "")


def _id_text(body: str) -> MarkerText | None:
    """Return the part of a body that reads as an id of its own around the name: `functions.NAME:INDEX`."""
    name, index = SENTINELS[Var.NAME], SENTINELS[Var.INDEX]
    if SENTINELS[Var.ID] in body or index not in body:
        return None
    between = body.partition(name)[2].partition(index)[0]
    if between.strip(":._-#"):
        return None
    return marker_text(name + between + index)
