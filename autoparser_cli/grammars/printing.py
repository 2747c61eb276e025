"""What the printers of GBNF and of both kinds of Lark share: names for rules, a rule a line, the walk over nodes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from autoparser_cli.grammars.nodes import (
    Alt,
    Chars,
    Grammar,
    Names,
    Node,
    Ref,
    Repeat,
    Seq,
    Tag,
    Text,
    Token,
    UpTo,
)


class Printer(ABC):
    """Prints the rules of one grammar; a dialect says how its pieces are written.

    `root` is the start rule's name, `joint` stands between the words of a name, `private` before the name of
    every other rule, `defines` behind it, `option` between alternatives, and `nothing` for the empty text.
    """

    root: ClassVar[str]
    joint: ClassVar[str]
    private: ClassVar[str] = ""
    defines: ClassVar[str]
    option: ClassVar[str] = "\n  | "
    nothing: ClassVar[str] = '""'

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.names = Names(self.joint, reserved=(self.root,))
        self.rules = [self.fresh(rule.hint) for rule in grammar.rules]
        self.lines: list[str] = []
        self.texts: dict[UpTo, str] = {}

    def rule_lines(self) -> list[str]:
        """Return the lines of all rules, the start rule's first."""
        self.define(self.root, self.grammar.root)
        for name, rule in zip(self.rules, self.grammar.rules, strict=True):
            self.define(name, rule.body)
        return self.lines

    def fresh(self, hint: str) -> str:
        """Return a name for one more rule."""
        return self.private + self.names.fresh(hint)

    def define(self, name: str, body: Node) -> None:
        """Write a rule; rules that its body needs come behind it."""
        if isinstance(body, UpTo) and body not in self.texts and name != self.root:
            self.texts[body] = name
            self.up_to(name, body)
            return
        place = len(self.lines)
        self.lines.append("")
        options = body.items if isinstance(body, Alt) else (body,)
        self.lines[place] = f"{name}{self.defines}" + self.option.join(map(self.sequence, options))

    def sequence(self, node: Node) -> str:
        """Write a node where a row needs no brackets."""
        if isinstance(node, Seq):
            return " ".join(filter(None, map(self.item, node.items))) or self.nothing
        return self.item(node)

    def item(self, node: Node) -> str:
        """Write a node as one piece of a row."""
        if isinstance(node, Text):
            return self.literal(node.text)
        if isinstance(node, Chars | Token):
            return self.regular(node)
        if isinstance(node, Ref):
            return self.rules[node.index]
        if isinstance(node, Tag):
            return self.tagged(node)
        if isinstance(node, UpTo):
            return self.text_up_to(node)
        return self.repeat(node) if isinstance(node, Repeat) else self.group(node)

    def group(self, node: Node) -> str:
        """Write alternatives, or a row, in brackets."""
        options = node.items if isinstance(node, Alt) else (node,)
        if options == (Seq(()),):
            return self.nothing
        return f"({' | '.join(map(self.sequence, options))})"

    def text_up_to(self, node: UpTo) -> str:
        """Return the rule of a text up to its markers, one for equal nodes."""
        if node not in self.texts:
            self.texts[node] = self.fresh(f"{node.tag or 'text'} part")
            self.up_to(self.texts[node], node)
        return self.texts[node]

    def tagged(self, node: Tag) -> str:
        """Write a piece that a reader of the tree looks for; nobody looks at the others' trees."""
        return self.item(node.item)

    @abstractmethod
    def literal(self, text: str) -> str:
        """Write a literal."""

    @abstractmethod
    def regular(self, node: Chars | Token) -> str:
        """Write a regular piece."""

    @abstractmethod
    def repeat(self, node: Repeat) -> str:
        """Write a repetition."""

    @abstractmethod
    def up_to(self, name: str, node: UpTo) -> None:
        """Write the rules of a text up to its markers, the first of them under this name."""


def bounds(node: Repeat) -> str:
    """Return what stands behind a repeated piece."""
    short = {(0, 1): "?", (0, None): "*", (1, None): "+"}.get((node.low, node.high))
    if short is not None:
        return short
    high = "" if node.high is None else str(node.high)
    return f"{{{node.low}}}" if node.low == node.high else f"{{{node.low},{high}}}"
