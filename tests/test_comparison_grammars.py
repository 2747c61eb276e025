"""Grammars are compared rule by rule, and every rule that differs is there."""

from __future__ import annotations

import pytest

from autoparser_cli.comparison.grammars import rule_blocks, same_rules, without_states

OLD = 'root ::= call | text\ncall ::= "<call>"\ntext ::= [a-z]*\n'


def texts(old: str, new: str) -> list[tuple[str, str]]:
    return [
        ("".join(line.text for line in block.left), "".join(line.text for line in block.right))
        for block in rule_blocks(old, new)
    ]


def test_the_order_of_rules_is_no_difference() -> None:
    moved = 'root ::= call | text\ntext ::= [a-z]*\ncall ::= "<call>"\n'
    assert same_rules(OLD, moved)
    assert texts(OLD, moved) == []


@pytest.mark.parametrize(
    ("new", "found"),
    [
        (OLD.replace("[a-z]", "[0-9]"), [("text ::= [a-z]*\n", "text ::= [0-9]*\n")]),
        (OLD + 'more ::= "x"\n', [("", 'more ::= "x"\n')]),
        (OLD.replace("text ::= [a-z]*\n", ""), [("text ::= [a-z]*\n", "")]),
        (
            OLD.replace("text ::=", "words ::="),
            [("text ::= [a-z]*\n", ""), ("", "words ::= [a-z]*\n")],
        ),
        ("# a comment\n" + OLD, [("", "# a comment\n")]),
        ("", [(rule + "\n", "") for rule in OLD.splitlines()]),
    ],
)
def test_each_rule_that_differs_is_there(new: str, found: list[tuple[str, str]]) -> None:
    assert not same_rules(OLD, new)
    assert texts(OLD, new) == found


def test_a_changed_rule_marks_what_changed_in_it() -> None:
    (block,) = rule_blocks(OLD, OLD.replace('"<call>"', '"<invoke>"'))
    assert [run.text for run in block.left[0].runs if run.changed] == ["<call>"]
    assert [run.text for run in block.right[0].runs if run.changed] == ["<invoke>"]


def test_a_rule_that_is_only_spaced_otherwise_differs() -> None:
    assert not same_rules(OLD, OLD.replace("call | text", "call |  text"))


def test_the_states_of_an_automaton_are_counted() -> None:
    states = "".join(f"text-at-{number} ::= [a] text-at-{number + 1}\n" for number in range(1, 5))
    blocks, counts = without_states(rule_blocks(OLD, OLD.replace("[a-z]", "[0-9]") + states))
    assert [block.right[0].text for block in blocks] == ["text ::= [0-9]*\n"]
    assert counts == {"text-at": 4}
    assert without_states(()) == ((), {})
