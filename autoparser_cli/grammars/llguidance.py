"""A grammar -> llguidance's own Lark dialect.

Its lexer takes the longest match and never goes back, so text up to a marker is a lazy rule whose terminal
holds the marker too. Regular pieces are terminals; nothing is widened, because the parser behind the lexer
follows all alternatives.
"""

from __future__ import annotations

import json

from autoparser_cli.grammars.lead_bytes import with_blocks
from autoparser_cli.grammars.nodes import (
    NEVER,
    Chars,
    Grammar,
    Names,
    Repeat,
    Token,
    UpTo,
    prefix_free,
    untagged,
)
from autoparser_cli.grammars.printing import Printer, bounds
from autoparser_cli.grammars.regexes import regex, regex_text

ROOT = "start"
#: The hint of a terminal that a schema's pattern gives.
PATTERN = "pattern"


def llguidance_text(grammar: Grammar) -> str:
    """Print a grammar; its start rule is `start`."""
    return _Printer(untagged(grammar)).text()


class _Printer(Printer):
    root = ROOT
    joint = "_"
    defines = ": "

    def __init__(self, grammar: Grammar) -> None:
        super().__init__(grammar)
        self._terminal_names = Names("_", upper=True)
        self._terminals: dict[str, str] = {}

    def text(self) -> str:
        rules = self.rule_lines()
        terminals = [f"{name}: {definition}" for definition, name in self._terminals.items()]
        return "\n".join([*rules, *terminals]) + "\n"

    def literal(self, text: str) -> str:
        return _literal(text)

    def regular(self, node: Chars | Token) -> str:
        hint = node.hint if isinstance(node, Token) else "char"
        # A schema's own pattern is taken as it is.
        return self._terminal(f"/{regex(node if hint == PATTERN else with_blocks(node))}/", hint)

    def repeat(self, node: Repeat) -> str:
        return f"({self.sequence(node.item)}){bounds(node)}"

    def _terminal(self, definition: str, hint: str) -> str:
        known = self._terminals.get(definition)
        if known is None:
            known = self._terminals[definition] = self._terminal_names.fresh(hint)
        return known

    def up_to(self, name: str, node: UpTo) -> None:
        place = len(self.lines)
        self.lines.append("")
        base = node.tag or "text"
        options = []
        stops = prefix_free(node.stops)
        barred = "|".join(regex_text(marker) for marker, then in stops if then == NEVER)
        without = f" & ~/(?s:.*)(?:{barred})(?s:.*)/" if barred else ""
        without += _not_opening(node)
        for marker, then in stops:
            if then == NEVER:
                continue
            lazy = self.fresh(f"{base} up to")
            self.lines.append(f"{lazy}[lazy]: /(?s:.*){regex_text(marker)}/{without}")
            options.append(f"{lazy} {self.sequence(then)}")
        if node.end:
            options.append(self._last_text(node))
        self.lines[place] = f"{name}: " + self.option.join(options)

    def _last_text(self, node: UpTo) -> str:
        """Return text that holds no marker and is the last thing there is."""
        markers = "|".join(regex_text(marker) for marker, _ in node.stops)
        without = _not_opening(node)
        return self._terminal(f"/(?s:.*)/ & ~/(?s:.*)(?:{markers})(?s:.*)/{without}", "last_text")


def _not_opening(node: UpTo) -> str:
    """Return what keeps a text from beginning as another way does."""
    openings = "|".join(map(regex_text, node.openings))
    return f" & ~/(?:{openings})(?s:.*)/" if openings else ""


def _literal(text: str) -> str:
    """Write a literal, each leading white space apart.

    Of two literals that begin alike the lexer may follow the longer one into a dead end, and separators and
    closing markers do begin alike, with a line break.
    """
    rest = text.lstrip()
    pieces = [*text[: len(text) - len(rest)], *([rest] if rest else [])]
    return " ".join(json.dumps(piece, ensure_ascii=False) for piece in pieces) or '""'
