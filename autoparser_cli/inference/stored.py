"""An analysis <-> JSON text from which exactly the same value can be made again.

What is read makes nothing but the enums and frozen dataclasses of `analysis.model`: a stored analysis can be
damaged or forged without harm beyond being wrong. The JSON of reports is another one: made for people, it leaves
out the wire format.

A dataclass is `{"Name": [fields]}`, an enum `{"Name": value}`, a tuple a list, a set, list or dict
`{"set" | "list" | "dict": ...}`.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import Any

from autoparser_cli.analysis import model
from autoparser_cli.analysis.model import TemplateAnalysis


class DamagedError(ValueError):
    """A text that is no stored analysis."""


def to_text(analysis: TemplateAnalysis) -> str:
    """Write an analysis."""
    return json.dumps(_plain(analysis), ensure_ascii=True, separators=(",", ":"))


def from_text(text: str) -> TemplateAnalysis:
    """Read what `to_text` wrote. Raise DamagedError."""
    try:
        found = _value(json.loads(text))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise DamagedError(f"no stored analysis: {error}") from error
    if not isinstance(found, TemplateAnalysis):
        raise DamagedError(f"a {type(found).__name__} instead of an analysis")
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


def _value(plain: Any) -> Any:
    if isinstance(plain, list):
        return tuple(_value(item) for item in plain)
    if not isinstance(plain, dict):
        return plain
    [(name, content)] = plain.items()
    return _makers()[name](content)


@cache
def _makers() -> dict[str, Callable[[Any], Any]]:
    makers: dict[str, Callable[[Any], Any]] = {
        "set": lambda content: frozenset(map(_value, content)),
        "list": lambda content: list(map(_value, content)),
        "dict": lambda content: {_value(key): _value(item) for key, item in content},
    }
    for name, kind in vars(model).items():
        if not isinstance(kind, type) or kind.__module__ != model.__name__:
            continue
        if issubclass(kind, Enum):
            makers[name] = kind
        elif dataclasses.is_dataclass(kind):
            makers[name] = _dataclass_maker(kind)
    return makers


def _dataclass_maker(kind: Any) -> Callable[[Any], Any]:
    count = len(dataclasses.fields(kind))

    def make(content: Any) -> Any:
        if len(content) != count:
            raise DamagedError(f"{kind.__name__} has {count} fields")
        return kind(*map(_value, content))

    return make
