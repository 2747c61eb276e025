"""`autoparser grammar`: a template and tools -> a grammar that holds a model to the format, compiled, and run on samples."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from autoparser_cli.cli.options import (
    KwargOption,
    NoCacheOption,
    VerboseOption,
    check_stdin_once,
    load_schema,
    load_tools,
    read_kwargs,
    read_text,
    start_logging,
)
from autoparser_cli.cli.telling import tell
from autoparser_cli.errors import InputError
from autoparser_cli.grammars.dialects import DIALECTS, Dialect, Engine

if TYPE_CHECKING:
    from autoparser_cli.analysis.model import TemplateAnalysis
    from autoparser_cli.grammars.check import SampleCheck
    from autoparser_cli.grammars.export import ExportedGrammar
    from autoparser_cli.parsing import OutputParser


def grammar_command(
    template: Annotated[str, typer.Argument(metavar="TEMPLATE", help="The chat template (see analyze).")],
    samples: Annotated[
        list[str] | None, typer.Argument(metavar="SAMPLE", help="Further samples for --check.")
    ] = None,
    tools: Annotated[
        Path | None,
        typer.Option(
            "--tools",
            metavar="FILE",
            help="The tools that the model was given: a JSON list. Without: calls of any tool.",
        ),
    ] = None,
    output_format: Annotated[
        Dialect, typer.Option("--format", "-f", help="The dialect to write.")
    ] = Dialect.GBNF,
    check: Annotated[
        list[str] | None,
        typer.Option(
            "--check", metavar="FILE...", help="Run these outputs (- for stdin) instead of printing."
        ),
    ] = None,
    engine: Annotated[
        Engine, typer.Option("--engine", help="Who runs the samples of --check.")
    ] = Engine.LARK,
    show_tree: Annotated[bool, typer.Option("--show-tree", help="Show each sample's syntax tree.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a file.")
    ] = None,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="One JSON object: the grammar and all that a sampler needs, or what --check found "
            "(--format names the dialect here).",
        ),
    ] = False,
    any_order: Annotated[bool, typer.Option("--any-order", help="Take declared keys at any place.")] = False,
    tool_choice: Annotated[
        str, typer.Option(metavar="CHOICE", help="auto, required, or the name of the one tool allowed.")
    ] = "auto",
    parallel_tool_calls: Annotated[bool, typer.Option(help="Whether more than one call is allowed.")] = True,
    response_schema: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The JSON Schema that the content is to follow.")
    ] = None,
    generation_prompt: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What the prompt ends with, instead of the template's.")
    ] = None,
    kwarg: KwargOption = None,
    no_cache: NoCacheOption = False,
    verbose: VerboseOption = 0,
) -> None:
    """Write a grammar that holds a model to the template's format, or run sample outputs through it.

    The grammar is compiled before it is printed. With --tools it holds calls to their names and schemas;
    without, it takes a call of any tool with any arguments. Exit code 1 where the format could not be
    inferred, or a sample does not fit.
    """
    from autoparser_cli.grammars.export import export

    start_logging(verbose)
    check_stdin_once(template, tools, response_schema, *(check or ()), *(samples or ()))
    if samples and not check:
        raise InputError("samples were given without --check", hint="put --check before the first of them")
    analysis, parser, prompt = _prepared(
        template,
        None if tools is None else load_tools(tools),
        generation_prompt,
        read_kwargs(kwarg),
        not no_cache and not verbose,
        tool_choice=tool_choice,
        parallel_tool_calls=parallel_tool_calls,
        json_schema=load_schema(response_schema),
    )
    if check:
        _run_samples(analysis, parser, [*check, *(samples or ())], engine, any_order, show_tree, as_json)
        return
    exported = export(analysis, parser, output_format, generation_prompt=prompt, any_order=any_order)
    _write(exported, output, as_json)


def _prepared(
    source: str, tools: Any, prompt: str | None, kwargs: dict[str, Any], cache: bool, **options: Any
) -> tuple[TemplateAnalysis, OutputParser, str]:
    """Analyze the template and build the parser for what its prompt ends with; `tools` None: any tool's name is one."""
    from autoparser_cli.inference import analyze
    from autoparser_cli.inference.limits import template_limits
    from autoparser_cli.parsing import build_parser
    from autoparser_cli.templates import ChatTemplate

    template = ChatTemplate.load(source)
    with template_limits():
        analysis = analyze(template, cache=cache)
        if prompt is None:
            prompt = _prompt_end(template, analysis, tools, kwargs)
    try:
        parser = build_parser(analysis, tools=tools, generation_prompt=prompt, **options)
    except ValueError as error:
        raise InputError(str(error)) from None
    return analysis, parser, prompt


def _prompt_end(template: Any, analysis: TemplateAnalysis, tools: Any, kwargs: dict[str, Any]) -> str:
    """Return what the prompt ends with under these variables."""
    if not kwargs:
        return analysis.generation_prompt
    from autoparser_cli.cases.engine import TemplateEngine
    from autoparser_cli.cases.model import Case, TemplateRef

    case = Case(
        id="",
        file="",
        where="",
        template=TemplateRef(source=""),
        tools=tuple(tool.to_dict() for tool in tools or ()),
        template_kwargs=kwargs,
    )
    return TemplateEngine(template).prompt_tail(case)


def _write(exported: ExportedGrammar, output: Path | None, as_json: bool) -> None:
    from autoparser_cli.grammars.annotation import annotated
    from autoparser_cli.grammars.check import compile_before_printing

    printed = annotated(exported)
    compile_before_printing(replace(exported, text=printed))
    text = json.dumps(exported.to_dict(), ensure_ascii=False, indent=2) + "\n" if as_json else printed
    for note in exported.notes:
        tell(f"autoparser: {note}")
    if output is None:
        typer.echo(text, nl=False)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{output}: {(error.strerror or str(error)).lower()}") from None


def _run_samples(
    analysis: TemplateAnalysis,
    parser: OutputParser,
    files: list[str],
    engine: Engine,
    any_order: bool,
    show_tree: bool,
    as_json: bool,
) -> None:
    from autoparser_cli.grammars.check import CompiledGrammar, compile_grammar, with_cuts
    from autoparser_cli.grammars.export import export

    def compiled(runner: Engine) -> CompiledGrammar:
        exported = export(analysis, parser, DIALECTS[runner], any_order=any_order, whole_output=True)
        return compile_grammar(exported, runner)

    grammar = compiled(engine)
    exact = cache(lambda: compiled(Engine.GBNF))
    reports = []
    for file in files:
        sample = read_text(file)
        check = with_cuts(grammar.check(sample), sample, exact)
        reports.append(_report(file, sample, check, parser))
        if not as_json:
            _show(reports[-1], sample, show_tree)
    if as_json:
        typer.echo(
            json.dumps([_as_json(report, show_tree) for report in reports], ensure_ascii=False, indent=2)
        )
    if not all(report["ok"] for report in reports):
        raise typer.Exit(1)


def _as_json(report: dict[str, Any], show_tree: bool) -> dict[str, Any]:
    shown = {key: value for key, value in report.items() if key != "tree"}
    if show_tree:
        shown["tree"] = None if report["tree"] is None else report["tree"].pretty()
    return shown


def _report(file: str, sample: str, check: SampleCheck, parser: OutputParser) -> dict[str, Any]:
    """Say what the grammar makes of a sample, and whether the parser's message is the tree's."""
    from autoparser_cli.grammars.check import place_of, schema_problems
    from autoparser_cli.grammars.syntax_tree import syntaxes_of

    result = parser.parse(sample)
    line, column = place_of(sample, check.offset)
    differences: tuple[str, ...] = ()
    if check.said is not None:
        differences = check.said.differences(result.message, syntaxes_of(parser.grammar))
    findings = [finding.message for finding in result.findings]
    findings = findings or list(schema_problems(result.message.tool_calls, parser.schemas))
    return {
        "sample": file,
        "ok": check.accepted and not differences and not findings,
        "accepted": check.accepted,
        "truncated": check.truncated,
        "offset": check.offset,
        "line": line,
        "column": column,
        "expected": list(check.expected),
        "findings": findings,
        "differs_from_parser": list(differences),
        "message": result.message.to_dict(),
        "tree": check.tree,
    }


def _show(report: dict[str, Any], sample: str, show_tree: bool) -> None:
    from autoparser_cli.reports.console import Screen, show_place, show_syntax_tree

    where = f"{report['sample']}:{report['line']}:{report['column']}"
    expected = ", ".join(report["expected"])
    if report["accepted"]:
        typer.echo(f"{report['sample']}: {'ok' if report['ok'] else 'fits the grammar, but'}")
        for problem in (
            *report["findings"],
            *(f"{name}: not what the parser reads" for name in report["differs_from_parser"]),
        ):
            typer.echo(f"  {problem}")
    elif report["truncated"]:
        typer.echo(f"{where}: ends too early" + (f"; next could come {expected}" if expected else ""))
    else:
        typer.echo(f"{where}: does not fit" + (f"; expected {expected}" if expected else ""))
        show_place(Screen(), sample, report["line"], report["column"])
    if show_tree and report["tree"] is not None:
        show_syntax_tree(Screen(), report["tree"])
