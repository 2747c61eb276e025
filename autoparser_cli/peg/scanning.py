"""The brackets of a value that arrives in pieces: what is open, and what may come next.

An explicit stack keeps the place, so that neither depth nor length costs more than reading once. How strings, keys and
constants are written is for the kinds of values to say: `json_values.py` and `encoded_values.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from autoparser_cli.peg.source import Lane, Match, Source

_CLOSING = {"{": "}", "[": "]"}


class BracketScan:
    """A value under way.

    `next` names the method that reads on: it returns True where it has, None where it needs more input, False where
    something else stands there.
    """

    #: What is expected in each place, for errors.
    expected: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    white = re.compile(r"[ \t\n\r]*")

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
            step: bool | None = getattr(self, self.next)()
            if step is None:
                self.flush()
                if source.closed:
                    return source.fail(len(source.text), *self.expected[self.next])
                if self.next == "string" and source.pos == len(source.text) and not source.depth:
                    source.lane = self.lane()
                yield
                self.at = source.pos
            elif not step:
                self.flush()
                return source.fail(self.at, *self.expected[self.next])
        self.flush()
        return True

    def flush(self) -> None:
        """Give out what was read since the last time."""
        raise NotImplementedError

    def lane(self) -> Lane | None:
        """Return what text to come belongs to the string under way as a whole."""
        raise NotImplementedError

    def wrote(self, text: str) -> None:
        """Take note of a bracket, comma or colon as JSON writes it."""

    def value(self) -> bool | None:
        """Begin a value."""
        raise NotImplementedError

    def key(self) -> bool | None:
        """Read or begin a key."""
        raise NotImplementedError

    def look(self) -> str:
        """Skip white space; return the next character, empty where there is none yet."""
        text = self.source.text
        found = self.white.match(text, self.at)
        self.at = found.end() if found else self.at
        return text[self.at : self.at + 1]

    def open(self, char: str) -> None:
        """Open a bracket."""
        self.stack.append(char)
        self.wrote(char)
        self.at += 1
        self.next = "first_key" if char == "{" else "first_item"

    def ended(self) -> None:
        """Note that a value has ended."""
        self.next = "after" if self.stack else "done"

    def first_item(self) -> bool | None:
        """Read the first item of a list, or its end."""
        return self.shut("]") if self.look() == "]" else self.value()

    def first_key(self) -> bool | None:
        """Read the first key of an object, or its end."""
        return self.shut("}") if self.look() == "}" else self.key()

    def colon(self) -> bool | None:
        """Read the colon behind a key."""
        char = self.look()
        if char == ":":
            self.at += 1
            self.wrote(": ")
            self.next = "value"
        return None if not char else char == ":"

    def after(self) -> bool | None:
        """Read a comma or a closing bracket."""
        char = self.look()
        if not char:
            return None
        if char == ",":
            self.at += 1
            self.wrote(", ")
            self.next = "key" if self.stack[-1] == "{" else "value"
            return True
        return self.shut(char) if char == _CLOSING[self.stack[-1]] else False

    def shut(self, char: str) -> bool:
        """Close the innermost bracket."""
        self.at += 1
        self.wrote(char)
        self.stack.pop()
        self.ended()
        return True
