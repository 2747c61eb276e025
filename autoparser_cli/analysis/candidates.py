"""A chat template -> its analysis, by probing alone: conventions, shapes, markers, joints, named fields.

`infer_all` never raises for what a template does; a part that cannot be seen is absent, with a warning that says why.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace

from autoparser_cli.analysis.call_format import call_format
from autoparser_cli.analysis.capabilities import find_capabilities, requires_content
from autoparser_cli.analysis.conventions import (
    base_conventions,
    call_conventions,
    reasoning_conventions,
    reasoning_field,
)
from autoparser_cli.analysis.conversations import (
    Conventions,
    Renderer,
)
from autoparser_cli.analysis.fields import (
    content_fields,
    preserved_tokens,
    reasoning_fields,
    tool_fields,
)
from autoparser_cli.analysis.generation import fixed_texts, generation_prompts
from autoparser_cli.analysis.joints import find_joints
from autoparser_cli.analysis.model import (
    AnalysisWarning,
    CallFormat,
    Capabilities,
    ContentFields,
    GenerationPrompt,
    ReasoningFields,
    Switch,
    TaggedCall,
    TemplateAnalysis,
    ToolFields,
    TurnFormat,
    TurnPart,
)
from autoparser_cli.analysis.observing import Observed, observe
from autoparser_cli.analysis.other_starts import other_starts
from autoparser_cli.analysis.reasoning import Stripped, stripped_reasoning
from autoparser_cli.analysis.switches import find_switches
from autoparser_cli.analysis.tools import CallProbe, probe_calls
from autoparser_cli.analysis.turns import Markers, find_markers
from autoparser_cli.analysis.variables import shown_text
from autoparser_cli.analysis.warnings import find_warnings
from autoparser_cli.frozen import frozen
from autoparser_cli.templates import ChatTemplate

_LOG = logging.getLogger(__name__)


@frozen
class Inference:
    """An analysis together with what it was made with; the proof renders under the same conventions."""

    analysis: TemplateAnalysis
    renderer: Renderer
    text: Conventions
    calls: Conventions | None
    reasoning: bool


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
    stripped = stripped_reasoning(renderer, base, fixed_texts(prompts)) if reasoned is None else None
    _LOG.info("reasoning taken out of content: %s", stripped or "none")
    probed = (called, probe) if called is not None and probe is not None else None
    seen = observe(renderer, text, probed, fixed_texts(prompts), stripped, reasoned=reasoned is not None)
    for shape in seen.shapes.values():
        _LOG.debug("a turn: %r", shape.pairs())
    markers = find_markers(seen)
    _LOG.info("after %d renders and %d turns: %s", renderer.count, len(seen.shapes), markers)
    calls = _call_format(renderer, *probed, markers) if probed is not None else None
    reasoning_from = _reasoning_source(renderer, text, called, seen, stripped)
    analysis = _assemble(renderer, text, called, seen, markers, calls, prompts, reasoning_from)
    analysis = replace(analysis, switches=switches)
    return Inference(analysis, renderer, text, called if calls is not None else None, reasoned is not None)


def _call_format(renderer: Renderer, called: Conventions, probe: CallProbe, markers: Markers) -> CallFormat:
    return replace(call_format(probe, markers), other_starts=other_starts(renderer, called))


def _reasoning_source(
    renderer: Renderer,
    text: Conventions,
    called: Conventions | None,
    seen: Observed,
    stripped: Stripped | None,
) -> str:
    """Return the message field that reasoning is read from, empty where there is none."""
    field = ""
    if any(TurnPart.REASONING in shape.parts for shape in seen.shapes.values()):
        field = reasoning_field(renderer, text, called)
    return field or ("content" if stripped else "")


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


def _assemble(
    renderer: Renderer,
    text: Conventions,
    called: Conventions | None,
    seen: Observed,
    markers: Markers,
    calls: CallFormat | None,
    prompts: tuple[GenerationPrompt, ...],
    reasoning_from: str,
) -> TemplateAnalysis:
    reasoning = reasoning_fields(seen.shapes, markers, prompts, reasoning_from)
    content = content_fields(markers, requires_content(renderer, text))
    tools = tool_fields(calls, content.start)
    capabilities = find_capabilities(renderer, text, called, calls, seen.shapes)
    return TemplateAnalysis(
        template=renderer.template.name,
        capabilities=capabilities,
        reasoning=reasoning,
        content=content,
        tools=tools,
        turn=find_joints(seen, markers),
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
