"""The ways to write a field -> what its reader needs to know of them: markers as parts, and the types of a value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from autoparser_cli.peg.encoded_values import json_string_piece
from autoparser_cli.peg.expressions import Expression, Form, Literal, Space, Syntax
from autoparser_cli.peg.parts import WHITE_SPACE_REPAIR, Part
from autoparser_cli.peg.schema import property_types
from autoparser_cli.peg.source import Source

STRING = frozenset({"string"})
_BRACKETS = {"object": "{", "array": "["}
#: How many parameters are remembered; those of no schema may have ever new names.
_KNOWN_LIMIT = 4096
Compile = Callable[[tuple[Expression, ...]], Part]


class FormPart:
    """The forms that share what stands between key and value."""

    def __init__(self, forms: list[Form], all_mids: int, compile_items: Compile) -> None:
        self.forms = forms
        self.mid = compile_items(forms[0].mid)
        self.close = compile_items(forms[0].close) if forms[0].close else None
        #: What closes the value where that is white space only: more of it belongs to what follows.
        self.white = "" if printed_text(forms[0].close).strip() else printed_text(forms[0].close)
        self.raw = any(form.syntax is None for form in forms)
        self.decides = all_mids > 1
        #: By the schema's identity, which holds as long as the schema itself is kept beside what is known.
        self.known: dict[tuple[int, str], tuple[object, frozenset[str] | None, str]] = {}
        self.types = frozenset().union(*(form.types for form in forms))
        self.form = next((form for form in forms if form.syntax is None), forms[0])
        self.nested = next((form for form in forms if form.nested), None)
        others = [form.raw for form in forms if form.types - STRING]
        self.syntax = others[0] if others else self.form.raw
        #: How a value that opens with no bracket is written.
        self.usual = self.form.syntax or self.syntax
        #: By the bracket that a value opens with, how values of its type are written.
        self.by_bracket = {
            bracket: _with_constants(self.usual, form.syntax)
            for kind, bracket in _BRACKETS.items()
            for form in forms
            if kind in form.types and form.syntax is not None
        }

    def syntax_of_next(self, source: Source) -> Syntax:
        """Return the syntax of the value that stands here."""
        return self.by_bracket.get(source.text[source.pos : source.pos + 1], self.usual)

    def without_trail(self, source: Source, text: str, end: int) -> str:
        """Take the white space that is printed before the close off a raw text that ends at `end`."""
        trail = self.form.trail
        if trail and not text.endswith(trail):
            source.emit("repair", WHITE_SPACE_REPAIR, end)
            return text
        return text[: len(text) - len(trail)]

    def value_types(self, source: Source) -> frozenset[str] | None:
        """Return the types that the value may have: by its markers where they tell, else by the schema."""
        return self.declared(source)[1]

    def declared(self, source: Source) -> tuple[object, frozenset[str] | None, str]:
        """Return the schema, the types that the value may have, and the key as JSON text with its colon."""
        place = id(source.case), source.key
        known = self.known.get(place)
        if known is None:
            if len(self.known) > _KNOWN_LIMIT:
                self.known.clear()
            known = self.known[place] = (source.case, self.find_types(source), key_text(source.key))
        return known

    def find_types(self, source: Source) -> frozenset[str] | None:
        """Return the types that the value may have, when it is asked for the first time."""
        declared = property_types(source.case, source.key)
        if not self.decides:
            return declared
        if self.types == STRING:
            return STRING
        if "string" in self.types:
            return declared
        return (declared or self.types) - STRING or self.types


def _with_constants(syntax: Syntax, other: Syntax) -> Syntax:
    """Return a syntax with the constants of another; both kinds of quotes are read in either."""
    return replace(syntax, true=other.true, false=other.false, null=other.null)


def key_text(key: str) -> str:
    """Return a key as JSON text, with what stands between it and its value."""
    return f'"{json_string_piece(key)}": '


def printed_text(items: tuple[Expression, ...]) -> str:
    """Return the text of markers as printed, empty where it varies."""
    text = ""
    for item in items:
        if isinstance(item, Literal):
            text += item.text
        elif isinstance(item, Space):
            text += item.printed
        else:
            return ""
    return text
