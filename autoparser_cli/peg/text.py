"""Text up to the first place where one of its exits matches.

Given out as it comes, but for what may still be a marker.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator

from autoparser_cli.peg.expressions import Exit, Expression, Text
from autoparser_cli.peg.parts import Part
from autoparser_cli.peg.source import LANE_HELD, Match, Source

_WHITE = " \t\r\n"
_ANCHORLESS = re.compile(r"(?!)")
#: An exit that failed only this far behind its anchor is not tried again inside what it had read.
_LONG_TRY = 512


def text_part(node: Text, compile_expression: Callable[[Expression], Part]) -> Part:
    """Compile a text with its exits."""
    exits = [(exit_, compile_expression(exit_.item)) for exit_ in node.exits]
    return None, _Reader(node, exits).run


class _Reader:
    """Reads a text up to one of its exits."""

    def __init__(self, node: Text, exits: list[tuple[Exit, Part]]) -> None:
        self.node = node
        self.exits = exits
        anchors = sorted({exit_.anchor for exit_ in node.exits if exit_.anchor}, key=len, reverse=True)
        patterns = [_guarded(anchor, node.exits) for anchor in anchors]
        self.pattern = re.compile("|".join(patterns)) if anchors else _ANCHORLESS
        self.prefixes = frozenset(anchor[:size] for anchor in anchors for size in range(1, len(anchor)))
        self.firsts = frozenset(anchor[0] for anchor in anchors)
        self.reach = max(map(len, anchors), default=1) - 1
        first = re.escape("".join(sorted(self.firsts)))
        plain = re.compile(rf"[^{first}]+" if first else r"(?s:.+)")
        self.lane = (node.kind, plain.fullmatch, _WHITE, None)

    def run(self, source: Source) -> Match:
        """Give out text as it becomes certain; leave by the first exit that matches as a whole."""
        scanned = 0
        kind = self.node.kind
        while True:
            text = source.text
            found = self.pattern.search(text, source.pos + scanned)
            if found is None:
                if source.closed:
                    _give_out(source, kind, len(text))
                    source.state = self.node.at_end
                    return True
                end = self.undecided(text, source.pos + scanned)
                _give_out(source, kind, _before_white(text, source.pos, end))
                scanned = end - source.pos
                if end == len(text) and scanned < LANE_HELD and not source.depth:
                    source.lane = self.lane
                    scanned = 0
                yield
                continue
            at = found.start()
            _give_out(source, kind, _before_white(text, source.pos, at))
            if found.lastindex:
                scanned = at + source.closed - source.pos
                if not source.closed:
                    yield
                continue
            left, scanned = yield from self.leave(source, at)
            if left is not None:
                return left

    def undecided(self, text: str, start: int) -> int:
        """Return where a suffix that may become an anchor begins."""
        for at in range(max(start, len(text) - self.reach), len(text)):
            if text[at] in self.firsts and text[at:] in self.prefixes:
                return at
        return len(text)

    def leave(self, source: Source, at: int) -> Generator[None, None, tuple[bool | None, int]]:
        """Try the exits at a position; return whether the text has ended, and how far it goes if not."""
        cuts = source.cuts
        source.skip_to = 0
        source.starved = False
        if (yield from _leave(source, self.node.kind, self.exits, at)):
            return True, 0
        if source.cuts != cuts or (source.starved and _is_certain(source.text, at, self.node.exits)):
            return False, 0
        tried = source.failed_at if source.failed_at - at > _LONG_TRY else 0
        return None, max(at + 1, source.skip_to, tried) - source.pos


def _guarded(anchor: str, exits: tuple[Exit, ...]) -> str:
    """Return the pattern of an anchor, with what has to come next where all its exits say so.

    The group matches where the input ends before that is known.
    """
    guards = {exit_.guard for exit_ in exits if exit_.anchor == anchor}
    if "" in guards:
        return re.escape(anchor)
    return rf"{re.escape(anchor)}[ \t\r\n]*+(?:{'|'.join(sorted(guards))}|(\"?[\w-]{{0,64}}+\Z))"


def _is_certain(text: str, at: int, exits: tuple[Exit, ...]) -> bool:
    return any(exit_.certain and text.startswith(exit_.anchor, at) for exit_ in exits)


def _before_white(text: str, start: int, end: int) -> int:
    """Return where the white space before `end` begins, which may belong to a marker."""
    return start + len(text[start:end].rstrip(_WHITE))


def _give_out(source: Source, kind: str, end: int) -> None:
    if end > source.pos:
        source.emit(kind, source.text[source.pos : end])
        source.pos = end


def _leave(source: Source, kind: str, exits: list[tuple[Exit, Part]], at: int) -> Match:
    """Try the exits whose anchor stands at `at`.

    The white space before it is printed by the exit, or is text.
    """
    held = source.hold()
    white = source.text[source.pos : at]
    for exit_, (step, generator) in exits:
        if not source.text.startswith(exit_.anchor, at):
            continue
        kept = len(white) - _common_suffix(white, exit_.trim)
        if kept:
            source.emit(kind, white[:kept])
        source.pos = at
        if step is not None:
            while (ok := step(source)) is None:
                yield
        else:
            assert generator is not None
            ok = yield from generator(source)
        if ok:
            source.keep(held)
            return True
        if not source.back(held):
            return False
    source.keep(held)
    return False


def _common_suffix(text: str, printed: str) -> int:
    size = 0
    while size < min(len(text), len(printed)) and text[-1 - size] == printed[-1 - size]:
        size += 1
    return size
