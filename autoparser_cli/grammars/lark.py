"""A grammar -> Lark's language, for LALR with the contextual lexer, and the compiled parser.

Regular pieces become terminals. A marker's terminal has priority over the text before it, and text runs up
to a lookahead, so that neither can swallow the other. Helper rules are inlined in the tree; what a reader
looks for (`content`, `call`, `name` ...) is a node of that name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import dropwhile
from typing import Any

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
from autoparser_cli.grammars.regexes import regex, regex_text

ROOT = "start"


@dataclass(frozen=True, slots=True)
class LarkText:
    """A grammar in Lark's language; `shown` tells for each terminal what a user should be told was
    expected.
    """

    text: str
    shown: Mapping[str, str]


def lark_text(grammar: Grammar) -> LarkText:
    """Print a grammar; its start rule is `start`."""
    return _Printer(grammar).printed()


def compile_lark(text: str) -> Any:
    """Compile a grammar into a LALR parser that keeps every token, with places.

    Raises `lark.exceptions.GrammarError`. The last ones are kept, since the same grammar is tried, printed and run; comments at its
    head make no difference.
    """
    lines = text.splitlines(keepends=True)
    return _compiled("".join(dropwhile(lambda line: line.startswith("//"), lines)))


@lru_cache(maxsize=4)
def _compiled(text: str) -> Any:
    import lark

    return lark.Lark(
        text,
        parser="lalr",
        lexer="contextual",
        start=ROOT,
        keep_all_tokens=True,
        propagate_positions=True,
        maybe_placeholders=False,
    )


@dataclass(slots=True)
class _Printer:
    grammar: Grammar
    names: Names = field(default_factory=lambda: Names("_", reserved=(ROOT,)))
    terminal_names: Names = field(default_factory=lambda: Names("_", upper=True))
    rules: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    terminals: dict[str, str] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)
    shared: dict[Node, str] = field(default_factory=dict)

    def printed(self) -> LarkText:
        self.rules = ["_" + self.names.fresh(rule.hint) for rule in self.grammar.rules]
        self._define(ROOT, self.grammar.root)
        for name, rule in zip(self.rules, self.grammar.rules, strict=True):
            self._define(name, rule.body)
        terminals = [f"{name}{definition}" for definition, name in self.terminals.items()]
        return LarkText("\n".join([*self.lines, "", *terminals]) + "\n", self.shown)

    def _define(self, name: str, body: Node, alias: str = "") -> None:
        place = len(self.lines)
        self.lines.append("")
        options = body.items if isinstance(body, Alt) else (body,)
        ending = f" -> {alias}" if alias else ""
        self.lines[place] = f"{name}: " + "\n  | ".join(self._sequence(option) + ending for option in options)

    def _sequence(self, node: Node) -> str:
        if isinstance(node, Seq):
            return " ".join(filter(None, (self._item(item) for item in node.items)))
        return self._item(node)

    def _item(self, node: Node) -> str:
        if isinstance(node, Text):
            return self._terminal(
                f".2: /{regex_text(node.text)}/", node.text.strip() or "space", repr(node.text)
            )
        if isinstance(node, Chars | Token):
            return self._regular(node)
        if isinstance(node, Ref):
            return self.rules[node.index]
        if isinstance(node, Tag):
            return self._tagged(node)
        if isinstance(node, UpTo):
            return self._up_to(node)
        if isinstance(node, Repeat):
            return self._repeat(node)
        options = node.items if isinstance(node, Alt) else (node,)
        return (
            f"({' | '.join(self._sequence(option) for option in options)})" if options != (Seq(()),) else ""
        )

    def _regular(self, node: Chars | Token) -> str:
        hint = node.hint if isinstance(node, Token) else "char"
        return self._terminal(f": /{regex(node)}/", hint, hint.replace("_", " "))

    def _repeat(self, node: Repeat) -> str:
        item = f"({self._sequence(node.item)})"
        if (node.low, node.high) == (0, 1):
            return item + "?"
        if node.high is None:
            return f"{item}~{node.low} {item}*" if node.low > 1 else item + ("+" if node.low else "*")
        return f"{item}~{node.low}..{node.high}"

    def _terminal(self, definition: str, hint: str, shown: str) -> str:
        known = self.terminals.get(definition)
        if known is None:
            known = self.terminals[definition] = self.terminal_names.fresh(hint)
            self.shown[known] = shown
        return known

    def _tagged(self, node: Tag) -> str:
        if node not in self.shared:
            self.shared[node] = self.names.fresh(f"{node.name} node")
            self._define(self.shared[node], node.item, alias=node.name)
        return self.shared[node]

    def _up_to(self, node: UpTo) -> str:
        """Write `(text)? (marker what-follows | ...)`: a terminal must not be empty, and the text may be."""
        if node in self.shared:
            return self.shared[node]
        name = self.shared[node] = "_" + self.names.fresh(f"{node.tag or 'text'} part")
        markers = "|".join(regex_text(marker) for marker, _ in node.stops)
        shown = "text up to " + " or ".join(repr(marker) for marker, _ in node.stops)
        ahead, priority = (markers, ".1") if node.closed else (f"{markers}|\\Z", "")
        text = self._terminal(f"{priority}: /(?s:.+?)(?={ahead})/", f"{node.tag or 'text'}_text", shown)
        place = len(self.lines)
        self.lines.append("")
        if node.tag:
            tagged = self.names.fresh(f"{node.tag} node")
            self.lines.append(f"{tagged}: {text} -> {node.tag}")
            text = tagged
        options = [
            f"{self._item(Text(marker))} {self._sequence(then)}".rstrip() for marker, then in node.stops
        ]
        bodies = [
            f"{lead}{option}".strip()
            for option in [*options, *([""] if node.end else [])]
            for lead in (f"{text} ", "")
        ]
        self.lines[place] = f"{name}: " + "\n  | ".join(bodies)
        return name
