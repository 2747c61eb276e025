"""Two sequences of tokens -> which stretches of them correspond, in time linear in their length.

Tokens that both sides have exactly once are anchors (patience diff); between two anchors the shortest edit script is looked
for (Myers, "An O(ND) Difference Algorithm", 1986) until a budget of steps is spent. What is left over then counts as changed.
`difflib.SequenceMatcher` takes cubic time where many tokens are alike: two pages of blank lines would take minutes.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autoparser_cli.frozen import frozen

#: Steps for each token, and for a whole comparison however short: a full script for two lines of fifty words.
_STEPS_A_TOKEN = 4
_FEWEST_STEPS = 10_000
#: How often anchors are looked for again between anchors.
_DEEPEST = 6


@frozen
class Stretch:
    """Tokens `old_start`..`old_end` of the one side against `new_start`..`new_end` of the other."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int
    same: bool


#: A stretch of equal tokens: where it starts on both sides, and its length.
_Match = tuple[int, int, int]


def align(old: Sequence[str], new: Sequence[str]) -> tuple[Stretch, ...]:
    """Return the stretches in order; together they are both sequences, and changed and equal ones alternate."""
    budget = _Budget(_STEPS_A_TOKEN * (len(old) + len(new)) + _FEWEST_STEPS)
    matches = _Aligner(old, new, budget).matches(0, len(old), 0, len(new), _DEEPEST)
    return tuple(_stretches(matches, len(old), len(new)))


def _stretches(matches: Iterator[_Match], old_length: int, new_length: int) -> Iterator[Stretch]:
    """Join matches that touch, and put what changed between them."""
    old = new = 0
    open_match: _Match | None = None
    for start, other, length in matches:
        if open_match is not None and (old, new) == (start, other):
            open_match = (open_match[0], open_match[1], open_match[2] + length)
        else:
            if open_match is not None:
                yield _equal(open_match)
            if (old, new) != (start, other):
                yield Stretch(old, start, new, other, same=False)
            open_match = (start, other, length)
        old, new = start + length, other + length
    if open_match is not None:
        yield _equal(open_match)
    if (old, new) != (old_length, new_length):
        yield Stretch(old, old_length, new, new_length, same=False)


def _equal(match: _Match) -> Stretch:
    start, other, length = match
    return Stretch(start, start + length, other, other + length, same=True)


@dataclass(slots=True)
class _Budget:
    """The steps that may still be taken."""

    left: int

    def spend(self, steps: int) -> bool:
        """Take steps; tell whether they were there."""
        self.left -= steps
        return self.left >= 0


class _Aligner:
    """Finds the matches of two sequences, range by range."""

    def __init__(self, old: Sequence[str], new: Sequence[str], budget: _Budget) -> None:
        self._old = old
        self._new = new
        self._budget = budget

    def matches(self, a: int, b: int, c: int, d: int, depth: int) -> Iterator[_Match]:
        """Yield the matches of old[a:b] and new[c:d] in order."""
        head = self._common_start(a, b, c, d)
        if head:
            yield a, c, head
        a, c = a + head, c + head
        tail = self._common_end(a, b, c, d)
        yield from self._inner_matches(a, b - tail, c, d - tail, depth)
        if tail:
            yield b - tail, d - tail, tail

    def _inner_matches(self, a: int, b: int, c: int, d: int, depth: int) -> Iterator[_Match]:
        if a == b or c == d:
            return
        anchors = self._anchors(a, b, c, d) if depth else []
        if not anchors:
            yield from self._shortest_script(a, b, c, d)
            return
        for old, new in anchors:
            yield from self.matches(a, old, c, new, depth - 1)
            yield old, new, 1
            a, c = old + 1, new + 1
        yield from self.matches(a, b, c, d, depth - 1)

    def _common_start(self, a: int, b: int, c: int, d: int) -> int:
        length = 0
        limit = min(b - a, d - c)
        while length < limit and self._old[a + length] == self._new[c + length]:
            length += 1
        return length

    def _common_end(self, a: int, b: int, c: int, d: int) -> int:
        length = 0
        limit = min(b - a, d - c)
        while length < limit and self._old[b - 1 - length] == self._new[d - 1 - length]:
            length += 1
        return length

    def _anchors(self, a: int, b: int, c: int, d: int) -> list[tuple[int, int]]:
        """Return pairs of tokens that stand once on either side, the longest run of them that rises on both."""
        once_old, once_new = Counter(self._old[a:b]), Counter(self._new[c:d])
        places = {token: at for at, token in enumerate(self._new[c:d], c) if once_new[token] == 1}
        pairs = [
            (at, places[token])
            for at, token in enumerate(self._old[a:b], a)
            if once_old[token] == 1 and token in places
        ]
        return _longest_rising(pairs)

    def _shortest_script(self, a: int, b: int, c: int, d: int) -> Iterator[_Match]:
        """Yield the matches of the shortest edit script of a range; none where it costs too much."""
        trail = self._forward(a, b, c, d)
        if trail is None:
            return
        x, y = b - a, d - c
        found: list[_Match] = []
        for step in range(len(trail) - 1, -1, -1):
            reached = trail[step]
            k = x - y
            down = k == -step or (k != step and reached.get(k - 1, -1) < reached.get(k + 1, -1))
            came = k + 1 if down else k - 1
            before = reached.get(came, 0) if step else 0
            start = before if down else before + 1
            if step == 0:
                start = 0
            if x > start:
                found.append((a + start, c + start - k, x - start))
            x, y = before, before - came
        yield from reversed(found)

    def _forward(self, a: int, b: int, c: int, d: int) -> list[dict[int, int]] | None:
        """Return how far each diagonal was reached before each step, up to the last; None past the budget."""
        n, m = b - a, d - c
        reached: dict[int, int] = {1: 0}
        trail: list[dict[int, int]] = []
        for step in range(n + m + 1):
            trail.append(dict(reached))
            if not self._budget.spend(2 * step + 1):
                return None
            for k in range(-step, step + 1, 2):
                down = k == -step or (k != step and reached.get(k - 1, -1) < reached.get(k + 1, -1))
                x = reached.get(k + 1, 0) if down else reached.get(k - 1, 0) + 1
                if x > n or x - k > m:
                    reached[k] = x
                    continue
                run = self._common_start(a + x, b, c + x - k, d)
                if run and not self._budget.spend(run):
                    return None
                reached[k] = x + run
                if x + run >= n and x + run - k >= m:
                    return trail
        return None


def _longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest part of `pairs`, which rise on the left, that rises on the right as well."""
    tops: list[int] = []
    top_pairs: list[int] = []
    previous: list[int] = []
    for index, (_, right) in enumerate(pairs):
        pile = bisect_left(tops, right)
        previous.append(top_pairs[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(right)
            top_pairs.append(index)
        else:
            tops[pile] = right
            top_pairs[pile] = index
    found: list[tuple[int, int]] = []
    at = top_pairs[-1] if top_pairs else -1
    while at >= 0:
        found.append(pairs[at])
        at = previous[at]
    return found[::-1]
