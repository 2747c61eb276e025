"""`autoparser diff`: a template -> the comparisons of its analysis; two -> how their behaviour differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autoparser_cli.cli.options import NoCacheOption, VerboseOption, check_stdin_once, start_logging
from autoparser_cli.errors import InputError

if TYPE_CHECKING:
    from autoparser_cli.analysis.model import Evidence, TemplateAnalysis
    from autoparser_cli.comparison.model import BehaviourComparison
    from autoparser_cli.templates import ChatTemplate

#: A probe of the method that is a phase, not a comparison: its comparisons have ids of their own.
_PHASES = {"T4": ("A1", "A2")}


class DiffFormat(StrEnum):
    """How differences are shown."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"


def diff_command(
    templates: Annotated[
        list[str],
        typer.Argument(
            metavar="TEMPLATE | OLD NEW",
            help="One template, or two to be compared. Each a file, a model folder, or git:REVISION:PATH.",
        ),
    ],
    probe: Annotated[
        list[str] | None,
        typer.Option(
            "--probe",
            metavar="ID",
            help="The comparisons of this probe (R1, C1, T3 ...), or all. Repeatable; "
            "without it, those that decided something.",
        ),
    ] = None,
    context: Annotated[
        int, typer.Option(min=0, metavar="N", help="Equal lines to show around a difference.")
    ] = 3,
    cases: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="Recorded outputs: do they parse with both? Repeatable."),
    ] = None,
    output_format: Annotated[
        DiffFormat, typer.Option("--format", "-f", help="How to show it; github: annotations.")
    ] = DiffFormat.TEXT,
    no_cache: NoCacheOption = False,
    verbose: VerboseOption = 0,
) -> None:
    """Show the comparisons that an analysis rests on, or how two templates differ in what they do.

    Two templates are compared by behaviour, not by source. Exit code 0: the same behaviour. 1: another one.
    """
    start_logging(verbose)
    check_stdin_once(*templates)
    if len(templates) == 1:
        _require(not cases, "--cases compares two templates: name OLD and NEW")
        _require(output_format is not DiffFormat.GITHUB, "--format github compares two templates")
        _show_probes(templates[0], probe or [], context, output_format)
        return
    _require(len(templates) == 2, "name one template, or two to compare")
    _require(not probe, "--probe shows one template")
    comparison = _compare(templates[0], templates[1], cases or [], cache=not no_cache and not verbose)
    _show_comparison(comparison, templates[1], context, output_format)
    raise typer.Exit(0 if comparison.same else 1)


def _require(condition: bool, message: str, *, hint: str | None = None) -> None:
    if not condition:
        raise InputError(message, hint=hint)


def _show_probes(source: str, wanted: Sequence[str], context: int, output_format: DiffFormat) -> None:
    from autoparser_cli.inference.limits import template_limits

    with _loaded(source) as template, template_limits():
        evidence = _chosen(_analyze(template, cache=False).evidence, wanted)
    if output_format is DiffFormat.JSON:
        from autoparser_cli.reports.behaviour import evidence_to_json
        from autoparser_cli.reports.json import to_text

        typer.echo(to_text(evidence_to_json(evidence, context=context)))
        return
    from autoparser_cli.reports.console.differences import show_diffs
    from autoparser_cli.reports.console.screen import Screen

    if not evidence:
        hint = "" if wanted else " that decided anything; --probe all shows what was tried"
        typer.echo(f"The analysis made no comparison{hint}.")
    show_diffs(Screen(), evidence, context)


def _chosen(evidence: Sequence[Evidence], wanted: Sequence[str]) -> list[Evidence]:
    """Pick the comparisons of the named probes. Raise InputError for a probe that was not run."""
    names = {name.upper() for name in wanted}
    if not names:
        return [entry for entry in evidence if entry.decided]
    if "ALL" in names:
        return list(evidence)
    run = list(dict.fromkeys(entry.probe for entry in evidence))
    for name in sorted(names):
        if not {*_PHASES.get(name, (name,))} & {*run}:
            hint = f"these were: {', '.join(run)}" if run else None
            raise InputError(f"--probe {name}: the analysis of this template did not run it", hint=hint)
    ids = {probe for name in names for probe in (name, *_PHASES.get(name, ()))}
    return [entry for entry in evidence if entry.probe in ids]


@contextmanager
def _loaded(source: str) -> Iterator[ChatTemplate]:
    """Load a template; that of another revision is there only inside the block."""
    from dataclasses import replace

    from autoparser_cli.templates import ChatTemplate
    from autoparser_cli.templates.revisions import checked_out, is_revision

    if not is_revision(source):
        _require(
            ":" not in source or Path(source).exists(),
            f"{source}: no such file or directory",
            hint=f"git:{source} names a file of another revision",
        )
        yield ChatTemplate.load(source)
        return
    with checked_out(source) as path:
        yield replace(ChatTemplate.load(path), name=source)


def _analyze(template: ChatTemplate, *, cache: bool) -> TemplateAnalysis:
    from autoparser_cli.inference import analyze
    from autoparser_cli.inference.limits import template_limits

    with template_limits():
        return analyze(template, cache=cache)


def _compare(old_source: str, new_source: str, cases: Sequence[Path], *, cache: bool) -> BehaviourComparison:
    from autoparser_cli.comparison import compare_templates
    from autoparser_cli.inference.limits import memory_limit, template_time_limit

    with _loaded(old_source) as old, _loaded(new_source) as new, memory_limit():
        analyses = _analyze(old, cache=cache), _analyze(new, cache=cache)
        with template_time_limit():
            comparison = compare_templates(old, new, analyses, make_grammar=_gbnf)
        if not cases:
            return comparison
        from dataclasses import replace

        from autoparser_cli.cases.replaying import replay

        replayed = replay(cases, (old, new), analyses)
        return replace(comparison, recorded=replayed.differences, recorded_tried=replayed.tried)


def _gbnf(analysis: TemplateAnalysis) -> str:
    """Write the grammar for the tools of the standard conversations. Raise FormatError where none is."""
    from autoparser_cli.comparison.conversations import TOOLS
    from autoparser_cli.grammars.dialects import Dialect
    from autoparser_cli.grammars.export import export
    from autoparser_cli.parsing import build_parser

    parser = build_parser(analysis, tools=TOOLS)
    return export(analysis, parser, Dialect.GBNF, generation_prompt=analysis.generation_prompt).text


def _show_comparison(
    comparison: BehaviourComparison, new_source: str, context: int, output_format: DiffFormat
) -> None:
    if output_format is DiffFormat.JSON:
        from autoparser_cli.reports.json import to_text

        typer.echo(to_text(comparison.to_dict()))
    elif output_format is DiffFormat.GITHUB:
        from autoparser_cli.reports.behaviour import github_annotations

        file = new_source if Path(new_source).exists() else None
        for line in github_annotations(comparison, file=file):
            typer.echo(line)
    else:
        from autoparser_cli.reports.console.differences import show_comparison
        from autoparser_cli.reports.console.screen import Screen

        show_comparison(Screen(), comparison, context)
