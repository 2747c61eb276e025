"""What the schemas say about calls that are well formed: a missing or an undeclared parameter, a value of another type."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autoparser_cli.messages import ToolCall
from autoparser_cli.peg.schema import declared_types, fits, resolve


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing about one call: `code` for machines, `call` its index, `offset` where the call begins."""

    code: str
    message: str
    call: int
    offset: int


def check_calls(
    calls: Sequence[ToolCall], schemas: Mapping[str, Any], offsets: Sequence[int]
) -> tuple[Finding, ...]:
    """Check each call against the schema of its tool."""
    found: list[Finding] = []
    for index, call in enumerate(calls):
        schema = schemas.get(call.name)
        if schema is None:
            continue
        offset = offsets[index] if index < len(offsets) else 0
        found += (Finding(code, text, index, offset) for code, text in _check(call, schema))
    return tuple(found)


def _check(call: ToolCall, schema: Any) -> Iterator[tuple[str, str]]:
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return
    root = resolve(schema, schema)
    if not isinstance(arguments, dict) or not isinstance(root, Mapping):
        return
    for name in root.get("required") or ():
        if name not in arguments:
            yield "missing-parameter", f"{call.name}: the required parameter {name} is missing"
    properties = root.get("properties")
    properties = properties if isinstance(properties, Mapping) else {}
    for name, value in arguments.items():
        if name not in properties:
            if properties and root.get("additionalProperties") is not True:
                yield "unknown-parameter", f"{call.name}: the parameter {name} is not declared"
            continue
        types = declared_types(properties[name], schema)
        if types is not None and not fits(value, types):
            wanted = " or ".join(sorted(types))
            yield "wrong-type", f"{call.name}: the parameter {name} must be {wanted}"
