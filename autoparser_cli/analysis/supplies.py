"""A template that renders nothing without further variables -> those variables, each in a shape that it accepts.

Which names it could be is read off the syntax tree; that a variable is needed, and as what, is found by rendering.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from autoparser_cli.analysis.conversations import PROBE_TOOLS, Conventions
from autoparser_cli.analysis.probes import NAMES

#: What templates take. What is only tested needs a truth, what is gone through a list; what is put together as text refuses both.
SUPPLY_SHAPES: tuple[tuple[str, Any], ...] = (
    ("true", True),
    ("a list of tools", list(PROBE_TOOLS)),
    ("text", "Zvariabletext"),
    ("tools as JSON text", json.dumps(list(PROBE_TOOLS))),
    ("an object", {NAMES[0]: "Zvariabletext", "type": "Zvariabletext"}),
    ("a list of texts", ["Zvariabletext"]),
)

#: With more variables than this, only one shape for all of them is tried.
_FEW = 4


def supply(
    conventions: Conventions, names: Sequence[str], shows: Callable[[Conventions], bool]
) -> Conventions | None:
    """Return the conventions with the fewest variables added under which `shows` holds; None where none helps."""
    passed = dict(conventions.kwargs)
    missing = [name for name in names if name not in passed]
    for added in _choices(missing):
        if shows(conventions.with_kwargs(**added)):
            added = _fewest(conventions, added, shows)
            return replace(conventions.with_kwargs(**added), supplied=(*conventions.supplied, *added))
    return None


def shape_name(value: Any) -> str:
    """Return what a supplied value is, in words."""
    return next((name for name, shape in SUPPLY_SHAPES if type(shape) is type(value) and shape == value), "")


def _choices(names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield one shape for all names, then all as text but for one of another shape."""
    if not names:
        return
    for _, shape in SUPPLY_SHAPES:
        yield dict.fromkeys(names, shape)
    text = dict(SUPPLY_SHAPES)["text"]
    for name in names if 1 < len(names) <= _FEW else ():
        for _, shape in SUPPLY_SHAPES:
            yield {**dict.fromkeys(names, text), name: shape}


def _fewest(
    conventions: Conventions, added: dict[str, Any], shows: Callable[[Conventions], bool]
) -> dict[str, Any]:
    for name in tuple(added):
        fewer = {key: value for key, value in added.items() if key != name}
        if shows(conventions.with_kwargs(**fewer)):
            added = fewer
    return added
