"""A chat template -> its analysis, by probing alone: conventions, shapes, markers, joints, named fields.

`infer` never raises for what a template does; a part that cannot be seen is absent, with a warning that says why.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from autoparser_cli.analysis.conventions import (
    base_conventions,
    call_conventions,
    reasoning_conventions,
    reasoning_field,
)
from autoparser_cli.analysis.conversations import (
    Conventions,
    Renderer,
    Turn,
    assistant_message,
    user_message,
)
from autoparser_cli.analysis.fields import (
    content_fields,
    find_capabilities,
    preserved_tokens,
    reasoning_fields,
    tool_fields,
)
from autoparser_cli.analysis.generation import fixed_texts, generation_prompts
from autoparser_cli.analysis.model import (
    AnalysisWarning,
    CallFormat,
    Capabilities,
    ContentFields,
    GenerationPrompt,
    JsonCall,
    MarkerText,
    ReasoningFields,
    Switch,
    TaggedCall,
    TemplateAnalysis,
    ToolFields,
    TurnFormat,
    TurnPart,
    Var,
)
from autoparser_cli.analysis.other_starts import other_starts
from autoparser_cli.analysis.probes import CONTENT, REASONING
from autoparser_cli.analysis.reasoning import Stripped, stripped_reasoning
from autoparser_cli.analysis.shapes import (
    TurnShape,
    cut_turn,
    shape_of,
    shared_end,
    shared_start,
    turn_text,
    user_tail,
)
from autoparser_cli.analysis.switches import find_switches
from autoparser_cli.analysis.tools import CALLS, CallProbe, CallsText, calls_text, probe_calls
from autoparser_cli.analysis.turns import Markers, Observed, find_joints, find_markers
from autoparser_cli.analysis.variables import marker_text, shown_text
from autoparser_cli.analysis.warnings import find_warnings
from autoparser_cli.templates import ChatTemplate

_LOG = logging.getLogger(__name__)

#: A word and a mark that touch what follows, behind the end of a marker.
_ID_PREFIX = re.compile(r"(?<=[>\]|])[A-Za-z_]+[.:/#-]$")

Shapes = dict[frozenset[TurnPart], TurnShape]


@dataclass(frozen=True, slots=True)
class Inference:
    """An analysis together with what it was made with; the proof renders under the same conventions."""

    analysis: TemplateAnalysis
    renderer: Renderer
    text: Conventions
    calls: Conventions | None
    reasoning: bool


def infer(template: ChatTemplate) -> Inference:
    """Infer the output format of a template from the message shapes that suit it best."""
    return next(infer_all(template))


def infer_all(template: ChatTemplate) -> Iterator[Inference]:
    """Yield an inference for each shape of messages under which calls render differently, the likeliest first."""
    _LOG.info("inferring %s", template.name)
    renderer = Renderer(template)
    base = base_conventions(renderer)
    if base is None:
        yield _unreadable(renderer)
        return
    _LOG.info("messages: %s", base)
    called = call_conventions(renderer, base)
    yield _infer(renderer, base, next(called, None))
    for another in called:
        yield _infer(renderer, base, another)


def _infer(renderer: Renderer, base: Conventions, called: Conventions | None) -> Inference:
    _LOG.info("messages with calls: %s", called or "none renders a call")
    reasoned = reasoning_conventions(renderer, base, called)
    _LOG.info("messages with reasoning: %s", reasoned or "none shows reasoning")
    text = reasoned or base
    if reasoned is not None and called is not None:
        called = replace(called, reasoning_place=reasoned.reasoning_place).with_kwargs(
            **dict(reasoned.kwargs)
        )
    probe = probe_calls(renderer, called) if called is not None else None
    _LOG.info("a call: %s", _call_words(probe) if probe is not None else "not understood")
    switches = find_switches(renderer, base, called)
    prompts = generation_prompts(renderer, base, called, switches)
    _log_prompts(switches, prompts)
    shapes = observe_shapes(renderer, text, called, probe, reasoned is not None)
    stripped = stripped_reasoning(renderer, base, fixed_texts(prompts)) if reasoned is None else None
    _LOG.info("reasoning taken out of content: %s", stripped or "none")
    seen = _observed(renderer, text, shapes, prompts, stripped)
    markers = find_markers(seen)
    _LOG.info("after %d renders and %d turns: %s", renderer.count, len(shapes), markers)
    calls = call_format(probe, markers) if probe is not None else None
    if calls is not None and called is not None:
        calls = replace(calls, other_starts=other_starts(renderer, called))
    turn = find_joints(seen, markers)
    analysis = _assemble(renderer, text, called, seen, markers, turn, calls, prompts, probe, stripped)
    analysis = replace(analysis, switches=switches)
    return Inference(analysis, renderer, text, called if calls is not None else None, reasoned is not None)


def _observed(
    renderer: Renderer,
    text: Conventions,
    shapes: Shapes,
    prompts: tuple[GenerationPrompt, ...],
    stripped: Stripped | None,
) -> Observed:
    for shape in shapes.values():
        _LOG.debug("a turn: %r", shape.pairs())
    bare, earlier_tail = _earlier_turn(renderer, text)
    return Observed(
        shapes,
        bare,
        fixed_texts(prompts),
        user_tail(renderer, text),
        stripped.start + stripped.before if stripped else "",
        stripped.end + stripped.after if stripped else "",
        earlier_tail,
    )


def _log_prompts(switches: tuple[Switch, ...], prompts: tuple[GenerationPrompt, ...]) -> None:
    for switch in switches:
        _LOG.info("switch %s: %r, unset acts like %r", switch.name, switch.values, switch.unset_acts_like)
    for prompt in prompts:
        _LOG.info(
            "generation prompt %r with %r, after a tool: %s", prompt.text, prompt.kwargs, prompt.after_tool
        )


def _call_words(probe: CallProbe) -> str:
    body = probe.body
    if isinstance(body, TaggedCall):
        return repr(shown_text(body.body))
    return (
        f"JSON, the name in {'.'.join(body.name_path) or 'a key'!r}, the id in {body.id_path or 'no field'!r}"
    )


def observe_shapes(
    renderer: Renderer, text: Conventions, called: Conventions | None, probe: CallProbe | None, reasoned: bool
) -> Shapes:
    """Render every combination of parts and take each apart."""
    shapes: Shapes = {}
    for reasoning in (None, REASONING) if reasoned else (None,):
        turn = Turn(reasoning, CONTENT)
        found = turn_text(renderer, turn, text)
        if found is not None and (shape := shape_of(found, turn, None)) is not None:
            shapes[frozenset(shape.parts)] = shape
        for content in (None, CONTENT) if probe is not None and called is not None else ():
            shape_with_calls = _calls_shape(renderer, called, probe, Turn(reasoning, content))
            if shape_with_calls is not None:
                shapes[frozenset(shape_with_calls.parts)] = shape_with_calls
    return shapes


def _calls_shape(
    renderer: Renderer, called: Conventions | None, probe: CallProbe | None, turn: Turn
) -> TurnShape | None:
    if called is None or probe is None:
        return None
    found = calls_text(renderer, called, CALLS[:1], turn)
    if found is None:
        return None
    for wanted in (turn, replace(turn, content=None), replace(turn, reasoning=None), Turn()):
        shape = shape_of(found.text, wanted, probe.span(found))
        if shape is not None:
            return shape
    return None


def _earlier_turn(renderer: Renderer, text: Conventions) -> tuple[tuple[str, ...], str]:
    """Return the opening of an earlier turn, which many templates print without reasoning, and what stands behind it."""
    later = "Zlaterquestion"
    messages = [
        user_message(text),
        assistant_message(Turn(content=CONTENT), text),
        user_message(text, later),
    ]
    rendered = renderer.render(messages, text)
    if rendered is None:
        return (), ""
    opening, found, behind = cut_turn(renderer, rendered, text).partition(CONTENT)
    return ((opening,), behind.partition(later)[0]) if found else ((), "")


def call_format(probe: CallProbe, markers: Markers) -> CallFormat:
    """Share the literals around calls out among section, call and separator."""
    opening, closing = markers.call_open, markers.call_close
    array = (
        isinstance(probe.body, JsonCall)
        and opening.rstrip().endswith("[")
        and closing.lstrip().startswith("]")
    )
    parallel = probe.two is not None
    between = probe.between(probe.two)[0] if probe.two is not None else ""
    if array:
        return CallFormat(
            section_start=opening.rstrip()[:-1],
            section_end=closing.lstrip()[1:],
            per_call_start=(),
            per_call_end=(),
            separator=between or ", ",
            body=probe.body,
            array_wrapped=True,
            parallel=parallel,
        )
    if probe.two is None:
        return CallFormat("", "", marker_text(opening), marker_text(closing), "", probe.body, parallel=False)
    start = shared_end([opening, between])
    if not start.strip():
        start = ""
    rest = between[: len(between) - len(start)]
    end = shared_start([closing, rest])
    if not end.strip():
        end = ""
    section_end = closing[len(end) :]
    body = probe.body
    if isinstance(body, TaggedCall) and body.body[-1] is Var.ID:
        # Only what stands behind an id tells where it ends.
        body = replace(body, body=(*body.body, *marker_text(end)), empty_body=None)
        end_text: MarkerText = ()
    else:
        end_text = marker_text(end)
    per_call = start
    if isinstance(body, TaggedCall) and body.id_text is not None and (prefix := _ID_PREFIX.search(start)):
        # A word that touches the name belongs to the id, as in `functions.NAME:0`.
        body, per_call = _with_id_prefix(body, prefix[0]), start[: prefix.start()]
    other_end = _calls_tail(probe, probe.two, markers).removeprefix(end)
    return CallFormat(
        section_start=opening[: len(opening) - len(start)],
        section_end=section_end or other_end,
        per_call_start=marker_text(per_call),
        per_call_end=end_text,
        separator=rest[len(end) :],
        body=body,
        section_end_optional=bool(section_end) != bool(other_end),
        index_base=probe.index_base,
    )


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


def _assemble(
    renderer: Renderer,
    text: Conventions,
    called: Conventions | None,
    seen: Observed,
    markers: Markers,
    turn: TurnFormat,
    calls: CallFormat | None,
    prompts: tuple[GenerationPrompt, ...],
    probe: CallProbe | None,
    stripped: Stripped | None,
) -> TemplateAnalysis:
    field = ""
    if any(TurnPart.REASONING in shape.parts for shape in seen.shapes.values()):
        field = reasoning_field(renderer, text, called)
    reasoning = reasoning_fields(seen.shapes, markers, prompts, field or ("content" if stripped else ""))
    content = content_fields(renderer, text, seen.shapes, markers)
    tools = tool_fields(calls, content.start)
    capabilities = find_capabilities(renderer, text, called, calls, seen.shapes)
    return TemplateAnalysis(
        template=renderer.template.name,
        capabilities=capabilities,
        reasoning=reasoning,
        content=content,
        tools=tools,
        turn=turn,
        calls=calls,
        generation_prompt=prompts[0].text if prompts else "",
        generation_prompts=prompts,
        preserved_tokens=preserved_tokens(reasoning, content, tools),
        supplied_variables=tuple(dict.fromkeys((*text.supplied, *(called.supplied if called else ())))),
        warnings=find_warnings(renderer, text, called, calls, capabilities),
    )


def _unreadable(renderer: Renderer) -> Inference:
    conventions = Conventions()
    error = next(iter(renderer.errors.values()), None)
    reason = f": {renderer.why(error)}" if error else ""
    _LOG.info("no usual conversation renders%s", reason)
    warning = AnalysisWarning(
        "does-not-render", f"no usual conversation renders{reason}", error.line if error else None
    )
    analysis = TemplateAnalysis(
        template=renderer.template.name,
        capabilities=Capabilities(),
        reasoning=ReasoningFields(),
        content=ContentFields(),
        tools=ToolFields(),
        turn=TurnFormat("", (), ""),
        calls=None,
        generation_prompt="",
        warnings=(warning,),
    )
    return Inference(analysis, renderer, conventions, None, False)
