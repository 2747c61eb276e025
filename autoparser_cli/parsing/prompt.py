"""A prompt -> the part of its end that the turn begins with, and what that end shows of the format."""

from __future__ import annotations

import re
from dataclasses import replace

from autoparser_cli.analysis.model import Joint, ReasoningFields, ReasoningMode, TemplateAnalysis, TurnPart
from autoparser_cli.parsing.wire import is_strong, markers_of

#: A tag that has a closing form: `<think>`, `[THINK]`.
_OPENING_TAG = re.compile(r"\s*(?P<tag>(?P<open>[<\[])(?P<name>[\w:.-]+)(?P<close>[>\]]))")


def fed_prompt(analysis: TemplateAnalysis, prompt: str, continued: bool = False) -> str:
    """Return the part of a prompt's end that the turn begins with, and that is read before the output.

    What comes behind the turn's header; where that does not occur, the last reasoning start if nothing but
    white space or the reasoning end follows it; all of it where a template without header begins with the
    message itself (`continued`). In TOOLS_ONLY the model itself writes the start, and an earlier turn may
    hold one.
    """
    header = analysis.turn.header
    at = prompt.rfind(header) if header else -1
    if at >= 0:
        opened = prompt[at + len(header) :]
        return "" if not continued and _has_ended(analysis, opened) else opened
    if continued and not header:
        return prompt
    fields = analysis.reasoning
    start, end = fields.start.strip(), fields.end.strip()
    if fields.mode is ReasoningMode.TOOLS_ONLY or not end:
        return ""
    if prompt.rstrip().endswith(end) and not (start and start in prompt):
        return prompt[prompt.rindex(end) :]
    at = prompt.rfind(start) if start else -1
    if at < 0:
        return ""
    rest = prompt[at + len(start) :].strip()
    return prompt[at:] if rest in ("", end) else ""


def _has_ended(analysis: TemplateAnalysis, opened: str) -> bool:
    """Tell whether a turn is over: an earlier one, behind which the prompt opens none."""
    ends = (analysis.turn.end, analysis.calls.section_end if analysis.calls else "")
    return any(is_strong(marker) and marker in opened for text in ends for marker in markers_of(text))


def with_prompted_reasoning(analysis: TemplateAnalysis, prompt: str) -> TemplateAnalysis:
    """Return the analysis with the reasoning that a prompt ends inside of, where its template shows none.

    The caller says that the prompt ends in reasoning: the tag that the turn opens with is its start, and the
    tag's closing form its end.
    """
    beginning = fed_prompt(analysis, prompt, True)
    lead = max(
        (text for text in _content_openings(analysis) if beginning.startswith(text)), key=len, default=""
    )
    opened = _OPENING_TAG.match(beginning, len(lead))
    if analysis.reasoning.mode is not ReasoningMode.NONE or opened is None:
        return analysis
    start, end = opened["tag"], f"{opened['open']}/{opened['name']}{opened['close']}"
    joints = (
        Joint(TurnPart.START, TurnPart.REASONING, lead + start, False),
        Joint(TurnPart.REASONING, TurnPart.CONTENT, end, False),
        Joint(TurnPart.REASONING, TurnPart.CALLS, end, False),
    )
    turn = replace(analysis.turn, joints=(*analysis.turn.joints, *joints))
    return replace(analysis, reasoning=ReasoningFields(ReasoningMode.TAG_BASED, start, end), turn=turn)


def _content_openings(analysis: TemplateAnalysis) -> list[str]:
    into = TurnPart.START, TurnPart.CONTENT
    return [joint.text for joint in analysis.turn.joints if (joint.before, joint.after) == into]
