"""Questions about rows of expressions: does one hold a call, end the turn, stand for a call without arguments?"""

from __future__ import annotations

from collections.abc import Mapping

from autoparser_cli.grammars import spelling
from autoparser_cli.grammars.nodes import Node
from autoparser_cli.grammars.reading import Items, printed_items
from autoparser_cli.peg import expressions as peg

CALL = "call"
NO_ARGUMENTS = ("arguments", "{}")


def with_own_end(items: Items, states: Mapping[str, peg.Expression]) -> Items:
    """Return a row whose last marker closes the turn with only the markers behind that one."""
    if len(items) < 2 or not isinstance(items[-1], peg.Goto) or not isinstance(items[-2], peg.Literal):
        return items
    end, marker = states[items[-1].state], items[-2].text
    if not isinstance(end, peg.Rest) or marker not in end.markers:
        return items
    return [*items[:-1], peg.Rest(end.markers[end.markers.index(marker) + 1 :])]


def list_bracket(pair: Items) -> Node | None:
    """Return the terminal of a bracket or comma with the white space that stands on its inner side."""
    if len(pair) == 2 and isinstance(pair[0], peg.Literal) and isinstance(pair[1], peg.Space):
        return {"[": spelling.OPEN_BRACKET, ",": spelling.COMMA}.get(pair[0].text)
    if len(pair) == 2 and isinstance(pair[0], peg.Space) and pair[1] == peg.Literal("]"):
        return spelling.CLOSE_BRACKET
    return None


def ends_turn(items: Items, tree: peg.Grammar) -> bool:
    """Tell whether an exit leads to the end of the turn."""
    last = items[-1] if items else None
    return isinstance(last, peg.Goto) and isinstance(tree.states[last.state], peg.Rest)


def without_calls(expression: peg.Expression) -> peg.Expression:
    """Return a state behind a call without the ways to a further one."""
    if not isinstance(expression, peg.Choice):
        return expression
    ways = [item for item in expression.items if not holds_call(item)]
    rest = [item for item in ways if isinstance(item, peg.Rest)]
    return peg.Choice(tuple(rest or ways))


def holds_call(expression: peg.Expression) -> bool:
    if isinstance(expression, peg.Mark):
        return expression.kind == CALL
    return isinstance(expression, peg.Sequence) and any(holds_call(item) for item in expression.items)


def depends_on_call(expression: peg.Expression) -> bool:
    """Tell whether an expression is written differently for each tool; what is not is one rule for all of them."""
    if isinstance(expression, peg.Sequence | peg.Choice):
        return any(depends_on_call(item) for item in expression.items)
    if isinstance(expression, peg.Optional):
        return depends_on_call(expression.item)
    known = peg.Literal | peg.Space | peg.Run | peg.Mark | peg.Cut | peg.Peek | peg.Not
    return not isinstance(expression, known)


def is_empty_call(expression: peg.Expression) -> bool:
    """Tell whether an alternative stands for a call without arguments."""
    if not isinstance(expression, peg.Sequence):
        return False
    marks = [item for item in expression.items if isinstance(item, peg.Mark)]
    return any((mark.kind, mark.value) == NO_ARGUMENTS for mark in marks)


def bare_text(expression: peg.Expression) -> str:
    """Return what a way to write a call prints where there are no arguments."""
    printed = printed_items((expression,)) or []
    return "".join(
        item.text if isinstance(item, peg.Literal) else item.printed
        for item in printed
        if isinstance(item, peg.Literal | peg.Space | peg.Margin)
    )
