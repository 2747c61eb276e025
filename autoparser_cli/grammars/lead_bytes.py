"""Characters that begin with the same byte in UTF-8: engines that read bytes cannot tell them apart by the first.

A lexer that takes the longest terminal follows the first byte of `»` into a terminal that holds `«`, and does not come
back. So what ends such a terminal takes its whole block along.
"""

from __future__ import annotations

from autoparser_cli.grammars.nodes import MAX_CODE_POINT, Alt, Chars, Node, Repeat, Seq, Token

#: The lowest code point that takes so many bytes, and how many of those have the same first byte: four, three, two.
_BLOCKS = ((0x10000, 0x40000), (0x800, 0x1000), (0x80, 0x40))


def block_of(code: int) -> tuple[int, int]:
    """Return the first and last code point with the same first byte."""
    if code < 0x80:
        return code, code
    floor, size = next(block for block in _BLOCKS if code >= block[0])
    low = code - code % size
    return max(low, floor), min(low + size - 1, MAX_CODE_POINT)


def with_blocks(node: Node) -> Node:
    """Return a regular node whose negated classes leave out the blocks of the characters that they leave out."""
    if isinstance(node, Chars) and node.negated:
        ranges = (block_of(low) if low == high else (low, high) for low, high in node.ranges)
        return Chars(tuple(dict.fromkeys(ranges)), negated=True)
    if isinstance(node, Seq | Alt):
        return type(node)(tuple(with_blocks(item) for item in node.items))
    if isinstance(node, Repeat):
        return Repeat(with_blocks(node.item), node.low, node.high)
    return Token(node.hint, with_blocks(node.item)) if isinstance(node, Token) else node
