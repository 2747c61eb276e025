"""A whole JSON object that holds a name, arguments and perhaps an id, in any key order.

The printed order is tried first, as one pattern where all of it is there; else the object is read key by key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from typing import Any

from autoparser_cli.peg.expressions import Record
from autoparser_cli.peg.json_values import PARTIAL_ESCAPE, STRING_RUN, json_value
from autoparser_cli.peg.parts import KEY_LIMIT, WHITE, Part, white_end
from autoparser_cli.peg.source import Match, Source, begins
from autoparser_cli.peg.values import payload

_TAG, _VALUE, _ID = "tag", "value", "id"
_SKIPPED = "ignored"
ORDER_REPAIR = "key-order"
EXTRA_REPAIR = "extra-key"
MISSING_ARGUMENTS_REPAIR = "missing-arguments"
OTHER_KEY_REPAIR = "other-arguments-key"
#: What models write instead of the key that their template prints.
_OTHER_VALUE_KEYS = frozenset({"arguments", "parameters"})
_Tree = dict[str, Any]


def record_part(node: Record) -> Part:
    """Compile a record."""
    tree = _paths(node)
    quick = _quick_pattern(node)

    def generator(source: Source) -> Match:
        source.cases = node.cases
        reading = _Reading(source, node)
        if quick is not None:
            found = quick.match(source.text, source.pos)
            if found and found["tag"] in node.cases:
                return (yield from reading.printed(found))
        ok = yield from reading.object(tree, True)
        return ok and reading.whole()

    return None, generator


def _paths(node: Record) -> _Tree:
    """Return what stands under which key, nested as the object is."""
    tree: _Tree = {}
    named: list[tuple[tuple[str, ...], str]] = [(node.value_path, _VALUE)]
    if not node.tag_is_key:
        named.append((node.tag_path, _TAG))
    if node.id_path:
        named.append((node.id_path, _ID))
    named += [(path, _SKIPPED) for path, _ in node.constants]
    for path, what in named:
        branch = tree
        for key in path[:-1]:
            branch = branch.setdefault(key, {})
        if path:
            branch[path[-1]] = what
    return tree


def _quick_pattern(node: Record) -> re.Pattern[str] | None:
    """Return one pattern for all that stands before the arguments as printed.

    None where that is not so simple.
    """
    if node.tag_is_key or len(node.value_path) != 1 or len(node.tag_path) != 1 or not node.syntax.is_json:
        return None
    constants = {path[0]: text for path, text in node.constants if len(path) == 1}
    pieces: list[str] = []
    white, string = WHITE.pattern, rf'[^"\\\x00-\x1f]{{0,{KEY_LIMIT - 1}}}'
    for key in node.key_order:
        if (key,) == node.value_path:
            break
        if (key,) == node.tag_path:
            value = f'"(?P<tag>{string})"'
        elif (key,) == node.id_path:
            value = f'"(?P<id>{string})"'
        elif key in constants:
            value = re.escape(constants[key])
        else:
            return None
        pieces.append(f"{re.escape(json.dumps(key))}{white}:{white}{value}{white},{white}")
    else:
        return None
    if not any("(?P<tag>" in piece for piece in pieces):
        return None
    last = re.escape(json.dumps(node.value_path[0]))
    return re.compile(rf"\{{{white}{''.join(pieces)}{last}{white}:{white}(?=\{{)")


class _Reading:
    """One record under way."""

    def __init__(self, source: Source, node: Record) -> None:
        self.source = source
        self.node = node
        self.quotes = (*(opening for opening, _ in node.syntax.quotes), '"')
        self.tagged = False
        self.valued = False
        self.extra = False
        self.keys: list[str] = []
        self.string_at = source.base + source.pos

    def printed(self, found: re.Match[str]) -> Match:
        """Go on behind what the quick pattern matched."""
        source = self.source
        if "id" in found.re.groupindex:
            source.emit("id", found["id"])
        self.name(found["tag"], found.start("tag"))
        order = self.node.key_order
        self.keys = list(order[: order.index(self.node.value_path[0]) + 1])
        source.pos = found.end()
        if self.commits():
            source.cut()
        if not (yield from payload(source, self.node.syntax, self.node.as_string)):
            return False
        self.valued = True
        ok = yield from self.members(_paths(self.node), True, first=False)
        return ok and self.whole()

    def commits(self) -> bool:
        """Tell whether the name says for sure that this is a call."""
        return not self.node.weak or (bool(self.source.cases) and self.source.tag in self.source.cases)

    def whole(self) -> bool:
        """Check what is there once the object has ended."""
        source, node = self.source, self.node
        if not self.tagged:
            return source.fail(source.pos, "a call")
        if not self.valued:
            if node.weak:
                return source.fail(source.pos, json.dumps(node.value_path[-1]))
            source.emit("repair", MISSING_ARGUMENTS_REPAIR)
            source.emit("arguments", "{}")
        order = [key for key in node.key_order if key in self.keys]
        if [key for key in self.keys if key in order] != order:
            source.emit("repair", ORDER_REPAIR)
        if self.extra:
            source.emit("repair", EXTRA_REPAIR)
        return True

    def object(self, tree: _Tree, top: bool) -> Match:
        """Read `{`, members, `}`."""
        if not (yield from self.char("{")):
            return False
        return (yield from self.members(tree, top, first=True))

    def members(self, tree: _Tree, top: bool, first: bool) -> Match:
        """Read members up to and with `}`."""
        source = self.source
        while True:
            while (at := white_end(source.text, source.pos)) == len(source.text) and not source.closed:
                yield
            source.pos = at
            if source.text.startswith("}", at):
                source.pos += 1
                return True
            if not first and not (yield from self.char(",")):
                return False
            first = False
            if not (yield from self.member(tree, top)):
                return False

    def member(self, tree: _Tree, top: bool) -> Match:
        """Read one key and its value."""
        source = self.source
        key = yield from self.string()
        if key is None or not (yield from self.char(":")):
            return False
        if top:
            self.keys.append(key)
        if top and self.node.tag_is_key and not self.tagged:
            return (yield from self.named_arguments(key))
        what = tree.get(key)
        if what is None and top and not self.valued and key in _OTHER_VALUE_KEYS:
            source.emit("repair", OTHER_KEY_REPAIR)
            what = _VALUE
        if isinstance(what, dict):
            return (yield from self.object(what, False))
        if what == _VALUE:
            return (yield from self.arguments())
        if what in (_TAG, _ID):
            return (yield from self.text_value(what))
        return (yield from self.other_value(what is None))

    def named_arguments(self, key: str) -> Match:
        """Read the arguments of a call whose name is the key before them."""
        known = key in self.node.cases
        if self.node.weak and not known:
            return self.source.fail(self.string_place(), "a tool name")
        self.name(key, self.string_place())
        self.source.cut()
        return (yield from self.arguments())

    def other_value(self, unexpected: bool) -> Match:
        """Read over a value that says nothing; before the name of what may be no call, a short string."""
        source = self.source
        self.extra = self.extra or unexpected
        if self.node.weak and not self.tagged:
            return (yield from self.string()) is not None
        while (at := white_end(source.text, source.pos)) == len(source.text) and not source.closed:
            yield
        source.pos = at
        return (yield from json_value(source, _SKIPPED))

    def string_place(self) -> int:
        """Return the position of the string read last, which may have been dropped from the text since."""
        return self.string_at - self.source.base

    def text_value(self, what: str) -> Match:
        """Read the name or the id."""
        source = self.source
        while (start := white_end(source.text, source.pos)) == len(source.text) and not source.closed:
            yield
        if what == _ID and not source.text.startswith(self.quotes, start):
            source.pos = start
            return (yield from self.other_id())
        if what == _TAG and not self.node.weak:
            source.cut()
        value = yield from self.string()
        if value is None:
            return False
        if what == _ID:
            source.emit("id", value, self.string_place())
            return True
        if self.tagged:
            return source.fail(self.string_place(), "one name")
        if self.node.weak and value not in self.node.cases:
            return source.fail(self.string_place(), "a tool name")
        self.name(value, self.string_place())
        if self.commits() and (not self.node.weak or self.valued):
            source.cut()
        return True

    def other_id(self) -> Match:
        """Read an id that is no string, such as a number; it is given out as a whole or not at all."""
        source = self.source
        held = source.hold()
        ok = yield from json_value(source, _ID)
        read = source.events[held[1] :]
        pieces = [event for event in read if event[0] == _ID]
        whole = [(_ID, "".join(text for _, text, _ in pieces), pieces[0][2])] if ok else []
        source.events[held[1] :] = [*whole, *(event for event in read if event[0] != _ID)]
        source.keep(held)
        return ok

    def name(self, value: str, at: int) -> None:
        """Take in the name of the call."""
        source = self.source
        self.tagged = True
        source.tag = value
        source.case = self.node.cases.get(value)
        source.emit("tag", value, at)
        if value not in self.node.cases:
            source.emit("unknown", value, at)

    def arguments(self) -> Match:
        """Read the arguments."""
        self.valued = True
        source = self.source
        if self.node.weak and self.tagged and source.tag in self.node.cases:
            while white_end(source.text, source.pos) == len(source.text) and not source.closed:
                yield
            if source.text.startswith(("{", '"'), white_end(source.text, source.pos)):
                source.cut()
        while begins(source.text, at := white_end(source.text, source.pos), "null") and not source.closed:
            yield
        if source.text.startswith("null", at):
            source.pos = at + 4
            source.emit("repair", MISSING_ARGUMENTS_REPAIR)
            source.emit("arguments", "{}")
            return True
        return (yield from payload(source, self.node.syntax, self.node.as_string))

    def string(self) -> Generator[None, None, str | None]:
        """Read a short string as a whole, and note where; returns None where there is none."""
        source = self.source
        while True:
            start = white_end(source.text, source.pos)
            end, wrong = self.string_end(start)
            if end:
                source.pos = end
                self.string_at = source.base + start + 1
                found = source.text[start:end]
                return str(json.loads(found)) if found[0] == '"' else found[1:-1]
            if wrong is not None or source.closed:
                source.fail(len(source.text) if wrong is None else wrong, '"')
                return None
            yield

    def string_end(self, start: int) -> tuple[int, int | None]:
        """Return where a string ends, or 0 and where it goes wrong; neither where more input is needed."""
        text = self.source.text
        if start == len(text):
            return 0, None
        opening = text[start]
        if opening not in self.quotes:
            return 0, start
        limit = start + KEY_LIMIT
        if opening != '"':
            end = text.find(opening, start + 1, limit)
            return (end + 1, None) if end > 0 else (0, None if len(text) < limit else limit)
        run = STRING_RUN.match(text, start + 1, limit)
        end = run.end() if run else start + 1
        if text.startswith('"', end):
            return end + 1, None
        wrong = end < len(text) and not PARTIAL_ESCAPE.match(text, end)
        return 0, end if wrong or end >= limit - 6 else None

    def char(self, wanted: str) -> Match:
        """Read one character, white space before it."""
        source = self.source
        while (at := white_end(source.text, source.pos)) == len(source.text) and not source.closed:
            yield
        if not source.text.startswith(wanted, at):
            return source.fail(at, wanted)
        source.pos = at + 1
        return True
