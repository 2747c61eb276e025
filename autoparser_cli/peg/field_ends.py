"""The raw value of a field, in an input that comes in pieces -> where it ends.

It ends before its close, or where nothing closes it, before what follows; and only where a further field or the end of the fields
does follow, so that a value may hold the markers.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from functools import lru_cache

from autoparser_cli.peg.encoded_values import json_string_piece, partial_suffix
from autoparser_cli.peg.expressions import Fields
from autoparser_cli.peg.parts import KEY_LIMIT, white_end
from autoparser_cli.peg.schema import resolve
from autoparser_cli.peg.source import LANE_HELD, Lane, Source, begins
from autoparser_cli.peg.values import ARGUMENTS

_PLAIN_KEY = re.compile(r"[\w.-]+")


class FieldEnds:
    """What may stand behind the value of a field.

    `open_core` is the text that opens a field, `key_end` finds where a key ends, `mid_starts` are the first characters of what stands
    behind one.
    """

    def __init__(
        self, node: Fields, open_core: str, key_end: re.Pattern[str], mid_starts: tuple[str, ...]
    ) -> None:
        self.open_core = open_core
        self.separator = node.separator.strip()
        self.key_end = key_end
        self.mid_starts = mid_starts
        behind = (open_core, node.end, *node.other_ends) if node.end else ()
        self.continuations = tuple(text for text in behind if text)
        self.end = node.end
        self.behind = node.behind
        self.longest = max(map(len, self.continuations), default=0)
        starts = (self.separator or open_core, node.end, *node.other_ends) if node.end else ()
        #: What ends a value that nothing closes.
        self.starts = tuple(dict.fromkeys(text for text in starts if text))
        self.last_resort = "" if self.starts else "\n"

    def find(self, source: Source, close: str, trail: str, streamed: bool) -> Generator[None, None, int]:
        """Return where the value ends, -1 where it never does; give out what is certain where `streamed`."""
        scanned = 0
        anchors = (close,) if close else self.starts
        lane = _lane(anchors, trail)
        while True:
            text, start = source.text, source.pos
            at = _first(text, anchors, start + scanned)
            if at < 0:
                if source.closed:
                    return -1
                end = len(text) - max(partial_suffix(text, start, anchor) for anchor in anchors)
                scanned = max(end - start, scanned)
            else:
                goes_on = self.follows(source, at + len(close), closed=bool(close))
                if goes_on:
                    return at
                if goes_on is False:
                    scanned = at + 1 - start
                    continue
                end = at
            if streamed:
                end = _give_out(source, end, trail)
                scanned = max(scanned + start - end, 0)
                if at < 0 and len(text) - end < LANE_HELD and not source.depth:
                    source.lane = lane
                    scanned = 0
            yield

    def follows(self, source: Source, at: int, *, closed: bool = True) -> bool | None:
        """Tell whether a further field, or the end of the fields, stands here; None: more input is needed.

        The end of a value that nothing has `closed` counts only with what stands behind it.
        """
        wanted = self.continuations
        if not wanted:
            return True
        text = source.text
        at = white_end(text, at)
        if self.separator and text.startswith(self.separator, at):
            at = white_end(text, at + len(self.separator))
            if not self.open_core:
                return self.names_field(source, at)
        elif not self.open_core and not source.closed and begins(text, at, self.separator):
            return None
        if not closed and self.behind and text.startswith(self.end, at):
            return self.is_behind(source, white_end(text, at + len(self.end)))
        if text.startswith(wanted, at):
            return True
        bare = not self.open_core and not self.separator
        named = self.names_field(source, at, known=True) if bare else False
        rest = text[at : at + self.longest]
        if named or source.closed:
            return named or not rest
        return None if named is None or any(marker.startswith(rest) for marker in wanted) else False

    def is_behind(self, source: Source, at: int) -> bool | None:
        """Tell whether what follows the end of the fields stands here; None: more input is needed."""
        if source.closed and at == len(source.text):
            return True
        found = [_stands(source.text, at, text, behind_name) for text, behind_name in self.behind]
        if any(found):
            return True
        return None if None in found and not source.closed else False

    def names_field(self, source: Source, at: int, *, known: bool = False) -> bool | None:
        """Tell whether a name and what stands behind it are here, where nothing opens a field; None: more input is needed.

        `known`: where parameters are declared, only one of those.
        """
        text = source.text
        stop = self.key_end.search(text, at, at + KEY_LIMIT + 1)
        if stop is None:
            return False if source.closed or len(text) - at > KEY_LIMIT else None
        if stop.start() == at or not text.startswith(self.mid_starts, stop.start()):
            return False
        return _may_be_name(source, text[at : stop.start()], known)


def _stands(text: str, at: int, wanted: str, behind_name: str) -> bool | None:
    """Tell whether a text stands here, and a name where something stands behind one; None: more input is needed."""
    if not text.startswith(wanted, at):
        return None if begins(text, at, wanted) else False
    if not behind_name:
        return True
    at = white_end(text, at + len(wanted))
    name = _PLAIN_KEY.match(text, at)
    end = name.end() if name else at
    if end == len(text) or (name and begins(text, end, behind_name)):
        return None
    return name is not None and text.startswith(behind_name, end)


def _may_be_name(source: Source, key: str, known: bool) -> bool:
    """Tell whether a text is a declared parameter or looks like one; only a declared one will do where it is to be `known`."""
    schema = resolve(source.case, source.case)
    declared = schema.get("properties") if isinstance(schema, Mapping) else None
    if declared and (known or key in declared):
        return key in declared
    return _PLAIN_KEY.fullmatch(key) is not None


def _first(text: str, anchors: tuple[str, ...], at: int) -> int:
    """Return where the first of the anchors begins, -1 where none does."""
    if len(anchors) == 1:
        return text.find(anchors[0], at)
    return min((found for anchor in anchors if (found := text.find(anchor, at)) >= 0), default=-1)


@lru_cache(maxsize=256)
def _lane(anchors: tuple[str, ...], trail: str) -> Lane:
    """Let text pass that has no beginning of what ends it, but for the close's white space at its end."""
    first = "".join(anchor[:1] for anchor in anchors)
    return ARGUMENTS, re.compile(f"[^{re.escape(first)}]+").fullmatch, trail, json_string_piece


def _give_out(source: Source, end: int, trail: str) -> int:
    """Give out a string up to `end`, but for white space that may belong to the close; return up to where."""
    text, start = source.text, source.pos
    if trail and text[end - 1 : end] in trail:
        end = _before_trail(text, start, end, trail)
    if end > start:
        source.events.append((ARGUMENTS, json_string_piece(text[start:end]), source.base + start))
        source.pos = end
    return end


def _before_trail(text: str, start: int, end: int, trail: str) -> int:
    """Return where a suffix that may be the printed white space before the close begins."""
    for size in range(min(len(trail), end - start), 0, -1):
        if text.endswith(trail[:size], start, end):
            return end - size
    return end
