"""Blocks of characters with the same first byte, and classes that leave them out."""

from __future__ import annotations

import pytest

from autoparser_cli.grammars.lead_bytes import block_of, with_blocks
from autoparser_cli.grammars.nodes import Repeat, Token, none_of, one_of


@pytest.mark.parametrize("char", ["a", "»", "é", "ߐ", "ࠁ", "⟧", "｜", "😀"])
def test_a_block_has_all_characters_with_the_same_first_byte(char: str) -> None:
    low, high = block_of(ord(char))
    first = char.encode()[0]
    assert low <= ord(char) <= high
    assert chr(low).encode()[0] == chr(high).encode()[0] == first
    assert high == 0x10FFFF or chr(high + 1).encode()[0] != first
    assert low == 0 or chr(low - 1).encode()[0] != first


def test_what_ends_a_terminal_takes_its_block_along() -> None:
    plain = Token("key", Repeat(none_of("»>"), 1))
    assert with_blocks(plain) == Token("key", Repeat(with_blocks(none_of("»>")), 1))
    assert with_blocks(none_of("»>")).ranges == ((0x80, 0xBF), (ord(">"), ord(">")))
    assert with_blocks(one_of("»>")) == one_of("»>")
