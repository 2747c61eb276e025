"""An analysis, tools and options -> an OutputParser: the grammar of a turn, and what is fed to it of the prompt."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from autoparser_cli.analysis.model import TaggedArguments, TemplateAnalysis
from autoparser_cli.messages import ToolSpec, read_tools
from autoparser_cli.parsing.findings import NO_TOOL_FORMAT
from autoparser_cli.parsing.message_sequence import fed_messages, message_grammar
from autoparser_cli.parsing.options import ParseOptions
from autoparser_cli.parsing.output_parser import OutputParser
from autoparser_cli.parsing.prompt import fed_prompt, with_prompted_reasoning
from autoparser_cli.parsing.turn import Turn
from autoparser_cli.parsing.wire import core, is_strong
from autoparser_cli.peg.names import AnyTool, Cases


def build_parser(
    analysis: TemplateAnalysis,
    tools: object = None,
    generation_prompt: str | None = None,
    **options: Any,
) -> OutputParser:
    """Return the parser of what the model writes behind a prompt that ends with `generation_prompt`.

    `tools`: ToolSpecs, or a list in OpenAI's shape; None where they are not known: then any name is a tool's, and values are
    typed by how they look. With an empty list nothing is read as a call. `generation_prompt` None: as the template prints it.
    `options`: the fields of `ParseOptions`. Raises ToolsError for tools, ValueError for options that cannot
    be used.
    """
    parse_options = ParseOptions(**options)
    if analysis.calls is not None and not analysis.calls.parallel and analysis.messages is None:
        parse_options = replace(parse_options, parallel_tool_calls=False)  # no turn of the template has two
    specs = _specs(tools)
    prompt = analysis.generation_prompt if generation_prompt is None else generation_prompt
    cases = _cases(None if tools is None else specs, parse_options)
    continued, messages = bool(parse_options.continue_final_message), analysis.messages
    if parse_options.continue_final_message == "reasoning":
        analysis = with_prompted_reasoning(analysis, prompt)
    if messages is None:
        grammar = Turn(analysis, cases, parse_options).grammar()
        prefix = fed_prompt(analysis, prompt, continued)
    else:
        opened = messages.start.strip() in prompt
        grammar = message_grammar(analysis, messages, cases, parse_options, opened)
        prefix = fed_messages(messages, prompt, continued)
    return OutputParser(
        grammar=grammar,
        prefix=prefix,
        schemas={spec.name: spec.parameters for spec in specs},
        allowed=cases,
        options=parse_options,
        argument_opening=_argument_opening(analysis),
        notes=(NO_TOOL_FORMAT,) if analysis.calls is None and cases else (),
    )


def _argument_opening(analysis: TemplateAnalysis) -> str:
    """Return the marker before the name of an argument, where arguments are written one by one."""
    arguments = analysis.calls.body.arguments if analysis.calls is not None else None
    opening = core(arguments.open) if isinstance(arguments, TaggedArguments) else ""
    return opening if is_strong(opening) else ""


def _specs(tools: object) -> tuple[ToolSpec, ...]:
    if isinstance(tools, list | tuple) and all(isinstance(tool, ToolSpec) for tool in tools):
        return tuple(tools)
    return read_tools(tools)


def _cases(specs: tuple[ToolSpec, ...] | None, options: ParseOptions) -> Cases:
    if options.tool_choice == "none":
        return Cases(())
    named = options.named_tool
    if specs is None:
        return Cases([(named, {})]) if named else AnyTool()
    return Cases((spec.name, spec.parameters) for spec in specs if not named or spec.name == named)
