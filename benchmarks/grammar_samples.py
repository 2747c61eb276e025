"""Tools, turns and mutations for `check_grammars`: what templates print with them, and what no grammar may take."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

Arguments = dict[str, Any]
ASK = "What does it measure?"

TYPED: dict[str, Any] = {
    "text": {"type": "string"},
    "count": {"type": "integer", "minimum": 0, "maximum": 100},
    "ratio": {"type": "number"},
    "flag": {"type": "boolean"},
    "unit": {"enum": ["celsius", "fahrenheit"]},
    "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 5},
    "place": {
        "type": "object",
        "properties": {"x": {"type": "integer"}, "label": {"type": "string"}},
        "required": ["x"],
    },
    "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    "either": {"oneOf": [{"type": "string"}, {"type": "number"}]},
    "tree": {"$ref": "#/$defs/node"},
    "day": {"type": "string", "format": "date"},
    "extra": {"type": "object", "additionalProperties": {"type": "number"}},
}
NODE = {
    "type": "object",
    "properties": {
        "value": {"type": "integer"},
        "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]},
    },
    "required": ["value"],
}
TYPED_ARGUMENTS: Arguments = {
    "text": 'it\'s <b> & "c"',
    "count": 7,
    "ratio": -0.5,
    "flag": True,
    "unit": "celsius",
    "tags": ["a, b", "c"],
    "place": {"x": 1, "label": "here"},
    "limit": None,
    "either": 2.5,
    "tree": {"value": 1, "next": {"value": 2, "next": None}},
    "day": "2024-05-31",
    "extra": {"k": 1.5},
}


def tool(name: str, properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    """Return a tool."""
    schema = {"type": "object", "properties": properties, "required": required, "$defs": {"node": NODE}}
    return {"type": "function", "function": {"name": name, "description": name, "parameters": schema}}


TOOL_SETS = {
    "one": [tool("search", {"query": {"type": "string"}}, ["query"])],
    "typed": [tool("measure", TYPED, ["text", "place"])],
    "sixty": [
        tool(f"tool_{n}", {f"{key}_{n}": value for key, value in TYPED.items()}, [f"text_{n}"])
        for n in range(60)
    ],
}
OPTIONAL_TOOLS = [tool("choose", {f"option_{n}": {"type": "string"} for n in range(48)}, [])]


def wrong_arguments() -> Iterator[tuple[str, Arguments]]:
    """Give the typed arguments with one thing changed that their schema forbids."""
    changes: dict[str, tuple[tuple[str, ...], Any]] = {
        "wrong type": (("count",), "many"),
        "a fraction for a whole number": (("count",), 7.5),
        "out of range": (("count",), 101),
        "no boolean": (("flag",), "maybe"),
        "not in the enum": (("unit",), "kelvin"),
        "too many items": (("tags",), ["a", "b", "c", "d", "e", "f"]),
        "wrong nested type": (("place", "x"), "one"),
        "none of a union": (("limit",), "no limit"),
        "wrong type behind a reference": (("tree", "next", "value"), "two"),
        "no date": (("day",), "tomorrow"),
        "wrong type of an undeclared key": (("extra", "k"), "v"),
    }
    for what, (path, value) in changes.items():
        yield what, _changed(path, value)
    yield "missing required", {key: value for key, value in TYPED_ARGUMENTS.items() if key != "text"}
    yield "missing nested required", _changed(("place",), {"label": "here"})


def _changed(path: tuple[str, ...], value: Any) -> Arguments:
    arguments = deepcopy(TYPED_ARGUMENTS)
    place = arguments
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return arguments


def wrong_texts(output: str, name: str) -> Iterator[tuple[str, str]]:
    """Give outputs near to one that calls `name`, each with what is wrong; what cannot be built is left out."""
    if output.count(name) == 1:
        yield "unknown tool", output.replace(name, name + "_q")
        yield "cut name", output.replace(name, name[:-1])
        yield "doubled name", output.replace(name, name + name)
    end = len(output.rstrip())
    yield "missing close", output[: end - 1]
    yield "cut in the middle", output[: (output.find(name) + end) // 2]
    at = output.find(name) + len(name)
    for found in (*re.finditer(r"[\]})>]", output[at:]),)[:3]:
        place = at + found.end()
        yield "extra text in the call", output[:place] + "zz" + output[place:]
    closings = re.findall(r"<[^<>]*>|[\]})]+", output[at:])
    if len(closings) > 1:
        last = output.rindex(closings[-1])
        yield "doubled close", output[:last] + closings[-1] + output[last:]
        before = output.rindex(closings[-2], 0, last)
        yield "a close left out", output[:before] + output[before + len(closings[-2]) :]


def printed_turn(template: Any, header: str, tools: Any, name: str, arguments: Arguments) -> str | None:
    """Return what a template prints for a turn that calls a tool, behind the turn's header; None where it fails."""
    for written in (arguments, json.dumps(arguments)):
        text = _rendered(template, tools, name, written)
        rest = text.rpartition(ASK)[2] if text else ""
        place = rest.find(header)
        if name in rest and place >= 0:
            return rest[place + len(header) :]
    return None


def _rendered(template: Any, tools: Any, name: str, arguments: Arguments | str) -> str | None:
    from autoparser_cli.errors import AutoparserError
    from autoparser_cli.templates import RenderInputs

    call: Mapping[str, Any] = {
        "id": "Ab3dE6gH9",
        "type": "function",
        "function": {"name": name, "arguments": arguments},
    }
    turn = {"role": "assistant", "content": "", "tool_calls": [call]}
    messages = ({"role": "user", "content": ASK}, turn)
    tokens = {name: "" for name in template.variables if name.endswith("_token")}
    try:
        return str(template.render(RenderInputs(messages=messages, tools=tools, kwargs=tokens)))
    except AutoparserError:
        return None
