"""Members of an object in other clothes than JSON's, as printed and all there -> JSON text, each by one pattern.

Simple values only: strings in the syntax's first quotes, numbers and constants. All else is left to `encoded_values.py`,
which says the same of what both can read.
"""

from __future__ import annotations

import re
from functools import lru_cache
from json.encoder import encode_basestring

from autoparser_cli.peg.expressions import Syntax
from autoparser_cli.peg.json_values import STRING_RUN
from autoparser_cli.peg.parts import KEY_LIMIT

NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


class PrintedMembers:
    """Reads members of one syntax."""

    def __init__(self, syntax: Syntax) -> None:
        self.constants = constants(syntax)
        opening, closing = syntax.quotes[0]
        self.verbatim = syntax.escapes == "json" and closing == '"'
        self.pattern = re.compile(
            rf"\s*+{_key(syntax)}\s*+:\s*+"
            rf"(?:(?P<atom>{NUMBER.pattern}|{'|'.join(map(re.escape, self.constants))})"
            rf"|{re.escape(opening)}(?P<string>{_string(syntax.escapes, closing)}){re.escape(closing)})"
            r"\s*+(?=[,}])"
        )

    def read(self, text: str, at: int) -> tuple[str, int]:
        """Return the JSON text of the members at a position and where the last one ends.

        A comma behind it is read too where one more stands there; nothing, and the same position, where none is there.
        """
        found: list[str] = []
        match, constants = self.pattern.match, self.constants
        while member := match(text, at):
            string = member["string"]
            if string is None:
                value = constants.get(member["atom"], member["atom"])
            else:
                value = f'"{string}"' if self.verbatim else encode_basestring(string)
            found.append(f'"{member["key"]}": {value}')
            end = member.end()
            if text[end] == "}":
                return ", ".join(found), end
            at = end + 1
        return (", ".join(found), at - 1) if found else ("", at)


def constants(syntax: Syntax) -> dict[str, str]:
    """Return how `syntax` writes true, false and null, with the JSON for each."""
    return {syntax.true: "true", syntax.false: "false", syntax.null: "null"}


@lru_cache(maxsize=64)
def printed_members(syntax: Syntax) -> PrintedMembers:
    """Return the reader of the members of a syntax."""
    return PrintedMembers(syntax)


def _key(syntax: Syntax) -> str:
    """Return the pattern of a key that is written in JSON as it stands."""
    if syntax.bare_keys:
        return rf"(?P<key>[\w$.-]{{1,{KEY_LIMIT}}}+)"
    opening, closing = map(re.escape, syntax.quotes[0])
    return rf"{opening}(?P<key>[\w $.-]{{0,{KEY_LIMIT}}}+){closing}"


def _string(escapes: str, closing: str) -> str:
    """Return the pattern of what stands in quotes: no escapes but JSON's own."""
    if escapes == "json" and closing == '"':
        return STRING_RUN.pattern
    first, rest = re.escape(closing[0]), re.escape(closing[1:])
    if escapes != "none":
        return rf"[^\\{first}]*+"
    return rf"(?:[^{first}]++|{first}(?!{rest}))*+" if rest else rf"[^{first}]*+"
