"""A parser and an output -> what was matched, in order: for people who ask why an output reads as it does."""

from __future__ import annotations

from dataclasses import dataclass

from autoparser_cli.parsing.output_parser import OutputParser
from autoparser_cli.peg.matching import Matcher


@dataclass(frozen=True, slots=True)
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
