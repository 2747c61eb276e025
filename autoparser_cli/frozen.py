"""A class of annotated fields -> the same as a frozen dataclass with slots, made several times as fast.

`@frozen` stands for `@dataclass(frozen=True, slots=True)`. Before Python 3.13 that compiles half a dozen methods a
class, each by itself, in half a millisecond: more than half of the time in which a quick command loaded its modules.
Here the standard library reads the fields, and of the methods only `__init__` is compiled. It sets the slots
directly, which makes objects faster too. A method that the class defines itself is kept. `InitVar` and an order are
not provided for.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, field
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")

_NOT_GIVEN = object()


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """Make a dataclass whose fields cannot be assigned to; equal ones have equal hashes."""
    # The standard library would write a missing docstring itself, from a signature that it has to compile.
    cls.__doc__ = cls.__doc__ or cls.__name__
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    fields = dataclasses.fields(made)
    for name, method in {**_methods(fields), "__init__": _init(made, fields)}.items():
        # A class that defines how to compare alone has None for a hash.
        if vars(cls).get(name) is None:
            setattr(made, name, method)
    kind: type[T] = made
    return kind


def _methods(fields: Sequence[Field[Any]]) -> dict[str, Callable[..., Any]]:
    """Return what can be written without knowing how many fields there are."""
    names = [item.name for item in fields]
    shown = [item.name for item in fields if item.repr]
    values = _getter([item.name for item in fields if item.compare])

    @recursive_repr()
    def represent(self: Any) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{type(self).__qualname__}({inside})"

    def equal(self: Any, other: object) -> Any:
        return values(self) == values(other) if type(other) is type(self) else NotImplemented

    def hashed(self: Any) -> int:
        return hash(values(self))

    def state(self: Any) -> list[Any]:
        return [getattr(self, name) for name in names]

    def restore(self: Any, state: Iterable[Any]) -> None:
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    return {
        "__repr__": represent,
        "__eq__": equal,
        "__hash__": hashed,
        "__getstate__": state,
        "__setstate__": restore,
        "__setattr__": _refuse_to_set,
        "__delattr__": _refuse_to_delete,
    }


def _getter(names: Sequence[str]) -> Callable[[Any], Any]:
    """Return what gets an object's values: a tuple, or the one value itself."""
    return attrgetter(*names) if names else lambda self: ()


def _refuse_to_set(self: Any, name: str, value: Any) -> NoReturn:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: Any, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _init(cls: type, fields: Sequence[Field[Any]]) -> Callable[..., None]:
    """Compile `__init__`: a parameter for each field, which sets the field's slot."""
    scope: dict[str, Any] = {"_not_given": _NOT_GIVEN}
    for item in fields:
        scope[f"_set_{item.name}"] = getattr(cls, item.name).__set__
        scope[f"_default_{item.name}"] = _NOT_GIVEN if item.default is MISSING else item.default
        scope[f"_make_{item.name}"] = item.default_factory
    given = [item for item in fields if item.init]
    positional = [_parameter(item) for item in given if not item.kw_only]
    named = [_parameter(item) for item in given if item.kw_only]
    lines = [
        f"def __init__({', '.join(['self', *positional, *(['*', *named] if named else [])])}):",
        *(f"_set_{item.name}(self, {value})" for item in fields if (value := _value(item))),
        "self.__post_init__()" if hasattr(cls, "__post_init__") else "return",
    ]
    exec("\n ".join(lines), scope)
    made: Callable[..., None] = scope["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"  # what a wrong call is told
    return made


def _parameter(item: Field[Any]) -> str:
    needed = item.default is MISSING and item.default_factory is MISSING
    return item.name if needed else f"{item.name}=_default_{item.name}"


def _value(item: Field[Any]) -> str:
    """Return the expression for a field's value in `__init__`; none where nothing gives it one."""
    if item.default_factory is not MISSING:
        made = f"_make_{item.name}()"
        return f"{made} if {item.name} is _not_given else {item.name}" if item.init else made
    if item.init:
        return item.name
    return "" if item.default is MISSING else f"_default_{item.name}"
