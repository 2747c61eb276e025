"""A value of frozen dataclasses <-> JSON text from which exactly the same value can be made again.

What is read makes nothing but the enums and dataclasses of the modules that it is read for: a stored value can be
damaged or forged without harm beyond being wrong. The JSON of reports is another one, made for people: it leaves
things out.

A dataclass is `{"Name": [fields]}`, an enum `{"Name": value}`, a tuple a list, a set, list or dict
`{"set" | "list" | "dict": ...}`.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from enum import Enum
from functools import cache
from types import ModuleType
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")

Makers: TypeAlias = dict[str, tuple[Callable[..., Any], int | None]]


class DamagedError(ValueError):
    """A text that is no stored value of the kind wanted."""


def to_text(value: object) -> str:
    """Write a value."""
    return json.dumps(_plain(value), ensure_ascii=True, separators=(",", ":"))


def from_text(text: str, kind: type[T], *classes: ModuleType) -> T:
    """Read what `to_text` wrote. Raise DamagedError."""
    try:
        found = _value(json.loads(text), _makers(*classes))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise DamagedError(f"nothing that was stored: {error}") from error
    if not isinstance(found, kind):
        raise DamagedError(f"a {type(found).__name__} instead of a {kind.__name__}")
    return found


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind is str or value is None or kind is bool or kind is int or kind is float:
        return value
    if kind is tuple:
        return [_plain(item) for item in value]
    return _tagged(value)


def _tagged(value: Any) -> dict[str, Any]:
    if isinstance(value, Enum):
        return {type(value).__name__: value.value}
    if isinstance(value, frozenset):
        return {"set": sorted((_plain(item) for item in value), key=json.dumps)}
    if isinstance(value, list):
        return {"list": [_plain(item) for item in value]}
    if isinstance(value, dict):
        return {"dict": [[_plain(key), _plain(item)] for key, item in value.items()]}
    return {type(value).__name__: [_plain(getattr(value, item.name)) for item in dataclasses.fields(value)]}


def _value(plain: Any, makers: Makers) -> Any:
    if isinstance(plain, list):
        return tuple(_value(item, makers) for item in plain)
    if not isinstance(plain, dict):
        return plain
    [(name, content)] = plain.items()
    if name == "dict":
        return {_value(key, makers): _value(item, makers) for key, item in content}
    maker, count = makers[name]
    if count is None:
        return maker(content)
    values = [_value(item, makers) for item in content]
    if count < 0:
        return maker(values)
    if len(values) != count:
        raise DamagedError(f"{name} has {count} fields")
    return maker(*values)


@cache
def _makers(*classes: ModuleType) -> Makers:
    """Return what makes a value, by name, with its number of fields: None for an enum, -1 for a collection."""
    makers: Makers = {"set": (frozenset, -1), "list": (list, -1)}
    for name, kind in (item for module in classes for item in vars(module).items()):
        if isinstance(kind, type) and issubclass(kind, Enum):
            makers[name] = kind, None
        elif isinstance(kind, type) and dataclasses.is_dataclass(kind):
            makers[name] = kind, len(dataclasses.fields(kind))
    return makers
