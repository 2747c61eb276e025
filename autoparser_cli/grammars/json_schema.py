"""A JSON Schema -> the shapes of the values it allows.

Reads types (also lists of them, and the names that Python programs use), enum, const, properties, required,
additionalProperties, items, prefixItems, bounds of arrays, strings and whole numbers, pattern, format,
`$ref` (also recursive), allOf, anyOf, oneOf and nullable. What a grammar cannot enforce (`not`, `if`,
uniqueItems, multipleOf ...) is left out with a note that names the parameter.

An object that lists properties and says nothing about others is closed: a model is to write the declared
ones.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from autoparser_cli.analysis.model import JsonType
from autoparser_cli.grammars.patterns import PatternError, pattern_node
from autoparser_cli.grammars.shapes import (
    ANY,
    BOOLEAN,
    NULL,
    ArrayShape,
    ConstantShape,
    FieldShape,
    IntegerShape,
    NamedShape,
    NumberShape,
    ObjectShape,
    SchemaShapes,
    Shape,
    StringShape,
    union,
)

#: Type names, with those that tool lists written by Python programs contain.
TYPE_NAMES = {
    "string": JsonType.STRING,
    "str": JsonType.STRING,
    "integer": JsonType.INTEGER,
    "int": JsonType.INTEGER,
    "number": JsonType.NUMBER,
    "float": JsonType.NUMBER,
    "boolean": JsonType.BOOLEAN,
    "bool": JsonType.BOOLEAN,
    "null": JsonType.NULL,
    "array": JsonType.ARRAY,
    "list": JsonType.ARRAY,
    "tuple": JsonType.ARRAY,
    "object": JsonType.OBJECT,
    "dict": JsonType.OBJECT,
}

HOUR = "([01][0-9]|2[0-3])"
DATE = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
TIME = HOUR + ":[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]" + HOUR + ":[0-5][0-9])"
OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"

#: RFC 3339 and RFC 4122 forms; other formats are annotations, as the JSON Schema standard has them.
FORMATS = {
    "date": f"^{DATE}$",
    "time": f"^{TIME}$",
    "date-time": f"^{DATE}[Tt ]{TIME}$",
    "uuid": "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
    "ipv4": f"^{OCTET}(\\.{OCTET}){{3}}$",
    "email": "^[A-Za-z0-9.!#%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*$",
}

NOT_ENFORCED = (
    "not",
    "if",
    "uniqueItems",
    "multipleOf",
    "contains",
    "propertyNames",
    "patternProperties",
    "dependentRequired",
    "dependentSchemas",
    "minProperties",
    "maxProperties",
    "unevaluatedProperties",
)

#: Bounds above this make rules that no engine takes; the schema check still has them.
MAX_BOUND = 2000


def read_schema(schema: object, *, where: str = "value") -> SchemaShapes:
    """Read a whole schema; `where` begins the path in notes (the tool's name)."""
    return _Reader(schema).read(where)


class _Reader:
    def __init__(self, document: object) -> None:
        self._document = document
        self._definitions: dict[str, Shape] = {}
        self._notes: dict[str, None] = {}

    def read(self, where: str) -> SchemaShapes:
        root = self._shape(self._document, where)
        return SchemaShapes(root, self._definitions, tuple(self._notes))

    def _note(self, text: str) -> None:
        self._notes.setdefault(text)

    def _shape(self, schema: object, where: str) -> Shape:
        if not isinstance(schema, Mapping):
            return ANY
        schema = self._merged(schema, where)
        for word in NOT_ENFORCED:
            if schema.get(word) not in (None, False):
                self._note(f"{word} of {where} is left to the schema check")
        if "$ref" in schema:
            return self._named(str(schema["$ref"]), where)
        for word in ("anyOf", "oneOf"):
            if schema.get(word):
                return self._any_of(schema, word, where)
        shape = self._typed_or_constant(schema, where)
        return union([shape, NULL]) if schema.get("nullable") is True else shape

    def _any_of(self, schema: Mapping[str, Any], word: str, where: str) -> Shape:
        common = {key: value for key, value in schema.items() if key != word}
        return union([self._shape(_both(common, option), where) for option in schema[word]])

    def _named(self, pointer: str, where: str) -> Shape:
        if pointer not in self._definitions:
            target = self._target(pointer)
            if target is None:
                self._note(f"$ref {pointer} of {where} leads nowhere; treated as any value")
                return ANY
            self._definitions[pointer] = ANY  # stands until the body is read, which may come back here
            self._definitions[pointer] = self._shape(target, where)
        return NamedShape(pointer)

    def _target(self, pointer: str) -> Mapping[str, Any] | None:
        node: Any = self._document
        if pointer != "#" and not pointer.startswith("#/"):
            return None
        for part in pointer[1:].split("/")[1:]:
            part = part.replace("~1", "/").replace("~0", "~").replace("%25", "%")
            if isinstance(node, Mapping) and part in node:
                node = node[part]
            elif isinstance(node, list) and part.isdigit() and int(part) < len(node):
                node = node[int(part)]
            else:
                return None
        return node if isinstance(node, Mapping) else None

    def _merged(self, schema: Mapping[str, Any], where: str) -> Mapping[str, Any]:
        """Fold allOf, and a `$ref` that has siblings, into one schema."""
        seen: set[str] = set()
        while "allOf" in schema or ("$ref" in schema and _says_more(schema)):
            parts: list[Any] = list(schema.get("allOf") or ())
            rest = {key: value for key, value in schema.items() if key not in ("allOf", "$ref")}
            if "$ref" in schema:
                parts.append({"$ref": schema["$ref"]})
            for part in parts:
                part = self._followed(part, seen, where)
                rest = _both(rest, part) if isinstance(part, Mapping) else rest
            schema = rest
        return schema

    def _followed(self, part: Any, seen: set[str], where: str) -> Any:
        while isinstance(part, Mapping) and "$ref" in part:
            pointer = str(part["$ref"])
            target = None if pointer in seen else self._target(pointer)
            if target is None:
                self._note(f"$ref {pointer} of {where} cannot be joined with what stands beside it")
                return {key: value for key, value in part.items() if key != "$ref"}
            seen.add(pointer)
            part = _both({key: value for key, value in part.items() if key != "$ref"}, target)
        return part

    def _typed_or_constant(self, schema: Mapping[str, Any], where: str) -> Shape:
        types = _types(schema)
        if "const" in schema:
            return _constant(schema["const"])
        if isinstance(schema.get("enum"), Sequence) and schema["enum"]:
            values = [value for value in schema["enum"] if not types or _type_of(value) & types]
            return union([_constant(value) for value in values or schema["enum"]])
        if not types:
            types = _implied_types(schema)
        if not types:
            return ANY
        ordered = [kind for kind in JsonType if kind in types]
        return union([self._typed(kind, schema, where) for kind in ordered])

    def _typed(self, kind: JsonType, schema: Mapping[str, Any], where: str) -> Shape:
        if kind is JsonType.STRING:
            return self._string(schema, where)
        if kind is JsonType.INTEGER:
            return self._integer(schema, where)
        if kind is JsonType.NUMBER:
            return self._number(schema, where)
        if kind is JsonType.ARRAY:
            return self._array(schema, where)
        if kind is JsonType.OBJECT:
            return self._object(schema, where)
        return BOOLEAN if kind is JsonType.BOOLEAN else NULL

    def _string(self, schema: Mapping[str, Any], where: str) -> Shape:
        low, high = self._bounds(schema, "minLength", "maxLength", where)
        pattern = schema.get("pattern")
        if isinstance(pattern, str):
            try:
                pattern_node(pattern)
                return StringShape(pattern=pattern)
            except PatternError as reason:
                self._note(f"pattern of {where} {reason}; treated as plain string")
        known = FORMATS.get(str(schema.get("format")))
        return StringShape(pattern=known) if known else StringShape(low, high)

    def _bounds(self, schema: Mapping[str, Any], least: str, most: str, where: str) -> tuple[int, int | None]:
        low, high = _whole(schema.get(least)) or 0, _whole(schema.get(most))
        if low > MAX_BOUND or (high is not None and high > MAX_BOUND):
            self._note(f"{least} and {most} of {where} above {MAX_BOUND} are left to the schema check")
            low, high = min(low, MAX_BOUND), None
        return low, high

    def _integer(self, schema: Mapping[str, Any], where: str) -> Shape:
        low = _tightest(schema, "minimum", "exclusiveMinimum", 1)
        high = _tightest(schema, "maximum", "exclusiveMaximum", -1)
        if low is not None and high is not None and low > high:
            self._note(f"minimum and maximum of {where} leave no number; treated as any integer")
            return IntegerShape()
        return IntegerShape(low, high)

    def _number(self, schema: Mapping[str, Any], where: str) -> Shape:
        bounds = [schema.get(word) for word in ("minimum", "exclusiveMinimum")]
        known = [bound for bound in bounds if isinstance(bound, int | float) and not isinstance(bound, bool)]
        positive = any(bound >= 0 for bound in known)
        words = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
        if any(schema.get(word) for word in words):
            self._note(f"bounds of {where}, a number, are left to the schema check, but for its sign")
        return NumberShape(positive)

    def _array(self, schema: Mapping[str, Any], where: str) -> Shape:
        low, high = self._bounds(schema, "minItems", "maxItems", where)
        items: Any = schema.get("items", True)
        prefix = schema.get("prefixItems") or ()
        if isinstance(items, list):  # drafts before 2020-12 have the prefix here
            prefix, items = items, schema.get("additionalItems", True)
        first = tuple(self._shape(item, f"{where}[{index}]") for index, item in enumerate(prefix))
        rest = None if items is False else self._shape(items, f"{where}[]")
        return ArrayShape(rest, low, high, first)

    def _object(self, schema: Mapping[str, Any], where: str) -> Shape:
        properties = schema.get("properties")
        properties = properties if isinstance(properties, Mapping) else {}
        required = schema.get("required")
        names = [str(name) for name in required] if isinstance(required, list) else []
        fields = [
            FieldShape(key, self._shape(value, f"{where}.{key}"), key in names)
            for key, value in properties.items()
            if value is not False
        ]
        more = schema.get("additionalProperties")
        closed = more is False or (more is None and "properties" in schema)
        additional = None if closed else self._shape(more, f"{where}.*")
        fields += [FieldShape(name, additional or ANY, True) for name in names if name not in properties]
        return ObjectShape(tuple(fields), additional)


def _constant(value: Any) -> Shape:
    return ConstantShape(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _types(schema: Mapping[str, Any]) -> frozenset[JsonType]:
    declared = schema.get("type")
    names = declared if isinstance(declared, list) else [declared]
    return frozenset(TYPE_NAMES[str(name)] for name in names if str(name) in TYPE_NAMES)


def _implied_types(schema: Mapping[str, Any]) -> frozenset[JsonType]:
    """Tell what a schema without `type` is about, by the words it uses."""
    if "properties" in schema or isinstance(schema.get("additionalProperties"), Mapping):
        return frozenset({JsonType.OBJECT})
    if "items" in schema or "prefixItems" in schema:
        return frozenset({JsonType.ARRAY})
    if "pattern" in schema or "minLength" in schema or "maxLength" in schema:
        return frozenset({JsonType.STRING})
    return frozenset()


def _type_of(value: Any) -> frozenset[JsonType]:
    if isinstance(value, bool):
        return frozenset({JsonType.BOOLEAN})
    if isinstance(value, int):
        return frozenset({JsonType.INTEGER, JsonType.NUMBER})
    kinds = {str: JsonType.STRING, float: JsonType.NUMBER, list: JsonType.ARRAY, dict: JsonType.OBJECT}
    return frozenset({kinds.get(type(value), JsonType.NULL)})


def _whole(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value)


def _tightest(schema: Mapping[str, Any], word: str, exclusive: str, step: int) -> int | None:
    """Return the tightest bound as a whole number; `step` is 1 for lower bounds and -1 for upper ones.

    `exclusive` is a bound of its own since draft 6, and a flag for `word` in draft 4.
    """
    bounds: list[int] = []
    for name, strict in ((word, schema.get(exclusive) is True), (exclusive, True)):
        value = schema.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        rounded = math.ceil(value) if step > 0 else math.floor(value)
        bounds.append(rounded + step if strict and rounded == value else rounded)
    if not bounds:
        return None
    return max(bounds) if step > 0 else min(bounds)


def _says_more(schema: Mapping[str, Any]) -> bool:
    """Tell whether something beside `$ref` limits the values."""
    silent = {"$ref", "description", "title", "default", "examples", "$defs", "definitions", "$schema"}
    return any(key not in silent for key in schema)


def _both(left: Mapping[str, Any], right: object) -> dict[str, Any]:
    """Return a schema for what both allow, as far as keywords can be joined."""
    if not isinstance(right, Mapping):
        return dict(left)
    result = {**left, **{key: value for key, value in right.items() if key not in left}}
    for key in left.keys() & right.keys():
        result[key] = _joined(key, left[key], right[key])
    return result


def _joined(key: str, left: Any, right: Any) -> Any:
    if key == "properties" and isinstance(left, Mapping) and isinstance(right, Mapping):
        shared = {name: {"allOf": [left[name], right[name]]} for name in left.keys() & right.keys()}
        return {**left, **right, **shared}
    if key == "required":
        return list(dict.fromkeys([*left, *right]))
    if key == "allOf":
        return [*left, *right]
    if key == "enum":
        return [value for value in left if value in right]
    if key == "type":
        return _joined_types(left, right)
    if key.startswith("min") or key == "exclusiveMinimum":
        return max(left, right)
    if key.startswith("max") or key == "exclusiveMaximum":
        return min(left, right)
    if key == "additionalProperties" and False in (left, right):
        return False
    return left


def _joined_types(left: Any, right: Any) -> Any:
    first = left if isinstance(left, list) else [left]
    second = right if isinstance(right, list) else [right]
    common = [name for name in first if name in second]
    if not common and {"integer", "number"} <= {*first, *second}:
        return "integer"
    return common or first
