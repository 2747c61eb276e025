"""The name in a call -> grammar nodes: a declared tool's, or where the tools are not known any name."""

from __future__ import annotations

from autoparser_cli.analysis.model import ValueEncoding
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


def name_text(name: str | None, behind: str = "") -> Node:
    """Return a name; None: any, which ends where `behind` begins."""
    return Text(name) if name is not None else Token("tool_name", _any_name(behind[:1]))


def name_node(name: str | None, behind: str = "") -> Node:
    """Return a name as the syntax tree has it."""
    return Tag("name", name_text(name, behind))


def quoted_name(encoding: ValueEncoding) -> Node:
    """Return any name in the quotes of an encoding."""
    opening, closing = encoding.quotes[0]
    return Token("tool_name", seq(Text(opening), _any_name(closing[:1]), Text(closing)))


def _any_name(stop: str) -> Node:
    """Return all names without a character that ends them: an automaton could not tell where they end."""
    ranges: list[tuple[int, int]] = []
    for low, high in _RANGES:
        if stop and low <= ord(stop) <= high:
            parts = ((low, ord(stop) - 1), (ord(stop) + 1, high))
            ranges += [part for part in parts if part[0] <= part[1]]
        else:
            ranges.append((low, high))
    return Repeat(Chars(tuple(ranges)), 1)
