"""Markers that a parser expected -> what they are for, in plain words: `</fn> (closes the function)`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from autoparser_cli.analysis.model import TemplateAnalysis
from autoparser_cli.reports.console.screen import visible

_A_SIGN = re.compile(r"[^\w\s]{1,2}")


def in_plain_words(expected: str, analysis: TemplateAnalysis | None, tools: Collection[str] = ()) -> str:
    """Name what was expected, and what it is: a tool, or what a marker of the analysis is for."""
    shown = visible(expected, keep=" ")
    if expected in tools:
        return f"{shown} (a tool)"
    if analysis is not None:
        for marker, role in _roles(analysis):
            if marker.strip() and marker.strip() == expected.strip():
                return f"{shown} ({role})"
    # A sign alone would read as one of the sentence's own.
    return f"`{shown}`" if _A_SIGN.fullmatch(shown) else shown


def _roles(analysis: TemplateAnalysis) -> Iterator[tuple[str, str]]:
    layout, function = analysis.tools.format, analysis.tools.function
    arguments, call_id = analysis.tools.arguments, analysis.tools.call_id
    yield analysis.reasoning.start, "opens the reasoning"
    yield analysis.reasoning.end, "closes the reasoning"
    yield analysis.content.start, "opens the content"
    yield analysis.content.end, "closes the content"
    yield layout.section_start, "opens the calls"
    yield layout.section_end, "closes the calls"
    yield layout.per_call_start, "opens a call"
    yield layout.per_call_end, "closes the call"
    yield function.name_prefix, "stands before the function's name"
    yield function.name_suffix, "stands behind the function's name"
    yield function.close, "closes the function"
    yield arguments.start, "opens the arguments"
    yield arguments.end, "closes the arguments"
    yield arguments.name_prefix, "opens an argument"
    yield arguments.name_suffix, "stands behind an argument's name"
    yield arguments.value_prefix, "opens an argument's value"
    yield arguments.value_suffix, "closes an argument's value"
    yield call_id.prefix, "stands before the call's id"
    yield call_id.suffix, "stands behind the call's id"
    yield analysis.turn.end, "ends the turn"
