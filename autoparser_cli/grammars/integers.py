"""A range of whole numbers -> the grammar of their decimal spelling, without leading zeros and without
`-0`.
"""

from __future__ import annotations

from autoparser_cli.grammars.nodes import Chars, Node, Repeat, Text, alt, optional, seq

DIGIT = Chars(((0x30, 0x39),))
NONZERO = Chars(((0x31, 0x39),))
NATURAL = alt(Text("0"), seq(NONZERO, Repeat(DIGIT)))


def integer_node(low: int | None, high: int | None) -> Node:
    """Spell every whole number from `low` to `high`, both included; None is no bound. Needs low <= high."""
    if low is None and high is None:
        return alt(seq(optional(Text("-")), NONZERO, Repeat(DIGIT)), Text("0"))
    options: list[Node] = []
    if low is None or low < 0:
        least = None if low is None else -low
        options.append(seq(Text("-"), _naturals(max(1, -high) if high is not None else 1, least)))
    if high is None or high >= 0:
        options.append(_naturals(max(0, low) if low is not None else 0, high))
    return alt(*options)


def _naturals(low: int, high: int | None) -> Node:
    """Spell low..high for low >= 0: every length of digits is a case of its own."""
    options: list[Node] = []
    length = len(str(low))
    while high is None or length <= len(str(high)):
        first = max(low, 10 ** (length - 1) if length > 1 else 0)
        last = 10**length - 1
        if high is None and first > low:
            options.append(seq(NONZERO, Repeat(DIGIT, length - 1)))
            break
        options.append(_same_length(str(first), str(last if high is None else min(last, high))))
        length += 1
    # The longest first: Python's `re` takes the first alternative that matches, not the longest.
    return alt(*reversed(options))


def _same_length(low: str, high: str) -> Node:
    """Spell low..high, which have the same number of digits: common head, then a digit lower, between and upper."""
    if low == high:
        return Text(low)
    if len(low) == 1:
        return Chars(((ord(low), ord(high)),))
    if low[0] == high[0]:
        return seq(Text(low[0]), _same_length(low[1:], high[1:]))
    rest = len(low) - 1
    options: list[Node] = []
    first, last = int(low[0]), int(high[0])
    if low[1:] != "0" * rest:
        options.append(seq(Text(low[0]), _same_length(low[1:], "9" * rest)))
        first += 1
    if high[1:] != "9" * rest:
        options.append(seq(Text(high[0]), _same_length("0" * rest, high[1:])))
        last -= 1
    if first <= last:
        options.append(seq(Chars(((ord(str(first)), ord(str(last))),)), Repeat(DIGIT, rest, rest)))
    return alt(*options)
