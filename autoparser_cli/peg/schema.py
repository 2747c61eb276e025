"""Which JSON types a JSON Schema allows, as far as reading a value needs to know it.

Follows `$ref` within the schema, `anyOf`, `oneOf`, `allOf`, `enum` and `const`; everything else does not
change the types.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ALL_TYPES = frozenset({"string", "integer", "number", "boolean", "null", "array", "object"})
_DEPTH = 16


def property_types(schema: Any, key: str) -> frozenset[str] | None:
    """Return the types that the property `key` of `schema` may have; None where nothing is declared."""
    return declared_types(property_schema(schema, key), schema)


def property_schema(schema: Any, key: str) -> Any:
    """Return the schema of the property `key`; None where it is not declared."""
    schema = resolve(schema, schema)
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    return properties.get(key) if isinstance(properties, Mapping) else None


def declared_types(schema: Any, root: Any, depth: int = 0) -> frozenset[str] | None:
    """Return the types that `schema` allows; None where it says nothing."""
    schema = resolve(schema, root)
    if not isinstance(schema, Mapping) or depth > _DEPTH:
        return None
    found = _own_types(schema)
    if found is not None:
        return found | {"null"} if schema.get("nullable") is True else found
    for word in ("anyOf", "oneOf", "allOf"):
        options = schema.get(word)
        if isinstance(options, list) and options:
            return _combined(word, [declared_types(option, root, depth + 1) for option in options])
    if "properties" in schema:
        return frozenset({"object"})
    return frozenset({"array"}) if "items" in schema else None


def resolve(schema: Any, root: Any) -> Any:
    """Follow `$ref` within `root`; None where it leads nowhere."""
    for _ in range(_DEPTH):
        if not isinstance(schema, Mapping) or not isinstance(schema.get("$ref"), str):
            return schema
        schema = _lookup(schema["$ref"], root)
    return None


def json_type(value: Any) -> str:
    """Return the JSON type of a Python value as `json.loads` gives it; whole numbers are `integer`."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    names = {str: "string", type(None): "null", list: "array", dict: "object"}
    return names.get(type(value), "object")


def fits(value: Any, types: frozenset[str]) -> bool:
    """Tell whether a value has one of these types; a number without a fraction is an integer too."""
    name = json_type(value)
    if name in types or (name == "integer" and "number" in types):
        return True
    return name == "number" and "integer" in types and float(value).is_integer()


def _own_types(schema: Mapping[str, Any]) -> frozenset[str] | None:
    declared = schema.get("type")
    if isinstance(declared, str):
        return frozenset({declared}) if declared in ALL_TYPES else None
    if isinstance(declared, list):
        return frozenset(name for name in declared if name in ALL_TYPES) or None
    if isinstance(schema.get("enum"), list) and schema["enum"]:
        return frozenset(json_type(value) for value in schema["enum"])
    if "const" in schema:
        return frozenset({json_type(schema["const"])})
    return None


def _combined(word: str, found: list[frozenset[str] | None]) -> frozenset[str] | None:
    known = [types for types in found if types is not None]
    if word == "allOf":
        return frozenset.intersection(*known) if known else None
    return frozenset.union(*known) if len(known) == len(found) else None


def _lookup(reference: str, root: Any) -> Any:
    if not reference.startswith("#"):
        return None
    for part in reference[1:].strip("/").split("/"):
        if not part:
            continue
        if not isinstance(root, Mapping):
            return None
        root = root.get(part.replace("~1", "/").replace("~0", "~"))
    return root
