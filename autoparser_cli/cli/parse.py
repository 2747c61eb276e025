"""`autoparser parse`: a template and what its model wrote -> the message, or where and why it is none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from autoparser_cli.cli.options import (
    FormatOption,
    KwargOption,
    NoCacheOption,
    OutputFormat,
    ToolsOption,
    VerboseOption,
    load_tools,
    read_conversation,
    read_json,
    read_kwargs,
    read_text,
    start_logging,
)
from autoparser_cli.errors import InputError, RenderError

if TYPE_CHECKING:
    from autoparser_cli.analysis.model import TemplateAnalysis
    from autoparser_cli.cases.engine import TemplateEngine
    from autoparser_cli.cases.model import Case
    from autoparser_cli.messages import Delta
    from autoparser_cli.parsing import OutputParser, ParseResult
    from autoparser_cli.parsing.near_misses import NearMiss
    from autoparser_cli.parsing.trace import TraceNode, TraceStep
    from autoparser_cli.reports.console import Screen

_EMPTY = "The output is empty: so is the message."
_UNREAD = "{}, but no call was read.\ntry: --explain, to see how the template writes one"
_NO_TOOLS = (
    "No tools were given: any name counts as a tool's, and values are typed by how they look."
    "\ntry: --tools FILE, with the tools that the model was given"
)


def parse_command(
    output: Annotated[
        str | None, typer.Argument(metavar="OUTPUT", help="What the model wrote: a file, or - for stdin.")
    ] = None,
    template: Annotated[
        str, typer.Option("--template", "-t", metavar="TEMPLATE", help="The chat template (see analyze).")
    ] = ...,  # type: ignore[assignment]
    tools: ToolsOption = None,
    output_format: FormatOption = OutputFormat.CONSOLE,
    lenient: Annotated[
        bool, typer.Option("--lenient", help="Keep what can be understood, with each repair named.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show what was matched, where it stopped, and near misses.")
    ] = False,
    show_tree: Annotated[
        bool, typer.Option("--show-tree", help="Show the tree of what was matched.")
    ] = False,
    stream: Annotated[
        str | None,
        typer.Option(
            metavar="N|FILE",
            help="Feed the output in chunks of N characters, or the chunks in FILE (JSON strings), "
            "and show what each gives.",
        ),
    ] = None,
    messages: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The conversation before the output, or the request with it and its tools; "
            "its rendered end is the prompt.",
        ),
    ] = None,
    generation_prompt: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT", help="What the prompt ended with, instead of what the template renders."
        ),
    ] = None,
    kwarg: KwargOption = None,
    tool_choice: Annotated[
        str, typer.Option(metavar="CHOICE", help="auto, required, none, or the name of the one tool allowed.")
    ] = "auto",
    parallel_tool_calls: Annotated[bool, typer.Option(help="Whether more than one call is allowed.")] = True,
    reasoning_format: Annotated[
        str, typer.Option(metavar="FORMAT", help="auto, or none to leave reasoning in the content.")
    ] = "auto",
    response_schema: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The JSON Schema that the content was to follow.")
    ] = None,
    continue_final_message: Annotated[
        str | None,
        typer.Option(
            metavar="FIELD",
            help="The prompt ends inside the last message's content or reasoning, and the output goes on with it.",
        ),
    ] = None,
    add_generation_prompt: Annotated[
        bool, typer.Option(help="Whether the prompt ended with the generation prompt.")
    ] = True,
    no_cache: NoCacheOption = False,
    verbose: VerboseOption = 0,
) -> None:
    """Parse what a model wrote into a message: reasoning, content and tool calls.

    Exit code 1 where the output is not what the template's format says.
    """
    from autoparser_cli.cases.model import CaseOptions

    start_logging(verbose)
    if continue_final_message not in (None, "content", "reasoning"):
        raise InputError("--continue-final-message must be content or reasoning")
    chunks = _read_chunks(output, stream)
    case = _case(
        template=template,
        tools=tools,
        messages=messages,
        generation_prompt=generation_prompt,
        template_kwargs=read_kwargs(kwarg),
        options=CaseOptions(
            tool_choice=tool_choice,
            parallel_tool_calls=parallel_tool_calls,
            reasoning_format=reasoning_format,
            json_schema=None if response_schema is None else read_json(response_schema),
            continue_final_message=continue_final_message,
            add_generation_prompt=add_generation_prompt,
        ),
    )
    told = _told_live() if stream is not None and output_format is OutputFormat.CONSOLE else None
    run = _run(
        case,
        chunks,
        tools_known=tools is not None or bool(case.tools),
        lenient=lenient,
        told=told,
        cache=not no_cache,
    )
    if output_format is OutputFormat.JSON:
        _write_json(run, streamed=stream is not None, explain=explain, show_tree=show_tree)
    else:
        _show_page(run, explain=explain, show_tree=show_tree)
    if run.result.error is not None:
        raise typer.Exit(1)


@dataclass(frozen=True)
class _Run:
    """An output that was parsed; `steps` are its chunks with what each gave."""

    analysis: TemplateAnalysis
    output: str
    result: ParseResult
    parser: OutputParser
    tolerant: OutputParser
    steps: tuple[tuple[str, tuple[Delta, ...]], ...]
    case: Case
    engine: TemplateEngine

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

    def guesses_tools(self) -> bool:
        """Tell whether calls were read, or begun, without a tool that is known."""
        error = self.result.error
        begun = error is not None and error.open_call is not None
        return not self.parser.schemas and (bool(self.result.message.tool_calls) or begun)

    def example_call(self) -> str:
        """Return a call as the template writes it, where one was not read; else nothing."""
        from autoparser_cli.cases.example_call import example_call
        from autoparser_cli.inference.limits import memory_limit

        error = self.result.error
        if error is None and not self.unread_call():
            return ""
        opened = error.open_call.name if error and error.open_call else ""
        named = [name for name in self.parser.allowed if name == opened or name in self.output]
        with memory_limit():
            return example_call(self.engine, self.case, next(iter(named or self.parser.allowed), ""))


def _read_chunks(output: str | None, stream: str | None) -> list[str]:
    """Return the output in the pieces that it is to be fed in. Raise InputError."""
    if stream is None or stream.isdecimal():
        if output is None:
            raise InputError("no output to parse", hint="name a file, or - for standard input")
        text = read_text(output)
        size = int(stream or 0) or len(text) or 1
        return [text[at : at + size] for at in range(0, len(text), size)]
    if output is not None:
        raise InputError(
            f"--stream {stream} holds the output already", hint="leave OUTPUT out, or give a number"
        )
    return _chunks_in(stream)


def _chunks_in(path: str) -> list[str]:
    """Read chunks: a JSON list of strings, or one JSON string a line."""
    text = read_text(path)
    try:
        entries = (
            json.loads(text) if text.lstrip().startswith("[") else list(map(json.loads, text.splitlines()))
        )
    except (ValueError, RecursionError):
        entries = None
    if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
        raise InputError(f"{path}: must be a JSON list of strings, or one JSON string a line")
    return entries


def _case(*, template: str, tools: Path | None, messages: Path | None, **given: Any) -> Case:
    """Describe what is asked as a case, so that a command and a case file are read by the same rules."""
    from autoparser_cli.cases.model import Case, TemplateRef

    given_tools = tuple(tool.to_dict() for tool in load_tools(tools))
    if messages is not None:
        conversation, requested = read_conversation(messages)
        given["messages"] = tuple(conversation)
        given_tools = given_tools if tools is not None else tuple(map(dict, requested or ()))
    return Case(
        id="",
        file="",
        where="",
        template=TemplateRef(path=Path(template)),
        tools=given_tools,
        **given,
    )


def _told_live() -> Callable[[str, Sequence[Delta]], None]:
    """Return what shows a chunk and its deltas as soon as they are there."""
    from autoparser_cli.reports.console import Screen, show_step

    screen = Screen()
    return lambda chunk, deltas: show_step(screen, chunk, deltas)


def _run(
    case: Case,
    chunks: Iterable[str],
    *,
    tools_known: bool,
    lenient: bool,
    told: Callable[[str, Sequence[Delta]], None] | None,
    cache: bool,
) -> _Run:
    from autoparser_cli.cases.engine import TemplateEngine
    from autoparser_cli.inference.limits import memory_limit

    engine = TemplateEngine.load(case.template, cache=cache)
    with memory_limit():
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
    return _Run(analysis, output, result, parser, tolerant, tuple(steps), case, engine)


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


def _write_json(run: _Run, *, streamed: bool, explain: bool, show_tree: bool) -> None:
    from autoparser_cli.reports.json import misses_to_json, result_to_json, steps_to_json, to_text

    report = result_to_json(run.result)
    if not run.output:
        report["note"] = _EMPTY
    if streamed:
        report["stream"] = [
            {"chunk": chunk, "deltas": [delta.to_dict() for delta in deltas]} for chunk, deltas in run.steps
        ]
    if explain or show_tree:
        report["matched"] = steps_to_json(run.trace())
    if show_tree:
        report["tree"] = run.tree().to_dict()
    if explain:
        report["near_misses"] = misses_to_json(run.near_misses())
        report["call_as_written"] = run.example_call() or None
    typer.echo(to_text(report))


def _show_page(run: _Run, *, explain: bool, show_tree: bool) -> None:
    from autoparser_cli.reports.console import Screen, plain_text, show_result
    from autoparser_cli.reports.console import show_tree as draw_tree

    screen = Screen()
    if run.output:
        show_result(
            screen,
            run.result,
            run.output,
            analysis=run.analysis,
            tools=tuple(run.parser.schemas),
            explained=explain,
        )
    else:
        screen.show(plain_text(_EMPTY))
    if show_tree:
        draw_tree(screen, run.tree(), run.output)
    if explain:
        _show_explanation(screen, run)
    elif run.unread_call():
        screen.show(screen.section("note", plain_text(_UNREAD.format(run.unread_call()))))
    if run.guesses_tools():
        screen.show(screen.section("note", plain_text(_NO_TOOLS)))


def _show_explanation(screen: Screen, run: _Run) -> None:
    from autoparser_cli.reports.console import plain_text, show_near_misses, show_trace

    show_trace(screen, run.trace(), run.output)
    show_near_misses(screen, run.near_misses(), run.output)
    written = run.example_call()
    if written:
        screen.show(screen.section("a call as the template writes it", plain_text(written.strip("\n"))))
