"""The small parts of a match: literals and white space as one step, repeated names, and parts in order."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from autoparser_cli.peg.expressions import Literal, Same, Slot, Space
from autoparser_cli.peg.source import Match, Source, begins

Step = Callable[[Source], "bool | None"]
#: A plain step, or a generator; the other one is None.
Part = tuple[Step | None, Callable[[Source], Match] | None]

WHITE = re.compile(r"[ \t\n\r]*+")
WHITE_SPACE_REPAIR = "white-space"

#: The most characters of a parameter's name: a text in which nothing ends one is not searched to its end.
KEY_LIMIT = 256


def white_end(text: str, pos: int) -> int:
    """Return where the white space at `pos` ends."""
    found = WHITE.match(text, pos)
    return found.end() if found else pos


def fused_part(items: Sequence[Literal | Space]) -> Part:
    """Match neighbouring literals and white space as one.

    What is printed by one comparison, else by one pattern.
    """
    spaces = [item for item in items if isinstance(item, Space)]
    free = any(space.free for space in spaces)
    if len(spaces) == len(items):
        return _space_part("".join(space.printed for space in spaces), free)
    sources = [re.escape(item.text) if isinstance(item, Literal) else WHITE.pattern for item in items]
    pattern = re.compile("".join(sources))
    printed = "".join(item.text if isinstance(item, Literal) else item.printed for item in items)
    as_printed = re.compile("".join(map(_printed_pattern, items))) if free else None
    open_end = isinstance(items[-1], Space)

    def step(source: Source) -> bool | None:
        text, start = source.text, source.pos
        end = start + len(printed)
        if text.startswith(printed, start) and (not open_end or _stands(text, end, source.closed)):
            source.pos = end
            return True
        found = pattern.match(text, start)
        if found is None:
            return _how_far(items, source)
        if open_end and found.end() == len(text) and not source.closed:
            return None
        if found[0] != printed and not (as_printed and as_printed.fullmatch(found[0])):
            source.emit("repair", WHITE_SPACE_REPAIR)
        source.pos = found.end()
        return True

    return step, None


def skip_printed(source: Source, printed: str) -> bool | None:
    """Skip the white space printed before a text, as much of it as is there."""
    text, start = source.text, source.pos
    size = 0
    while size < len(printed) and text.startswith(printed[size], start + size):
        size += 1
    if size < len(printed):
        if start + size == len(text) and not source.closed:
            return None
        source.emit("repair", WHITE_SPACE_REPAIR)
    source.pos = start + size
    return True


def _printed_pattern(item: Literal | Space) -> str:
    """Return the pattern of what is printed; white space that is free is all printed."""
    if isinstance(item, Literal):
        return re.escape(item.text)
    return WHITE.pattern if item.free else re.escape(item.printed)


def _space_part(printed: str, free: bool) -> Part:
    def step(source: Source) -> bool | None:
        end = white_end(source.text, source.pos)
        if end == len(source.text) and not source.closed:
            return None
        if not free and source.text[source.pos : end] != printed and end < len(source.text):
            source.emit("repair", WHITE_SPACE_REPAIR)
        source.pos = end
        return True

    return step, None


def _stands(text: str, end: int, closed: bool) -> bool:
    """Tell whether white space that ends here does not go on."""
    return not text[end].isspace() if end < len(text) else closed


def _how_far(items: Sequence[Literal | Space], source: Source) -> bool | None:
    """Tell whether more input could still match, else note what was expected where."""
    text, at = source.text, source.pos
    for item in items:
        if isinstance(item, Space):
            at = white_end(text, at)
        elif text.startswith(item.text, at):
            at += len(item.text)
        elif not source.closed and begins(text, at, item.text):
            return None
        else:
            source.starved = source.starved or (source.closed and begins(text, at, item.text))
            return source.fail(at, item.text)
    return None


def same_part(node: Same) -> Part:
    """Match the current tag or key once more."""

    def step(source: Source) -> bool | None:
        wanted = source.tag if node.slot == Slot.TAG else source.key
        if source.text.startswith(wanted, source.pos):
            source.pos += len(wanted)
            return True
        if not source.closed and begins(source.text, source.pos, wanted):
            return None
        return source.fail(source.pos, wanted)

    return step, None


def attempt(part: Part, source: Source) -> Match:
    """Run a part to its end."""
    step, generator = part
    if step is None:
        assert generator is not None
        return (yield from generator(source))
    while (ok := step(source)) is None:
        yield
    return ok


def join_parts(parts: list[Part]) -> Part:
    """Match parts in order."""
    if len(parts) == 1:
        return parts[0]

    def generator(source: Source) -> Match:
        for step, inner in parts:
            if step is not None:
                while (ok := step(source)) is None:
                    yield
            else:
                assert inner is not None
                ok = yield from inner(source)
            if not ok:
                return False
        return True

    return None, generator
