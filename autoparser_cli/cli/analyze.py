"""`autoparser analyze`: templates -> what was inferred about each, with its proof."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from autoparser_cli.cli.options import (
    FormatOption,
    NoCacheOption,
    OutputFormat,
    ToolsOption,
    VerboseOption,
    check_stdin_once,
    load_tools,
    start_logging,
)
from autoparser_cli.cli.progress import progress_bar
from autoparser_cli.cli.telling import tell
from autoparser_cli.errors import AutoparserError

if TYPE_CHECKING:
    from autoparser_cli.analysis.model import TemplateAnalysis

    Outcome: TypeAlias = tuple[str, TemplateAnalysis | AutoparserError]
    ParserText: TypeAlias = Callable[[TemplateAnalysis], str]

#: What marks a folder as one model; any other folder stands for all templates below it.
_MODEL_FILES = ("chat_template.jinja", "chat_template.json", "tokenizer_config.json")
_TEMPLATE_SUFFIXES = (".jinja", ".jinja2", ".j2", ".gguf")


def analyze_command(
    templates: Annotated[
        list[str],
        typer.Argument(
            metavar="TEMPLATE",
            help="A .jinja, tokenizer_config.json or GGUF file, a model folder, a folder of templates, or -.",
        ),
    ],
    output_format: FormatOption = OutputFormat.CONSOLE,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show each comparison that decided something.")
    ] = False,
    all_probes: Annotated[
        bool, typer.Option("--all-probes", help="Show every comparison, with both renders in full.")
    ] = False,
    summary: Annotated[
        bool, typer.Option("--summary", help="Show one line a template: modes, proof, warnings.")
    ] = False,
    no_families: Annotated[
        bool, typer.Option("--no-families", help="Show the pure inference, without template families.")
    ] = False,
    show_parser: Annotated[
        bool,
        typer.Option(
            "--show-parser", help="Print the parser that is generated; without --tools for calls of any tool."
        ),
    ] = False,
    tools: ToolsOption = None,
    no_cache: NoCacheOption = False,
    verbose: VerboseOption = 0,
) -> None:
    """Show how a template writes reasoning, content and tool calls, and how far that was proved.

    White space in markers is visible: · is a space, ⏎ a line break, ⇥ a tab.
    """
    start_logging(verbose)
    check_stdin_once(*templates, tools)
    parser_text = _parser_texts(tools) if show_parser else None
    sources = _expand(templates)
    as_json = output_format is OutputFormat.JSON
    outcomes = _analyses(
        sources,
        families=not no_families,
        cache=not no_cache,
        evidence=explain or all_probes,
        logged=verbose > 0,
        show_progress=(as_json or summary) and len(sources) > 1,
    )
    if as_json:
        failed = _write_json(
            outcomes,
            as_list=sources != templates or len(sources) > 1,
            evidence=explain or all_probes,
            parser_text=parser_text,
        )
    elif summary:
        failed = _show_summary(outcomes)
    else:
        failed = _show_pages(outcomes, explain=explain, all_probes=all_probes, parser_text=parser_text)
    if failed:
        raise typer.Exit(2)


def _expand(sources: list[str]) -> list[str]:
    """Replace each folder that is not a model by the templates below it, in order."""
    found: list[str] = []
    for source in sources:
        path = Path(source)
        if source and path.is_dir() and not any((path / name).exists() for name in _MODEL_FILES):
            below = sorted(str(file) for file in path.rglob("*") if file.suffix in _TEMPLATE_SUFFIXES)
            found += below or [source]
        else:
            found.append(source)
    return found


def _analyses(
    sources: list[str], *, families: bool, cache: bool, evidence: bool, logged: bool, show_progress: bool
) -> Iterator[Outcome]:
    """Analyze all on all cores; of several, one that fails does not stop the others.

    What is to be logged happens here and now, in this process.
    """
    from autoparser_cli.inference import analyze_many

    with progress_bar("templates") if show_progress else nullcontext() as progress:
        outcomes = analyze_many(
            sources,
            families=families,
            cache=cache and not logged,
            evidence=evidence,
            jobs=1 if logged else None,
        )
        for number, (source, outcome) in enumerate(zip(sources, outcomes, strict=True), start=1):
            if isinstance(outcome, AutoparserError) and len(sources) == 1:
                raise outcome
            if progress is not None:
                progress(number, len(sources))
            yield source, outcome


def _write_json(
    outcomes: Iterable[Outcome], *, as_list: bool, evidence: bool, parser_text: ParserText | None
) -> bool:
    from autoparser_cli.reports.json import analysis_to_json, to_text

    failed = False
    reports: list[dict[str, Any]] = []
    for source, outcome in outcomes:
        if isinstance(outcome, AutoparserError):
            failed = True
            reports.append({"template": source, "failure": str(outcome)})
            continue
        reports.append(analysis_to_json(outcome, with_evidence=evidence))
        if parser_text is not None:
            reports[-1]["parser"] = parser_text(outcome)
    typer.echo(to_text(reports if as_list else reports[0]))
    return failed


def _show_pages(
    outcomes: Iterable[Outcome], *, explain: bool, all_probes: bool, parser_text: ParserText | None
) -> bool:
    from autoparser_cli.reports.console import Screen, plain_text, show_analysis, show_evidence

    screen = Screen()
    failed = False
    shown = False
    for source, outcome in outcomes:
        if isinstance(outcome, AutoparserError):
            failed = True
            _tell_failure(source, outcome)
            continue
        if shown:
            screen.show("")
        shown = True
        show_analysis(screen, outcome, template_source=_template_source(source, outcome))
        if explain or all_probes:
            show_evidence(screen, outcome.evidence, everything=all_probes)
        if parser_text is not None:
            screen.show(screen.section("parser", plain_text(parser_text(outcome)), style="blue"))
    return failed


def _show_summary(outcomes: Iterable[Outcome]) -> bool:
    from autoparser_cli.reports.console import Screen, show_summary

    analyses: list[TemplateAnalysis] = []
    failed = False
    for source, outcome in outcomes:
        if isinstance(outcome, AutoparserError):
            failed = True
            _tell_failure(source, outcome)
        else:
            analyses.append(outcome)
    show_summary(Screen(), analyses)
    return failed


def _tell_failure(source: str, error: AutoparserError) -> None:
    told = str(error)
    place = "" if told.startswith(source) else f"{source}: "
    tell(f"autoparser: {place}{told}")


def _template_source(source: str, analysis: TemplateAnalysis) -> str:
    """Read a template once more, where a warning tells a line of it; standard input cannot be."""
    from autoparser_cli.templates import ChatTemplate

    needed = any(warning.line is not None for warning in analysis.warnings)
    return ChatTemplate.read(source).source if needed and source != "-" else ""


def _parser_texts(path: Path | None) -> ParserText:
    """Return what draws the parser of an analysis; without a file of tools it reads calls of any tool."""
    from autoparser_cli.parsing import build_parser

    tools = None if path is None else load_tools(path)
    return lambda analysis: build_parser(analysis, tools=tools).dump().rstrip("\n")
