"""The name in a call -> grammar nodes: a declared tool's, or where the tools are not known any name."""

from __future__ import annotations

from autoparser_cli.analysis.model import ValueEncoding
from autoparser_cli.grammars.lead_bytes import block_of
from autoparser_cli.grammars.nodes import MAX_CODE_POINT, Chars, Node, Repeat, Tag, Text, Token, seq

#: How rules and notes call a tool that is not known.
ANY_TOOL = "any tool"
#: What the parser takes for a name without being told of it; of what is not ASCII, letters and what stands among them.
_RANGES = (
    *((ord(sign), ord(sign)) for sign in "$*+"),
    (ord("-"), ord(":")),
    (ord("@"), ord("Z")),
    (ord("_"), ord("_")),
    (ord("a"), ord("z")),
    (0xC0, MAX_CODE_POINT),
)


def name_text(name: str | None, stops: str = "") -> Node:
    """Return a name; None: any, up to one of the characters that may stand behind it."""
    return Text(name) if name is not None else Token("tool_name", _any_name(stops))


def name_node(name: str | None, stops: str = "") -> Node:
    """Return a name as the syntax tree has it."""
    return Tag("name", name_text(name, stops))


def quoted_name(encoding: ValueEncoding) -> Node:
    """Return any name in the quotes of an encoding."""
    opening, closing = encoding.quotes[0]
    return Token("tool_name", seq(Text(opening), _any_name(closing[:1]), Text(closing)))


def _any_name(stops: str) -> Node:
    """Return all names without the characters that end them: an automaton could not tell where they end."""
    ranges = list(_RANGES)
    for first, last in sorted({block_of(ord(char)) for char in stops}):
        parts = [((low, min(high, first - 1)), (max(low, last + 1), high)) for low, high in ranges]
        ranges = [(low, high) for pair in parts for low, high in dict.fromkeys(pair) if low <= high]
    return Repeat(Chars(tuple(ranges)), 1)
