"""Two renders -> what they share at both ends and what only the one or the other has.

A split never cuts a marker in two. `compare_variants` renders a conversation and a changed copy of it and
splits the two texts. A render that raises is part of the result, not an exception: that a template refuses
a conversation is a finding like any other.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Protocol, TypeVar

from autoparser_cli.diffing.segments import marker_spans
from autoparser_cli.errors import RenderError
from autoparser_cli.frozen import frozen

Inputs = TypeVar("Inputs")
InputsIn = TypeVar("InputsIn", contravariant=True)

#: Common ends are compared in slices that double in size up to this many code points.
_LARGEST_SLICE = 1 << 16


@frozen
class DiffSplit:
    """A common `prefix`, what only the one (`left`) and the other (`right`) text has, a common `suffix`."""

    prefix: str
    left: str
    right: str
    suffix: str

    @property
    def differs(self) -> bool:
        """Tell whether the two texts are different."""
        return self.left != self.right

    @property
    def left_text(self) -> str:
        """Return the whole left text."""
        return self.prefix + self.left + self.suffix

    @property
    def right_text(self) -> str:
        """Return the whole right text."""
        return self.prefix + self.right + self.suffix


@frozen
class Comparison:
    """Both renders and their split; a render that raised is an empty text with its error beside it."""

    left: str
    right: str
    split: DiffSplit
    error_left: RenderError | None = None
    error_right: RenderError | None = None

    @property
    def rendered(self) -> bool:
        """Tell whether both variants rendered."""
        return self.error_left is None and self.error_right is None

    @property
    def differs(self) -> bool:
        """Tell whether the two variants behave differently, be it that only one of them renders."""
        return self.left != self.right or (self.error_left is None) != (self.error_right is None)


class Renders(Protocol[InputsIn]):
    """What `compare_variants` needs of a chat template."""

    def render(self, inputs: InputsIn) -> str:
        """Return the rendered text; raises RenderError."""
        ...


def compare_variants(
    template: Renders[Inputs], inputs: Inputs, modifier: Callable[[Inputs], Inputs]
) -> Comparison:
    """Render `inputs` (left) and what `modifier` makes of it (right), and split the two texts."""
    left, error_left = _attempt(template, inputs)
    right, error_right = _attempt(template, modifier(inputs))
    return Comparison(left, right, split_diff(left, right), error_left, error_right)


def split_diff(left: str, right: str) -> DiffSplit:
    """Split two texts, in time linear in their length.

    First the longest common prefix, then the longest common suffix of what remains; then both borders move
    outwards until neither lies inside a marker of either text (the method's tag boundary fixing).
    """
    if left == right:
        return DiffSplit(left, "", "", "")
    head = _common_prefix(left, right)
    tail = _common_suffix(left, right, limit=min(len(left), len(right)) - head)
    sides = (_Side(left), _Side(right))
    head = _stable(head, lambda at: min(side.floor(at) for side in sides))
    tail = _stable(tail, lambda length: min(side.tail(length) for side in sides))
    return DiffSplit(
        left[:head],
        left[head : len(left) - tail],
        right[head : len(right) - tail],
        left[len(left) - tail :],
    )


def common_prefix_length(left: str, right: str) -> int:
    """Count the code points that two texts share from their beginning, markers or not."""
    return _common_prefix(left, right)


def _attempt(template: Renders[Inputs], inputs: Inputs) -> tuple[str, RenderError | None]:
    try:
        return template.render(inputs), None
    except RenderError as error:
        return "", error


def _common_prefix(left: str, right: str) -> int:
    """Compare slices of doubling size, at the speed of memory, then halve the first pair that is unequal."""
    at, size = 0, 64
    end = min(len(left), len(right))
    while at < end:
        one, other = left[at : at + size], right[at : at + size]
        if one != other:
            return at + _first_difference(one, other)
        at += size
        size = min(size * 2, _LARGEST_SLICE)
    return end


def _first_difference(one: str, other: str) -> int:
    """Return the offset of the first difference of two unequal texts, or the length of the shorter one."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_suffix(left: str, right: str, *, limit: int) -> int:
    """Count the code points shared at the end, at most `limit`, so that prefix and suffix never overlap."""
    if limit <= 0:
        return 0
    return _common_prefix(left[len(left) - limit :][::-1], right[len(right) - limit :][::-1])


class _Side:
    """The markers of one text, to look up which of them an offset lies inside of."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        spans = tuple(marker_spans(text))
        self._starts = [start for start, _ in spans]
        self._ends = [end for _, end in spans]

    def floor(self, at: int) -> int:
        """Return `at`, or the start of the marker that it lies strictly inside of."""
        index = bisect_right(self._starts, at) - 1
        inside = index >= 0 and self._starts[index] < at < self._ends[index]
        return self._starts[index] if inside else at

    def tail(self, length: int) -> int:
        """Return the `length` of a suffix, shortened where it begins strictly inside a marker."""
        at = self._length - length
        index = bisect_right(self._starts, at) - 1
        inside = index >= 0 and self._starts[index] < at < self._ends[index]
        return self._length - self._ends[index] if inside else length


def _stable(value: int, step: Callable[[int], int]) -> int:
    """Apply `step` until it changes nothing: out of a marker of one text may be into one of the other."""
    while (moved := step(value)) != value:
        value = moved
    return value
