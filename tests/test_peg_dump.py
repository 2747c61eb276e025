"""A grammar as text for people: rules, alternatives, parts with a name, tools."""

from __future__ import annotations

import re

import pytest
from wire_formats import FORMATS, TOOLS

from autoparser_cli.parsing import build_parser
from autoparser_cli.peg import expressions as ex
from autoparser_cli.peg.dump import dump_grammar

END = ex.Exit("<end>", ex.Sequence((ex.Literal("<end>"), ex.Space("\n"), ex.Goto("done"))))
WORD = ex.Run("word", "[a-z]", "a word")


def dump(**states: ex.Expression) -> str:
    shown = dump_grammar(ex.Grammar({**states, "done": ex.Sequence(())}, "start"))
    return shown.partition("\n\n")[2]


def test_a_text_lists_the_ways_out_of_it() -> None:
    assert dump(start=ex.Text("content", (END,), "done")) == (
        'start <- content( any text ) up to\n  / "<end>" _ -> done\n  / the end -> done\ndone <- nothing\n'
    )


def test_a_state_that_nothing_leads_to_is_left_out() -> None:
    assert dump(start=ex.Literal("a"), lonely=ex.Literal("b")) == 'start <- "a"\n'


@pytest.mark.parametrize(
    ("node", "shown"),
    [
        (ex.Optional(WORD), "( {word} )?"),
        (ex.Optional(WORD, "missing-word"), "( {word} / [missing-word] )"),
        (ex.Peek(WORD), "&( {word} )"),
        (ex.Not(WORD), "!( {word} )"),
        (ex.Sequence((ex.Space(), ex.Space("\n"), WORD)), "_ {word}"),
        (ex.Rest(("<e>",)), '_ "<e>"? _ end of output'),
        (
            ex.Switch({"f": {}}, (ex.Tag(), ex.Payload(as_string=True))),
            "{name} arguments( a string of JSON )",
        ),
        (ex.Record({}, ("n",), ("a",), ("i",)), '{ "n": {name}, "a": arguments( JSON ), "i": {id} }'),
        (ex.Record({}, (), (), tag_is_key=True), "{ {name}: arguments( JSON ) }"),
    ],
)
def test_each_expression_has_a_notation(node: ex.Expression, shown: str) -> None:
    assert dump(start=node).splitlines()[0] == f"start <- {shown}"


def test_tools_are_shown_with_the_types_of_their_parameters() -> None:
    shown = build_parser(FORMATS["hermes"], TOOLS).dump()
    assert "  add(a: number, b: integer|null)\n" in shown
    assert "  get_weather(city: string, days?: integer, unit?: string, tags?: array)\n" in shown


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize("name", FORMATS)
def test_every_rule_that_is_led_to_is_there(name: str, lenient: bool) -> None:
    shown = build_parser(FORMATS[name], TOOLS, lenient=lenient).dump()
    rules = set(re.findall(r"^([\w-]+) <-", shown, re.MULTILINE))
    assert set(re.findall(r"-> ([a-z_]+)", shown)) <= rules | {"rule"}
    assert set(re.findall(r"\b(?:call|part)-\d+", shown)) <= rules


def test_what_is_long_and_stands_twice_has_a_rule_of_its_own() -> None:
    shown = build_parser(FORMATS["thinking-tags"], TOOLS).dump()
    assert shown.count("arguments( (") == 1
