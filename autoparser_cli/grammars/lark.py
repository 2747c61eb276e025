"""A grammar -> Lark's language, for LALR with the contextual lexer, and the compiled parser.

Regular pieces become terminals. A marker's terminal has priority over the text before it, and text runs up
to a lookahead, so that neither can swallow the other. Helper rules are inlined in the tree; what a reader
looks for (`content`, `call`, `name` ...) is a node of that name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import dropwhile
from typing import Any

from autoparser_cli.frozen import frozen
from autoparser_cli.grammars.nodes import (
    NEVER,
    Alt,
    Chars,
    Grammar,
    Names,
    Node,
    Repeat,
    Seq,
    Tag,
    Text,
    Token,
    UpTo,
    seq,
)
from autoparser_cli.grammars.printing import Printer
from autoparser_cli.grammars.regexes import regex, regex_text

ROOT = "start"
#: The hint of a mapping's declared key, whose terminal goes before that of any string.
KEY = "key"


@frozen
class LarkText:
    """A grammar in Lark's language.

    `shown` tells for each terminal what a user should be told was expected, `keys` for each literal that opens a field the name of
    the field.
    """

    text: str
    shown: Mapping[str, str]
    keys: Mapping[str, str]


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


class _Printer(Printer):
    root = ROOT
    joint = "_"
    private = "_"
    defines = ": "
    nothing = ""

    def __init__(self, grammar: Grammar) -> None:
        super().__init__(grammar)
        self._terminal_names = Names("_", upper=True)
        self._terminals: dict[str, str] = {}
        self._shown: dict[str, str] = {}
        self._tagged: dict[Tag, str] = {}
        self._keys: dict[str, str] = {}

    def printed(self) -> LarkText:
        rules = self.rule_lines()
        terminals = [f"{name}{definition}" for definition, name in self._terminals.items()]
        return LarkText("\n".join([*rules, "", *terminals]) + "\n", self._shown, self._keys)

    def literal(self, text: str) -> str:
        return self._terminal(f".2: /{regex_text(text)}/", text.strip() or "space", repr(text))

    def regular(self, node: Chars | Token) -> str:
        hint = node.hint if isinstance(node, Token) else "char"
        priority = ".2" if hint == KEY else ""
        return self._terminal(f"{priority}: /{regex(node)}/", hint, hint.replace("_", " "))

    def repeat(self, node: Repeat) -> str:
        item = f"({self.sequence(node.item)})"
        if (node.low, node.high) == (0, 1):
            return item + "?"
        if node.high is None:
            return f"{item}~{node.low} {item}*" if node.low > 1 else item + ("+" if node.low else "*")
        return f"{item}~{node.low}..{node.high}"

    def _terminal(self, definition: str, hint: str, shown: str) -> str:
        known = self._terminals.get(definition)
        if known is None:
            known = self._terminals[definition] = self._terminal_names.fresh(hint)
            self._shown[known] = shown
        return known

    def tagged(self, node: Tag) -> str:
        """Return the rule of a piece that stands in the tree under its name."""
        if node not in self._tagged:
            name = self._tagged[node] = self.names.fresh(f"{node.name} node")
            place = len(self.lines)
            self.lines.append("")
            item = self._with_key(node.item) if node.name == "field" else node.item
            options = item.items if isinstance(item, Alt) else (item,)
            written = (f"{self.sequence(option)} -> {node.name}" for option in options)
            self.lines[place] = f"{name}: " + self.option.join(written)
        return self._tagged[node]

    def _with_key(self, field: Node) -> Node:
        """Make one literal of a field's name and the markers around it: fewer states, and as good to read."""
        parts = field.items if isinstance(field, Seq) else (field,)
        key = next((text for part in parts if (text := _key_text(part)) is not None), None)
        merged = seq(*(part if _key_text(part) is None else Text(key or "") for part in parts))
        first = merged.items[0] if isinstance(merged, Seq) else merged
        if key is None or not isinstance(first, Text):
            return field
        self._keys[first.text] = key
        return merged

    def up_to(self, name: str, node: UpTo) -> None:
        """Write `(text)? (marker what-follows | ...)`: a terminal must not be empty, and the text may be."""
        place = len(self.lines)
        self.lines.append("")
        text = self._text_before(node)
        stops = [(marker, then) for marker, then in node.stops if then != NEVER]
        options = [f"{self.literal(marker)} {self.sequence(then)}".rstrip() for marker, then in stops]
        bodies = [
            f"{lead}{option}".strip()
            for option in [*options, *([""] if node.end else [])]
            for lead in (f"{text} ", "")
        ]
        self.lines[place] = f"{name}: " + self.option.join(bodies)

    def _text_before(self, node: UpTo) -> str:
        """Return the terminal of a text, or the rule by which it stands in the tree."""
        markers = "|".join(regex_text(marker) for marker, _ in node.stops)
        shown = "text up to " + " or ".join(repr(marker) for marker, _ in node.stops)
        ahead, priority = (markers, ".1") if node.closed else (f"{markers}|\\Z", "")
        barred = "|".join(regex_text(marker) for marker, then in node.stops if then == NEVER)
        first = f"(?!{barred})" if barred else ""
        text = self._terminal(
            f"{priority}: /{first}(?s:.+?)(?={ahead})/", f"{node.tag or 'text'}_text", shown
        )
        if not node.tag:
            return text
        tagged = self.names.fresh(f"{node.tag} node")
        self.lines.append(f"{tagged}: {text} -> {node.tag}")
        return tagged


def _key_text(node: Node) -> str | None:
    """Return the name of a declared field, None for any other piece."""
    if isinstance(node, Tag) and node.name == "key" and isinstance(node.item, Text):
        return node.item.text
    return None
