"""Names of tools, as calls hold them: on their own, in front of a marker, or inside of an id."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from autoparser_cli.peg.expressions import Tag
from autoparser_cli.peg.parts import Part
from autoparser_cli.peg.source import Source

_NAME_LIMIT = 256
_NOT_IN_NAMES = "<>(){}[]\"'`=,;| \t\r\n"
#: A name with a word and a dot before it, or a colon and a number behind it, or both.
_NAME_IN_ID = re.compile(r"(?:\w+\.)?(.+?)(?::\d+)?\Z")
_NAME = re.compile(f"[^{re.escape(_NOT_IN_NAMES)}]{{0,{_NAME_LIMIT}}}+")
_PLAIN_NAME = re.compile(r"[\w.:/$@+*-]+")


class Cases(dict[str, object]):
    """Tools by name, each with the schema of its arguments.

    `odd_names` are the names that hold characters which end a name in most formats.
    """

    def __init__(self, items: Iterable[tuple[str, object]]) -> None:
        super().__init__(items)
        self.odd_names = tuple(
            sorted((name for name in self if not _PLAIN_NAME.fullmatch(name)), key=len, reverse=True)
        )


class AnyTool(Cases):
    """Tools that are not known: every plain name is one, and its arguments may be anything."""

    def __init__(self) -> None:
        super().__init__(())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and _PLAIN_NAME.fullmatch(name) is not None

    def __getitem__(self, name: str) -> object:
        return {}

    def get(self, name: str, default: object = None) -> object:
        """Return the schema that says nothing."""
        return {}

    def __bool__(self) -> bool:
        return True


def tag_part(node: Tag) -> Part:
    """Read a name, known or not, and go on with the schema of the tool that has it."""
    before, before_end = _in_name(node.before), _in_name(node.before_end)

    def step(source: Source) -> bool | None:
        cases, text, start = source.cases, source.text, source.pos
        found = _NAME.match(text, start)
        end = found.end() if found else start
        if end - start == _NAME_LIMIT:
            return source.fail(start, "a tool name")
        if end == len(text) and not source.closed:
            return None
        word = text[start:end]
        if node.inside_id:
            return _named_by_id(source, node, word)
        word = _without_end(word, before, before_end, cases)
        if not word:
            return source.fail(start, "a tool name")
        if word not in cases:
            word = _with_odd_characters(text, start, cases) or word
        if source.closed and end == len(text) and word not in cases:
            source.starved = True
        if node.known_only and word not in cases:
            return source.fail(start, "a tool name")
        return _named(source, node, word)

    return step, None


def _in_name(text: str) -> str:
    """Return as much of a text as could be part of a name before it."""
    found = _NAME.match(text)
    return found.group() if found else ""


def _named(source: Source, node: Tag, word: str) -> bool:
    """Take in the name of a call."""
    source.tag = word
    known = word in source.cases
    source.case = source.cases[word] if known else None
    source.emit("tag", word)
    if not known:
        source.emit("unknown", word)
    source.pos += len(word)
    if node.certain or (known and node.commit):
        source.cut()
    return True


def _named_by_id(source: Source, node: Tag, call_id: str) -> bool:
    """Take in the name that a call's id holds: the longest known one, else what the id's usual form says."""
    known = sorted(source.cases, key=len, reverse=True)
    found = next((at for name in known if (at := _whole_word(name, call_id))), None)
    if found is None and node.known_only:
        return source.fail(source.pos, "a tool name")
    found = found or _NAME_IN_ID.match(call_id)
    if found is None:
        return source.fail(source.pos, "a tool name")
    end = source.pos + len(call_id)
    source.pos += found.start(found.lastindex or 0)
    ok = _named(source, node, found[found.lastindex or 0])
    source.pos = end
    return ok


def _whole_word(name: str, text: str) -> re.Match[str] | None:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)


def _without_end(word: str, before: str, before_end: str, cases: Mapping[str, Any]) -> str:
    """Cut off a run what stands behind the name, with arguments or without."""
    if before:
        word = _cut_before(word, before, cases)
    return _cut_before(word, before_end, cases) if before_end and word not in cases else word


def _cut_before(word: str, before: str, cases: Mapping[str, Any]) -> str:
    """Cut a run where `before` begins: behind a known name if there is one, else at the last place."""
    at = last = word.rfind(before)
    while at > 0:
        if word[:at] in cases:
            return word[:at]
        at = word.rfind(before, 0, at)
    return word[:last] if last > 0 else word


def _with_odd_characters(text: str, start: int, cases: Mapping[str, Any]) -> str:
    """Return a known name that holds characters names seldom have, if one stands here."""
    odd = cases.odd_names if isinstance(cases, Cases) else ()
    return next((name for name in odd if text.startswith(name, start)), "")
