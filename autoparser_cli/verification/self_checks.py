"""An inference -> warnings where what it found cannot be right, whatever its proof says.

Three checks of every marker: it holds no text of a probe, its tags are balanced, and the template prints or strips it. A family
tells what no render shows, so the last is not asked of one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autoparser_cli.analysis.candidates import Inference
from autoparser_cli.analysis.conversations import Conventions, Renderer, Turn, assistant_message, user_message
from autoparser_cli.analysis.model import (
    AnalysisWarning,
    CallFormat,
    MarkerText,
    TaggedArguments,
    TaggedCall,
    TemplateAnalysis,
    Var,
)
from autoparser_cli.analysis.probes import (
    CANARY,
    CONTENT,
    IDS,
    KEYS,
    LATER,
    NAMES,
    REASONING,
    RESULT,
    SYSTEM,
    TEXT_VALUES,
    USER,
    VALUES,
)
from autoparser_cli.diffing.segments import marker_spans

PROBE_TEXTS = (
    *(USER, SYSTEM, CONTENT, REASONING, RESULT, CANARY),
    *(*NAMES, *IDS, *KEYS, *TEXT_VALUES, *map(str, VALUES)),
)

#: `<name ...>`, `</name>`, `[NAME]`, `[/NAME]`: the markers whose shape tells what closes what.
_TAG = re.compile(
    r"<(?P<slash>/?)(?P<name>[^\W\d][\w:.-]*)(?P<rest>[^<>]*)>|\[(?P<close>/?)(?P<bracket>[A-Z_]+)\]"
)

#: The name of a place, the literals that stand there.
Place = tuple[str, tuple[str, ...]]


def check_markers(inference: Inference) -> tuple[AnalysisWarning, ...]:
    """Return what is wrong with the markers of an analysis; nothing where all is well."""
    analysis = inference.analysis
    places = tuple(marker_places(analysis))
    found = [*_with_probe_text(places), *_unbalanced(analysis)]
    if not analysis.family:
        found += _unseen(inference, places)
    return tuple(found)


def marker_places(analysis: TemplateAnalysis) -> Iterator[Place]:
    """Yield every literal that a parser would be built from, under the name of its place."""
    reasoning, content, turn = analysis.reasoning, analysis.content, analysis.turn
    yield "reasoning.start", (reasoning.start,)
    yield "reasoning.end", (reasoning.end,)
    yield "content.start", (content.start,)
    yield "content.end", (content.end,)
    yield "turn.header", (turn.header,)
    yield "turn.end", (turn.end,)
    for joint in turn.joints:
        if joint.observed:
            yield f"turn, {joint.before.value} to {joint.after.value}", (joint.text,)
    if analysis.calls is not None:
        yield from _call_places(analysis.calls)


def _call_places(calls: CallFormat) -> Iterator[Place]:
    yield "calls.section_start", (calls.section_start,)
    yield "calls.section_end", (calls.section_end,)
    yield "calls.several_start", (calls.several_start,)
    yield "calls.several_end", (calls.several_end,)
    yield "calls.separator", (calls.separator,)
    yield "calls.per_call_start", _literals(calls.per_call_start)
    yield "calls.per_call_end", _literals(calls.per_call_end)
    if not isinstance(calls.body, TaggedCall):
        return
    yield "calls.body", _literals(calls.body.body)
    yield "calls.empty_body", _literals(calls.body.empty_body or ())
    if isinstance(calls.body.arguments, TaggedArguments):
        yield from _argument_places(calls.body.arguments)


def _argument_places(arguments: TaggedArguments) -> Iterator[Place]:
    yield "arguments.open", _literals(arguments.open)
    yield "arguments.separator", (arguments.separator,)
    for form in arguments.forms:
        yield "arguments.before", _literals(form.before)
        yield "arguments.mid", _literals(form.mid)
        yield "arguments.close", _literals(form.close)


def _literals(text: MarkerText) -> tuple[str, ...]:
    return tuple(piece for piece in text if isinstance(piece, str))


# ------------------------------------------------------------------------------------------------------- probe text


def _with_probe_text(places: Sequence[Place]) -> Iterator[AnalysisWarning]:
    everything = "\n".join(literal for _, literals in places for literal in literals)
    needles = [needle for needle in PROBE_TEXTS if needle in everything]
    for place, literals in places if needles else ():
        for needle in needles:
            if any(needle in literal for literal in literals):
                yield AnalysisWarning(
                    "probe-text-in-marker",
                    f"{place} holds {needle!r}, a text of a probe: what varies was taken for a marker",
                )


# ---------------------------------------------------------------------------------------------------------- balance


def _unbalanced(analysis: TemplateAnalysis) -> Iterator[AnalysisWarning]:
    for name, text in _pairs(analysis):
        tag = unbalanced_tag(text)
        if tag:
            yield AnalysisWarning("unbalanced-markers", f"{name}: {tag} has no counterpart in {text!r}")


def _pairs(analysis: TemplateAnalysis) -> Iterator[tuple[str, str]]:
    """Yield what must be balanced as a whole: each pair of fields, and one call in its section."""
    reasoning, content = analysis.reasoning, analysis.content
    if reasoning.start and reasoning.end:
        yield "reasoning", reasoning.start + reasoning.end
    if content.start and content.end:
        yield "content", content.start + content.end
    calls = analysis.calls
    if calls is not None:
        yield (
            "a call",
            calls.section_start
            + _written(calls.per_call_start)
            + _body(calls)
            + _written(calls.per_call_end)
            + calls.section_end,
        )


def _body(calls: CallFormat) -> str:
    if not isinstance(calls.body, TaggedCall):
        return ""
    arguments = calls.body.arguments
    if not isinstance(arguments, TaggedArguments):
        return _written(calls.body.body)
    form = arguments.forms[0]
    one = (*arguments.open, *form.before, Var.KEY, *form.mid, *form.close)
    return "".join(
        _written(one) if piece is Var.ARGUMENTS else _written((piece,)) for piece in calls.body.body
    )


def _written(text: MarkerText) -> str:
    return "".join(piece if isinstance(piece, str) else piece.value for piece in text)


def unbalanced_tag(text: str) -> str:
    """Return the first tag that closes nothing, or stays open where others of its name are closed; empty where all is well.

    An opening marker without any closing one is fine: many formats have no others.
    """
    opened: list[str] = []
    closed: set[str] = set()
    for tag in _TAG.finditer(text):
        name = tag["name"] or tag["bracket"]
        if not (tag["slash"] or tag["close"]):
            opened += [] if (tag["rest"] or "").endswith("/") else [name]
        elif name in opened:
            closed.add(name)
            del opened[len(opened) - 1 - opened[::-1].index(name) :]
        else:
            return tag.group()
    return next((f"<{name}>" for name in opened if name in closed), "")


# ------------------------------------------------------------------------------------------------ printed or stripped


def _unseen(inference: Inference, places: Sequence[Place]) -> Iterator[AnalysisWarning]:
    texts = inference.renderer.texts
    told: set[str] = set()
    for place, literals in places:
        for literal in literals:
            for start, end in marker_spans(literal):
                marker = literal[start:end]
                if marker in told or any(marker in text for text in texts):
                    continue
                told.add(marker)
                if not _strips(inference, marker):
                    yield AnalysisWarning(
                        "marker-not-rendered",
                        f"{place} is {literal!r}, but the template neither prints nor strips {marker!r}",
                    )


def _strips(inference: Inference, marker: str) -> bool:
    """Tell whether the template drops the marker, or what stands before it, out of a content that holds it."""
    end = inference.analysis.reasoning.end
    contents = [f"{REASONING}{marker}{CONTENT}"]
    if end and marker != end:
        contents.append(f"{marker}{REASONING}{end}{CONTENT}")
    return any(
        text is not None and CONTENT in text and marker not in text
        for content in contents
        for text in _with_content(inference.renderer, inference.text, content)
    )


def _with_content(renderer: Renderer, conventions: Conventions, content: str) -> Iterator[str | None]:
    messages = [user_message(conventions), assistant_message(Turn(content=content), conventions)]
    yield renderer.render(messages, conventions)
    yield renderer.render([*messages, user_message(conventions, LATER)], conventions)
