"""What of an expression tree becomes part of a grammar, in every dialect: printed ways, without repairs and lookahead."""

from __future__ import annotations

import pytest
from grammar_runs import ENGINES, accepts

from autoparser_cli.grammars.dialects import Engine
from autoparser_cli.grammars.lowering import LoweringOptions, lower
from autoparser_cli.peg import expressions as peg

by_engine = pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.value)
ENDING = ("<e>", "<f>", "<g>")


def taken(states: dict[str, peg.Expression], engine: Engine, *texts: str) -> list[bool]:
    """Tell of each text whether an engine takes it."""
    options = LoweringOptions(wide=engine is Engine.LARK, lazy_texts=engine is Engine.LLGUIDANCE)
    grammar = lower(peg.Grammar(states, "start"), options)
    return [accepts(grammar, engine, text) for text in texts]


def text(kind: str, *exits: tuple[str, peg.Expression]) -> peg.Text:
    """Return a text that each of the markers ends."""
    return peg.Text(kind, tuple(peg.Exit(marker, item) for marker, item in exits), "done")


def end_exit(marker: str) -> tuple[str, peg.Expression]:
    """Return the way out of a text to the end of the turn."""
    return marker, peg.Sequence((peg.Literal(marker), peg.Goto("end")))


CONTENT = text("content", end_exit("<e>"), end_exit("<f>"))
END = {"end": peg.Rest(ENDING), "done": peg.Sequence(())}


@by_engine
def test_each_closing_marker_may_be_left_out_and_none_stands_twice(engine: Engine) -> None:
    states = {"start": peg.Sequence((peg.Literal("a"), peg.Goto("end"))), **END}
    assert all(taken(states, engine, "a", "a<f>", "a<e><g>", "a <e>\n<f> <g>\n"))
    assert not any(taken(states, engine, "a<f><e>", "a<e><e>", "a<h>", "<e>"))


@by_engine
def test_behind_the_marker_that_ends_a_text_only_later_ones_stand(engine: Engine) -> None:
    states = {"start": peg.Goto("content"), "content": CONTENT, **END}
    assert all(taken(states, engine, "", "some <text>", "x<e>", "x<e><f>", "x<f><g>"))
    assert not any(taken(states, engine, "x<e><e>", "x<f><e>"))


@by_engine
def test_the_end_is_no_way_of_its_own_beside_a_text_that_may_end(engine: Engine) -> None:
    start = peg.Choice((peg.Rest(ENDING), peg.Goto("content")))
    states = {"start": start, "content": CONTENT, **END}
    assert all(taken(states, engine, "", " ", "<e>", "x", "x<e>"))


@by_engine
def test_a_text_does_not_hold_what_it_must_not_begin_with(engine: Engine) -> None:
    barred = peg.Not(peg.Sequence((peg.Space(), peg.Literal("</call>"))))
    start = peg.Choice((peg.Rest(ENDING), peg.Sequence((barred, peg.Goto("content")))))
    states = {"start": start, "content": CONTENT, **END}
    assert all(taken(states, engine, "", "x", "</calm>x<e>"))
    assert not any(taken(states, engine, "</call>", "\n</call>x", "</call><e>"))


@by_engine
def test_repairs_are_no_part_of_a_grammar(engine: Engine) -> None:
    doubled = peg.Sequence((peg.Literal("<"), peg.Mark("repair", "doubled")))
    other = peg.Sequence((peg.Mark("repair", "other"), peg.Literal("b"), peg.Goto("done")))
    printed = peg.Sequence((peg.Optional(doubled), peg.Literal("<a>"), peg.Goto("done")))
    states = {"start": peg.Choice((other, printed)), **END}
    assert taken(states, engine, "<a>") == [True]
    assert not any(taken(states, engine, "<<a>", "b", ""))


@by_engine
def test_a_way_that_begins_as_a_texts_marker_does_is_still_a_way(engine: Engine) -> None:
    call = peg.Sequence((peg.Literal("to="), peg.Literal("f()"), peg.Goto("done")))
    start = peg.Choice(
        (
            peg.Sequence((peg.Literal(" to=self:"), peg.Goto("reasoning"))),
            peg.Goto("content"),
        )
    )
    states = {
        "start": start,
        "content": text("content", ("to=", call)),
        "reasoning": text("reasoning", end_exit("<e>")),
        **END,
    }
    assert all(taken(states, engine, " to=self:why<e>", " to=f()", "so to=f()", ""))
    assert not any(taken(states, engine, " to=g()", "to="))


@by_engine
def test_of_two_ways_behind_one_marker_the_wider_is_kept(engine: Engine) -> None:
    ways = (
        peg.Sequence((peg.Literal("</t>"), peg.Goto("after"))),
        peg.Sequence((peg.Literal("</t>"), peg.Margin("\n"), peg.Goto("content"))),
    )
    after = peg.Choice((peg.Sequence((peg.Literal("!"), peg.Goto("done"))), peg.Goto("content")))
    states = {"start": peg.Choice(ways), "after": after, "content": CONTENT, **END}
    assert all(taken(states, engine, "</t>", "</t>!", "</t>\nx<e>"))
    assert not any(taken(states, engine, "x", "</t><e><e>"))


@by_engine
def test_a_way_behind_a_marker_that_an_earlier_one_always_takes_is_none(engine: Engine) -> None:
    ways = (
        peg.Sequence((peg.Literal("<t>"), peg.Goto("reasoning"))),
        peg.Sequence((peg.Literal("<t>"), peg.Goto("content"))),
    )
    reasoning = text("reasoning", ("</t>", peg.Sequence((peg.Literal("</t>"), peg.Goto("content")))))
    states = {"start": peg.Choice(ways), "reasoning": reasoning, "content": CONTENT, **END}
    assert all(taken(states, engine, "<t>", "<t>why</t>x<e>"))
    assert not any(taken(states, engine, "x", "<t>why</t>x<e><e>"))


@by_engine
def test_white_space_inside_a_list_of_calls_is_that_of_json(engine: Engine) -> None:
    record = peg.Record({"f": {"type": "object", "properties": {}}}, ("name",), ("arguments",))
    more = peg.Sequence((peg.Space(), peg.Literal(","), peg.Space(", "), record, peg.Goto("next")))
    close = peg.Sequence((peg.Space(), peg.Literal("]"), peg.Space(), peg.Goto("done")))
    states = {
        "start": peg.Sequence(
            (peg.Literal("<c>"), peg.Space(), peg.Literal("["), peg.Space(), record, peg.Goto("next"))
        ),
        "next": peg.Choice((more, close)),
        **END,
    }
    call = '{"name": "f", "arguments": {}}'
    assert all(
        taken(states, engine, f"<c>[{call}]", f"<c>[\n    {call},\n    {call}\n]", f"<c>[{call}, {call}]")
    )
    assert not any(taken(states, engine, "<c>[]", f"<c>[{call},]", f"<c>[{call} {call}]"))
