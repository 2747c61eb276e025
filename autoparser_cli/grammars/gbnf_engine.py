"""GBNF text -> a grammar that was read, checked and can be run on samples, without any engine installed.

Reads what `gbnf.py` writes, strictly: names of letters, digits and hyphens, every rule defined once and
used rules defined, only the escapes that llama.cpp knows, no left recursion. Matching follows all ways at
once, one character at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from autoparser_cli.frozen import frozen

ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", '"': '"', "[": "[", "]": "]"}
HEX_DIGITS = {"x": 2, "u": 4, "U": 8}

Ranges: TypeAlias = tuple[tuple[int, int], ...]


@frozen
class Class:
    """One character of a class."""

    ranges: Ranges
    negated: bool = False

    def holds(self, code: int) -> bool:
        """Tell whether a character is in the class."""
        return any(low <= code <= high for low, high in self.ranges) != self.negated


@frozen
class Call:
    """A rule by name."""

    rule: str


Step: TypeAlias = Class | Call
Alternatives: TypeAlias = tuple[tuple[Step, ...], ...]
#: What is still to be matched: steps, and behind them the rest of the callers.
Stack: TypeAlias = "tuple[tuple[Step, ...], Stack] | None"


class GbnfError(ValueError):
    """A text that is no GBNF; the text names the rule."""


@dataclass(slots=True)
class GbnfGrammar:
    """A grammar that was read and checked."""

    rules: dict[str, Alternatives] = field(default_factory=dict)

    def match(self, text: str) -> GbnfMatch:
        """Run a text."""
        stacks = self._expanded([((Call("root"),), None)])
        for offset, char in enumerate(text):
            code = ord(char)
            reached: list[Stack] = []
            for stack in stacks:
                if stack is None:
                    continue
                (first, *rest), behind = stack
                assert isinstance(first, Class)
                if first.holds(code):
                    reached.append((tuple(rest), behind) if rest else behind)
            if not reached:
                return GbnfMatch(offset, False)
            stacks = self._expanded(reached)
        return GbnfMatch(len(text), None in stacks)

    def _expanded(self, stacks: list[Stack]) -> list[Stack]:
        """Open rules until every stack begins with a character, or is at its end."""
        result: list[Stack] = []
        seen: set[Stack] = set()
        pending = list(stacks)
        while pending:
            stack = pending.pop()
            if stack in seen:
                continue
            seen.add(stack)
            if stack is None or (stack[0] and isinstance(stack[0][0], Class)):
                result.append(stack)
                continue
            steps, behind = stack
            if not steps:
                pending.append(behind)
                continue
            call = steps[0]
            assert isinstance(call, Call)
            rest: Stack = (steps[1:], behind) if len(steps) > 1 else behind
            pending.extend((option, rest) if option else rest for option in self.rules[call.rule])
        return result


@frozen
class GbnfMatch:
    """How far a text was matched, and whether it may end there."""

    offset: int
    complete: bool


def read_gbnf(text: str) -> GbnfGrammar:
    """Read and check a grammar. Raises GbnfError naming the rule."""
    reader = _Reader(text)
    reader.read()
    grammar = GbnfGrammar(reader.rules)
    _check_references(grammar)
    _check_left_recursion(grammar)
    return grammar


def _check_references(grammar: GbnfGrammar) -> None:
    if "root" not in grammar.rules:
        raise GbnfError("there is no rule root")
    for name, options in grammar.rules.items():
        for option in options:
            for step in option:
                if isinstance(step, Call) and step.rule not in grammar.rules:
                    raise GbnfError(f"rule {name} uses {step.rule}, which is not defined")


def _check_left_recursion(grammar: GbnfGrammar) -> None:
    empty = _empty_rules(grammar)
    edges = {name: _first_calls(options, empty) for name, options in grammar.rules.items()}
    done: set[str] = set()
    for name in grammar.rules:
        path: list[str] = [name]
        iterators = [iter(sorted(edges[name]))]
        while iterators:
            following = next(iterators[-1], None)
            if following is None:
                iterators.pop()
                done.add(path.pop())
            elif following in path:
                raise GbnfError(f"rule {following} begins with itself")
            elif following not in done:
                path.append(following)
                iterators.append(iter(sorted(edges[following])))


def _empty_rules(grammar: GbnfGrammar) -> set[str]:
    empty: set[str] = set()
    grown = True
    while grown:
        grown = False
        for name, options in grammar.rules.items():
            if name not in empty and any(
                all(isinstance(step, Call) and step.rule in empty for step in option) for option in options
            ):
                empty.add(name)
                grown = True
    return empty


def _first_calls(options: Alternatives, empty: set[str]) -> set[str]:
    calls: set[str] = set()
    for option in options:
        for step in option:
            if not isinstance(step, Call):
                break
            calls.add(step.rule)
            if step.rule not in empty:
                break
    return calls


class _Reader:
    """Reads rules line by line; groups and repeats become rules of their own."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._rule = ""
        self._inner = 0
        self.rules: dict[str, Alternatives] = {}

    def read(self) -> None:
        self._skip(lines=True)
        while self._place < len(self._text):
            self._rule = name = self._name()
            if name in self.rules:
                raise GbnfError(f"rule {name} is defined twice")
            self._skip()
            if not self._text.startswith("::=", self._place):
                raise GbnfError(f"rule {name}: ::= expected")
            self._place += 3
            self._skip(lines=True)
            self.rules[name] = ()
            self.rules[name] = self._alternatives(nested=False)
            self._skip(lines=True)

    def _fail(self, reason: str) -> GbnfError:
        line = self._text.count("\n", 0, self._place) + 1
        return GbnfError(f"rule {self._rule}, line {line}: {reason}")

    def _skip(self, lines: bool = False) -> None:
        while self._place < len(self._text):
            char = self._text[self._place]
            if char == "#":
                end = self._text.find("\n", self._place)
                self._place = len(self._text) if end < 0 else end
            elif char in " \t" or (lines and char in "\r\n"):
                self._place += 1
            else:
                return

    def _name(self) -> str:
        start = self._place
        while self._place < len(self._text) and (
            self._text[self._place].isascii()
            and (self._text[self._place].isalnum() or self._text[self._place] == "-")
        ):
            self._place += 1
        if start == self._place:
            raise self._fail(f"a rule name expected, not {self._text[start : start + 12]!r}")
        return self._text[start : self._place]

    def _alternatives(self, nested: bool) -> Alternatives:
        options = [self._sequence(nested)]
        while self._peek() == "|":
            self._place += 1
            self._skip(lines=True)
            options.append(self._sequence(nested))
        return tuple(options)

    def _peek(self) -> str:
        return self._text[self._place : self._place + 1]

    def _sequence(self, nested: bool) -> tuple[Step, ...]:
        steps: list[Step] = []
        while self._peek() and self._peek() not in ("|)" if nested else "|\r\n"):
            item = self._item()
            steps.extend(self._repeated(item))
            self._skip(lines=nested)
        return tuple(steps)

    def _item(self) -> tuple[Step, ...]:
        char = self._peek()
        if char == '"':
            return self._literal()
        if char == "[":
            return (self._class(),)
        if char != "(":
            return (Call(self._name()),)
        self._place += 1
        self._skip(lines=True)
        options = self._alternatives(nested=True)
        if self._peek() != ")":
            raise self._fail("an open group")
        self._place += 1
        return (self._rule_of(options),)

    def _rule_of(self, options: Alternatives) -> Call:
        self._inner += 1
        name = f"{self._rule}({self._inner})"
        self.rules[name] = options
        return Call(name)

    def _repeated(self, item: tuple[Step, ...]) -> tuple[Step, ...]:
        low, high = self._bounds()
        if (low, high) == (1, 1):
            return item
        if high is None:
            loop = self._rule_of(())
            self.rules[loop.rule] = ((*item, loop), ())
            return (*item * low, loop)
        tail: tuple[Step, ...] = ()
        for _ in range(high - low):
            tail = (self._rule_of(((*item, *tail), ())),)
        return (*item * low, *tail)

    def _bounds(self) -> tuple[int, int | None]:
        char = self._peek()
        known = {"*": (0, None), "+": (1, None), "?": (0, 1)}
        if char in known and char:
            self._place += 1
            return known[char]
        if char != "{":
            return 1, 1
        end = self._text.find("}", self._place)
        low, comma, high = self._text[self._place + 1 : end].partition(",")
        if end < 0 or not low.isdigit() or (high and not high.isdigit()):
            raise self._fail("a repetition that cannot be read")
        self._place = end + 1
        return int(low), (int(high) if high else None) if comma else int(low)

    def _literal(self) -> tuple[Step, ...]:
        self._place += 1
        steps: list[Step] = []
        while self._peek() != '"':
            code = self._char()
            steps.append(Class(((code, code),)))
        self._place += 1
        return tuple(steps)

    def _class(self) -> Class:
        self._place += 1
        negated = self._peek() == "^"
        self._place += negated
        ranges: list[tuple[int, int]] = []
        while self._peek() != "]":
            low = high = self._char()
            if self._peek() == "-" and self._text[self._place + 1 : self._place + 2] != "]":
                self._place += 1
                high = self._char()
            ranges.append((low, high))
        self._place += 1
        return Class(tuple(ranges), negated)

    def _char(self) -> int:
        char = self._peek()
        if not char or char in "\r\n":
            raise self._fail("a literal or class that does not end on its line")
        self._place += 1
        if char != "\\":
            return ord(char)
        kind = self._peek()
        self._place += 1
        if kind in ESCAPES:
            return ord(ESCAPES[kind])
        digits = HEX_DIGITS.get(kind)
        text = self._text[self._place : self._place + (digits or 0)]
        if not digits or len(text) < digits:
            raise self._fail(f"\\{kind} is no escape")
        self._place += digits
        try:
            return int(text, 16)
        except ValueError:
            raise self._fail(f"\\{kind}{text} is no escape") from None
