"""A parser and an output -> what was matched, in order or as a tree: for people who ask why an output reads
as it does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from autoparser_cli.frozen import frozen
from autoparser_cli.parsing.output_parser import OutputParser
from autoparser_cli.peg.matching import Matcher


@frozen
class TraceStep:
    """One thing that was recognised: its `kind` (`reasoning`, `content`, `call` ...), text and place.

    `offset`: 0-based, in code points of the output; negative inside the generation prompt.
    """

    kind: str
    text: str
    offset: int


def trace(parser: OutputParser, output: str) -> tuple[TraceStep, ...]:
    """Match an output and return the steps; pieces of one text that follow each other are one step."""
    matcher = Matcher(parser.compiled, -len(parser.prefix))
    events = [*matcher.feed(parser.prefix), *matcher.feed(output), *matcher.close()]
    steps: list[TraceStep] = []
    for kind, text, offset in events:
        if steps and steps[-1].kind == kind and kind != "repair":
            steps[-1] = TraceStep(kind, steps[-1].text + text, steps[-1].offset)
        else:
            steps.append(TraceStep(kind, text, offset))
    return tuple(steps)


@frozen
class TraceNode:
    """A part of the output: a `kind`, its text (empty where the parts below have it all), its place, its parts."""

    kind: str
    text: str
    offset: int
    parts: tuple[TraceNode, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the node as JSON types."""
        found: dict[str, Any] = {"kind": self.kind, "text": self.text, "offset": self.offset}
        return {**found, "parts": [part.to_dict() for part in self.parts]} if self.parts else found


def trace_tree(parser: OutputParser, output: str) -> TraceNode:
    """Match an output and return its parts as a tree: markers too, and each call with its own parts."""
    steps = list(_with_markers(trace(parser, output), output))
    parts: list[TraceNode] = []
    at = 0
    while at < len(steps):
        if steps[at].kind == "call":
            end = next((i for i in range(at, len(steps)) if steps[i].kind == "called"), len(steps))
            parts.append(_call(steps[at:end], finished=end < len(steps)))
            at = end + 1
        else:
            parts.append(_leaf(steps[at]))
            at += 1
    return TraceNode("turn", "", 0, tuple(parts))


def _with_markers(steps: Sequence[TraceStep], output: str) -> Iterator[TraceStep]:
    """Put in what stands between two steps: markers, and white space that belongs to them.

    What follows arguments that are not given out verbatim cannot be told from them, and is left out.
    """
    known = 0
    for step in steps:
        if step.offset > known >= 0:
            yield TraceStep("marker", output[known : step.offset], known)
        yield step
        if step.offset >= 0 and step.kind != "repair":
            verbatim = output.startswith(step.text, step.offset)
            known = max(step.offset + len(step.text), known) if verbatim else -1
        elif step.kind == "repair":
            known = max(step.offset, known) if known >= 0 else step.offset
    if 0 <= known < len(output):
        yield TraceStep("marker", output[known:], known)


def _call(steps: Sequence[TraceStep], *, finished: bool) -> TraceNode:
    parts = tuple(_leaf(step) for step in steps[1:] if step.kind != "unknown")
    return TraceNode("call" if finished else "unfinished call", "", steps[0].offset, parts)


def _leaf(step: TraceStep) -> TraceNode:
    if step.kind == "arguments":
        try:
            value = json.loads(step.text)
        except (ValueError, RecursionError):
            return TraceNode("arguments", step.text, step.offset)
        return TraceNode("arguments", "", step.offset, tuple(_values(value, step.offset)))
    return TraceNode("name" if step.kind == "tag" else step.kind, step.text, step.offset)


def _values(value: Any, offset: int) -> Iterator[TraceNode]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        parts = tuple(_values(item, offset))
        yield TraceNode(str(key), "" if parts else json.dumps(item, ensure_ascii=False), offset, parts)
