"""The shapes of a turn and its markers -> the joints: what stands between each part of a turn and the next.

Pairs that no render shows are put together from the markers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from autoparser_cli.analysis.model import Joint, TurnFormat, TurnPart
from autoparser_cli.analysis.observing import Observed, from_prompt, literals
from autoparser_cli.analysis.shapes import TurnShape, core
from autoparser_cli.analysis.turns import CALLS, CONTENT, END, REASONING, START, Markers
from autoparser_cli.diffing.segments import first_marker


def find_joints(seen: Observed, markers: Markers) -> TurnFormat:
    """Return every pair of parts with the text between; unseen pairs are put together."""
    seen = from_prompt(seen)
    full_header = _full_header(seen, markers)
    found: dict[tuple[TurnPart, TurnPart, str], Joint] = {}
    for shape in seen.shapes.values():
        if content_as_reasoning(shape, seen.shapes.values()):
            continue
        for before, after, text in shape.pairs():
            cut = _cut(before, after, text, full_header, markers)
            if cut is not None:
                found.setdefault((before, after, cut), Joint(before, after, cut))
    pairs = {(before, after) for before, after, _ in found}
    for before, after, text in _composed(seen, markers):
        if (before, after) not in pairs or (before is START and not _has_text(found, before, after, text)):
            found.setdefault((before, after, text), Joint(before, after, text, observed=False))
    return TurnFormat(markers.header, tuple(found.values()), markers.end)


def content_as_reasoning(shape: TurnShape, shapes: Collection[TurnShape]) -> bool:
    """Tell whether a turn prints its content just as others print their reasoning, so that nothing tells the two apart."""
    alone = [other.opening for other in shapes if other.parts == (CONTENT,)]
    before, after = shape.before(CONTENT), shape.after(CONTENT)
    if before is None or after is None or before in alone or not _closes_reasoning(after, shapes):
        return False
    return any(core(opening) and before.endswith(opening) for opening in literals(shapes, START, REASONING))


def _closes_reasoning(text: str, shapes: Collection[TurnShape]) -> bool:
    """Tell whether a text stands between reasoning and calls; where no turn has both, whether it begins as behind reasoning."""
    to_calls = literals(shapes, REASONING, CALLS)
    if to_calls:
        return text in to_calls
    marker = first_marker(text)
    return bool(marker) and marker in map(first_marker, literals(shapes, REASONING, CONTENT))


def _full_header(seen: Observed, markers: Markers) -> str:
    return (
        seen.user_tail + markers.header if not markers.header.startswith(seen.user_tail) else markers.header
    )


def _cut(before: TurnPart, after: TurnPart, text: str, header: str, markers: Markers) -> str | None:
    """Take the header, the call's markers and the turn's end off a literal; None where they are not there."""
    if before is START:
        if not text.startswith(header):
            return None
        text = text[len(header) :]
    if after is CALLS and markers.call_open:
        text = text.removesuffix(markers.call_open)
    if before is CALLS and markers.call_close:
        text = text.removeprefix(markers.call_close)
    if after is END:
        text = text.removesuffix(markers.end)
    return text


def _composed(seen: Observed, markers: Markers) -> list[tuple[TurnPart, TurnPart, str]]:
    parts = {part for shape in seen.shapes.values() for part in shape.parts}
    wrap = markers.content_start
    pairs = [(START, CONTENT, wrap), (CONTENT, END, markers.content_end), (START, END, "")]
    if REASONING in parts or seen.stripped_end:
        end = markers.reasoning_end
        pairs += [
            (START, REASONING, markers.reasoning_start),
            (REASONING, CONTENT, end + (markers.wrapped_start or wrap)),
            (REASONING, END, end),
        ]
    if CALLS in parts:
        pairs += [
            (START, CALLS, ""),
            (CONTENT, CALLS, markers.content_end),
            (CALLS, END, ""),
            (CALLS, CONTENT, wrap),
        ]
        if REASONING in parts or seen.stripped_end:
            pairs.append((REASONING, CALLS, markers.reasoning_end))
    return pairs


def _has_text(
    found: Mapping[tuple[TurnPart, TurnPart, str], Joint], before: TurnPart, after: TurnPart, text: str
) -> bool:
    return any(
        (left, right) == (before, after) and known.strip() == text.strip() for left, right, known in found
    )
