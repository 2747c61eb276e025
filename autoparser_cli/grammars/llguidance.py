"""A grammar -> llguidance's own Lark dialect.

Its lexer takes the longest match and never goes back, so text up to a marker is a lazy rule whose terminal
holds the marker too. Regular pieces are terminals; nothing is widened, because the parser behind the lexer
follows all alternatives.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

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
    prefix_free,
    untagged,
)
from autoparser_cli.grammars.regexes import regex, regex_text

ROOT = "start"


def llguidance_text(grammar: Grammar) -> str:
    """Print a grammar; its start rule is `start`."""
    return _Printer(untagged(grammar)).text()


@dataclass(slots=True)
class _Printer:
    grammar: Grammar
    names: Names = field(default_factory=lambda: Names("_", reserved=(ROOT,)))
    terminal_names: Names = field(default_factory=lambda: Names("_", upper=True))
    rules: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    terminals: dict[str, str] = field(default_factory=dict)
    shared: dict[UpTo, str] = field(default_factory=dict)

    def text(self) -> str:
        self.rules = [self.names.fresh(rule.hint) for rule in self.grammar.rules]
        self._define(ROOT, self.grammar.root)
        for name, rule in zip(self.rules, self.grammar.rules, strict=True):
            self._define(name, rule.body)
        terminals = [f"{name}: {definition}" for definition, name in self.terminals.items()]
        return "\n".join([*self.lines, *terminals]) + "\n"

    def _define(self, name: str, body: Node) -> None:
        place = len(self.lines)
        self.lines.append("")
        options = body.items if isinstance(body, Alt) else (body,)
        self.lines[place] = f"{name}: " + "\n  | ".join(self._sequence(option) for option in options)

    def _sequence(self, node: Node) -> str:
        if isinstance(node, Seq):
            return " ".join(self._item(item) for item in node.items) or '""'
        return self._item(node)

    def _item(self, node: Node) -> str:
        if isinstance(node, Text):
            return _literal(node.text)
        if isinstance(node, Chars | Token):
            return self._terminal(f"/{regex(node)}/", node.hint if isinstance(node, Token) else "char")
        if isinstance(node, Ref):
            return self.rules[node.index]
        if isinstance(node, Tag):
            return self._item(node.item)
        if isinstance(node, UpTo):
            return self._up_to(node)
        if isinstance(node, Repeat):
            return self._repeat(node)
        options = node.items if isinstance(node, Alt) else (node,)
        return f"({' | '.join(self._sequence(option) for option in options)})"

    def _repeat(self, node: Repeat) -> str:
        item = f"({self._sequence(node.item)})"
        short = {(0, 1): "?", (0, None): "*", (1, None): "+"}.get((node.low, node.high))
        if short is None:
            high = "" if node.high is None else str(node.high)
            short = f"{{{node.low},{high}}}"
        return item + short

    def _terminal(self, definition: str, hint: str) -> str:
        known = self.terminals.get(definition)
        if known is None:
            known = self.terminals[definition] = self.terminal_names.fresh(hint)
        return known

    def _up_to(self, node: UpTo) -> str:
        if node in self.shared:
            return self.shared[node]
        base = node.tag or "text"
        name = self.shared[node] = self.names.fresh(f"{base} part")
        options = []
        for marker, then in prefix_free(node.stops):
            lazy = self.names.fresh(f"{base} up to")
            self.lines.append(f"{lazy}[lazy]: /(?s:.*){regex_text(marker)}/")
            options.append(f"{lazy} {self._sequence(then)}")
        if node.end:
            options.append(self._last_text(node))
        self.lines.append(f"{name}: " + "\n  | ".join(options))
        return name

    def _last_text(self, node: UpTo) -> str:
        """Return text that holds no marker and is the last thing there is."""
        markers = "|".join(regex_text(marker) for marker, _ in node.stops)
        return self._terminal(f"/(?s:.*)/ & ~/(?s:.*)(?:{markers})(?s:.*)/", "last_text")


def _literal(text: str) -> str:
    """Write a literal, each leading white space apart.

    Of two literals that begin alike the lexer may follow the longer one into a dead end, and separators and
    closing markers do begin alike, with a line break.
    """
    rest = text.lstrip()
    pieces = [*text[: len(text) - len(rest)], *([rest] if rest else [])]
    return " ".join(json.dumps(piece, ensure_ascii=False) for piece in pieces) or '""'
