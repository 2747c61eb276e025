"""The chunks of an output as they come -> any part of it, at the cost of that part."""

from __future__ import annotations

from bisect import bisect_left, bisect_right


class Received:
    """What has come so far; `chunks` is appended to from outside, which is all that a chunk may cost."""

    def __init__(self) -> None:
        self.chunks: list[str] = []
        self._starts: list[int] = []
        self._size = 0

    def size(self) -> int:
        """Return the length of all that has come."""
        for chunk in self.chunks[len(self._starts) :]:
            self._starts.append(self._size)
            self._size += len(chunk)
        return self._size

    def text(self) -> str:
        """Return all that has come."""
        return "".join(self.chunks)

    def part(self, start: int, end: int) -> str:
        """Return what came from an offset to another; what lies outside of the output is left out."""
        end = min(end, self.size())
        if start >= end:
            return ""
        at = bisect_right(self._starts, start) - 1
        pieces = [self.chunks[at][start - self._starts[at] : end - self._starts[at]]]
        last = bisect_left(self._starts, end)
        for number in range(at + 1, last):
            pieces.append(self.chunks[number][: end - self._starts[number]])
        return "".join(pieces)
