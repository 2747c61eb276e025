"""A TemplateAnalysis -> its page: each part's markers, what is supported, warnings, the proof."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import takewhile

from rich.table import Table
from rich.text import Text

from autoparser_cli.analysis.model import (
    CallIdFields,
    CallIdPosition,
    Capabilities,
    ContentFields,
    ContentMode,
    GenerationPrompt,
    Proof,
    ReasoningMode,
    Switch,
    TemplateAnalysis,
    ToolFields,
    ToolFormatMode,
)
from autoparser_cli.reports.console.screen import Row, Screen, listing, marker_text, plain_text, visible
from autoparser_cli.templates.failure import source_context

_PROMPT = "bold magenta"

#: The warnings about something that the template raised.
_RAISED = ("calls-refused", "does-not-render")

#: What the modes say, in plain words; no words for what says itself.
_REASONING_WORDS = {
    ReasoningMode.NONE: "none is printed",
    ReasoningMode.TOOLS_ONLY: "only in turns with calls",
}
_CONTENT_WORDS = {ContentMode.WRAPPED_WITH_REASONING: "only beside reasoning"}
_FORMAT_WORDS = {
    ToolFormatMode.NONE: "no call is printed",
    ToolFormatMode.JSON_NATIVE: "name and arguments in JSON",
    ToolFormatMode.TAG_WITH_JSON: "name outside of JSON, arguments in it",
    ToolFormatMode.TAG_WITH_TAGGED: "each argument with markers of its own",
}

_CAPABILITIES = (
    ("tools", "supports_tools"),
    ("tool calls", "supports_tool_calls"),
    ("parallel calls", "supports_parallel_tool_calls"),
    ("system role", "supports_system_role"),
    ("tool results", "supports_tool_results"),
    ("typed content", "supports_typed_content"),
    ("generation prompt", "supports_generation_prompt"),
)
_REQUIREMENTS = (
    ("content as a list of typed parts", "requires_typed_content"),
    ("arguments as JSON text", "requires_string_arguments"),
)


def show_analysis(screen: Screen, analysis: TemplateAnalysis, *, template_source: str = "") -> None:
    """Show all that was found about one template; from its source come the lines that raised."""
    screen.show(Text(visible(analysis.template, keep=" "), style="bold"))
    screen.show(screen.table([(title, rows) for title, rows in _groups(analysis, template_source) if rows]))


def show_summary(screen: Screen, analyses: Sequence[TemplateAnalysis]) -> None:
    """Show a line for each template: its modes, how many messages came back, the codes of its warnings.

    On a terminal the folder that all have in common is told once; in a pipe each line can stand for itself.
    """
    folder = _common_folder([analysis.template for analysis in analyses]) if screen.width is not None else ""
    if folder:
        screen.show(Text(f"in {visible(folder, keep=' ')}", style="bold"))
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold cyan", pad_edge=False)
    for title in ("template", "reasoning", "tools", "proof", "warnings"):
        table.add_column(title, overflow="fold")
    for analysis in analyses:
        proof = analysis.proof
        whole = proof.tried and proof.passed == proof.tried
        table.add_row(
            Text(visible(analysis.template[len(folder) :], keep=" ")),
            Text(analysis.reasoning.mode.value),
            Text(analysis.tools.format.mode.value),
            Text(f"{proof.passed}/{proof.tried}", style="green" if whole else "red"),
            Text(", ".join(dict.fromkeys(warning.code for warning in analysis.warnings)), style="yellow"),
        )
    screen.show(table)


def _common_folder(paths: Sequence[str]) -> str:
    """Return the folder, with its last `/`, that several paths begin with; else nothing."""
    if len(paths) < 2:
        return ""
    folders = (path.split("/")[:-1] for path in paths)
    shared = [
        level[0] for level in takewhile(lambda level: len(set(level)) == 1, zip(*folders, strict=False))
    ]
    return "".join(f"{name}/" for name in shared)


def _groups(analysis: TemplateAnalysis, template_source: str) -> Iterator[tuple[str, list[Row]]]:
    reasoning = analysis.reasoning
    words = _REASONING_WORDS.get(reasoning.mode, "")
    yield "reasoning", [_mode(reasoning.mode.value, words), *_markers(reasoning, ("start", "end"))]
    yield "content", _content_rows(analysis.content)
    yield "tools", _format_rows(analysis)
    yield "arguments", _argument_rows(analysis.tools)
    yield "call id", _call_id_rows(analysis.tools.call_id)
    yield "prompt", _prompt_rows(analysis)
    yield "switches", [(switch.name, _switch_values(switch)) for switch in analysis.switches]
    yield "supplied", [(name, Text("made up: the template needs it")) for name in analysis.supplied_variables]
    yield "template", _capability_rows(analysis.capabilities)
    yield "tokens", [("preserved", _tokens(analysis.preserved_tokens))]
    yield "warnings", _warning_rows(analysis, template_source)
    yield "proof", _proof_rows(analysis.proof)


def _content_rows(content: ContentFields) -> list[Row]:
    rows = [
        _mode(content.mode.value, _CONTENT_WORDS.get(content.mode, "")),
        *_markers(content, ("start", "end")),
    ]
    if content.requires_nonnull_content:
        rows.append(("null", Text("fails, or is printed as text: give an empty text", style="yellow")))
    return rows


def _mode(value: str, words: str) -> Row:
    mode = Text.assemble((value, "dim" if value == "NONE" else "bold cyan"))
    return "mode", mode.append(f"  ({words})", style="dim") if words else mode


def _markers(fields: object, names: tuple[str, ...]) -> list[Row]:
    """Draw the markers among `fields` that are not empty."""
    found = [(name, getattr(fields, name)) for name in names]
    return [(name.replace("_", " "), marker_text(text)) for name, text in found if text]


def _format_rows(analysis: TemplateAnalysis) -> list[Row]:
    tools = analysis.tools
    layout = tools.format
    rows = [_mode(layout.mode.value, _FORMAT_WORDS.get(layout.mode, ""))]
    if analysis.family:
        rows.append(("family", Text(analysis.family)))
    rows += _markers(layout, ("section_start", "per_call_start"))
    rows += _markers(tools.function, ("name_prefix", "name_suffix", "close"))
    rows += _markers(layout, ("per_call_end", "separator", "section_end"))
    if layout.mode is ToolFormatMode.JSON_NATIVE:
        rows += _json_rows(analysis)
    return rows


def _json_rows(analysis: TemplateAnalysis) -> list[Row]:
    layout = analysis.tools.format
    shape = "the name is the key" if layout.fun_name_is_key else "one object a call"
    rows: list[Row] = [("shape", Text(f"{shape}, in an array" if layout.tools_array_wrapped else shape))]
    for label, value in (
        ("function field", layout.function_field),
        ("name field", layout.name_field),
        ("arguments field", layout.args_field),
        ("id field", layout.id_field),
        ("numbered id field", layout.gen_id_field),
        ("order", ", ".join(layout.parameter_order)),
    ):
        if value:
            rows.append((label, Text(value, style="bold green")))
    return rows


def _argument_rows(tools: ToolFields) -> list[Row]:
    names = ("start", "name_prefix", "name_suffix", "value_prefix", "value_suffix", "separator", "end")
    rows = _markers(tools.arguments, names)
    encoding = ", ".join(f"{kind}: {written}" for kind, written in tools.arguments.value_encoding)
    return [*rows, ("values", Text(encoding))] if encoding else rows


def _call_id_rows(call_id: CallIdFields) -> list[Row]:
    if call_id.pos is CallIdPosition.NONE:
        return []
    rows: list[Row] = [("position", Text(call_id.pos.value, style="bold cyan"))]
    rows += _markers(call_id, ("prefix", "suffix"))
    if call_id.name_in_id:
        rows.append(("name", Text("stands only inside the id")))
    return rows


def _prompt_rows(analysis: TemplateAnalysis) -> list[Row]:
    default = analysis.generation_prompt
    rows: list[Row] = [("default", marker_text(default, style=_PROMPT))]
    for prompt in analysis.generation_prompts:
        if prompt.text != default:
            rows.append((_prompt_name(prompt), marker_text(prompt.text, style=_PROMPT)))
    return rows


def _prompt_name(prompt: GenerationPrompt) -> str:
    conditions = [f"{name}={_json(value)}" for name, value in prompt.kwargs]
    return ", ".join([*conditions, *(["after a tool result"] if prompt.after_tool else [])]) or "default"


def _switch_values(switch: Switch) -> Text:
    line = Text(" | ".join(map(_json, switch.values)))
    unset = " or ".join(map(_json, switch.unset_acts_like))
    return line.append(f"  (unset acts like {unset})", style="dim") if unset else line


def _json(value: object) -> str:
    return visible(json.dumps(value, ensure_ascii=False, default=str), keep=" ")


def _capability_rows(capabilities: Capabilities) -> list[Row]:
    has = [label for label, name in _CAPABILITIES if getattr(capabilities, name)]
    lacks = [label for label, name in _CAPABILITIES if not getattr(capabilities, name)]
    needs = [label for label, name in _REQUIREMENTS if getattr(capabilities, name)]
    rows: list[Row] = [("supports", listing(has)), ("lacks", listing(lacks))]
    if needs:
        rows.append(("needs", listing(needs)))
    if capabilities.string_arguments:
        rows.append(("arguments as text", Text(capabilities.string_arguments)))
    if capabilities.content_with_calls:
        rows.append(("content with calls", Text(capabilities.content_with_calls)))
    return rows


def _tokens(tokens: tuple[str, ...]) -> Text:
    return Text("  ").join(map(marker_text, tokens)) if tokens else listing(())


def _warning_rows(analysis: TemplateAnalysis, template_source: str) -> list[Row]:
    rows: list[Row] = []
    for warning in analysis.warnings:
        place = f"line {warning.line}: " if warning.line is not None else ""
        told = Text.assemble(place, plain_text(warning.message), style="yellow")
        if warning.code in _RAISED:
            for line in source_context(template_source, warning.line):
                told.append("\n").append(visible(line, keep=" "), style="not bold dim")
        rows.append((warning.code, told))
    return rows


def _proof_rows(proof: Proof) -> list[Row]:
    if not proof.tried:
        return [("passed", Text("0 / 0: nothing could be rendered and parsed back", style="yellow"))]
    style = "bold green" if proof.passed == proof.tried else "bold red"
    score = Text(f"{proof.passed} / {proof.tried}", style=style).append(
        " rendered messages parse back equal", style="not bold"
    )
    failed = [step for step in proof.steps if not step.passed]
    return [
        ("passed", score),
        *(("failed", Text.assemble((step.name, "red"), ": ", plain_text(step.detail))) for step in failed),
    ]
