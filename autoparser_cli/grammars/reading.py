"""What of the parser's expression tree a grammar takes over: the printed way, without the tolerances beside
it.

The tree offers a tolerance as an alternative with a `repair` mark, or as text that may be missing;
lookahead only chooses between ways. Both fall away here, and neighbouring white space, of which each piece
stands for any amount, becomes the longest that is printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from autoparser_cli.peg import expressions as peg

Items: TypeAlias = list[peg.Expression]

_CALLS = (peg.Switch, peg.Record, peg.Span)
_SILENT = (peg.Mark, peg.Cut, peg.Peek)


def printed_items(items: Iterable[peg.Expression]) -> Items | None:
    """Return what a row of expressions prints, flat; None where it holds a repair, and is never printed."""
    flat: Items = []
    for item in items:
        parts = _printed(item)
        if parts is None:
            return None
        flat.extend(parts)
    return _with_merged_space(flat)


def live_alternatives(choice: peg.Choice, states: Mapping[str, peg.Expression]) -> list[Items]:
    """Return the alternatives of a choice that are printed, without those that another one covers.

    A text goes up to its exits, so ways that begin with the anchor of an exit are part of it. The end of
    the turn is one way.
    """
    printed = [printed_items((item,)) for item in choice.items]
    known = [items for items in printed if items is not None]
    if any(isinstance(item, peg.Json) for items in known for item in items):
        known = [items for items in known if not isinstance(items[0], peg.Text)]
    anchors = {anchor for items in known for anchor in _anchors(items, states)}
    if any(map(_is_rest, known)):
        if any(_texts_of(items, states, frozenset()) for items in known):
            known = [items for items in known if not _is_rest(items)]  # a text may end too
        anchors |= {first for items in known if (first := _first_literal(items)) and _is_end(items, states)}
    live = [items for items in known if not _covered(items, anchors, states)]
    return [items for place, items in enumerate(live) if not _repeated(items, live[:place], states)]


def _printed(item: peg.Expression) -> Items | None:
    if isinstance(item, peg.Mark) and item.kind == "repair":
        return None
    if isinstance(item, peg.Unclosed):
        return None
    if isinstance(item, _SILENT):
        return []
    if isinstance(item, peg.Not):
        return [item] if barred_marker(item) else []
    if isinstance(item, peg.Sequence):
        return printed_items(item.items)
    if isinstance(item, peg.Optional):
        inside = printed_items((item.item,))
        if inside is None:
            return []  # a repair that may be left out
        return inside if item.missing else [item]
    if isinstance(item, peg.Choice):
        known = [option for option in item.items if printed_items((option,)) is not None]
        return printed_items(known) if len(known) == 1 else [item]
    return [item]


def _with_merged_space(items: Items) -> Items:
    merged: Items = []
    for item in items:
        last = merged[-1] if merged else None
        if isinstance(item, peg.Space) and isinstance(last, peg.Space):
            merged[-1] = max(last, item, key=lambda space: len(space.printed))
        else:
            merged.append(item)
    return merged


def without_leading_space(items: Items) -> Items:
    """Return the items behind white space that they begin with, and behind what must not stand there."""
    rest: Items = [item for item in items if not isinstance(item, peg.Not)]
    return rest[1:] if rest and isinstance(rest[0], peg.Space | peg.Margin) else rest


def barred_marker(item: peg.Not) -> str:
    """Return the marker that a text must not begin with; empty where it is another kind of condition."""
    inside = item.item.items if isinstance(item.item, peg.Sequence) else (item.item,)
    last = inside[-1] if inside else None
    before = all(isinstance(part, peg.Space) for part in inside[:-1])
    return last.text if isinstance(last, peg.Literal) and before else ""


def _texts_of(items: Items, states: Mapping[str, peg.Expression], seen: frozenset[str]) -> list[peg.Text]:
    """Return the texts that a way may go on as, where it does at once."""
    rest = without_leading_space(items)
    if len(rest) != 1:
        return []
    target = rest[0]
    if isinstance(target, peg.Goto):
        if target.state in seen:
            return []
        seen, target = seen | {target.state}, states[target.state]
    if isinstance(target, peg.Text):
        return [target]
    ways = target.items if isinstance(target, peg.Choice) else ()
    printed = (printed_items((way,)) for way in ways)
    return [text for way in printed if way for text in _texts_of(way, states, seen)]


def _anchors(items: Items, states: Mapping[str, peg.Expression]) -> set[str]:
    """Return the anchors of the texts that a way may go on as."""
    exits = [exit_ for text in _texts_of(items, states, frozenset()) for exit_ in text.exits]
    return {exit_.anchor for exit_ in exits if printed_items((exit_.item,)) is not None}


def _covered(items: Items, anchors: set[str], states: Mapping[str, peg.Expression]) -> bool:
    """Tell whether a text has a way too: by its whole first marker, or into a call or to the end by its beginning."""
    first = _first_literal(items)
    if _is_end(items, states) or any(isinstance(item, _CALLS) for item in items):
        return bool(first) and any(first.startswith(anchor) for anchor in anchors)
    return first in anchors


def _repeated(items: Items, before: Iterable[Items], states: Mapping[str, peg.Expression]) -> bool:
    """Tell whether an earlier way has the same marker and always goes on: it leads to a text, or over where this one leads."""
    marker, goal = _lone_marker(items), items[-1] if items else None
    for other in before:
        if marker and _lone_marker(other) == marker and isinstance(goal, peg.Goto):
            reached = _reached(other, states)
            if goal.state in reached or any(isinstance(states[state], peg.Text) for state in reached):
                return True
    return False


def _lone_marker(items: Items) -> str:
    """Return the marker that is all that a way prints, but for white space."""
    printed = [item for item in items[:-1] if not isinstance(item, peg.Space | peg.Margin)]
    return printed[0].text if len(printed) == 1 and isinstance(printed[0], peg.Literal) else ""


def _reached(items: Items, states: Mapping[str, peg.Expression]) -> set[str]:
    """Return the states that a way leads to, itself or through states that go on at once."""
    found: set[str] = set()
    pending = [items[-1]]
    while pending:
        item = pending.pop()
        rest = without_leading_space(printed_items((item,)) or [])
        if len(rest) == 1 and isinstance(rest[0], peg.Goto) and rest[0].state not in found:
            found.add(rest[0].state)
            target = states[rest[0].state]
            pending += target.items if isinstance(target, peg.Choice) else ()
    return found


def leads_to_text(items: Items, states: Mapping[str, peg.Expression]) -> bool:
    """Tell whether a way goes on as a text at once, which may hold nothing and be the last thing there is."""
    return bool(items) and any(isinstance(states[state], peg.Text) for state in _reached(items, states))


def _first_literal(items: Items) -> str:
    rest = without_leading_space(items)
    if rest and isinstance(rest[0], peg.Literal):
        return rest[0].text
    if rest and isinstance(rest[0], peg.Record):
        return "{"
    if rest and isinstance(rest[0], peg.Switch | peg.Span):
        inner = rest[0].body if isinstance(rest[0], peg.Switch) else (rest[0].item,)
        return _first_literal(printed_items(inner) or [])
    return ""


def _is_rest(items: Items) -> bool:
    return bool(items) and isinstance(items[0], peg.Rest)


def _is_end(items: Items, states: Mapping[str, peg.Expression]) -> bool:
    """Tell whether a way is a marker behind which the turn ends."""
    rest = without_leading_space(items)
    last = rest[1] if len(rest) == 2 else None
    return isinstance(last, peg.Goto) and isinstance(states[last.state], peg.Rest)
