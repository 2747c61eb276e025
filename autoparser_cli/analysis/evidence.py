"""The comparisons behind an analysis, kept for people: what was compared, what differed, what was concluded.

All renders were made while inferring, or are those that show a conclusion most plainly; equal ones are not rendered again.
"""

from __future__ import annotations

from dataclasses import replace

from autoparser_cli.analysis.conversations import PROBE_TOOLS, Call, Conventions, Renderer, Turn
from autoparser_cli.analysis.model import (
    ContentFields,
    Evidence,
    ReasoningFields,
    ReasoningMode,
    Split,
    ToolFields,
    ToolFormatMode,
)
from autoparser_cli.analysis.probes import CONTENT, IDS, KEYS, NAMES, PROBES, REASONING, TEXT_VALUES, VALUES
from autoparser_cli.diffing.split import split_diff


def collect_evidence(
    renderer: Renderer,
    text: Conventions,
    called: Conventions | None,
    reasoning: ReasoningFields,
    content: ContentFields,
    tools: ToolFields,
) -> tuple[Evidence, ...]:
    """Return one piece of evidence for each probe that applies."""
    bench = _Bench(renderer, text, called)
    plain = bench.turn(Turn(content=CONTENT))
    found = [
        _evidence("R1", plain, bench.turn(Turn(REASONING, CONTENT)), _reasoning_text(reasoning)),
        _evidence("R2", bench.prompt(False), bench.prompt(True), "see the generation prompts"),
        _evidence("G1", bench.prompt(None, generation=False), bench.prompt(None), "the generation prompt"),
    ]
    if called is not None:
        one = bench.turn(Turn(calls=(Call(),)))
        found += [
            _evidence(
                "R3",
                bench.turn(Turn(REASONING, CONTENT)),
                bench.turn(Turn(REASONING, calls=(Call(),))),
                f"mode {reasoning.mode.value}",
            ),
            _evidence("C1", plain, one, f"mode {content.mode.value}"),
            _evidence("T1", plain, one, f"format {tools.format.mode.value}"),
            _evidence(
                "T2",
                one,
                bench.turn(Turn(calls=(Call(), Call(NAMES[1], {KEYS[0]: VALUES[1]}, IDS[1])))),
                _calls_text(tools),
            ),
            _evidence("T3", one, bench.turn(Turn(calls=(Call(NAMES[1]),))), _name_text(tools)),
            _evidence(
                "T7", one, bench.turn(Turn(calls=(Call(id=IDS[1]),))), f"position {tools.call_id.pos.value}"
            ),
        ]
        found += _argument_evidence(bench, one, tools)
    return tuple(found)


def _argument_evidence(bench: _Bench, one: str | None, tools: ToolFields) -> list[Evidence]:
    arguments = tools.arguments
    two = bench.turn(Turn(calls=(Call(arguments=dict(zip(KEYS, VALUES[:2], strict=True))),)))
    found = [
        _evidence("T5", one, two, f"separator {arguments.separator!r}"),
        _evidence(
            "T6",
            bench.turn(Turn(calls=(Call(arguments={}),))),
            one,
            f"start {arguments.start!r}, end {arguments.end!r}",
        ),
    ]
    if tools.format.mode is not ToolFormatMode.TAG_WITH_TAGGED:
        return found
    other_key = bench.turn(Turn(calls=(Call(arguments={KEYS[1]: VALUES[0]}),)))
    text_value = bench.turn(Turn(calls=(Call(arguments={KEYS[0]: TEXT_VALUES[0]}),)))
    other_text = bench.turn(Turn(calls=(Call(arguments={KEYS[0]: TEXT_VALUES[1]}),)))
    return [
        *found,
        _evidence(
            "A1", one, other_key, f"name between {arguments.name_prefix!r} and {arguments.name_suffix!r}"
        ),
        _evidence(
            "A2",
            text_value,
            other_text,
            f"value between {arguments.value_prefix!r} and {arguments.value_suffix!r}",
        ),
        _evidence(
            "A3", one, text_value, ", ".join(f"{kind}: {name}" for kind, name in arguments.value_encoding)
        ),
    ]


class _Bench:
    def __init__(self, renderer: Renderer, text: Conventions, called: Conventions | None) -> None:
        self.renderer, self.text, self.called = renderer, text, called

    def turn(self, turn: Turn) -> str | None:
        if turn.calls and self.called is not None:
            return self.renderer.turn(turn, self.called, tools=PROBE_TOOLS)
        return self.renderer.turn(turn, self.text, tools=None)

    def prompt(self, thinking: bool | None, generation: bool = True) -> str | None:
        kwargs = tuple(
            (k, thinking if thinking is not None and v is True else v) for k, v in self.text.kwargs
        )
        return self.renderer.prompt(replace(self.text, kwargs=kwargs), generation=generation)


def _evidence(probe: str, left: str | None, right: str | None, conclusion: str) -> Evidence:
    known = PROBES[probe]
    split = split_diff(left or "", right or "")
    return Evidence(
        probe=probe,
        question=known.question,
        left_name=known.left,
        right_name=known.right,
        left=left or "",
        right=right or "",
        split=Split(split.prefix, split.left, split.right, split.suffix),
        conclusion=conclusion,
        decided=left != right,
        error_left="" if left is not None else "the template raises",
        error_right="" if right is not None else "the template raises",
    )


def _reasoning_text(reasoning: ReasoningFields) -> str:
    if reasoning.mode is ReasoningMode.NONE:
        return "no reasoning markers"
    return f"reasoning between {reasoning.start!r} and {reasoning.end!r}"


def _calls_text(tools: ToolFields) -> str:
    form = tools.format
    return f"per call {form.per_call_start!r} .. {form.per_call_end!r}, section {form.section_start!r} .. {form.section_end!r}"


def _name_text(tools: ToolFields) -> str:
    if tools.format.mode is ToolFormatMode.JSON_NATIVE:
        return (
            f"name in the field {tools.format.name_field!r}"
            if tools.format.name_field
            else "the name is a JSON key"
        )
    return f"name behind {tools.format.per_call_start + tools.function.name_prefix!r}"
