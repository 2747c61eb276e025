"""What `@frozen` makes is what `@dataclass(frozen=True, slots=True)` makes."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, fields, is_dataclass, replace
from typing import Any

import pytest

from autoparser_cli.frozen import frozen


def classes(decorate: Callable[[type], type]) -> tuple[Any, Any, Any, Any, Any]:
    """Return the same classes, made either way."""

    @decorate
    class Nothing:
        """No field."""

    @decorate
    class One:
        """One field."""

        text: str

    @decorate
    class Several:
        """Fields of all kinds."""

        text: str
        number: int = 3
        items: list[Any] = field(default_factory=list)
        hidden: str = field(default="h", repr=False, compare=False)
        counted: list[int] = field(default_factory=lambda: [1], init=False)
        fixed: int = field(default=7, init=False)
        named: bool = field(default=False, kw_only=True)

    @decorate
    class Below(Several):
        """A field more."""

        last: int = 0

    @decorate
    class Own:
        """Methods of its own."""

        text: str

        def __post_init__(self) -> None:
            if not self.text:
                raise ValueError("empty")

        def __repr__(self) -> str:
            return f"<{self.text}>"

        def __eq__(self, other: object) -> bool:
            return isinstance(other, str)

    return Nothing, One, Several, Below, Own


OURS = classes(frozen)
THEIRS = classes(dataclass(frozen=True, slots=True))

MAKING: list[Callable[[Any, Any, Any, Any, Any], Any]] = [
    lambda nothing, one, several, below, own: nothing(),
    lambda nothing, one, several, below, own: one("a"),
    lambda nothing, one, several, below, own: one(text="a"),
    lambda nothing, one, several, below, own: one(one("a")),
    lambda nothing, one, several, below, own: several("a"),
    lambda nothing, one, several, below, own: several("a", 4, [5], "x", named=True),
    lambda nothing, one, several, below, own: replace(one("a"), text="b"),
    lambda nothing, one, several, below, own: below("a", last=2),
    lambda nothing, one, several, below, own: below("a", 1, [], "h", 2),
    lambda nothing, one, several, below, own: own("a"),
    lambda nothing, one, several, below, own: own("a") == "b",
    lambda nothing, one, several, below, own: hash(own("a")) == hash(own("a")),
    lambda nothing, one, several, below, own: one("a") == one("a"),
    lambda nothing, one, several, below, own: one("a") == one("b"),
    lambda nothing, one, several, below, own: one("a") == "a",
    lambda nothing, one, several, below, own: nothing() == nothing(),
    lambda nothing, one, several, below, own: several("a") == several("a", hidden="other"),
    lambda nothing, one, several, below, own: several("a") == below("a"),
    lambda nothing, one, several, below, own: [item.name for item in fields(below)],
    lambda nothing, one, several, below, own: (several.__match_args__, one.__slots__, below.__slots__),
    lambda nothing, one, several, below, own: copy.deepcopy(several("a", 4, [5])),
    lambda nothing, one, several, below, own: is_dataclass(one),
    lambda nothing, one, several, below, own: several("a").counted is several("a").counted,
    lambda nothing, one, several, below, own: len({one("a"), one("a"), one("b"), nothing(), nothing()}),
]


@pytest.mark.parametrize("make", MAKING)
def test_the_same_as_the_standard_library(make: Callable[..., Any]) -> None:
    assert repr(make(*OURS)) == repr(make(*THEIRS))


REFUSED: list[Callable[[Any, Any, Any, Any, Any], Any]] = [
    lambda nothing, one, several, below, own: one(),
    lambda nothing, one, several, below, own: one("a", "b"),
    lambda nothing, one, several, below, own: one(other="a"),
    lambda nothing, one, several, below, own: several("a", 1, [], "h", True),
    lambda nothing, one, several, below, own: setattr(one("a"), "text", "b"),
    lambda nothing, one, several, below, own: setattr(below("a"), "text", "b"),
    lambda nothing, one, several, below, own: delattr(one("a"), "text"),
    lambda nothing, one, several, below, own: own(""),
    lambda nothing, one, several, below, own: hash(several("a")),
    lambda nothing, one, several, below, own: replace(one("a"), other="b"),
]


@pytest.mark.parametrize("make", REFUSED)
def test_the_same_is_refused(make: Callable[..., Any]) -> None:
    with pytest.raises((TypeError, ValueError, FrozenInstanceError)) as theirs:
        make(*THEIRS)
    with pytest.raises(type(theirs.value)) as ours:
        make(*OURS)
    assert str(ours.value) == str(theirs.value)


@frozen
class Pair:
    """Two fields, at a place where they can be pickled."""

    left: str
    right: tuple[int, ...] = ()


def test_a_value_survives_a_process() -> None:
    assert pickle.loads(pickle.dumps(Pair("a", (1, 2)))) == Pair("a", (1, 2))


def test_a_value_in_itself_is_shown() -> None:
    inside: list[Any] = []
    _, one, *_ = OURS
    found = one(inside)
    inside.append(found)
    assert repr(found).endswith("One(text=[...])")


def test_fields_are_matched_by_place() -> None:
    match Pair("a", (1,)):
        case Pair(left, right):
            assert (left, right) == ("a", (1,))
