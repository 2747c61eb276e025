"""A prompt that says in prose between which markers to write -> reasoning and answer between them.

Why a family: the template prints no turn that holds the markers. A switch adds a sentence to the prompt, which asks for the thoughts
between one pair of markers, and perhaps for the answer between another; what the model writes is wrapped so, and earlier turns
are printed as they were given. Nothing in a turn differs, so differencing has nothing to find.

What a render shows, and what it is recognised by: with a switch on, the prompt gains one or two pairs of markers that open and
close with nothing between (`<think></think>`), and the turn itself has no reasoning. The pair named first is that of the thoughts.
"""

from __future__ import annotations

from dataclasses import replace

from autoparser_cli.analysis.candidates import Inference
from autoparser_cli.analysis.model import (
    AnalysisWarning,
    ContentFields,
    ContentMode,
    Joint,
    ReasoningFields,
    ReasoningMode,
    TemplateAnalysis,
    TurnFormat,
    TurnPart,
)
from autoparser_cli.analysis.reasoning import closers
from autoparser_cli.diffing.segments import marker_spans

NAME = "prose"
_MOST = 2
Pair = tuple[str, str]


def recognise(inference: Inference) -> TemplateAnalysis | None:
    """Return the analysis with the markers of the prose; None where no switch brings any, or turns have reasoning."""
    analysis = inference.analysis
    plain = analysis.content.mode is ContentMode.PLAIN
    if analysis.reasoning.mode is not ReasoningMode.NONE or not plain:
        return None
    for switch in analysis.switches:
        if True not in switch.values or False not in switch.values:
            continue
        pairs = _pairs_added(inference, switch.name)
        if 1 <= len(pairs) <= _MOST:
            return _with_pairs(analysis, pairs, switch.name)
    return None


def _pairs_added(inference: Inference, switch: str) -> list[Pair]:
    """Return the empty pairs of markers that a prompt has only with the switch on."""
    on, off = (
        inference.renderer.prompt(inference.text.with_kwargs(**{switch: value}), generation=False) or ""
        for value in (True, False)
    )
    known = _empty_pairs(off)
    return [pair for pair in _empty_pairs(on) if pair not in known]


def _empty_pairs(text: str) -> list[Pair]:
    found: list[Pair] = []
    for start, end in marker_spans(text):
        opener = text[start:end]
        for closer in closers(opener):
            if text.startswith(closer, end) and (opener, closer) not in found:
                found.append((opener, closer))
    return found


def _with_pairs(analysis: TemplateAnalysis, pairs: list[Pair], switch: str) -> TemplateAnalysis:
    (start, end), *answers = pairs
    content = analysis.content
    if answers:
        opener, closer = answers[0]
        content = ContentFields(
            ContentMode.WRAPPED_WITH_REASONING, opener, closer, content.requires_nonnull_content
        )
    markers = ", ".join(f"`{opener}...{closer}`" for opener, closer in pairs)
    message = f"{markers} stand only in the prose of the prompt, where `{switch}` is set; no turn was rendered with them"
    tokens = dict.fromkeys((*analysis.preserved_tokens, *(marker for pair in pairs for marker in pair)))
    return replace(
        analysis,
        reasoning=ReasoningFields(ReasoningMode.TAG_BASED, start, end),
        content=content,
        turn=_turn(analysis.turn, start, end, content),
        preserved_tokens=tuple(tokens),
        warnings=(*analysis.warnings, AnalysisWarning("markers-in-prose", message)),
    )


def _turn(turn: TurnFormat, start: str, end: str, content: ContentFields) -> TurnFormat:
    """Return the turn with reasoning, and with what wraps the answer behind it."""
    added = [
        Joint(TurnPart.START, TurnPart.REASONING, start, observed=False),
        Joint(TurnPart.REASONING, TurnPart.CONTENT, end + content.start, observed=False),
        Joint(TurnPart.REASONING, TurnPart.END, end, observed=False),
    ]
    if any(joint.after is TurnPart.CALLS for joint in turn.joints):
        added.append(Joint(TurnPart.REASONING, TurnPart.CALLS, end, observed=False))
    if content.start:
        added.append(Joint(TurnPart.START, TurnPart.CONTENT, content.start, observed=False))
        added.append(Joint(TurnPart.CONTENT, TurnPart.END, content.end, observed=False))
    return replace(turn, joints=(*turn.joints, *added))
