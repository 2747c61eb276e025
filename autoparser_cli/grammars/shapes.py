"""What a JSON Schema allows, as shapes: one dataclass for each kind of value, without JSON's spelling.

How a value is written down (JSON, Python literals, tags) is a matter of the encoding; which values there
are is said here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from autoparser_cli.analysis.model import JsonType
from autoparser_cli.frozen import frozen


@frozen
class AnyShape:
    """Any value at all."""


@frozen
class StringShape:
    """A string of `low` to `high` characters; `pattern` is an anchored expression that the grammar can
    spell.
    """

    low: int = 0
    high: int | None = None
    pattern: str | None = None


@frozen
class IntegerShape:
    """A whole number in an inclusive range."""

    low: int | None = None
    high: int | None = None


@frozen
class NumberShape:
    """Any number; `positive` where no minus may stand before it."""

    positive: bool = False


@frozen
class ConstantShape:
    """One value, given as compact JSON text."""

    json: str


@frozen
class SimpleShape:
    """`true` and `false`, or `null`."""

    type: JsonType


@frozen
class ArrayShape:
    """A list: first `prefix`, then `items`, `low` to `high` in all; `items` is None where nothing may follow the
    prefix.
    """

    items: Shape | None
    low: int = 0
    high: int | None = None
    prefix: tuple[Shape, ...] = ()


@frozen
class FieldShape:
    """A declared key of an object."""

    key: str
    shape: Shape
    required: bool


@frozen
class ObjectShape:
    """A mapping:

    `fields` in the schema's order, then other keys with `additional` values; None allows none.
    """

    fields: tuple[FieldShape, ...] = ()
    additional: Shape | None = None


@frozen
class UnionShape:
    """Any one of the options, of which there are at least two."""

    options: tuple[Shape, ...]


@frozen
class NamedShape:
    """The definition that a `$ref` points at."""

    pointer: str


Shape: TypeAlias = (
    AnyShape
    | StringShape
    | IntegerShape
    | NumberShape
    | ConstantShape
    | SimpleShape
    | ArrayShape
    | ObjectShape
    | UnionShape
    | NamedShape
)

ANY = AnyShape()
BOOLEAN = SimpleShape(JsonType.BOOLEAN)
NULL = SimpleShape(JsonType.NULL)


@frozen
class SchemaShapes:
    """A whole schema: the shape of its values, the definitions it refers to, and what could not be taken over, in words."""

    root: Shape
    definitions: Mapping[str, Shape]
    notes: tuple[str, ...] = ()

    def resolve(self, shape: Shape) -> Shape:
        """Follow names until there is a shape; a name that only leads to itself is anything."""
        seen: set[str] = set()
        while isinstance(shape, NamedShape):
            if shape.pointer in seen:
                return ANY
            seen.add(shape.pointer)
            shape = self.definitions.get(shape.pointer, ANY)
        return shape


def union(options: list[Shape]) -> Shape:
    """Return the shape of any of the options; anything swallows the rest, and equal ones count once."""
    flat: dict[Shape, None] = {}
    for option in options:
        for part in option.options if isinstance(option, UnionShape) else (option,):
            flat.setdefault(part)
    if not flat or ANY in flat:
        return ANY
    return next(iter(flat)) if len(flat) == 1 else UnionShape(tuple(flat))
