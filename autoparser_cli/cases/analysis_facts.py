"""Cases about the analysis or a render -> what of their facts does not hold.

A fact that has no counterpart here (free words, lint findings) is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from autoparser_cli.analysis.model import TemplateAnalysis
from autoparser_cli.cases.comparing import Mismatch
from autoparser_cli.cases.engine import Engine
from autoparser_cli.cases.model import Case
from autoparser_cli.errors import RenderError


def check_analysis(case: Case, engine: Engine) -> None:
    """Compare the facts about the analysis. Raise Mismatch with all that do not hold."""
    facts = case.more.facts
    wrong = [
        (name, wanted, found)
        for name, wanted, found in _pairs(facts, engine.analysis)
        if not _holds(name, wanted, found)
    ]
    if "output_states" in facts:
        wrong += _unsaid(engine.analysis, facts["output_states"])
    if "generation_prompts" in facts:
        wrong += _wrong_prompts(case, engine, facts["generation_prompts"])
    if wrong:
        names = ", ".join(name for name, _, _ in wrong)
        expected = "\n".join(f"{name}: {wanted!r}" for name, wanted, _ in wrong)
        got = "\n".join(f"{name}: {found!r}" for name, _, found in wrong)
        raise Mismatch(f"the analysis differs in {names}", expected, got)


def check_render(case: Case, engine: Engine) -> None:
    """Compare the rendered conversation, or that it fails. Raise Mismatch."""
    facts = case.more.facts
    try:
        text = engine.render(case, {})
    except RenderError as error:
        if "raises" not in facts:
            raise
        if facts["raises"] not in f"{error.kind}: {error}":
            raise Mismatch("another error is raised", facts["raises"], f"{error.kind}: {error}") from None
        return
    if "raises" in facts:
        raise Mismatch("the render must fail", facts["raises"], text)
    if "rendered" in facts and facts["rendered"] != text:
        raise Mismatch("the render differs", facts["rendered"], text)
    if facts.get("rendered_contains", "") not in text:
        raise Mismatch("the render misses a text", facts["rendered_contains"], text)
    for forbidden in facts.get("forbidden", ()):
        if forbidden in text:
            raise Mismatch(f"the render has {forbidden!r}", "", text)


def _pairs(facts: Mapping[str, Any], analysis: TemplateAnalysis) -> Iterator[tuple[str, Any, Any]]:
    """Pair each fact that has a counterpart with what was found."""
    found = _found(analysis)
    for name, wanted in facts.items():
        if name in found:
            yield name, wanted, found[name]
    if "preserved_tokens_include" in facts:
        missing = [
            token for token in facts["preserved_tokens_include"] if token not in analysis.preserved_tokens
        ]
        yield "preserved_tokens", [], missing
    if "thinking_switch" in facts:
        names = [switch.name for switch in analysis.switches]
        yield "thinking_switch", True, facts["thinking_switch"] in names or names
    if "default_thinking" in facts:
        acts = [
            value
            for switch in analysis.switches
            if switch.name == facts.get("thinking_switch")
            for value in switch.unset_acts_like
        ]
        yield "default_thinking", [facts["default_thinking"]], acts


def _unsaid(analysis: TemplateAnalysis, states: list[str]) -> list[tuple[str, Any, Any]]:
    """Return which of the things that people must be told are not said: a mode, and that there is a reason."""
    said = {"tool format": analysis.tools.format.mode.value, "reasoning mode": analysis.reasoning.mode.value}
    wrong: list[tuple[str, Any, Any]] = []
    for state in states:
        name, _, wanted = state.partition(": ")
        if name == "reason" and not analysis.warnings:
            wrong.append((name, wanted, "no warning"))
        elif name in said and said[name] != wanted:
            wrong.append((name, wanted, said[name]))
    return wrong


def _found(analysis: TemplateAnalysis) -> dict[str, Any]:
    tools, reasoning, content = analysis.tools, analysis.reasoning, analysis.content
    form, arguments, call_id = tools.format, tools.arguments, tools.call_id
    return {
        "tool_format": form.mode.value,
        "section_start": form.section_start,
        "section_end": form.section_end,
        "per_call_start": form.per_call_start,
        "per_call_end": form.per_call_end,
        "name_field": form.name_field.rpartition(".")[2],
        "args_field": form.args_field.rpartition(".")[2],
        # An id that the template numbers itself is an id all the same.
        "id_field": form.id_field or form.gen_id_field,
        "tools_array_wrapped": form.tools_array_wrapped,
        "parallel_calls": analysis.capabilities.supports_parallel_tool_calls,
        "function_name_prefix": tools.function.name_prefix,
        "function_name_suffix": tools.function.name_suffix,
        "arg_container_start": arguments.start,
        "arg_name_prefix": arguments.name_prefix,
        "arg_name_suffix": arguments.name_suffix,
        "arg_value_prefix": arguments.value_prefix,
        "arg_value_suffix": arguments.value_suffix,
        "arg_separator": arguments.separator,
        "call_id_position": call_id.pos.value,
        "call_id_prefix": call_id.prefix,
        "call_id_suffix": call_id.suffix,
        "reasoning_mode": reasoning.mode.value,
        "reasoning_start": reasoning.start,
        "reasoning_end": reasoning.end,
        "content_mode": content.mode.value,
        "content_start": content.start,
        "content_end": content.end,
    }


def _holds(name: str, wanted: Any, found: Any) -> bool:
    """Compare without white space at the ends; `X or empty` allows both."""
    if not isinstance(wanted, str) or not isinstance(found, str):
        return type(wanted) is type(found) and wanted == found
    if wanted.endswith(" or empty"):
        return found.strip() in ("", wanted.removesuffix(" or empty").strip())
    return wanted.strip() == found.strip()


def _wrong_prompts(case: Case, engine: Engine, wanted: list[str]) -> list[tuple[str, Any, Any]]:
    """Compare the recorded generation prompt of each of the case's `probe` settings."""
    wrong: list[tuple[str, Any, Any]] = []
    for kwargs, text in zip(case.probe, wanted, strict=False):
        found = [
            prompt.text for prompt in engine.analysis.generation_prompts if dict(prompt.kwargs) == kwargs
        ]
        if text not in (found or [engine.analysis.generation_prompt]):
            wrong.append((f"generation_prompts {dict(kwargs)}", text, found))
    return wrong
