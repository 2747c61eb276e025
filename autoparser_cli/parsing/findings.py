"""What the schemas say about calls that are well formed.

A missing or an undeclared parameter, a value of another type.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from autoparser_cli.frozen import frozen
from autoparser_cli.messages import ToolCall
from autoparser_cli.peg.schema import declared_types, fits, resolve


@frozen
class Finding:
    """One thing about one call: `code` for machines, `call` its index, `offset` where the call begins.

    `call` is -1 where it is about the output as a whole.
    """

    code: str
    message: str
    call: int
    offset: int


class SchemaChecker:
    """Checks calls against the schemas of their tools; each schema is looked into once.

    `opening`: what stands before the name of an argument that is written on its own, empty where none is.
    """

    def __init__(self, schemas: Mapping[str, Any], opening: str = "") -> None:
        self._schemas = schemas
        self._opening = opening
        self._known: dict[str, _Declared | None] = {}

    def check(self, calls: Sequence[ToolCall], offsets: Sequence[int]) -> tuple[Finding, ...]:
        """Check calls, which begin at these offsets."""
        found: list[Finding] = []
        for index, call in enumerate(calls):
            declared = self._declared(call.name)
            if declared is not None:
                for code, message in _check(call, declared, self._opening):
                    found.append(Finding(code, message, index, offsets[index]))
        return tuple(found)

    def _declared(self, name: str) -> _Declared | None:
        if name not in self._known:
            schema = self._schemas.get(name)
            root = resolve(schema, schema)
            self._known[name] = _read(root, schema) if isinstance(root, Mapping) else None
        return self._known[name]


NO_TOOL_FORMAT = Finding(
    "no-tool-format",
    "the template's tool calls could not be inferred: what would be a call stays in the content",
    -1,
    0,
)


@frozen
class _Declared:
    """What a schema says of its parameters.

    The types of each, None for any, and the Python types whose values have one of them for certain.
    """

    types: Mapping[str, frozenset[str] | None]
    plain: Mapping[str, frozenset[type]]
    required: tuple[str, ...]
    open: bool


def _read(root: Mapping[str, Any], schema: Any) -> _Declared:
    properties = root.get("properties")
    properties = properties if isinstance(properties, Mapping) else {}
    required = root.get("required")
    types = {name: declared_types(what, schema) for name, what in properties.items()}
    return _Declared(
        types,
        {name: _python_types(allowed) for name, allowed in types.items()},
        tuple(required) if isinstance(required, list | tuple) else (),
        not properties or root.get("additionalProperties") is True,
    )


def _python_types(allowed: frozenset[str] | None) -> frozenset[type]:
    if allowed is None:
        return frozenset(kind for kinds in _PYTHON_TYPES.values() for kind in kinds)
    return frozenset(kind for name in allowed for kind in _PYTHON_TYPES[name])


_PYTHON_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
    "array": (list,),
    "object": (dict,),
}


class _Doubled(dict[str, Any]):
    """An object in which some keys stand more than once."""

    given: Counter[str]


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    doubled = _Doubled(found)
    doubled.given = Counter(name for name, _ in pairs)
    return doubled


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def _check(call: ToolCall, declared: _Declared, opening: str) -> Iterable[tuple[str, str]]:
    try:
        arguments = _DECODER.decode(call.arguments)
    except (ValueError, RecursionError):
        return ()
    if type(arguments) is dict and _is_plain(arguments, declared, opening):
        return ()
    return _differences(call.name, arguments, declared, opening) if isinstance(arguments, dict) else ()


def _is_plain(arguments: dict[str, Any], declared: _Declared, opening: str) -> bool:
    """Tell at little cost whether all is as declared; False where a longer look is needed."""
    plain = declared.plain
    for name, value in arguments.items():
        kind = type(value)
        if name not in plain or kind not in plain[name] or (kind is str and opening and opening in value):
            return False
    return all(name in arguments for name in declared.required) if declared.required else True


def _differences(
    call: str, arguments: dict[str, Any], declared: _Declared, opening: str
) -> Iterator[tuple[str, str]]:
    for name in declared.required:
        if name not in arguments:
            yield "missing-parameter", f"{call}: the required parameter {name} is missing"
    for name, times in arguments.given.items() if isinstance(arguments, _Doubled) else ():
        if times > 1:
            what = f"the parameter {name} is given {times} times; the last one counts"
            yield "doubled-parameter", f"{call}: {what}"
    if opening:
        yield from _swallowed(call, arguments, declared, opening)
    yield from _undeclared(call, arguments, declared)


def _undeclared(call: str, arguments: dict[str, Any], declared: _Declared) -> Iterator[tuple[str, str]]:
    """Find values that the schema does not name, or wants to have another type."""
    for name, value in arguments.items():
        if name not in declared.types:
            if not declared.open:
                yield "unknown-parameter", f"{call}: the parameter {name} is not declared"
            continue
        types = declared.types[name]
        if types is not None and not fits(value, types):
            wanted = " or ".join(sorted(types))
            yield "wrong-type", f"{call}: the parameter {name} must be {wanted}"


def _swallowed(
    call: str, arguments: Mapping[str, Any], declared: _Declared, opening: str
) -> Iterator[tuple[str, str]]:
    """Find values that hold the opening of a declared parameter which the call lacks."""
    for name, value in arguments.items():
        if not isinstance(value, str) or opening not in value:
            continue
        for other in declared.types:
            if other not in arguments and f"{opening}{other}" in value:
                asked = f"is the closing marker of {name} missing or misspelt?"
                yield "parameter-in-value", f"{call}: the value of {name} holds {opening}{other}: {asked}"
