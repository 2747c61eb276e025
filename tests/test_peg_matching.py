"""The matcher: what matches, where it fails, and that chunks change nothing."""

from __future__ import annotations

import pytest

from autoparser_cli.peg import expressions as ex
from autoparser_cli.peg.matching import CompiledGrammar, Matcher


def grammar(*items: ex.Expression, **states: ex.Expression) -> ex.Grammar:
    return ex.Grammar({"start": ex.Sequence(items), **states}, "start")


def match(tree: ex.Grammar, *chunks: str) -> tuple[bool, list[tuple[str, str]], Matcher]:
    matcher = Matcher(CompiledGrammar(tree))
    events = []
    for chunk in chunks:
        events += matcher.feed(chunk)
    events += matcher.close()
    return matcher.matched, [(kind, text) for kind, text, _ in events], matcher


def text_of(events: list[tuple[str, str]], kind: str) -> str:
    return "".join(text for name, text in events if name == kind)


LETTERS = ex.Run("word", "[a-z]", "a word")
QUOTED = ex.Text(
    "text",
    (ex.Exit("<end>", ex.Sequence((ex.Literal("<end>"), LETTERS, ex.Literal("!"), ex.Goto("done")))),),
    "done",
)
DONE: ex.Expression = ex.Sequence(())


def test_a_literal_that_arrives_in_pieces() -> None:
    assert match(grammar(ex.Literal("abc")), "a", "b", "c")[0]


def test_a_wrong_literal_tells_where_and_what() -> None:
    matched, _, matcher = match(grammar(ex.Literal("abc"), ex.Literal("<x>")), "abcd")
    assert not matched
    assert (matcher.source.far, matcher.source.expected) == (3, ["<x>"])


def test_a_literal_cut_short_fails_at_its_start() -> None:
    matched, _, matcher = match(grammar(ex.Literal("<a>"), ex.Literal("<b>")), "<a><b")
    assert not matched
    assert matcher.source.far == 3


def test_white_space_that_differs_is_a_repair() -> None:
    tree = grammar(ex.Literal("<a>"), ex.Space("\n"), ex.Literal("<b>"))
    assert match(tree, "<a>\n<b>")[1] == []
    assert match(tree, "<a><b>")[1] == [("repair", "white-space")]
    assert match(tree, "<a> \n ", "<b>")[1] == [("repair", "white-space")]


def test_a_margin_takes_no_more_than_is_printed() -> None:
    tree = grammar(
        ex.Literal("<a>"), ex.Margin("\n"), ex.Goto("text"), text=ex.Text("text", (), "done"), done=DONE
    )
    assert text_of(match(tree, "<a>\n\n x")[1], "text") == "\n x"


def test_an_ordered_choice_takes_the_first_that_matches() -> None:
    tree = grammar(ex.Choice((ex.Literal("ab"), ex.Literal("abc"))), ex.Literal("!"))
    assert match(tree, "ab!")[0]
    assert not match(tree, "abc!")[0]


def test_a_cut_rules_the_other_choices_out() -> None:
    first = ex.Sequence((ex.Literal("a"), ex.Cut(), ex.Literal("b")))
    assert match(
        grammar(ex.Choice((ex.Sequence((ex.Literal("a"), ex.Literal("b"))), ex.Literal("ac")))), "ac"
    )[0]
    assert not match(grammar(ex.Choice((first, ex.Literal("ac")))), "ac")[0]


def test_a_lookahead_consumes_nothing_and_keeps_no_event() -> None:
    tree = grammar(ex.Peek(LETTERS), ex.Not(ex.Literal("x")), LETTERS)
    assert match(tree, "ab")[1] == [("word", "ab")]
    assert not match(tree, "xb")[0]


@pytest.mark.parametrize("size", [1, 2, 3, 50])
def test_text_ends_only_where_the_exit_matches_as_a_whole(size: int) -> None:
    text = "a <end>? <en <end>abc!"
    chunks = [text[at : at + size] for at in range(0, len(text), size)]
    matched, events, _ = match(ex.Grammar({"start": QUOTED, "done": DONE}, "start"), *chunks)
    assert matched
    assert text_of(events, "text") == "a <end>? <en "
    assert text_of(events, "word") == "abc"


def test_text_to_the_end_keeps_what_could_have_become_a_marker() -> None:
    matched, events, _ = match(ex.Grammar({"start": QUOTED, "done": DONE}, "start"), "if a <", "en")
    assert matched
    assert text_of(events, "text") == "if a <en"


def test_text_is_given_out_before_it_ends_but_for_a_possible_marker() -> None:
    matcher = Matcher(CompiledGrammar(ex.Grammar({"start": QUOTED, "done": DONE}, "start")))
    assert [text for _, text, _ in matcher.feed("hello <e")] == ["hello"]
    assert [text for _, text, _ in matcher.feed("x")] == [" <ex"]


def test_unclosed_looks_to_the_end_of_the_input() -> None:
    item = ex.Sequence((ex.Literal("<c>"), LETTERS, ex.Goto("done")))
    exits = (ex.Exit("<c>", ex.Unclosed(ex.Literal("<c>"), ("</r>",), item)),)
    closing = ex.Exit("</r>", ex.Sequence((ex.Literal("</r>"), ex.Goto("done"))))
    tree = ex.Grammar({"start": ex.Text("text", (*exits, closing), "done"), "done": DONE}, "start")
    assert text_of(match(tree, "a<c>bc", "</r>")[1], "text") == "a<c>bc"
    assert text_of(match(tree, "a<c>", "bc")[1], "word") == "bc"


def test_memory_holds_only_what_is_undecided() -> None:
    matcher = Matcher(CompiledGrammar(ex.Grammar({"start": QUOTED, "done": DONE}, "start")))
    for _ in range(1000):
        matcher.feed("some text ")
    assert len(matcher.source.text) < 50
