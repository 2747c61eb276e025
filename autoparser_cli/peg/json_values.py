"""JSON values in an input that arrives in pieces: read as they come, given out verbatim.

A value that is there as a whole goes through the C scanner; otherwise an explicit stack keeps the place, so
that neither depth nor length costs more than reading once.
"""

from __future__ import annotations

import json
import re

from autoparser_cli.peg.source import Match, Source

WHITE = re.compile(r"[ \t\n\r]*")
STRING_RUN = re.compile(r'(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
PARTIAL_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")
_ATOM = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null")
_ATOM_RUN = re.compile(r"[-+.0-9A-Za-z]*+")


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


class _Scan:
    """A JSON value under way: open brackets, and what may come next."""

    def __init__(self, source: Source, kind: str) -> None:
        self.source = source
        self.kind = kind
        self.stack: list[str] = []
        self.at = source.pos
        self.next = "value"

    def run(self) -> Match:
        """Read to the end of the value; give out what was read whenever more input is needed."""
        source = self.source
        while self.next != "done":
            step = _STEPS[self.next](self)
            if step is None:
                self.flush()
                if source.closed:
                    return source.fail(len(source.text), *_EXPECTED[self.next])
                yield
                self.at = source.pos
            elif not step:
                self.flush()
                return source.fail(self.at, *_EXPECTED[self.next])
        self.flush()
        return True

    def flush(self) -> None:
        """Give out what was read since the last time."""
        source = self.source
        if self.at > source.pos:
            source.emit(self.kind, source.text[source.pos : self.at])
            source.pos = self.at

    def look(self) -> str:
        """Skip white space; return the next character, empty where there is none yet."""
        text = self.source.text
        found = WHITE.match(text, self.at)
        self.at = found.end() if found else self.at
        return text[self.at : self.at + 1]

    def value(self) -> bool | None:
        """Begin a value."""
        char = self.look()
        if not char:
            return None
        if char in '{["':
            self.at += 1
            self.next = {"{": "first_key", "[": "first_item", '"': "string"}[char]
            if char != '"':
                self.stack.append(char)
            return True
        return self.atom()

    def atom(self) -> bool | None:
        """Read a number or a constant, which only ends where something else begins."""
        text = self.source.text
        run = _ATOM_RUN.match(text, self.at)
        end = run.end() if run else self.at
        if end == len(text) and not self.source.closed:
            return None
        if not _ATOM.fullmatch(text, self.at, end):
            return False
        self.at = end
        self.ended()
        return True

    def ended(self) -> None:
        """Note that a value has ended."""
        self.next = "after" if self.stack else "done"

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

    def first_item(self) -> bool | None:
        """Read the first item of a list, or its end."""
        char = self.look()
        return self.shut("]") if char == "]" else self.value()

    def first_key(self) -> bool | None:
        """Read the first key of an object, or its end."""
        char = self.look()
        return self.shut("}") if char == "}" else self.key()

    def key(self) -> bool | None:
        """Begin a key."""
        char = self.look()
        if char == '"':
            self.at += 1
            self.next = "key_text"
        return None if not char else char == '"'

    def colon(self) -> bool | None:
        """Read the colon behind a key."""
        char = self.look()
        if char == ":":
            self.at += 1
            self.next = "value"
        return None if not char else char == ":"

    def after(self) -> bool | None:
        """Read a comma or a closing bracket."""
        char = self.look()
        if not char:
            return None
        if char == ",":
            self.at += 1
            self.next = "key" if self.stack[-1] == "{" else "value"
            return True
        return self.shut(char) if char == {"{": "}", "[": "]"}[self.stack[-1]] else False

    def shut(self, char: str) -> bool:
        """Close the innermost bracket."""
        self.at += len(char)
        self.stack.pop()
        self.ended()
        return True


_STEPS = {
    "value": _Scan.value,
    "string": _Scan.string,
    "key_text": _Scan.key_text,
    "first_item": _Scan.first_item,
    "first_key": _Scan.first_key,
    "key": _Scan.key,
    "colon": _Scan.colon,
    "after": _Scan.after,
}
_EXPECTED = {
    "value": ("a JSON value",),
    "string": ('"',),
    "key_text": ('"',),
    "first_item": ("a JSON value", "]"),
    "first_key": ('"', "}"),
    "key": ('"',),
    "colon": (":",),
    "after": (",", "a closing bracket"),
}
