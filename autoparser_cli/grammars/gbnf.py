"""A grammar -> GBNF, the language of llama.cpp's sampler, kept to what xgrammar reads too.

GBNF has no terminals, no lookahead and no lazy matching: text up to a marker becomes the rules of the
automaton that looks for it. Rule names are letters, digits and hyphens; a hyphen in a character class
stands last, unescaped; no `.`, no empty alternative within a group, no raw line break in a literal.
"""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.grammars.markers import MarkerState, marker_states, shared_beginning
from autoparser_cli.grammars.nodes import (
    EMPTY,
    NEVER,
    Alt,
    Chars,
    Grammar,
    Node,
    Ref,
    Repeat,
    Token,
    UpTo,
    children,
    untagged,
)
from autoparser_cli.grammars.printing import Printer, bounds

ROOT = "root"
SHORT_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}
#: Terminals shorter than this are written where they are used.
INLINE = 12


def gbnf_text(grammar: Grammar) -> str:
    """Print a grammar; its first line is the rule `root`."""
    return _Printer(untagged(grammar)).text()


class _Printer(Printer):
    root = ROOT
    joint = "-"
    defines = " ::= "
    option = " | "

    def __init__(self, grammar: Grammar) -> None:
        super().__init__(grammar)
        self._tokens: dict[str, str] = {}
        self._begun: dict[str, tuple[str, str]] = {}
        self._markers = frozenset(_single_markers(grammar))

    def text(self) -> str:
        return "\n".join(self.rule_lines()) + "\n"

    def literal(self, text: str) -> str:
        return gbnf_literal(text)

    def regular(self, node: Chars | Token) -> str:
        if isinstance(node, Chars):
            return gbnf_class(node)
        options = node.item.items if isinstance(node.item, Alt) else (node.item,)
        body = self.option.join(map(self.sequence, options))
        if len(body) <= INLINE:
            return self.item(node.item)
        if body not in self._tokens:
            self._tokens[body] = self.fresh(node.hint)
            self.lines.append(f"{self._tokens[body]}{self.defines}{body}")
        return self._tokens[body]

    def repeat(self, node: Repeat) -> str:
        item = self.item(node.item)
        return (f"({item})" if isinstance(node.item, Repeat) else item) + bounds(node)

    def group(self, node: Node) -> str:
        return super().group(node) if children(node) else self.nothing

    def up_to(self, name: str, node: UpTo) -> None:
        """Write the automaton's rules, a state each."""
        beginning = self._shared_beginning(node)
        if beginning:
            self._up_to_rest(name, node, beginning)
        else:
            self._automaton(name, node)

    def _automaton(self, name: str, node: UpTo) -> str:
        """Write the automaton of a text; return its second state's name, empty where there is none."""
        states = marker_states(tuple(marker for marker, _ in node.stops))
        base = node.tag or "text"
        names = [name, *(self.fresh(f"{base} at {index}") for index in range(1, len(states)))]
        then = {marker: self._behind(what, base) for marker, what in node.stops if what != NEVER}
        for own, state in zip(names, states, strict=True):
            self.lines.append(f"{own}{self.defines}" + " | ".join(_options(state, names, then, node.end)))
        return [*names, ""][1]

    def _beginning_text(self, beginning: str, tag: str) -> tuple[str, str]:
        """Return the rule of a text up to what several markers begin with, and that of its second state."""
        if beginning not in self._begun:
            name = self.fresh(f"{tag or 'text'} part")
            node = UpTo(((beginning, EMPTY),), tag=tag)
            self._begun[beginning] = (name, self._automaton(name, node))
        return self._begun[beginning]

    def _shared_beginning(self, node: UpTo) -> str:
        """Return the beginning of a text's only marker that other texts' markers have too."""
        if node.end or len(node.stops) != 1 or node.stops[0][0] not in self._markers:
            return ""
        return shared_beginning(node.stops[0][0], self._markers)

    def _up_to_rest(self, name: str, node: UpTo, beginning: str) -> None:
        """Look for a marker in two steps: for the beginning that it shares, then for its rest.

        A rest that does not come is text, and so is the beginning before it.
        """
        (marker, what), base = node.stops[0], node.tag or "text"
        start, second = self._beginning_text(beginning, node.tag)
        first, rest = beginning[0], marker[len(beginning) :]
        names = [self.fresh(f"{base} rest") for _ in rest]
        again = f"{gbnf_literal(first)} {second} {names[0]}".replace("  ", " ")
        self.lines.append(f"{name}{self.defines}{start} {names[0]}")
        behind = [*(f" {following}" for following in names[1:]), self._behind(what, base)]
        for own, char, following in zip(names, rest, behind, strict=True):
            other = gbnf_class(Chars(((ord(first), ord(first)), (ord(char), ord(char))), negated=True))
            self.lines.append(
                f"{own}{self.defines}{gbnf_literal(char)}{following} | {other} {name} | {again}"
            )

    def _behind(self, what: Node, base: str) -> str:
        """Return how what follows a marker is written behind the marker's last character."""
        if isinstance(what, Ref) or what == EMPTY:
            return "" if what == EMPTY else f" {self.item(what)}"
        name = self.fresh(f"{base} done")
        self.define(name, what)
        return f" {name}"


def _single_markers(grammar: Grammar) -> Iterator[str]:
    """Give the markers of all texts that only one marker ends."""
    pending = [grammar.root, *(rule.body for rule in grammar.rules)]
    while pending:
        node = pending.pop()
        if isinstance(node, UpTo) and len(node.stops) == 1 and not node.end:
            yield node.stops[0][0]
        pending.extend(children(node))


def _options(state: MarkerState, names: list[str], then: dict[str, str], end: bool) -> list[str]:
    """Write the ways on from one state of the automaton."""
    used = {char for chars, _ in state.steps for char in chars}
    used |= {char for char, _ in state.found}
    other = Chars(tuple((ord(char), ord(char)) for char in sorted(used)), negated=True)
    options = ['""'] if end else []
    options.append(f"{gbnf_class(other)} {names[0]}")
    options.extend(f"{gbnf_class(_class_of(chars))} {names[target]}" for chars, target in state.steps)
    options.extend(f"{gbnf_literal(char)}{then[marker]}" for char, marker in state.found if marker in then)
    options.extend(
        f"{gbnf_literal(char + rest)}{then[marker]}" for char, rest, marker in state.longer if marker in then
    )
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
