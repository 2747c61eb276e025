"""Text up to a marker is exact: the first marker ends it, whatever the markers share."""

from __future__ import annotations

import itertools

import pytest
from grammar_runs import ENGINES, accepts

from autoparser_cli.grammars.gbnf import gbnf_text
from autoparser_cli.grammars.gbnf_engine import read_gbnf
from autoparser_cli.grammars.markers import marker_states, shared_beginning
from autoparser_cli.grammars.nodes import EMPTY, RuleBook, Seq, Text, UpTo

MARKERS = ["a", "ab", "aa", "aab", "aba", "abab", "abcab", "aabaa"]


@pytest.mark.parametrize("marker", MARKERS)
def test_one_marker_ends_the_text_at_its_first_place(marker: str) -> None:
    grammar = read_gbnf(gbnf_text(RuleBook().grammar(UpTo(((marker, EMPTY),)))))
    for length in range(9):
        for letters in itertools.product("ab", repeat=length):
            text = "".join(letters)
            first = text.find(marker)
            assert grammar.match(text).complete == (first >= 0 and first + len(marker) == length), text


@pytest.mark.parametrize(
    "markers", [("<t>", "<t2>"), ("<a", "<ab"), ("ab", "ba"), ("aab", "ab"), ("abc", "b")]
)
def test_several_markers_each_go_on_their_own_way(markers: tuple[str, str]) -> None:
    """What follows tells which marker was taken: the leftmost, and of two at one place either."""
    stops = tuple((marker, Text(str(number))) for number, marker in enumerate(markers))
    grammar = read_gbnf(gbnf_text(RuleBook().grammar(UpTo(stops, end=True))))
    alphabet = sorted(set("".join(markers)))[:4]
    for length in range(6):
        for letters in itertools.product(alphabet, repeat=length):
            text = "".join(letters)
            places = {marker: text.find(marker) for marker in markers if marker in text}
            assert grammar.match(text).complete == (not places), text
            for number, marker in enumerate(markers):
                taken = places.get(marker, -1) == min(places.values(), default=-2)
                ends = places.get(marker, -1) + len(marker) == length
                assert grammar.match(text + str(number)).complete == ((taken and ends) or not places), text


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.value)
def test_engines_agree_on_shared_prefixes(engine) -> None:
    stops = (("<tool>", Text("A")), ("<tool_x>", Text("B")), ("<t", Text("C")))
    grammar = RuleBook().grammar(UpTo(stops, end=True, tag="content"))
    for text in ("", "abc", "ab<tC", "<tool>A", "é<<tool_x>B"):
        assert accepts(grammar, engine, text), text
    for text in ("<toxC", "x<tool_x>A", "<tool>", "<tool>B"):
        assert not accepts(grammar, engine, text), text


@pytest.mark.parametrize(
    "pair", [("cab", "cba"), ("cda", "cdb"), ("cdab", "cdb"), ("cab", "cac"), ("ccb", "cca")]
)
def test_texts_whose_markers_begin_alike_end_at_their_own(pair: tuple[str, str]) -> None:
    texts = tuple(UpTo(((marker, EMPTY),), tag="value") for marker in pair)
    grammar = RuleBook().grammar(Seq((texts[0], Text("|"), texts[1])))
    read = read_gbnf(gbnf_text(grammar))
    alphabet = sorted(set("".join(pair)))
    for length in range(2, 7):
        for letters in itertools.product(alphabet, repeat=length):
            text = "".join(letters)
            ends = text.endswith(pair[0]) and text.find(pair[0]) == length - len(pair[0])
            assert read.match(f"{text}|{pair[1]}").complete == ends, text


@pytest.mark.parametrize(
    ("marker", "others", "beginning"),
    [
        ("</b>", ["</a>", "</b>"], "</"),
        ("</b>", ["</b>"], ""),
        ("</b>", ["x"], ""),
        ("ab", ["abc"], "a"),
        ("aab", ["aac"], ""),  # overlaps itself
        ("<x<", ["<x>"], ""),  # its first character stands in the rest
    ],
)
def test_a_shared_beginning_can_be_looked_for_on_its_own(
    marker: str, others: list[str], beginning: str
) -> None:
    assert shared_beginning(marker, others) == beginning


def test_an_empty_marker_is_no_marker() -> None:
    for markers in ((), ("",), ("a", "")):
        with pytest.raises(ValueError, match="not empty"):
            marker_states(markers)
