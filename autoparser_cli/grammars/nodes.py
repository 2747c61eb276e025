"""A grammar that knows no dialect: rules over literals, character classes, repeats and text up to a marker.

The schema reader and the expression lowering build these nodes; each dialect prints them. Rules that are
equal are kept once, which is what makes sixty tools with the same kinds of parameters small.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from autoparser_cli.frozen import frozen

MAX_CODE_POINT = 0x10FFFF


@frozen
class Text:
    """This very text."""

    text: str


@frozen
class Chars:
    """One character out of `ranges` (inclusive code points), or, where `negated`, one that is in none of
    them.
    """

    ranges: tuple[tuple[int, int], ...]
    negated: bool = False


@frozen
class Seq:
    """One after the other."""

    items: tuple[Node, ...]


@frozen
class Alt:
    """Any one of them."""

    items: tuple[Node, ...]


@frozen
class Repeat:
    """`low` to `high` times; no upper bound where `high` is None."""

    item: Node
    low: int = 0
    high: int | None = None


@frozen
class Ref:
    """The rule with this index."""

    index: int


@frozen
class Token:
    """A regular piece that a lexer should see as one terminal; `hint` names it.

    It holds no Ref, Tag or UpTo.
    """

    hint: str
    item: Node


@frozen
class Tag:
    """A piece that a reader of the syntax tree looks for under this name."""

    name: str
    item: Node


@frozen
class UpTo:
    """Text that ends where the first of the markers begins, then that marker and what goes with it.

    `stops` are (marker, what follows the marker). `end`: the text may also be the last thing there is.
    `tag` names the text. Marker and continuation are part of the node, because a grammar has no lookahead:
    whether text may go on depends on where the reader stands within a possible marker. What follows is NEVER
    for a marker that must not come. `closed`: this text
    is chosen, where there is a choice, only if a marker comes. `openings`: what it does not begin with, because
    another way does and goes before it.
    """

    stops: tuple[tuple[str, Node], ...]
    end: bool = False
    tag: str = ""
    closed: bool = False
    openings: tuple[str, ...] = ()


Node: TypeAlias = Text | Chars | Seq | Alt | Repeat | Ref | Token | Tag | UpTo

EMPTY = Seq(())
#: What no text matches.
NEVER = Alt(())


@frozen
class Rule:
    """A rule; `hint` is what its name should remind of, and need neither be valid nor unique."""

    hint: str
    body: Node


@frozen
class Grammar:
    """Rules, the node to start from, and what could not be expressed, in words."""

    root: Node
    rules: tuple[Rule, ...]
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class RuleBook:
    """Collects rules while a grammar is built; equal bodies share one rule."""

    rules: list[Rule | None] = field(default_factory=list)
    hints: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _known: dict[Node, Ref] = field(default_factory=dict)
    _shared: dict[Hashable, Node] = field(default_factory=dict)

    def reserve(self, hint: str) -> Ref:
        """Make a rule whose body is still to come, as recursion needs it."""
        self.rules.append(None)
        self.hints.append(hint)
        return Ref(len(self.rules) - 1)

    def define(self, ref: Ref, body: Node) -> Ref:
        """Give a reserved rule its body."""
        self.rules[ref.index] = Rule(self.hints[ref.index], body)
        return ref

    def add(self, hint: str, body: Node) -> Ref:
        """Return the rule for `body`, a new one only where no equal one exists."""
        known = self._known.get(body)
        if known is None:
            known = self._known[body] = self.define(self.reserve(hint), body)
        return known

    def shared(self, key: Hashable, hint: str, build: Callable[[Ref], Node]) -> Node:
        """Return the rule known as `key`; `build` makes its body the first time, and may use the rule
        itself. A body that nothing matches needs no rule.
        """
        known = self._shared.get(key)
        if known is None:
            rule = self.reserve(hint)
            self._shared[key] = rule
            body = build(rule)
            self.define(rule, body)
            known = self._shared[key] = NEVER if body == NEVER else rule
        return known

    def note(self, text: str) -> None:
        """Remember, once, what the grammar leaves out."""
        if text not in self.notes:
            self.notes.append(text)

    def grammar(self, root: Node) -> Grammar:
        """Return what was collected, without the rules that `root` does not reach.

        Raises ValueError for an undefined rule.
        """
        order: list[int] = []
        seen: set[int] = set()
        pending = list(refs_in(root))
        while pending:
            index = pending.pop(0)
            if index in seen:
                continue
            seen.add(index)
            order.append(index)
            rule = self.rules[index]
            if rule is None:
                raise ValueError(f"rule {self.hints[index]} is used but has no body")
            pending.extend(refs_in(rule.body))
        place = {old: new for new, old in enumerate(order)}
        rules = tuple(_moved_rule(self.rules[index], place) for index in order)
        return Grammar(_moved(root, place), rules, tuple(self.notes))


def seq(*items: Node) -> Node:
    """Chain nodes; neighbouring texts become one, so that a lexer sees the longest literal."""
    if NEVER in items:
        return NEVER
    flat: list[Node] = []
    for item in items:
        for part in item.items if isinstance(item, Seq) else (item,):
            if isinstance(part, Text) and not part.text:
                continue
            if isinstance(part, Text) and flat and isinstance(flat[-1], Text):
                flat[-1] = Text(flat[-1].text + part.text)
            else:
                flat.append(part)
    return flat[0] if len(flat) == 1 else Seq(tuple(flat))


def alt(*items: Node) -> Node:
    """Offer nodes; nested and equal alternatives are folded."""
    flat: dict[Node, None] = {}
    for item in items:
        for part in item.items if isinstance(item, Alt) else (item,):
            flat.setdefault(part)
    options = tuple(flat)
    return options[0] if len(options) == 1 else Alt(options)


def optional(item: Node) -> Node:
    """Offer the node or nothing."""
    return EMPTY if item in (EMPTY, NEVER) else Repeat(item, 0, 1)


def one_of(characters: str) -> Chars:
    """Return the class of these characters."""
    return Chars(tuple((ord(char), ord(char)) for char in dict.fromkeys(characters)))


def none_of(characters: str) -> Chars:
    """Return the class of all other characters."""
    return Chars(one_of(characters).ranges, negated=True)


def prefix_free(stops: tuple[tuple[str, Node], ...]) -> tuple[tuple[str, Node], ...]:
    """Fold every marker that begins with another one into that one: its rest is then a way to go on."""
    result: dict[str, Node] = {}
    for marker, then in sorted(stops, key=lambda stop: len(stop[0])):
        shorter = next((known for known in result if marker.startswith(known)), None)
        if shorter is None:
            result[marker] = then
        elif then != NEVER:
            result[shorter] = alt(result[shorter], seq(Text(marker[len(shorter) :]), then))
    return tuple(result.items())


def refs_in(node: Node) -> Iterator[int]:
    """Give the indices of all rules that a node names, first ones first."""
    if isinstance(node, Ref):
        yield node.index
    for child in children(node):
        yield from refs_in(child)


def children(node: Node) -> tuple[Node, ...]:
    """Return the nodes directly inside a node."""
    if isinstance(node, Seq | Alt):
        return node.items
    if isinstance(node, Repeat | Token | Tag):
        return (node.item,)
    if isinstance(node, UpTo):
        return tuple(then for _, then in node.stops)
    return ()


def _moved(node: Node, place: dict[int, int]) -> Node:
    """Renumber the references in a node."""
    if isinstance(node, Ref):
        return Ref(place[node.index])
    if isinstance(node, Seq | Alt):
        return type(node)(tuple(_moved(item, place) for item in node.items))
    if isinstance(node, Repeat):
        return Repeat(_moved(node.item, place), node.low, node.high)
    if isinstance(node, Tag):
        return Tag(node.name, _moved(node.item, place))
    if isinstance(node, UpTo):
        stops = tuple((marker, _moved(then, place)) for marker, then in node.stops)
        return replace(node, stops=stops)
    return node


def _moved_rule(rule: Rule | None, place: dict[int, int]) -> Rule:
    assert rule is not None
    return Rule(rule.hint, _moved(rule.body, place))


def untagged(grammar: Grammar) -> Grammar:
    """Return a grammar without its tags, for dialects whose users see no tree; literals that stood apart
    become one.
    """
    rules = tuple(Rule(rule.hint, _untagged(rule.body)) for rule in grammar.rules)
    return Grammar(_untagged(grammar.root), rules, grammar.notes)


def _untagged(node: Node) -> Node:
    if isinstance(node, Tag):
        return _untagged(node.item)
    if isinstance(node, Seq):
        return seq(*(_untagged(item) for item in node.items))
    if isinstance(node, Alt):
        return alt(*(_untagged(item) for item in node.items))
    if isinstance(node, Repeat):
        return Repeat(_untagged(node.item), node.low, node.high)
    if isinstance(node, UpTo):
        stops = tuple((marker, _untagged(then)) for marker, then in node.stops)
        return replace(node, stops=stops)
    return node


class Names:
    """Hands out names of one dialect:

    ASCII letters and digits with `joint` between words, each given once.
    """

    def __init__(self, joint: str, *, upper: bool = False, reserved: Iterable[str] = ()) -> None:
        self._joint = joint
        self._upper = upper
        self._taken = set(reserved)
        self._counts: dict[str, int] = {}

    def fresh(self, hint: str) -> str:
        """Return an unused name that reminds of `hint`; what ASCII cannot spell is left out."""
        plain = unicodedata.normalize("NFKD", hint).encode("ascii", "ignore").decode()
        cleaned = re.sub(r"[^A-Za-z0-9]+", self._joint, plain).strip(self._joint)[:48].rstrip(self._joint)
        cleaned = cleaned.upper() if self._upper else cleaned.lower()
        if not cleaned or not cleaned[0].isalpha():
            cleaned = ("R" if self._upper else "r") + (self._joint + cleaned if cleaned else "")
        count = self._counts.get(cleaned, 0)
        name = cleaned
        while name in self._taken:
            count += 1
            name = f"{cleaned}{self._joint}{count + 1}"
        self._counts[cleaned] = count
        self._taken.add(name)
        return name
