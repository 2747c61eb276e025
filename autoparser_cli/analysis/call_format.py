"""The renders of one and two calls, and a turn's markers -> which literals around calls belong to the section, to each call, between."""

from __future__ import annotations

import re
from dataclasses import replace

from autoparser_cli.analysis.model import CallFormat, JsonCall, TaggedCall, Var
from autoparser_cli.analysis.shapes import shared_end, shared_start
from autoparser_cli.analysis.tools import CallProbe, CallsText
from autoparser_cli.analysis.turns import Markers
from autoparser_cli.analysis.variables import SENTINELS, marker_text

#: A word and a mark that touch what follows, behind the end of a marker.
_ID_PREFIX = re.compile(r"(?<=[>\]|])[A-Za-z_]+[.:/#-]$")

#: The last number of a text.
_LAST_NUMBER = re.compile(r"(?P<before>.*\D)(?P<number>[0-9]{1,6})(?P<behind>\D*)", re.DOTALL)


def call_format(probe: CallProbe, markers: Markers) -> CallFormat:
    """Share the literals around calls out among section, call and separator."""
    opening, closing = markers.call_open, markers.call_close
    if (
        isinstance(probe.body, JsonCall)
        and opening.rstrip().endswith("[")
        and closing.lstrip().startswith("]")
    ):
        return _list_of_calls(probe, opening.rstrip()[:-1], closing.lstrip()[1:])
    if probe.two is None:
        return CallFormat("", "", marker_text(opening), marker_text(closing), "", probe.body, parallel=False)
    return _repeated(probe, probe.two, markers)


def _list_of_calls(probe: CallProbe, section_start: str, section_end: str) -> CallFormat:
    """Return the format of calls that are the items of one JSON list."""
    between = probe.between(probe.two)[0] if probe.two is not None else ""
    return CallFormat(
        section_start=section_start,
        section_end=section_end,
        per_call_start=(),
        per_call_end=(),
        separator=between or ", ",
        body=probe.body,
        array_wrapped=True,
        parallel=probe.two is not None,
    )


def _repeated(probe: CallProbe, two: CallsText, markers: Markers) -> CallFormat:
    """What stands between two calls as well as around all of them is each call's own."""
    opening, closing = markers.call_open, markers.call_close
    between, base = probe.between(two)[0], probe.index_base
    counted = _counted(probe.body, opening, between)
    if counted is not None:
        opening, between, base = counted
    start = _unless_white(shared_end([opening, between]))
    rest = between[: len(between) - len(start)]
    end = _unless_white(shared_start([closing, rest]))
    body, per_call_start, per_call_end = _with_id_borders(probe.body, start, end)
    section_end, other_end = closing[len(end) :], _calls_tail(probe, two, markers).removeprefix(end)
    several_start, several_end = _around_several(probe, two, start, end)
    if several_start:
        other_end = section_end
    return CallFormat(
        section_start=opening[: len(opening) - len(start)],
        section_end=section_end or other_end,
        per_call_start=marker_text(per_call_start),
        per_call_end=marker_text(per_call_end),
        separator=rest[len(end) :],
        body=body,
        section_end_optional=bool(section_end) != bool(other_end),
        index_base=base,
        several_start=several_start,
        several_end=several_end,
    )


def _around_several(probe: CallProbe, two: CallsText, start: str, end: str) -> tuple[str, str]:
    """Return what stands behind the start of the section and before its end only where there are two calls."""
    one = probe.one
    before = one.text[: one.calls[0].start].removesuffix(start)
    before_two = two.text[: two.calls[0].start]
    if before_two == before + start or not before_two.endswith(start):
        return "", ""
    more = before_two[: len(before_two) - len(start)].removeprefix(before)
    behind, behind_two = one.text[probe.span(one).end :], two.text[probe.span(two).end :]
    tail = behind.removeprefix(end)
    if len(more) + len(before) + len(start) != len(before_two) or not behind_two.endswith(tail):
        return "", ""
    return more, behind_two[: len(behind_two) - len(tail)].removeprefix(end)


def _counted(body: JsonCall | TaggedCall, opening: str, between: str) -> tuple[str, str, int] | None:
    """Return the literals before the first call and between two, with INDEX for a number that counts in front of each.

    None where nothing counts, or where no marker stands before the first number that a parser could look for.
    """
    found = _LAST_NUMBER.fullmatch(between)
    if found is None or (isinstance(body, TaggedCall) and Var.INDEX in body.body):
        return None
    first, index = int(found["number"]) - 1, SENTINELS[Var.INDEX]
    number = f"{first}{found['behind']}"
    before = opening.removesuffix(number)
    if before == opening or not before.strip():
        return None
    behind = index + found["behind"]
    return before + behind, found["before"] + behind, first


def _unless_white(text: str) -> str:
    return text if text.strip() else ""


def _with_id_borders(
    body: JsonCall | TaggedCall, start: str, end: str
) -> tuple[JsonCall | TaggedCall, str, str]:
    """Return the body and what stands around it; what tells where an id begins or ends is part of the body."""
    if not isinstance(body, TaggedCall):
        return body, start, end
    if body.body[-1] is Var.ID:
        # Only what stands behind an id tells where it ends.
        body, end = replace(body, body=(*body.body, *marker_text(end)), empty_body=None), ""
    if body.id_text is not None and (prefix := _ID_PREFIX.search(start)):
        # A word that touches the name belongs to the id, as in `functions.NAME:0`.
        body, start = _with_id_prefix(body, prefix[0]), start[: prefix.start()]
    return body, start, end


def _with_id_prefix(body: TaggedCall, prefix: str) -> TaggedCall:
    """Put a text before the name into the id that holds the name."""
    empty = body.empty_body and (prefix, *body.empty_body)
    return replace(body, body=(prefix, *body.body), empty_body=empty, id_text=(prefix, *(body.id_text or ())))


def _calls_tail(probe: CallProbe, rendered: CallsText, markers: Markers) -> str:
    """Return what stands behind the last call, without what ends a turn: behind one call, or behind content."""
    tail = rendered.text[probe.span(rendered).end :].removesuffix(markers.end)
    ending = probe.one.text[probe.span(probe.one).end :].removeprefix(markers.call_close)
    for end in (ending, markers.turn_tail):
        if end and tail.endswith(end):
            return tail[: len(tail) - len(end)]
    return tail
