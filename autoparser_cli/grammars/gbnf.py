"""A grammar -> GBNF, the language of llama.cpp's sampler, kept to what xgrammar reads too.

GBNF has no terminals, no lookahead and no lazy matching: text up to a marker becomes the rules of the
automaton that looks for it. Rule names are letters, digits and hyphens; a hyphen in a character class
stands last, unescaped; no `.`, no empty alternative within a group, no raw line break in a literal.
"""

from __future__ import annotations

from autoparser_cli.grammars.markers import MarkerState, marker_states
from autoparser_cli.grammars.nodes import (
    Alt,
    Chars,
    Grammar,
    Names,
    Node,
    Ref,
    Repeat,
    Seq,
    Tag,
    Text,
    Token,
    UpTo,
    children,
    untagged,
)

ROOT = "root"
SHORT_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}
#: Terminals shorter than this are written where they are used.
INLINE = 12


def gbnf_text(grammar: Grammar) -> str:
    """Print a grammar; its first line is the rule `root`."""
    return _Printer(untagged(grammar)).text()


class _Printer:
    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._names = Names("-", reserved=(ROOT,))
        self._rules = [self._names.fresh(rule.hint) for rule in grammar.rules]
        self._tokens: dict[str, str] = {}
        self._texts: dict[UpTo, str] = {}
        self._lines: list[str] = []

    def text(self) -> str:
        self._define(ROOT, self._grammar.root)
        for name, rule in zip(self._rules, self._grammar.rules, strict=True):
            self._define(name, rule.body)
        return "\n".join(self._lines) + "\n"

    def _define(self, name: str, body: Node) -> None:
        place = len(self._lines)
        self._lines.append("")
        self._lines[place] = f"{name} ::= {self._choice(body)}"

    def _choice(self, node: Node) -> str:
        """Print a node where alternatives need no brackets."""
        if isinstance(node, Alt):
            return " | ".join(self._sequence(item) for item in node.items)
        return self._sequence(node)

    def _sequence(self, node: Node) -> str:
        if isinstance(node, Seq):
            return " ".join(self._item(item) for item in node.items) or '""'
        return self._item(node)

    def _item(self, node: Node) -> str:
        if isinstance(node, Text):
            return gbnf_literal(node.text)
        if isinstance(node, Chars):
            return gbnf_class(node)
        if isinstance(node, Ref):
            return self._rules[node.index]
        if isinstance(node, Tag):
            return self._item(node.item)
        if isinstance(node, Token):
            return self._token(node)
        if isinstance(node, UpTo):
            return self._up_to(node)
        if isinstance(node, Repeat):
            return self._repeat(node)
        return f"({self._choice(node)})" if children(node) else '""'

    def _repeat(self, node: Repeat) -> str:
        if isinstance(node.item, Repeat):
            return f"({self._item(node.item)}){_bounds(node)}"
        return self._item(node.item) + _bounds(node)

    def _token(self, node: Token) -> str:
        body = self._choice(node.item)
        if len(body) <= INLINE:
            return self._item(node.item)
        if body not in self._tokens:
            self._tokens[body] = self._names.fresh(node.hint)
            self._lines.append(f"{self._tokens[body]} ::= {body}")
        return self._tokens[body]

    def _up_to(self, node: UpTo) -> str:
        """Write the automaton's rules, once for equal nodes, and return the name of its first state."""
        if node in self._texts:
            return self._texts[node]
        states = marker_states(tuple(marker for marker, _ in node.stops))
        base = node.tag or "text"
        names = [
            self._names.fresh(f"{base} up to" if index == 0 else f"{base} at {index}")
            for index in range(len(states))
        ]
        self._texts[node] = names[0]
        behind = dict(node.stops)
        then: dict[str, str] = {}
        for marker, what in behind.items():
            then[marker] = self._names.fresh(f"{base} done")
            self._define(then[marker], what)
        for name, state in zip(names, states, strict=True):
            self._lines.append(f"{name} ::= " + " | ".join(self._options(state, names, then, node.end)))
        return names[0]

    def _options(self, state: MarkerState, names: list[str], then: dict[str, str], end: bool) -> list[str]:
        options = ['""'] if end else []
        used = {char for chars, _ in state.steps for char in chars}
        used |= {char for char, _ in state.found}
        other = Chars(tuple((ord(char), ord(char)) for char in sorted(used)), negated=True)
        options.append(f"{gbnf_class(other)} {names[0]}")
        for chars, target in state.steps:
            options.append(f"{gbnf_class(_class_of(chars))} {names[target]}")
        options.extend(f"{gbnf_literal(char)} {then[marker]}" for char, marker in state.found)
        options.extend(f"{gbnf_literal(char + rest)} {then[marker]}" for char, rest, marker in state.longer)
        return options


def gbnf_literal(text: str) -> str:
    """Quote a text."""
    return '"' + "".join(_escaped(char, '"') for char in text) + '"'


def gbnf_class(chars: Chars) -> str:
    """Write a character class; the hyphen comes last, because `\\-` is no escape."""
    hyphen = ""
    parts: list[str] = []
    for low, high in chars.ranges:
        if low <= 0x2D <= high and low != high:
            below, above = [(low, 0x2C)] if low < 0x2D else [], [(0x2E, high)] if high > 0x2D else []
            hyphen = "-"
            parts.extend(_range(*part) for part in below + above)
        elif low == high == 0x2D:
            hyphen = "-"
        else:
            parts.append(_range(low, high))
    return f"[{'^' if chars.negated else ''}{''.join(parts)}{hyphen}]"


def _class_of(chars: str) -> Chars:
    return Chars(tuple((ord(char), ord(char)) for char in chars))


def _range(low: int, high: int) -> str:
    first, last = _escaped(chr(low), "[]^"), _escaped(chr(high), "[]^")
    if low == high:
        return first
    return first + last if high == low + 1 else f"{first}-{last}"


def _escaped(char: str, special: str) -> str:
    code = ord(char)
    if char in SHORT_ESCAPES:
        return SHORT_ESCAPES[char]
    if char in '"[]' and char in special:
        return "\\" + char
    if char in special or code < 0x20 or code == 0x7F:
        return f"\\x{code:02X}"
    if 0x80 <= code < 0xA0 or 0xD800 <= code < 0xE000 or 0x2000 <= code < 0x2070 or code == 0xFEFF:
        return f"\\u{code:04X}"
    return char if code < 0xFFFE else f"\\U{code:08X}"


def _bounds(node: Repeat) -> str:
    short = {(0, 1): "?", (0, None): "*", (1, None): "+"}
    known = short.get((node.low, node.high))
    if known:
        return known
    if node.high is None:
        return f"{{{node.low},}}"
    return f"{{{node.low}}}" if node.low == node.high else f"{{{node.low},{node.high}}}"
