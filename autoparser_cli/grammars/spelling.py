"""The terminals of written values: white space, brackets, strings, numbers, and how a text stands inside
quotes.

Every function returns nodes; the same ones are used for all dialects.
"""

from __future__ import annotations

import json

from autoparser_cli.analysis.model import Escapes, ValueEncoding
from autoparser_cli.grammars.integers import DIGIT, NATURAL, integer_node
from autoparser_cli.grammars.nodes import (
    EMPTY,
    Alt,
    Chars,
    Node,
    Repeat,
    Seq,
    Text,
    Token,
    UpTo,
    alt,
    none_of,
    one_of,
    optional,
    seq,
)
from autoparser_cli.grammars.patterns import inverted

#: What may stand between two pieces of JSON. Bounded, because a sampler that may write white space without
#: end will.
SPACE = alt(
    Text(" "), seq(Text("\n"), optional(Text("\n")), Repeat(one_of(" \t"), 0, 40)), Text("\r\n"), Text("\t")
)
BLANK = optional(SPACE)
HEX = Chars(((0x30, 0x39), (0x41, 0x46), (0x61, 0x66)))
CONTROLS = (0, 0x1F)
JSON_CHAR = alt(
    Chars(((0x22, 0x22), (0x5C, 0x5C), CONTROLS), negated=True),
    seq(Text("\\"), alt(one_of('"\\/bfnrt'), seq(Text("u"), Repeat(HEX, 4, 4)))),
)
JSON_STRING = Token("string", seq(Text('"'), Repeat(JSON_CHAR), Text('"')))
NUMBER_TAIL = seq(
    optional(seq(Text("."), Repeat(DIGIT, 1))),
    optional(seq(one_of("eE"), optional(one_of("+-")), Repeat(DIGIT, 1))),
)
NUMBER = Token("number", seq(optional(Text("-")), NATURAL, NUMBER_TAIL))
POSITIVE = Token("positive", seq(NATURAL, NUMBER_TAIL))
COMMA = Token("comma", seq(BLANK, Text(","), BLANK))
COLON = Token("colon", seq(BLANK, Text(":"), BLANK))
OPEN_BRACE = Token("open_brace", seq(Text("{"), BLANK))
CLOSE_BRACE = Token("close_brace", seq(BLANK, Text("}")))
OPEN_BRACKET = Token("open_bracket", seq(Text("["), BLANK))
CLOSE_BRACKET = Token("close_bracket", seq(BLANK, Text("]")))
BARE_KEY = Token("bare_key", seq(Repeat(none_of(" \t\r\n:,{}[]\"'"), 1)))


def integer_token(low: int | None, high: int | None) -> Node:
    """Return the terminal of the whole numbers in a range."""
    return Token("integer", integer_node(low, high))


def text_in_quotes(text: str, encoding: ValueEncoding, quotes: tuple[str, str]) -> str | None:
    """Write a string as a template does, quotes included; None where these quotes cannot hold it."""
    opening, closing = quotes
    if encoding.escapes is Escapes.JSON:
        return opening + json.dumps(text, ensure_ascii=False)[1:-1] + closing
    if encoding.escapes is Escapes.PYTHON:
        body = repr("\"'" + text)[4:-1].replace("\\'", "'")
        return opening + body.replace(closing, "\\" + closing) + closing
    return None if closing in text else opening + text + closing


def any_string(encoding: ValueEncoding) -> Node:
    """Return any string in any of the encoding's quotes."""
    return alt(*(quoted(quotes, encoding) for quotes in encoding.quotes))


def quoted(quotes: tuple[str, str], encoding: ValueEncoding, low: int = 0, high: int | None = None) -> Node:
    """Return a string of `low` to `high` characters in these quotes."""
    opening, closing = quotes
    if encoding.escapes is Escapes.NONE and len(closing) > 1:
        return seq(Text(opening), UpTo(((closing, EMPTY),)))
    if encoding == ValueEncoding() and (low, high) == (0, None):
        return JSON_STRING
    char = quoted_char(closing, encoding.escapes)
    return Token("string", seq(Text(opening), Repeat(char, low, high), Text(closing)))


def quoted_char(closing: str, escapes: Escapes) -> Node:
    """Return one character of a string that ends with `closing`."""
    if escapes is Escapes.NONE:
        return none_of(closing[0])
    if escapes is Escapes.PYTHON:
        return alt(none_of(closing[0] + "\\\n\r"), seq(Text("\\"), none_of("\n\r")))
    if closing == '"':
        return JSON_CHAR
    return alt(
        Chars(((ord(closing[0]), ord(closing[0])), (0x5C, 0x5C), CONTROLS), negated=True),
        seq(Text("\\"), alt(one_of(closing[0] + '"\\/bfnrt'), seq(Text("u"), Repeat(HEX, 4, 4)))),
    )


def in_quotes(node: Node, closing: str, escapes: Escapes) -> Node:
    """Turn a regular node over characters into the node of the same texts inside quotes.

    What must be escaped is: quotes, backslash, control characters. Character classes lose those members and
    gain their escapes.
    """
    if escapes is Escapes.NONE:
        return node
    if node == SPACE:
        return Text(" ")  # `\n` begins as `\"` does, and a lexer that never goes back would miss the quote
    if isinstance(node, Text):
        return seq(*(_escaped_char(ord(char), closing) for char in node.text))
    if isinstance(node, Chars):
        return _escaped_class(node, closing)
    if isinstance(node, Repeat):
        return Repeat(in_quotes(node.item, closing, escapes), node.low, node.high)
    if isinstance(node, Token):
        return Token(node.hint, in_quotes(node.item, closing, escapes))
    if isinstance(node, Seq | Alt):
        items = [in_quotes(item, closing, escapes) for item in node.items]
        return seq(*items) if isinstance(node, Seq) else alt(*items)
    raise TypeError(f"{type(node).__name__} cannot stand inside quotes")


def _special(closing: str) -> list[int]:
    return [*range(0x20), ord(closing[0]), 0x5C]


def _escaped_char(code: int, closing: str) -> Node:
    if code not in _special(closing):
        return Text(chr(code))
    short = json.dumps(chr(code))[1:-1]
    return Text(short if len(short) == 2 else f"\\u{code:04x}" if code < 0x20 else "\\" + chr(code))


def _escaped_class(chars: Chars, closing: str) -> Node:
    ranges = inverted(chars.ranges) if chars.negated else chars.ranges
    special = [code for code in _special(closing) if any(low <= code <= high for low, high in ranges)]
    outside = inverted(ranges)
    plain = inverted((*outside, *((code, code) for code in _special(closing))))
    options: list[Node] = [_escaped_char(code, closing) for code in special]
    if plain:
        negated = inverted(plain)
        shorter = len(negated) < len(plain)
        options.insert(0, Chars(negated, negated=True) if shorter else Chars(plain))
    return alt(*options)


def other_text(words: list[str]) -> Node:
    """Return all texts inside JSON quotes but `words`, which are given as they stand there."""
    # A word with an escape in it could be spelled in several ways; those are left to the schema check.
    return _other_than(tuple(sorted({word for word in words if "\\" not in word})))


def _other_than(words: tuple[str, ...]) -> Node:
    """One level of a tree of the words: another character and anything behind it, or a word's character and its level."""
    firsts = sorted({word[0] for word in words if word})
    free = Chars(
        (*((ord(char), ord(char)) for char in firsts), (0x22, 0x22), (0x5C, 0x5C), CONTROLS), negated=True
    )
    anything = Repeat(JSON_CHAR)
    options: list[Node] = [seq(free, anything)]
    options.append(seq(Text("\\"), alt(one_of('"\\/bfnrt'), seq(Text("u"), Repeat(HEX, 4, 4))), anything))
    for char in firsts:
        options.append(seq(Text(char), _other_than(tuple(word[1:] for word in words if word[:1] == char))))
    some = alt(*options)
    return some if "" in words else optional(some)
