"""What the schemas say about calls that are well formed.

A missing or an undeclared parameter, a value of another type.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
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
                found += (
                    Finding(*what, index, offsets[index]) for what in _check(call, declared, self._opening)
                )
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
    """What a schema says of its parameters: the types of each, None for any."""

    types: Mapping[str, frozenset[str] | None]
    required: tuple[str, ...]
    open: bool


def _read(root: Mapping[str, Any], schema: Any) -> _Declared:
    properties = root.get("properties")
    properties = properties if isinstance(properties, Mapping) else {}
    required = root.get("required")
    return _Declared(
        {name: declared_types(what, schema) for name, what in properties.items()},
        tuple(required) if isinstance(required, list | tuple) else (),
        not properties or root.get("additionalProperties") is True,
    )


def _check(call: ToolCall, declared: _Declared, opening: str) -> Iterator[tuple[str, str]]:
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return
    if not isinstance(arguments, dict):
        return
    for name in declared.required:
        if name not in arguments:
            yield "missing-parameter", f"{call.name}: the required parameter {name} is missing"
    yield from _doubled(call, arguments)
    if opening:
        yield from _swallowed(call.name, arguments, declared, opening)
    for name, value in arguments.items():
        if name not in declared.types:
            if not declared.open:
                yield "unknown-parameter", f"{call.name}: the parameter {name} is not declared"
            continue
        types = declared.types[name]
        if types is not None and not fits(value, types):
            wanted = " or ".join(sorted(types))
            yield "wrong-type", f"{call.name}: the parameter {name} must be {wanted}"


def _doubled(call: ToolCall, arguments: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Find parameters that are given more than once."""
    suspects = [name for name in arguments if call.arguments.count(json.dumps(name, ensure_ascii=False)) > 1]
    if not suspects:
        return
    given: list[str] = []

    def outermost_last(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        given[:] = [name for name, _ in pairs]
        return dict(pairs)

    json.loads(call.arguments, object_pairs_hook=outermost_last)
    for name in suspects:
        if given.count(name) > 1:
            times = f"{given.count(name)} times"
            yield (
                "doubled-parameter",
                f"{call.name}: the parameter {name} is given {times}; the last one counts",
            )


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
