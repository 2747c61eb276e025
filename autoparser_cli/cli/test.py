"""`autoparser test`: case files -> which outputs are still understood as their files say."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autoparser_cli.cli.options import NoCacheOption
from autoparser_cli.cli.progress import progress_bar

if TYPE_CHECKING:
    from autoparser_cli.cases.model import RunReport


class ReportFormat(StrEnum):
    """How the run is reported."""

    CONSOLE = "console"
    SCORE = "score"
    JSON = "json"
    JUNIT = "junit"


def test_command(
    paths: Annotated[
        list[Path],
        typer.Argument(metavar="FILE|DIR", help="Case files (JSON lines, YAML or JSON), or folders of them."),
    ],
    output_format: Annotated[
        ReportFormat, typer.Option("--format", "-f", help="How to report; score: one line a file.")
    ] = ReportFormat.CONSOLE,
    select: Annotated[
        list[str] | None,
        typer.Option(
            "-k", metavar="TEXT", help="Only cases with TEXT in id, file, template, kind=KIND or tags."
        ),
    ] = None,
    no_chunks: Annotated[bool, typer.Option("--no-chunks", help="Parse each output whole only.")] = False,
    fail_fast: Annotated[bool, typer.Option("--fail-fast", help="Stop at the first failure.")] = False,
    jobs: Annotated[
        int | None, typer.Option("-j", "--jobs", metavar="N", min=1, help="Processes (default: cores).")
    ] = None,
    known: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A list of known disagreements, counted apart.")
    ] = None,
    no_details: Annotated[bool, typer.Option("--no-details", help="Only the summary.")] = False,
    no_cache: NoCacheOption = False,
    update: Annotated[
        bool, typer.Option("--update", help="Record the result of each case that expects nothing yet.")
    ] = False,
) -> None:
    """Run case files: recorded outputs with the messages they mean, whole and cut into chunks.

    Exit code 0: all pass. 1: some fail. 2: some could not be run.
    """
    if update:
        _update(paths)
        return
    from autoparser_cli.cases.engine import TemplateEngine
    from autoparser_cli.cases.known import read_known
    from autoparser_cli.cases.running import RunOptions, run_paths

    options = RunOptions(
        chunks=not no_chunks,
        select=tuple(select or ()),
        fail_fast=fail_fast,
        jobs=jobs,
        known=read_known(known) if known is not None else (),
    )
    with progress_bar("cases") as progress:
        report = run_paths(
            paths,
            options,
            loader=partial(TemplateEngine.load, cache=not no_cache),
            progress=progress,
        )
    if not report.results:
        typer.echo("autoparser: no case was selected", err=True)
    _write(report, output_format, details=not no_details)
    raise typer.Exit(report.exit_code)


def _write(report: RunReport, output_format: ReportFormat, *, details: bool) -> None:
    if output_format is ReportFormat.JSON:
        from autoparser_cli.reports.json import to_text

        typer.echo(to_text(report.to_dict()))
    elif output_format is ReportFormat.JUNIT:
        from autoparser_cli.reports.junit import to_junit

        typer.echo(to_junit(report), nl=False)
    elif output_format is ReportFormat.SCORE:
        from autoparser_cli.reports.console.cases import score_lines

        typer.echo("\n".join(score_lines(report)))
    else:
        from autoparser_cli.reports.console.cases import show_report
        from autoparser_cli.reports.console.screen import Screen

        show_report(Screen(), report, details=details)


def _update(paths: list[Path]) -> None:
    """Show what each new case gives, then write it into its file."""
    from autoparser_cli.cases.comparing import describe
    from autoparser_cli.cases.engine import TemplateEngine
    from autoparser_cli.cases.judging import describe_error
    from autoparser_cli.cases.recording import expectation, find_new, record
    from autoparser_cli.reports.console.screen import Screen, plain_text

    screen = Screen()
    engines: dict[object, TemplateEngine] = {}
    found = find_new(paths)
    # From the end of each file, so that the places of the cases before stay where they are.
    for new in reversed(found):
        case = new.case
        if case.template not in engines:
            engines[case.template] = TemplateEngine.load(case.template)
        engine = engines[case.template]
        outcome = engine.parser(case).parse(case.output or "")
        shown = describe_error(outcome) or describe(outcome.message)
        screen.show(screen.section(f"recorded: {case.id} ({case.where})", plain_text(shown)))
        record(new, expectation(outcome))
    typer.echo(f"{len(found)} recorded" if found else "nothing to record: every case expects something")
