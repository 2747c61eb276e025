"""A node and a literal that it begins with -> what is left of the node behind that literal.

Text up to a marker takes the marker in, so that the node behind the text has to be cut where the marker ends.
"""

from __future__ import annotations

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
