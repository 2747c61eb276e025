"""`autoparser render`: a template and a conversation -> the exact prompt."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from autoparser_cli.cli.options import (
    FormatOption,
    KwargOption,
    OutputFormat,
    ToolsOption,
    check_stdin_once,
    checked_tools,
    read_conversation,
    read_json,
    read_kwargs,
)
from autoparser_cli.cli.telling import tell
from autoparser_cli.errors import AutoparserError, RenderError

if TYPE_CHECKING:
    from autoparser_cli.analysis.model import TemplateAnalysis
    from autoparser_cli.templates import ChatTemplate, Rendering, RenderInputs

#: What is rendered where no conversation is given.
_HELLO: list[Mapping[str, Any]] = [{"role": "user", "content": "Hello!"}]


def render_command(
    source: Annotated[
        str,
        typer.Argument(
            metavar="TEMPLATE",
            help="A .jinja file, tokenizer_config.json, model folder, GGUF file, or - for stdin.",
        ),
    ],
    messages: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The conversation: a JSON list of messages, or a request with them."
        ),
    ] = None,
    tools: ToolsOption = None,
    kwarg: KwargOption = None,
    generation_prompt: Annotated[
        bool, typer.Option("--generation-prompt", "-g", help="Add what asks the model for its turn.")
    ] = False,
    continue_final: Annotated[
        bool, typer.Option("--continue", help="Leave the final message open, for the model to continue.")
    ] = False,
    continue_field: Annotated[
        str, typer.Option(metavar="NAME", help="The field that --continue leaves open.")
    ] = "content",
    raw: Annotated[bool, typer.Option("--raw", help="Write the prompt's bytes and nothing else.")] = False,
    show_source: Annotated[
        bool, typer.Option("--show-source", help="Show which line of the template wrote what.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse what the sandbox of transformers refuses.")
    ] = False,
    variant: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Which of several templates; else tool_use with tools, or default."
        ),
    ] = None,
    date: Annotated[
        datetime | None,
        typer.Option(
            formats=["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"],
            metavar="DATE",
            help="What day it is for the template: 2026-01-31, or 2026-01-31T12:00:00.",
        ),
    ] = None,
    output_format: FormatOption = OutputFormat.CONSOLE,
) -> None:
    """Render a conversation, byte for byte as Hugging Face transformers does.

    On a terminal markers and the parts of the assistant's turns are coloured; in a pipe the text is as it is.
    """
    from autoparser_cli.inference.limits import template_limits
    from autoparser_cli.templates import ChatTemplate, RenderInputs

    check_stdin_once(source, messages, tools)
    conversation, requested_tools = read_conversation(messages) if messages is not None else (_HELLO, None)
    given_tools = checked_tools(read_json(tools), str(tools)) if tools is not None else requested_tools
    inputs = RenderInputs(
        messages=conversation,
        tools=given_tools,
        add_generation_prompt=generation_prompt,
        continue_final_message=continue_field if continue_final else None,
        kwargs=read_kwargs(kwarg),
        now=date,
    )
    template = ChatTemplate.load(source, variant=variant)
    if variant is None:
        template = template.for_tools(given_tools is not None)
    with template_limits():
        rendering = _render(template, inputs, strict=strict)
    if output_format is OutputFormat.JSON:
        _write_json(template, inputs, rendering, show_source=show_source)
    elif raw:
        _write_bytes(rendering.text)
    elif show_source:
        _show_sources(template, inputs)
    else:
        _show(template, rendering.text)
    if not raw and output_format is not OutputFormat.JSON:
        _warn(rendering)


def _render(template: ChatTemplate, inputs: RenderInputs, *, strict: bool) -> Rendering:
    from autoparser_cli.templates import Rendering
    from autoparser_cli.templates.failure import explain_failure

    try:
        return Rendering(template.render_strict(inputs)) if strict else template.rendering(inputs)
    except RenderError as error:
        explained = explain_failure(template, inputs, error)
        raise type(error)(explained, line=error.line, kind=error.kind) from error


def _show(template: ChatTemplate, text: str) -> None:
    """Show the prompt in colour on a terminal; elsewhere write it, with a line break at its end."""
    from autoparser_cli.reports.console.prompt import show_prompt
    from autoparser_cli.reports.console.screen import Screen

    if sys.stdout.isatty():
        show_prompt(Screen(), text, _analysis(template))
    else:
        sys.stdout.write(text if text.endswith("\n") else f"{text}\n")


def _analysis(template: ChatTemplate) -> TemplateAnalysis | None:
    """Analyze for the colours; a template that cannot be analyzed is shown all the same."""
    from autoparser_cli.inference import analyze
    from autoparser_cli.inference.limits import template_limits

    try:
        with template_limits():
            return analyze(template)
    except AutoparserError:
        return None


def _show_sources(template: ChatTemplate, inputs: RenderInputs) -> None:
    from autoparser_cli.reports.console.prompt import show_sources
    from autoparser_cli.reports.console.screen import Screen
    from autoparser_cli.templates.tracing import trace

    show_sources(Screen(), trace(template, inputs))


def _write_json(
    template: ChatTemplate, inputs: RenderInputs, rendering: Rendering, *, show_source: bool
) -> None:
    from autoparser_cli.reports.json import to_text
    from autoparser_cli.templates.tracing import trace

    report: dict[str, Any] = {
        "template": template.name,
        "text": rendering.text,
        "portability_warnings": [
            {"code": note.code, "message": note.message, "line": note.line} for note in rendering.liberties
        ],
    }
    if show_source:
        report["spans"] = [{"line": span.line, "text": span.text} for span in trace(template, inputs)]
    typer.echo(to_text(report))


def _write_bytes(text: str) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
    sys.stdout.buffer.flush()


def _warn(rendering: Rendering) -> None:
    for note in rendering.liberties:
        place = f"line {note.line}: " if note.line else ""
        tell(f"autoparser: warning: {place}{note.message}")
