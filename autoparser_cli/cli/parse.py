"""`autoparser parse`: a template and what its model wrote -> the message, or where and why it is none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
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
    arriving_chunks,
    check_stdin_once,
    load_schema,
    load_tools,
    read_conversation,
    read_kwargs,
    read_text,
    start_logging,
)
from autoparser_cli.errors import InputError

if TYPE_CHECKING:
    from autoparser_cli.cases.model import Case
    from autoparser_cli.cli.parsed_output import ParsedOutput
    from autoparser_cli.messages import Delta
    from autoparser_cli.reports.console import Screen

_EMPTY = "The output is empty: so is the message."
_UNREAD = "{}, but no call was read."
_STRIPPED = (
    "No {} stands in the output: the model writes another format, or the server took special tokens out."
    "\ntry: an output with its special tokens (often skip_special_tokens=False)"
)
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
            help="Feed the output in chunks of N characters, as it comes, or the chunks in FILE (JSON strings), "
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
    from autoparser_cli.cli.parsed_output import parse_case

    start_logging(verbose)
    check_stdin_once(output, template, tools, messages, response_schema, stream)
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
            json_schema=load_schema(response_schema),
            continue_final_message=continue_final_message,
            add_generation_prompt=add_generation_prompt,
        ),
    )
    told = _told_live() if stream is not None and output_format is OutputFormat.CONSOLE else None
    run = parse_case(
        case,
        chunks,
        tools_known=tools is not None or bool(case.tools),
        lenient=lenient,
        told=told,
        cache=not no_cache and not verbose,
    )
    if output_format is OutputFormat.JSON:
        _write_json(run, streamed=stream is not None, explain=explain, show_tree=show_tree)
    else:
        _show_page(run, explain=explain, show_tree=show_tree)
    if run.result.error is not None:
        raise typer.Exit(1)


def _read_chunks(output: str | None, stream: str | None) -> Iterable[str]:
    """Return the output in the pieces that it is to be fed in; standard input is read as it comes. Raise InputError."""
    if stream is None or stream.isdecimal():
        if output is None:
            raise InputError("no output to parse", hint="name a file, or - for standard input")
        size = int(stream or 0)
        if output == "-" and size:
            return arriving_chunks(size)
        text = read_text(output)
        size = size or len(text) or 1
        return [text[at : at + size] for at in range(0, len(text), size)]
    if output is not None:
        raise InputError(
            f"--stream {stream} holds the output already", hint="leave OUTPUT out, or give a number"
        )
    return _chunks_in(stream)


def _chunks_in(path: str) -> list[str]:
    """Read chunks: a JSON list of strings, or one JSON string a line."""
    text = read_text(path)
    lines = text.split("\n")  # not splitlines(): JSON may hold U+2028 and others that it takes for line ends
    try:
        if text.lstrip().startswith("["):
            entries = json.loads(text)
        else:
            entries = [json.loads(line) for line in lines if line.strip()]
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


def _write_json(run: ParsedOutput, *, streamed: bool, explain: bool, show_tree: bool) -> None:
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


def _show_page(run: ParsedOutput, *, explain: bool, show_tree: bool) -> None:
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
        told = f"{_UNREAD.format(run.unread_call())}\n{run.why_unread()}"
        screen.show(screen.section("note", plain_text(told)))
    if run.stripped_marker():
        screen.show(screen.section("note", plain_text(_STRIPPED.format(run.stripped_marker()))))
    if run.guesses_tools():
        screen.show(screen.section("note", plain_text(_NO_TOOLS)))


def _show_explanation(screen: Screen, run: ParsedOutput) -> None:
    from autoparser_cli.reports.console import plain_text, show_near_misses, show_trace

    show_trace(screen, run.trace(), run.output)
    show_near_misses(screen, run.near_misses(), run.output)
    written = run.example_call()
    if written:
        screen.show(screen.section("a call as the template writes it", plain_text(written.strip("\n"))))
