"""A case and an output in chunks -> all that `autoparser parse` shows of it.

The message, how it was matched, how little was missing, what looks like a call and is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autoparser_cli.errors import InputError, RenderError

if TYPE_CHECKING:
    from autoparser_cli.analysis.model import TemplateAnalysis
    from autoparser_cli.cases.engine import TemplateEngine
    from autoparser_cli.cases.model import Case
    from autoparser_cli.messages import Delta
    from autoparser_cli.parsing import OutputParser, ParseResult
    from autoparser_cli.parsing.near_misses import NearMiss
    from autoparser_cli.parsing.trace import TraceNode, TraceStep


@dataclass(frozen=True)
class ParsedOutput:
    """An output that was parsed; `steps` are its chunks with what each gave.

    `tools_known`: the model's tools were given; a list without one is none to call.
    """

    analysis: TemplateAnalysis
    output: str
    result: ParseResult
    parser: OutputParser
    tolerant: OutputParser
    steps: tuple[tuple[str, tuple[Delta, ...]], ...]
    case: Case
    engine: TemplateEngine
    tools_known: bool

    def trace(self) -> tuple[TraceStep, ...]:
        """Match the output again, and keep what was recognised on the way."""
        from autoparser_cli.parsing.trace import trace

        return trace(self.parser, self.output)

    def tree(self) -> TraceNode:
        """Match the output again, as a tree."""
        from autoparser_cli.parsing.trace import trace_tree

        return trace_tree(self.parser, self.output)

    def near_misses(self) -> tuple[NearMiss, ...]:
        """Find how little was missing; nothing where the output fits as it is."""
        from autoparser_cli.parsing.near_misses import near_misses

        return near_misses(self.parser, self.output, self.result, self.tolerant.parse(self.output))

    def unread_call(self) -> str:
        """Tell what looks like a call where none was read: a tool's name, or a marker that opens calls; else nothing."""
        from autoparser_cli.parsing.near_misses import unread_call

        unread = unread_call(self.parser, self.output, self.result)
        if unread is not None:
            return f"{unread[0]} is named as in a call"
        message, layout = self.result.message, self.analysis.tools.format
        markers = (mark.strip() for mark in (layout.section_start, layout.per_call_start))
        leaked = next((mark for mark in markers if mark and mark in message.content), "")
        return f"{leaked} stands in the content" if leaked and not message.tool_calls else ""

    def why_unread(self) -> str:
        """Tell why no call was looked for, or else what to try."""
        from autoparser_cli.analysis.model import ToolFormatMode

        if self.parser.options.tool_choice == "none":
            return "None was looked for: --tool-choice is none."
        if self.analysis.tools.format.mode is ToolFormatMode.NONE:
            return (
                "The template writes no calls, so that none can be told from text."
                "\ntry: autoparser lint TEMPLATE, to see what it does with tools and calls"
            )
        if self.tools_known and not self.case.tools:
            return (
                "None was looked for: the list of tools is empty."
                "\ntry: without --tools, to take any name for a tool's"
            )
        return "try: --explain, to see how the template writes one"

    def stripped_marker(self) -> str:
        """Return the first marker of calls where a call is named and none of them stands in the output; else nothing.

        A model that writes another format leaves them out; so does a server that takes special tokens out of its text.
        """
        from autoparser_cli.parsing.near_misses import unread_call

        if unread_call(self.parser, self.output, self.result) is None:
            return ""
        layout = self.analysis.tools.format
        borders = (layout.section_start, layout.per_call_start, layout.per_call_end, layout.section_end)
        markers = [token for border in borders for token in self.analysis.preserved_tokens if token in border]
        return "" if any(marker in self.output for marker in markers) else next(iter(markers), "")

    def guesses_tools(self) -> bool:
        """Tell whether calls were read, or begun, without a tool that is known."""
        error = self.result.error
        begun = error is not None and error.open_call is not None
        return not self.parser.schemas and (bool(self.result.message.tool_calls) or begun)

    def example_call(self) -> str:
        """Return a call as the template writes it, where one was not read; else nothing."""
        from autoparser_cli.cases.example_call import example_call
        from autoparser_cli.inference.limits import template_limits

        error = self.result.error
        if error is None and not self.unread_call():
            return ""
        opened = error.open_call.name if error and error.open_call else ""
        named = [name for name in self.parser.allowed if name == opened or name in self.output]
        with template_limits():
            return example_call(self.engine, self.case, next(iter(named or self.parser.allowed), ""))


def parse_case(
    case: Case,
    chunks: Iterable[str],
    *,
    tools_known: bool,
    lenient: bool,
    told: Callable[[str, Sequence[Delta]], None] | None,
    cache: bool,
) -> ParsedOutput:
    """Parse the output that comes in `chunks`; `told` hears of each as soon as it is parsed.

    Raise InputError for options that cannot be used, RenderError where the conversation does not render.
    """
    from autoparser_cli.cases.engine import TemplateEngine
    from autoparser_cli.inference.limits import template_limits

    engine = TemplateEngine.load(case.template, cache=cache)
    with template_limits():
        analysis = engine.analysis
        prompt = _prompt(engine, case) if case.generation_prompt is None else case.generation_prompt
    strict, tolerant = (
        _parser(analysis, case, prompt, tools_known=tools_known, lenient=mode) for mode in (False, True)
    )
    parser = tolerant if lenient else strict
    stream = parser.stream()
    steps: list[tuple[str, tuple[Delta, ...]]] = []

    def step(chunk: str, deltas: tuple[Delta, ...]) -> None:
        steps.append((chunk, deltas))
        if told is not None:
            told(chunk, deltas)

    for chunk in chunks:
        step(chunk, stream.feed(chunk))
    result = stream.close()
    if stream.last_deltas:
        step("", stream.last_deltas)
    output = "".join(chunk for chunk, _ in steps)
    return ParsedOutput(analysis, output, result, parser, tolerant, tuple(steps), case, engine, tools_known)


def _prompt(engine: TemplateEngine, case: Case) -> str:
    """Render what the output stands behind. Raise RenderError, with the template's line."""
    try:
        return engine.prompt_tail(case)
    except RenderError as error:
        line = f":{error.line}" if error.line else ""
        told = f"{case.template.path}{line}: {error}"
        told += "\nwhile it rendered the conversation before the output; `autoparser render` shows more"
        raise RenderError(told, line=error.line, kind=error.kind) from error


def _parser(
    analysis: TemplateAnalysis, case: Case, prompt: str, *, tools_known: bool, lenient: bool
) -> OutputParser:
    from autoparser_cli.messages import read_tools
    from autoparser_cli.parsing import build_parser

    options = case.options
    try:
        return build_parser(
            analysis,
            tools=read_tools(case.tools) if tools_known else None,
            generation_prompt=prompt,
            tool_choice=options.tool_choice,
            parallel_tool_calls=options.parallel_tool_calls,
            reasoning_format=options.reasoning_format,
            json_schema=options.json_schema,
            continue_final_message=options.continue_final_message or "",
            lenient=lenient,
        )
    except ValueError as error:
        raise InputError(str(error)) from None
