"""Markers that open calls only to tools of a template's own, which a variable names.

Some templates write calls to built-in tools in another way, behind a marker of its own. Models then write that marker in front of
the usual form too. The variable is found by trying: with the probe's tool named in it, the call opens with a marker that it does
not open with otherwise.
"""

from __future__ import annotations

from autoparser_cli.analysis.conventions import free_variables
from autoparser_cli.analysis.conversations import PROBE_TOOLS, Call, Conventions, Renderer, Turn
from autoparser_cli.analysis.probes import KEYS, NAMES, TEXT_VALUES
from autoparser_cli.analysis.shapes import turn_text
from autoparser_cli.diffing.segments import marker_spans
from autoparser_cli.diffing.split import common_prefix_length


def other_starts(renderer: Renderer, called: Conventions) -> tuple[str, ...]:
    """Return the markers, each once; calls have a text as argument, because such forms are seldom made for more."""
    turn = Turn(calls=(Call(arguments={KEYS[0]: TEXT_VALUES[0]}),))
    plain = turn_text(renderer, turn, called, PROBE_TOOLS)
    if plain is None:
        return ()
    found: list[str] = []
    for name in free_variables(renderer):
        if name in dict(called.kwargs):
            continue
        other = turn_text(renderer, turn, called.with_kwargs(**{name: [NAMES[0]]}), PROBE_TOOLS)
        marker = _start(plain, other) if other is not None else ""
        if marker and marker not in found:
            found.append(marker)
    return tuple(found)


def _start(plain: str, other: str) -> str:
    """Return the one marker that opens the other call where the plain one has none; empty where there is no such."""
    at = common_prefix_length(plain, other)
    name = other.find(NAMES[0], at)
    start = max((begin for begin, end in marker_spans(other) if begin <= at < end), default=at)
    opening = other[start:name].strip() if name >= 0 else ""
    spans = list(marker_spans(opening))
    return opening if spans == [(0, len(opening))] and opening not in plain else ""
