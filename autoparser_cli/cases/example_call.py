"""A tool -> a call of it as the template writes one: for people, who compare a model's output with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from autoparser_cli.cases.engine import TemplateEngine
from autoparser_cli.cases.model import Case
from autoparser_cli.errors import RenderError
from autoparser_cli.messages import read_tools

#: Values that are seen to be examples, for each type of JSON Schema.
_VALUES: Mapping[str, Any] = {
    "string": "TEXT",
    "integer": 1,
    "number": 1.5,
    "boolean": True,
    "null": None,
    "array": [],
    "object": {},
}

_MADE_UP: Mapping[str, Any] = {
    "type": "function",
    "function": {
        "name": "FUNCTION",
        "description": "",
        "parameters": {"type": "object", "properties": {"ARGUMENT": {"type": "string"}}},
    },
}


def example_call(engine: TemplateEngine, case: Case, name: str) -> str:
    """Render a call of the tool `name` behind the case's conversation; empty where the template prints none.

    Without a name, and without tools, a made-up one is called.
    """
    if not name:
        name, case = "FUNCTION", replace(case, tools=(_MADE_UP,))
    tool = next(tool for tool in read_tools(list(case.tools)) if tool.name == name)
    arguments = _arguments(tool.parameters)
    # Some templates want arguments as APIs give them: as JSON text.
    for given in (arguments, json.dumps(arguments)):
        try:
            text = engine.call_text(case, name, given)
        except RenderError:
            continue
        if name in text:
            return text
    return ""


def _arguments(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Choose a value for each parameter that has to be there, or for the first where none has."""
    properties: Mapping[str, Any] = schema.get("properties") or {}
    required = [name for name in schema.get("required") or () if name in properties]
    return {name: _value(properties[name]) for name in required or list(properties)[:1]}


def _value(schema: Any) -> Any:
    if not isinstance(schema, Mapping):
        return "TEXT"
    if schema.get("enum"):
        return schema["enum"][0]
    kind = schema.get("type", "string")
    kind = kind[0] if isinstance(kind, list) and kind else kind
    return _VALUES.get(kind, "TEXT") if isinstance(kind, str) else "TEXT"
