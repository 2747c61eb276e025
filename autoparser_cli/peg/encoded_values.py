"""Self-delimiting values in other clothes than JSON's, in an input that comes in pieces, as JSON text.

A `Syntax` says how they are written: their own string quotes, Python's literals and escapes, keys without
quotes. JSON's forms are understood beside them, and so are Python's; each such difference is an event
`repair`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from json.encoder import encode_basestring
from typing import ClassVar

from autoparser_cli.peg.expressions import Syntax
from autoparser_cli.peg.json_values import LITERAL_REPAIR, PYTHON_CONSTANTS, STRING_PLAIN, STRING_RUN
from autoparser_cli.peg.printed_members import NUMBER, printed_members
from autoparser_cli.peg.scanning import BracketScan
from autoparser_cli.peg.source import Lane, Match, Source, begins

_ATOM_RUN = re.compile(r"[-+.0-9A-Za-z_]*+")
_BARE_KEY = re.compile(r"[^:{}\[\],\"']*+")
_JSON_PARTIAL = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")
_PYTHON_ESCAPE = re.compile(
    r"\\(?:(x)([0-9a-fA-F]{2})|(u)([0-9a-fA-F]{4})|(U)([0-9a-fA-F]{8})|([0-7]{1,3})|(.))", re.DOTALL
)
_PYTHON_PARTIAL = re.compile(r"\\(?:x[0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-7]{0,2})?\Z")
_PYTHON_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "a": "\a", "\n": ""}
_OTHER_CONSTANTS = {"true": "true", "false": "false", "null": "null", **PYTHON_CONSTANTS}


def json_string_piece(text: str) -> str:
    """Return text as it stands inside a JSON string; pieces can be put side by side."""
    return encode_basestring(text)[1:-1]


def encoded_value(source: Source, kind: str, syntax: Syntax) -> Match:
    """Match one value in `syntax`, and give it out as JSON text in events of `kind`."""
    return _Translation(source, kind, syntax).run()


class _Translation(BracketScan):
    """A value under way, and the JSON text of it that is not yet given out."""

    white = re.compile(r"\s*")
    expected: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "value": ("a value",),
        "string": ("the end of the string",),
        "first_item": ("a value", "]"),
        "first_key": ("a key", "}"),
        "key": ("a key",),
        "colon": (":",),
        "after": (",", "a closing bracket"),
    }

    def __init__(self, source: Source, kind: str, syntax: Syntax) -> None:
        super().__init__(source, kind)
        self.syntax = syntax
        self.printed = printed_members(syntax)
        self.names = self.printed.constants
        self.quotes = list(syntax.quotes)
        if not any(quote[0] == '"' for quote in self.quotes):
            self.quotes.append(('"', '"'))
        self.out: list[str] = []
        self.close = ""
        self.escapes = ""
        self.in_key = False

    def flush(self) -> None:
        """Give out what was translated since the last time, and leave behind what was read."""
        if self.out:
            self.source.emit(self.kind, "".join(self.out))
            self.out.clear()
        self.source.pos = self.at

    def lane(self) -> Lane:
        """Let characters pass that begin neither the closing quote nor an escape, and JSON's own whole escapes."""
        if self.escapes == "json" and self.close == '"':
            return self.kind, STRING_PLAIN.fullmatch, "", None
        return _lane(self.kind, self.close[0] if self.escapes == "none" else f"\\{self.close[0]}")

    def wrote(self, text: str) -> None:
        """Take note of a bracket, comma or colon."""
        self.out.append(text)

    def value(self) -> bool | None:
        """Begin a value."""
        char = self.look()
        if not char:
            return None
        quoted = self.quote(False)
        if quoted or quoted is None:
            return quoted
        if char in "{[":
            self.open(char)
            return True
        return self.atom()

    def quote(self, in_key: bool) -> bool | None:
        """Open a string, where one of the quotes stands here."""
        text = self.source.text
        for opening, closing in self.quotes:
            if text.startswith(opening, self.at):
                self.at += len(opening)
                self.close = closing
                own = (opening, closing) in self.syntax.quotes
                self.escapes = self.syntax.escapes if own else "json"
                self.in_key = in_key
                self.out.append('"')
                self.next = "string"
                return True
            if begins(text, self.at, opening) and not self.source.closed:
                return None
        return False

    def atom(self) -> bool | None:
        """Read a number or a constant."""
        text = self.source.text
        found = _ATOM_RUN.match(text, self.at)
        end = found.end() if found else self.at
        if end == len(text) and not self.source.closed:
            return None
        word = text[self.at : end]
        if word in self.names:
            self.out.append(self.names[word])
        elif word in _OTHER_CONSTANTS:
            self.source.emit("repair", LITERAL_REPAIR, self.at)
            self.out.append(_OTHER_CONSTANTS[word])
        elif NUMBER.fullmatch(word):
            self.out.append(word)
        else:
            return False
        self.at = end
        self.ended()
        return True

    def string(self) -> bool | None:
        """Read on in a string up to and with its closing quote."""
        done = {"none": self.plain, "json": self.json_escaped, "python": self.python_escaped}[self.escapes]()
        if done:
            self.at += len(self.close)
            self.out.append('"')
            if self.in_key:
                self.next = "colon"
            else:
                self.ended()
        return done

    def plain(self) -> bool | None:
        """Read characters that stand for themselves."""
        text = self.source.text
        end = text.find(self.close, self.at)
        found = end >= 0
        if not found:
            end = len(text) - partial_suffix(text, self.at, self.close)
        self.out.append(json_string_piece(text[self.at : end]))
        self.at = end
        return True if found else None

    def json_escaped(self) -> bool | None:
        """Read characters with JSON's escapes, which pass through."""
        text = self.source.text
        if self.close != '"':
            return self.python_escaped()
        found = STRING_RUN.match(text, self.at)
        end = found.end() if found else self.at
        self.out.append(text[self.at : end])
        self.at = end
        if text.startswith('"', end):
            return True
        return None if end == len(text) or _JSON_PARTIAL.match(text, end) else False

    def python_escaped(self) -> bool | None:
        """Read characters with Python's escapes, and translate those."""
        text = self.source.text
        run = re.compile(r"[^\\" + re.escape(self.close[0]) + r"]*+")
        while True:
            found = run.match(text, self.at)
            end = found.end() if found else self.at
            self.out.append(json_string_piece(text[self.at : end]))
            self.at = end
            if text.startswith(self.close, end):
                return True
            if end == len(text) or begins(text, end, self.close) or _PYTHON_PARTIAL.match(text, end):
                return None
            escape = _PYTHON_ESCAPE.match(text, end)
            piece = _unescaped(escape) if escape else text[end]
            self.out.append(json_string_piece(piece))
            self.at = escape.end() if escape else end + 1

    def key(self) -> bool | None:
        """Begin a key; one without quotes is read as a whole."""
        if not self.look():
            return None
        printed, end = self.printed.read(self.source.text, self.at)
        if printed:
            self.out.append(printed)
            self.at = end
            self.next = "after"
            return True
        quoted = self.quote(True)
        if quoted or quoted is None or not self.syntax.bare_keys:
            return quoted
        text = self.source.text
        found = _BARE_KEY.match(text, self.at)
        end = found.end() if found else self.at
        if end == len(text):
            return None
        if text[end] != ":" or end == self.at:
            return False
        self.out.append(json.dumps(text[self.at : end].strip(), ensure_ascii=False))
        self.at = end
        self.next = "colon"
        return True


@lru_cache(maxsize=256)
def _lane(kind: str, special: str) -> Lane:
    return kind, re.compile(f"[^{re.escape(special)}]+").fullmatch, "", json_string_piece


def partial_suffix(text: str, start: int, marker: str) -> int:
    """Return the length of the longest suffix of `text[start:]` that is a proper prefix of `marker`."""
    at = max(start, len(text) - len(marker) + 1)
    first = marker[0]
    while (at := text.find(first, at)) >= 0:
        if marker.startswith(text[at:]):
            return len(text) - at
        at += 1
    return 0


def _unescaped(escape: re.Match[str]) -> str:
    """Return what one Python escape stands for; an unknown one keeps its backslash."""
    code = escape[2] or escape[4] or escape[6]
    if code:
        number = int(code, 16)
        return chr(number) if number <= 0x10FFFF else escape[0]
    if escape[7]:
        return chr(int(escape[7], 8))
    char = escape[8]
    return char if char in "\\'\"" else _PYTHON_SIMPLE.get(char, escape[0])
