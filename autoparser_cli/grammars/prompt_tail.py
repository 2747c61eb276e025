"""The expression tree and what the prompt ends with -> the expressions of what the model writes behind it.

A prompt may already open reasoning, or open and close it, or stop inside a marker; a grammar that begins at
the first written token has to know.
"""

from __future__ import annotations

from autoparser_cli.grammars.reading import Items, printed_items, without_leading_space
from autoparser_cli.peg import expressions as peg

_WHITE = " \t\r\n"


def items_behind(tree: peg.Grammar, prompt: str) -> Items:
    """Return what follows `prompt`, the part of the prompt's end that belongs to the turn; all of it where
    nothing fits.
    """
    start: Items = [tree.states[tree.start]]
    if not prompt.strip(_WHITE):
        return start
    found = _behind(tree, start, prompt)
    return start if found is None else found


def _behind(tree: peg.Grammar, items: Items, prompt: str) -> Items | None:
    """Consume a prompt from the front of a row; None where the row does not begin so."""
    while items and prompt:
        first, rest = items[0], items[1:]
        if isinstance(first, peg.Space | peg.Margin):
            prompt, items = prompt.lstrip(_WHITE), rest
        elif isinstance(first, peg.Literal):
            if first.text.startswith(prompt):
                left = first.text[len(prompt) :]
                return [*([peg.Literal(left)] if left else []), *rest]
            if not prompt.startswith(first.text):
                return None
            prompt, items = prompt[len(first.text) :], rest
        else:
            return _behind_other(tree, first, rest, prompt)
    return items


def _behind_other(tree: peg.Grammar, first: peg.Expression, rest: Items, prompt: str) -> Items | None:
    if isinstance(first, peg.Goto):
        return _behind(tree, [tree.states[first.state]], prompt)
    if isinstance(first, peg.Sequence):
        items = printed_items(first.items)
        if items is None or any(isinstance(item, peg.Ahead) for item in items):
            return None
        return _behind(tree, [*items, *rest], prompt)
    if isinstance(first, peg.Choice) and not prompt.strip(_WHITE):
        return [_without_leading_space(first), *rest]
    if isinstance(first, peg.Choice):
        for option in first.items:
            found = _behind(tree, [option, *rest], prompt)
            if found is not None:
                return found
        return None
    if isinstance(first, peg.Span):
        return _behind(tree, [first.item, *rest], prompt)
    return _behind_text(tree, first, prompt) if isinstance(first, peg.Text) else None


def _without_leading_space(choice: peg.Choice) -> peg.Choice:
    """Return a choice behind white space that its ways print and the prompt holds already."""
    options: list[peg.Expression] = []
    for option in choice.items:
        items = printed_items((option,))
        options.append(option if items is None else peg.Sequence(tuple(without_leading_space(items))))
    return peg.Choice(tuple(options))


def _behind_text(tree: peg.Grammar, text: peg.Text, prompt: str) -> Items | None:
    """Consume a text that the prompt begins, and perhaps ends."""
    places = [(prompt.find(exit_.anchor), exit_) for exit_ in text.exits if exit_.anchor in prompt]
    for at, exit_ in sorted(places, key=lambda place: place[0]):
        items = printed_items((exit_.item,))
        found = _behind(tree, items, prompt[at:].lstrip(_WHITE)) if items else None
        if found is not None:
            return found
    return [text]
