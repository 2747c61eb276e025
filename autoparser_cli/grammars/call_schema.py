"""A JSON call format and tools -> the JSON Schema of the list of calls, for engines that constrain to a
schema.

Every tool's own schema is a definition of its own, so that its `$ref`s keep their target.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from autoparser_cli.analysis.model import CallFormat, JsonCall
from autoparser_cli.errors import FormatError
from autoparser_cli.grammars.call_tree import Branch, Path, call_tree

_ANY_NAME = {"type": "string", "minLength": 1}
DRAFT = "https://json-schema.org/draft/2020-12/schema"


def call_list_schema(
    calls: CallFormat, schemas: Mapping[str, Any] | None, *, parallel: bool = True
) -> dict[str, Any]:
    """Return the schema of the calls of one turn, of any tool where `schemas` is None.

    Raises FormatError for a format that is not JSON.
    """
    body = calls.body
    if not isinstance(body, JsonCall):
        raise FormatError(
            "no JSON Schema: the template's calls are not JSON objects",
            hint="--format gbnf, lark, llguidance and structural-tag can say what they are.",
        )
    result: dict[str, Any] = {"$schema": DRAFT, "type": "array", "minItems": 1}
    if not (parallel and calls.parallel):
        result["maxItems"] = 1
    if schemas is None:
        return {**result, "items": _call(body, None, {"type": "object"})}
    references = {name: f"#/$defs/{_escaped(name)}" for name in schemas}
    items = [_call(body, name, {"$ref": reference}) for name, reference in references.items()]
    definitions = {name: _rebased(schema, references[name]) for name, schema in schemas.items()}
    return {**result, "items": {"anyOf": items}, "$defs": definitions}


def _call(body: JsonCall, name: str | None, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of one call; `name` None: of any tool."""
    if body.arguments.as_string:
        arguments = {"type": "string", "contentMediaType": "application/json", "contentSchema": arguments}
    if body.fun_name_is_key and name is None:
        named = {"propertyNames": _ANY_NAME, "additionalProperties": arguments}
        return {"type": "object", **named, "minProperties": 1, "maxProperties": 1}
    if body.fun_name_is_key:
        return _closed({str(name): arguments})
    fields: list[tuple[Path, Any]] = [
        (body.name_path, _ANY_NAME if name is None else {"const": name}),
        (body.arguments_path, arguments),
    ]
    if body.id_path:
        fields.append((body.id_path, {"type": ["string", "integer"]}))
    fields += [(path, {"const": json.loads(text)}) for path, text in body.constants]
    return _closed(call_tree(fields, body.paths, body.key_order))


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with these keys and no others."""
    return {
        "type": "object",
        "properties": {
            key: _closed(value) if isinstance(value, Branch) else value for key, value in properties.items()
        },
        "required": list(properties),
        "additionalProperties": False,
    }


def _rebased(schema: Any, base: str) -> Any:
    """Move every reference within a schema to where the schema stands now."""
    if isinstance(schema, Mapping):
        moved = {key: _rebased(value, base) for key, value in schema.items()}
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference.startswith("#"):
            moved["$ref"] = base + reference[1:]
        return moved
    return [_rebased(item, base) for item in schema] if isinstance(schema, list) else schema


def _escaped(name: str) -> str:
    """Write a name as a part of a JSON pointer."""
    from urllib.parse import quote

    return quote(name.replace("~", "~0").replace("/", "~1"), safe="~")
