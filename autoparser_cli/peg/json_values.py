"""JSON values in an input that arrives in pieces: read as they come, given out verbatim.

A value that is there as a whole goes through the C scanner; any other is read piece by piece.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import ClassVar

from autoparser_cli.peg.scanning import BracketScan
from autoparser_cli.peg.source import Lane, Match, Source

STRING_RUN = re.compile(r'(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
STRING_PLAIN = re.compile(r'(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))++')
PARTIAL_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")
_ATOM = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null")
_ATOM_RUN = re.compile(r"[-+.0-9A-Za-z]*+")
LITERAL_REPAIR = "literal-of-another-language"
PYTHON_CONSTANTS = {"True": "true", "False": "false", "None": "null"}


def _refuse(name: str) -> object:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_int=str, parse_float=str)


def whole_value(text: str, pos: int) -> int:
    """Return where the JSON string, list or object at `pos` ends, if all of it is there; -1 otherwise.

    A number is never known to have ended here: `3` may go on with `.14`.
    """
    try:
        end = _DECODER.raw_decode(text, pos)[1]
    except (ValueError, RecursionError):
        return -1
    return int(end) if text[end - 1] in '}]"' else -1


def json_value(source: Source, kind: str) -> Match:
    """Match one JSON value, and give it out verbatim as events of `kind`."""
    while source.pos >= len(source.text) and not source.closed:
        yield
    end = whole_value(source.text, source.pos)
    if end >= 0:
        source.emit(kind, source.text[source.pos : end])
        source.pos = end
        return True
    return (yield from _Scan(source, kind).run())


class _Scan(BracketScan):
    """A JSON value under way, given out verbatim."""

    expected: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "value": ("a JSON value",),
        "string": ('"',),
        "key_text": ('"',),
        "first_item": ("a JSON value", "]"),
        "first_key": ('"', "}"),
        "key": ('"',),
        "colon": (":",),
        "after": (",", "a closing bracket"),
    }

    def flush(self) -> None:
        """Give out what was read since the last time."""
        source = self.source
        if self.at > source.pos:
            source.emit(self.kind, source.text[source.pos : self.at])
            source.pos = self.at

    def lane(self) -> Lane:
        """Let characters pass, and escapes that are whole."""
        return self.kind, STRING_PLAIN.fullmatch, "", None

    def value(self) -> bool | None:
        """Begin a value."""
        char = self.look()
        if not char:
            return None
        if char == '"':
            self.at += 1
            self.next = "string"
            return True
        if char in "{[":
            self.open(char)
            return True
        return self.atom()

    def atom(self) -> bool | None:
        """Read a number or a constant, which only ends where something else begins."""
        text = self.source.text
        run = _ATOM_RUN.match(text, self.at)
        end = run.end() if run else self.at
        if end == len(text) and not self.source.closed:
            return None
        if text[self.at : end] in PYTHON_CONSTANTS:
            self.python_constant(end)
        elif not _ATOM.fullmatch(text, self.at, end):
            return False
        self.at = end
        self.ended()
        return True

    def python_constant(self, end: int) -> None:
        """Give out one of Python's constants as JSON has it."""
        self.flush()
        source = self.source
        source.emit("repair", LITERAL_REPAIR, self.at)
        source.emit(self.kind, PYTHON_CONSTANTS[source.text[self.at : end]], self.at)
        source.pos = end

    def string(self) -> bool | None:
        """Read on in a string value."""
        done = self.characters()
        if done:
            self.ended()
        return done

    def key_text(self) -> bool | None:
        """Read on in a key."""
        done = self.characters()
        if done:
            self.next = "colon"
        return done

    def characters(self) -> bool | None:
        """Read string characters up to and with the closing quote."""
        text = self.source.text
        found = STRING_RUN.match(text, self.at)
        self.at = found.end() if found else self.at
        if text[self.at : self.at + 1] == '"':
            self.at += 1
            return True
        if self.at == len(text) or PARTIAL_ESCAPE.match(text, self.at):
            return None
        return False

    def key(self) -> bool | None:
        """Begin a key."""
        char = self.look()
        if char == '"':
            self.at += 1
            self.next = "key_text"
        return None if not char else char == '"'
