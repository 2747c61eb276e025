"""A regular expression of JSON Schema (ECMA-262) -> grammar nodes.

Takes what a context-free grammar can spell: classes, groups, alternatives, quantifiers, the usual escapes.
It cannot take lookaround, back references, word borders or an anchor in the middle; these raise
PatternError with the reason.
"""

from __future__ import annotations

from autoparser_cli.grammars.nodes import MAX_CODE_POINT, Chars, Node, Repeat, Text, alt, optional, seq

Ranges = tuple[tuple[int, int], ...]

DIGITS: Ranges = ((0x30, 0x39),)
WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
SPACE: Ranges = (
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x2028, 0x2029),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
)
LINE_ENDS: Ranges = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "0": "\0"}
MAX_REPEAT = 2000


class PatternError(ValueError):
    """A pattern that a grammar cannot spell; the text says why."""


def pattern_node(pattern: str) -> Node:
    """Return the node of an anchored pattern.

    Raises PatternError, also where the pattern is not anchored at both ends.
    """
    if not (pattern.startswith("^") and pattern.endswith("$")) or _escaped_end(pattern):
        raise PatternError("is not anchored")
    reader = _Reader(pattern[1:-1])
    node = reader.alternatives()
    if not reader.at_end:
        raise PatternError(f"has an unmatched {reader.peek()!r}")
    if "|" in pattern and reader.bare_alternative:
        raise PatternError("is not anchored in every alternative")
    return node


def inverted(ranges: Ranges) -> Ranges:
    """Return the code points that are in none of the ranges."""
    result: list[tuple[int, int]] = []
    start = 0
    for low, high in sorted(ranges):
        if low > start:
            result.append((start, low - 1))
        start = max(start, high + 1)
    if start <= MAX_CODE_POINT:
        result.append((start, MAX_CODE_POINT))
    return tuple(result)


def _escaped_end(pattern: str) -> bool:
    body = pattern[:-1]
    return (len(body) - len(body.rstrip("\\"))) % 2 == 1


class _Reader:
    """Reads one pattern from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._depth = 0
        self.bare_alternative = False

    @property
    def at_end(self) -> bool:
        return self._place >= len(self._text)

    def peek(self) -> str:
        return self._text[self._place : self._place + 1]

    def alternatives(self) -> Node:
        options = [self._sequence()]
        while self.peek() == "|":
            self.bare_alternative = self.bare_alternative or self._depth == 0
            self._place += 1
            options.append(self._sequence())
        return alt(*options)

    def _sequence(self) -> Node:
        items: list[Node] = []
        while not self.at_end and self.peek() not in "|)":
            items.append(self._quantified(self._atom()))
        return seq(*items)

    def _atom(self) -> Node:
        char = self._next()
        if char == "(":
            return self._group()
        if char == "[":
            return self._class()
        if char == ".":
            return Chars(LINE_ENDS, negated=True)
        if char == "\\":
            return self._escape()
        if char in "^$":
            raise PatternError("has an anchor in the middle")
        if char in "*+?":
            raise PatternError(f"has nothing that {char!r} could repeat")
        return Text(char)

    def _group(self) -> Node:
        if self.peek() == "?":
            self._place += 1
            kind = self._next()
            if kind == "<" and self.peek() not in ("=", "!"):
                self._place = self._index_of(">") + 1
            elif kind != ":":
                raise PatternError("looks ahead or behind")
        self._depth += 1
        node = self.alternatives()
        self._depth -= 1
        if self.at_end or self._next() != ")":
            raise PatternError("has an open group")
        return node

    def _index_of(self, char: str) -> int:
        index = self._text.find(char, self._place)
        if index < 0:
            raise PatternError("has an open group name")
        return index

    def _class(self) -> Node:
        negated = self.peek() == "^"
        if negated:
            self._place += 1
        ranges: list[tuple[int, int]] = []
        while self.peek() != "]":
            first = self._class_part()
            if self.peek() == "-" and self._text[self._place + 1 : self._place + 2] not in ("]", ""):
                self._place += 1
                last = self._class_part()
                if first[0][0] > last[-1][1]:
                    raise PatternError("has a class whose range runs backwards")
                ranges.append((first[0][0], last[-1][1]))
            else:
                ranges.extend(first)
        self._place += 1
        if not ranges:
            raise PatternError("has an empty class")
        return Chars(tuple(ranges), negated)

    def _class_part(self) -> Ranges:
        char = self._next()
        if char != "\\":
            return ((ord(char), ord(char)),)
        if self.peek() == "b":
            self._place += 1
            return ((8, 8),)
        node = self._escape()
        if isinstance(node, Text):
            return ((ord(node.text), ord(node.text)),)
        assert isinstance(node, Chars)
        return inverted(node.ranges) if node.negated else node.ranges

    def _escape(self) -> Node:
        char = self._next()
        classes = {"d": DIGITS, "w": WORD, "s": SPACE}
        if char.lower() in classes:
            return Chars(classes[char.lower()], negated=char.isupper())
        if char in CONTROLS:
            return Text(CONTROLS[char])
        if char in "xu":
            return self._code_point(char)
        if char.isalnum():
            raise PatternError(f"uses \\{char}")
        return Text(char)

    def _code_point(self, kind: str) -> Node:
        digits = 2 if kind == "x" else 4
        if kind == "u" and self.peek() == "{":
            end = self._index_of("}")
            text, self._place = self._text[self._place + 1 : end], end + 1
        else:
            text = self._text[self._place : self._place + digits]
            self._place += digits
        try:
            return Text(chr(int(text, 16)))
        except (ValueError, OverflowError):
            raise PatternError(f"has a broken \\{kind} escape") from None

    def _quantified(self, atom: Node) -> Node:
        node = atom
        while self.peek() and self.peek() in "*+?{":
            low, high = self._bounds()
            if (high is not None and (high < low or high > MAX_REPEAT)) or low > MAX_REPEAT:
                raise PatternError("repeats out of bounds")
            node = optional(node) if (low, high) == (0, 1) else Repeat(node, low, high)
            if self.peek() == "?":  # lazy or greedy: the language is the same
                self._place += 1
        return node

    def _bounds(self) -> tuple[int, int | None]:
        char = self._next()
        if char != "{":
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[char]
        end = self._index_of("}")
        text, self._place = self._text[self._place : end], end + 1
        low, comma, high = text.partition(",")
        if not low.isdigit() or (high and not high.isdigit()):
            raise PatternError("has a brace that is no quantifier")
        if not comma:
            return int(low), int(low)
        return int(low), int(high) if high else None

    def _next(self) -> str:
        if self.at_end:
            raise PatternError("ends too early")
        char = self._text[self._place]
        self._place += 1
        return char
