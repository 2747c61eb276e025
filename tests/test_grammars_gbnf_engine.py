"""Our reader of GBNF is as strict as llama.cpp's, and names the rule that is wrong."""

from __future__ import annotations

import pytest

from autoparser_cli.grammars.gbnf import gbnf_class, gbnf_literal
from autoparser_cli.grammars.gbnf_engine import GbnfError, read_gbnf
from autoparser_cli.grammars.nodes import Chars, one_of


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a ::= [a]", "no rule root"),
        ("root ::= b", "uses b, which is not defined"),
        ('root ::= "a"\nroot ::= "b"', "root is defined twice"),
        ("root ::= [a\\-z]", "no escape"),
        ('root ::= "a\nb"', "does not end on its line"),
        ("root ::= (a", "open group"),
        ('a_b ::= "x"', "::= expected"),
        ('root ::= "a"{x}', "repetition"),
        ("root ::= [\\xZZ]", "no escape"),
        ('root ::= root "a"', "root begins with itself"),
        ('root ::= a? b\nb ::= root\na ::= "x"', "begins with itself"),
        ("root ::= .", "rule name expected"),
    ],
)
def test_what_is_wrong_is_named(text: str, reason: str) -> None:
    with pytest.raises(GbnfError, match=reason):
        read_gbnf(text)


@pytest.mark.parametrize(
    ("text", "fitting", "wrong"),
    [
        ('root ::= "a" | "b" c*\nc ::= "c"', ["a", "b", "bcc"], ["", "ac", "c"]),
        ("root ::= [^a-c\\]]{2,3}", ["xy", "x-z"], ["x", "xa", "]]", "wxyz"]),
        ('root ::= ("a" | "b")+ # why\n', ["a", "ba"], ["", "c"]),
        ('root ::= "" | "\\"" "\\u00e9"?', ["", '"', '"é'], ["é"]),
        ("root ::= [a-]", ["a", "-"], ["b"]),
    ],
)
def test_matching(text: str, fitting: list[str], wrong: list[str]) -> None:
    grammar = read_gbnf(text)
    assert all(grammar.match(sample).complete for sample in fitting)
    assert not any(grammar.match(sample).complete for sample in wrong)


def test_a_cut_text_matches_as_far_as_it_goes() -> None:
    match = read_gbnf('root ::= "abc"').match("ab")
    assert (match.offset, match.complete) == (2, False)
    assert read_gbnf('root ::= "abc"').match("abx").offset == 2


def test_every_character_survives_a_literal_and_a_class() -> None:
    for code in [
        *range(0x20),
        *map(ord, '"\\[]^-#()|{}*+?./'),
        0x7F,
        0xE9,
        0x2028,
        0xFEFF,
        0xFFFF,
        0x1F600,
        0x10FFFF,
    ]:
        for text in (
            gbnf_literal(chr(code)),
            gbnf_class(one_of(chr(code))),
            gbnf_class(Chars(((code, code),))),
        ):
            grammar = read_gbnf(f"root ::= {text}")
            assert grammar.match(chr(code)).complete, text
            assert not grammar.match("Z").complete, text
    around = read_gbnf(f"root ::= {gbnf_class(Chars(((0x20, 0x40),)))}")
    assert all(around.match(chr(code)).complete == (0x20 <= code <= 0x40) for code in range(0x60))
