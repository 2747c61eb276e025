"""The input of a match in progress: the undecided text, the events so far, and the furthest failure.

Positions are relative to `text`; `base + position` is the offset in the whole input, negative in a part fed
before the output. Text before the position is dropped by the next `feed`, but only where nothing may come
back to it (`depth` is 0).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any

#: kind, text, offset where it begins
Event = tuple[str, str, int]

#: A match in progress: yields where it needs more input, and returns whether it matched.
Match = Generator[None, None, bool]

#: What a match that waits in the middle of a long text says of the text to come: the kind of its events, what tells
#: text that is certain, the white space that is not while it stands at the end, and how text is written (None: as it
#: is). Such text passes by without resuming the match, which costs most of a short chunk's time.
Lane = tuple[str, Callable[[str], object], str, Callable[[str], str] | None]

#: The most characters that are held on the way: they are read again.
LANE_HELD = 16

#: Held text up to this size is joined with each chunk; beyond it, chunks wait until they are worth the copy.
_JOIN_BELOW = 4096


class Source:
    """Text, position and events, shared by all matches of one parse."""

    def __init__(self, offset: int = 0) -> None:
        self.text = ""
        self.pos = 0
        self.base = offset
        self.closed = False
        self.depth = 0
        self.lane: Lane | None = None
        self.uncut = 0
        self.cuts = 0
        self.final: list[Event] = []
        self.events: list[Event] = []
        self.state: str | None = None
        self.tag = ""
        self.key = ""
        self.index = 0
        self.case: Any = None
        self.cases: Mapping[str, Any] = {}
        self.skip_to = 0
        self.failed_at = 0
        self.starved = False
        self.far = offset
        self.expected: list[str] = []
        self._pending: list[str] = []
        self._pending_size = 0

    def feed(self, chunk: str) -> bool:
        """Take in a chunk; tell whether it is worth going on with the match now."""
        if self.pos and self.depth == 0:
            self.base += self.pos
            if self.pos == len(self.text) and not self._pending:
                self.text = chunk
                self.pos = 0
                return True
            self.text = self.text[self.pos :]
            self.pos = 0
        if len(self.text) < _JOIN_BELOW and not self._pending:
            self.text += chunk
            return True
        self._pending.append(chunk)
        self._pending_size += len(chunk)
        if self._pending_size * 8 < len(self.text):
            return False
        self._join()
        return True

    def pass_by(self, lane: Lane, chunk: str) -> list[Event] | None:
        """Give out what is held and a chunk as they come; None where the match has to look at them."""
        kind, is_plain, white, write = lane
        text = self.text[self.pos :] + chunk
        if not is_plain(text):
            return None
        certain = text.rstrip(white) if white else text
        size = len(certain)
        if len(text) - size > LANE_HELD:
            return None
        offset = self.base + self.pos
        self.base = offset + size
        self.text = text[size:]
        self.pos = 0
        return [(kind, certain if write is None else write(certain), offset)] if size else []

    def close(self) -> None:
        """Take in that no more comes."""
        self._join()
        self.closed = True

    def _join(self) -> None:
        self.text += "".join(self._pending)
        self._pending.clear()
        self._pending_size = 0

    def take(self) -> list[Event]:
        """Return the events that are final, and forget them."""
        events, self.final = self.final, []
        if self.depth == 0 and self.events:
            events = events + self.events if events else self.events
            self.events = []
        return events

    def hold(self) -> tuple[int, int, int, int]:
        """Begin to try something; `back` or `keep` takes what this returns."""
        depth = self.depth
        if depth == 0 and self.events:
            self.final += self.events
            self.events = []
        self.depth = depth + 1
        return self.pos, len(self.events), depth, self.cuts

    def back(self, held: tuple[int, int, int, int]) -> bool:
        """Undo what was tried, and keep holding; return whether that was possible, which a cut rules out."""
        if self.cuts != held[3]:
            return False
        self.pos = held[0]
        del self.events[held[1] :]
        return True

    def keep(self, held: tuple[int, int, int, int]) -> None:
        """End a try, whether it was undone or not."""
        if self.cuts == held[3]:
            self.depth = held[2]

    def emit(self, kind: str, text: str = "", at: int | None = None) -> None:
        """Give out an event that begins at position `at`, the current one by default."""
        self.events.append((kind, text, self.base + (self.pos if at is None else at)))

    def fail(self, at: int, *expected: str) -> bool:
        """Note what was expected at a position; keep the furthest. Returns False."""
        offset = self.base + at
        self.failed_at = at
        if self.closed and at >= len(self.text):
            self.starved = True
        if offset > self.far:
            self.far = offset
            self.expected = list(expected)
        elif offset == self.far:
            self.expected.extend(text for text in expected if text not in self.expected)
        return False

    def cut(self) -> None:
        """Make what was matched so far final, unless a lookahead is under way."""
        if not self.uncut:
            self.depth = 0
            self.cuts += 1


def begins(text: str, at: int, marker: str) -> bool:
    """Tell whether the text ends, from a position on, with a beginning of a marker but not all of it."""
    return len(text) - at < len(marker) and marker.startswith(text[at:])
