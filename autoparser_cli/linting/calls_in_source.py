"""Tokens -> the filters that are called in a template, with the place of each argument, for rules that mend them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from autoparser_cli.frozen import frozen
from autoparser_cli.linting.rule import Edit
from autoparser_cli.linting.tokens import Token

_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


@frozen
class FilterCall:
    """A filter after its bar; `arguments` has the tokens of each, `end` is behind the closing bracket, if any."""

    name: Token
    arguments: tuple[tuple[Token, ...], ...]
    end: int

    def without(self, index: int) -> Edit:
        """Take an argument out, and the brackets with the only one."""
        if len(self.arguments) == 1:
            return Edit(self.name.end, self.end, "")
        argument = self.arguments[index]
        if index == 0:
            return Edit(argument[0].start, self.arguments[1][0].start, "")
        return Edit(self.arguments[index - 1][-1].end, argument[-1].end, "")


def filter_calls(tokens: Sequence[Token]) -> Iterator[FilterCall]:
    """Yield every filter in the order of the source."""
    for at, (before, token) in enumerate(pairwise(tokens), 1):
        in_block = before.text == "filter" and at > 1 and tokens[at - 2].kind == "block_begin"
        if token.kind == "name" and (in_block or (before.kind == "operator" and before.text == "|")):
            yield _call(tokens, at)


def _call(tokens: Sequence[Token], at: int) -> FilterCall:
    if at + 1 >= len(tokens) or tokens[at + 1].text != "(":
        return FilterCall(tokens[at], (), tokens[at].end)
    arguments: list[list[Token]] = [[]]
    depth = 0
    for token in tokens[at + 2 :]:
        if token.text in _CLOSING and not depth:
            return FilterCall(tokens[at], tuple(tuple(item) for item in arguments if item), token.end)
        if token.kind == "operator":
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
        if token.text == "," and not depth:
            arguments.append([])
        else:
            arguments[-1].append(token)
    return FilterCall(tokens[at], (), tokens[at].end)
