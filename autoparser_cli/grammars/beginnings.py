"""A node and a literal that it begins with -> what is left of the node behind that literal.

Text up to a marker takes the marker in, so that the node behind the text has to be cut where the marker ends.
"""

from __future__ import annotations

from dataclasses import replace

from autoparser_cli.grammars.nodes import (
    EMPTY,
    NEVER,
    Alt,
    Node,
    Ref,
    Repeat,
    RuleBook,
    Seq,
    Tag,
    Text,
    Token,
    UpTo,
    alt,
    children,
    seq,
)


def behind(book: RuleBook, node: Node, prefix: str) -> Node:
    """Return what is left of a node behind a literal that it begins with; NEVER where it begins otherwise."""
    if not prefix or node == NEVER:
        return node
    if isinstance(node, Text):
        return _behind_text(node.text, prefix)
    if isinstance(node, Seq):
        return _behind_sequence(book, node.items, prefix)
    if isinstance(node, Alt):
        return alt(*(behind(book, item, prefix) for item in node.items))
    if isinstance(node, Ref):
        rule = book.rules[node.index]
        return NEVER if rule is None else behind(book, rule.body, prefix)
    return _behind_wrapped(book, node, prefix)


def _behind_text(text: str, prefix: str) -> Node:
    if not text.startswith(prefix):
        return NEVER
    return EMPTY if text == prefix else Text(text[len(prefix) :])


def _behind_wrapped(book: RuleBook, node: Node, prefix: str) -> Node:
    if isinstance(node, Tag):
        rest = behind(book, node.item, prefix)
        return rest if rest == NEVER else Tag(node.name, rest)
    if isinstance(node, Token):
        rest = behind(book, node.item, prefix)
        if isinstance(rest, Repeat) and rest.low == 0:  # a terminal must not be empty
            return Repeat(Token("blank", rest.item), 0, rest.high)
        return rest
    if isinstance(node, Repeat) and (node.low, node.high) == (0, 1):
        return behind(book, node.item, prefix)
    return NEVER


def _behind_sequence(book: RuleBook, items: tuple[Node, ...], prefix: str) -> Node:
    if not items:
        return NEVER
    first, rest = items[0], items[1:]
    if isinstance(first, Text) and len(first.text) < len(prefix):
        if not prefix.startswith(first.text):
            return NEVER
        return behind(book, seq(*rest), prefix[len(first.text) :])
    options = [seq(behind(book, first, prefix), *rest)]
    if may_be_empty(book, first):
        options.append(behind(book, seq(*rest), prefix))
    return alt(*options)


def folded(book: RuleBook, nodes: list[Node]) -> list[Node]:
    """Make ways whose first literal holds a marker of a text ways out of that text.

    A lexer that ends the text at the marker would never see them beside it; what stands before the marker is text then.
    The text does not begin as the other ways do: that lexer would take them for text, however far it goes.
    """
    text = next((found for node in nodes if (found := _text_of(book, node)) is not None), None)
    if text is None:
        return nodes
    stops = dict(text.stops)
    kept: list[Node] = []
    for node in nodes:
        first = node.items[0] if isinstance(node, Seq) and node.items else node
        marker = next((marker for marker in stops if isinstance(first, Text) and marker in first.text), None)
        if marker is None or not isinstance(first, Text):
            kept.append(node)
            continue
        rest = first.text[first.text.index(marker) + len(marker) :]
        way = seq(Text(rest), *(node.items[1:] if isinstance(node, Seq) else ()))
        stops[marker] = alt(stops[marker], way)
    firsts = (node.items[0] if isinstance(node, Seq) and node.items else node for node in kept)
    openings = _apart([first.text for first in firsts if isinstance(first, Text) and first.text])
    if len(kept) == len(nodes) and not openings:
        return nodes
    changed = replace(text, stops=tuple(stops.items()), openings=openings)
    return [changed if _text_of(book, node) == text else node for node in kept]


def _apart(openings: list[str]) -> tuple[str, ...]:
    """Return openings of which none begins with another: the lexer would miss the shorter one, and only text be left."""
    alike = any(a is not b and b.startswith(a) for a in openings for b in openings)
    return () if alike else tuple(openings)


def _text_of(book: RuleBook, node: Node) -> UpTo | None:
    if isinstance(node, Ref):
        rule = book.rules[node.index]
        return None if rule is None else _text_of(book, rule.body)
    return node if isinstance(node, UpTo) else None


def may_be_empty(book: RuleBook, node: Node) -> bool:
    """Tell whether a node matches the empty text."""
    if isinstance(node, Text):
        return not node.text
    if isinstance(node, Ref):
        rule = book.rules[node.index]
        return rule is not None and may_be_empty(book, rule.body)
    if isinstance(node, Repeat) and node.low == 0:
        return True
    if isinstance(node, UpTo):
        return node.end
    parts = (may_be_empty(book, child) for child in children(node))  # lazily: one part mostly decides
    if isinstance(node, Alt):
        return any(parts)
    return isinstance(node, Seq | Repeat | Tag | Token) and all(parts)
