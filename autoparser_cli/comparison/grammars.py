"""Two GBNF grammars -> what differs, rule by rule: in which order rules are written says nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from autoparser_cli.diffing.lines import Block, Line, Run, diff_lines

#: The states of an automaton that reads text up to some marker are rules with a number at their end.
_STATE = re.compile(r"^([\w-]+-at)-\d+[ \t]*::=")
_RULE = re.compile(r"^([\w-]+)[ \t]*::=", re.MULTILINE)


def same_rules(old: str, new: str) -> bool:
    """Tell whether both grammars have the same rules under the same names."""
    return old == new or _rules(old) == _rules(new)


def rule_blocks(old: str, new: str) -> tuple[Block, ...]:
    """Return a block for each rule that differs: in the order of the old grammar, then what is only in the new one."""
    before, after = _rules(old), _rules(new)
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return tuple(block for name in names for block in _blocks(before.get(name, ""), after.get(name, "")))


def without_states(blocks: Iterable[Block]) -> tuple[tuple[Block, ...], dict[str, int]]:
    """Return the blocks but those of an automaton's states, and how many of these there are, by the automaton's name.

    Where a marker is added, all states are numbered anew; one by one they tell a reader nothing.
    """
    kept: list[Block] = []
    states: dict[str, int] = {}
    for block in blocks:
        found = _STATE.match((block.left or block.right)[0].text)
        if found is None:
            kept.append(block)
        else:
            states[found[1]] = states.get(found[1], 0) + 1
    return tuple(kept), states


def _blocks(old: str, new: str) -> tuple[Block, ...]:
    if old and new:
        return tuple(block for block in diff_lines(old, new, paired=True) if block.changed)
    return (Block(_lines(old), _lines(new), changed=True),)


def _lines(text: str) -> tuple[Line, ...]:
    numbered: Iterable[tuple[int, str]] = enumerate(text.splitlines(keepends=True), 1)
    return tuple(Line(number, (Run(line, 1),)) for number, line in numbered)


def _rules(text: str) -> dict[str, str]:
    """Return each rule as written, its name included; what stands before the first is under no name."""
    starts = [*(match.start() for match in _RULE.finditer(text)), len(text)]
    pieces = [text[start:end] for start, end in pairwise(starts)]
    rules = {piece.partition("::=")[0].strip(): piece.rstrip("\n") + "\n" for piece in pieces}
    head = text[: starts[0]]
    return {"": head, **rules} if head else rules
