"""A set of markers -> the automaton that finds the first of them, for dialects that have neither lookahead
nor lazy matching.

Aho and Corasick's construction: a state is the longest suffix of the text read that is a prefix of a
marker. Exact for markers that share prefixes, overlap themselves (`aab` in `aaab`) or contain one another.
"""

from __future__ import annotations

from collections.abc import Iterable

from autoparser_cli.frozen import frozen


@frozen
class MarkerState:
    """What can be read in one state.

    `steps` are (characters, next state); every other character leads to state 0. `found` are (last
    character, marker) where that character completes a marker. `longer` are (last character, rest, marker):
    a longer marker that begins before, or together with, the one just completed, and would still be the
    first one if the text went on with `rest`.
    """

    prefix: str
    steps: tuple[tuple[str, int], ...]
    found: tuple[tuple[str, str], ...]
    longer: tuple[tuple[str, str, str], ...] = ()


def marker_states(markers: tuple[str, ...]) -> tuple[MarkerState, ...]:
    """Build the automaton; state 0 is where no marker has begun.

    Raises ValueError for an empty marker or none at all.
    """
    if not markers or not all(markers):
        raise ValueError("text can only be read up to markers that are not empty")
    prefixes = _prefixes(markers)
    number = {prefix: index for index, prefix in enumerate(prefixes)}
    alphabet = sorted({char for marker in markers for char in marker})
    return tuple(_state(prefix, markers, number, alphabet) for prefix in prefixes)


def _prefixes(markers: tuple[str, ...]) -> list[str]:
    """List the proper prefixes that can be reached without having completed a marker, the empty one first."""
    found: dict[str, None] = {"": None}
    for marker in markers:
        for length in range(1, len(marker)):
            prefix = marker[:length]
            if any(other in prefix for other in markers):
                break
            found.setdefault(prefix)
    return list(found)


def _state(prefix: str, markers: tuple[str, ...], number: dict[str, int], alphabet: list[str]) -> MarkerState:
    steps: dict[int, str] = {}
    found: list[tuple[str, str]] = []
    longer: list[tuple[str, str, str]] = []
    for char in alphabet:
        text = prefix + char
        complete = [marker for marker in markers if text.endswith(marker)]
        if not complete:
            target = _longest_known_suffix(text, number)
            if target:
                steps[target] = steps.get(target, "") + char
            continue
        first = max(complete, key=len)
        found.append((char, first))
        longer.extend((char, rest, marker) for rest, marker in _overtaking(text, first, markers))
    return MarkerState(
        prefix, tuple((chars, target) for target, chars in steps.items()), tuple(found), tuple(longer)
    )


def _longest_known_suffix(text: str, number: dict[str, int]) -> int:
    for start in range(len(text)):
        if text[start:] in number:
            return number[text[start:]]
    return 0


def _overtaking(text: str, first: str, markers: tuple[str, ...]) -> list[tuple[str, str]]:
    """Find markers that `text` has begun at or before the start of `first`, with what is missing of them."""
    rests: list[tuple[str, str]] = []
    for marker in markers:
        for length in range(len(first), min(len(marker), len(text) + 1)):
            if marker != first and text.endswith(marker[:length]):
                rests.append((marker[length:], marker))
    return rests


def shared_beginning(marker: str, others: Iterable[str]) -> str:
    """Return a beginning that a marker shares with others, so that one automaton can look for it; empty where none can.

    One that overlaps itself, or begins with a character that stands in the rest too, cannot be looked for apart from the rest.
    """
    lengths = (_common_length(marker, other) for other in others if other != marker)
    beginning = marker[: min(max(lengths, default=0), len(marker) - 1)]
    overlaps = any(beginning.endswith(beginning[:size]) for size in range(1, len(beginning)))
    if not beginning or overlaps or beginning[0] in marker[len(beginning) :]:
        return ""
    return beginning


def _common_length(left: str, right: str) -> int:
    pairs = zip(left, right, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(left), len(right)))
