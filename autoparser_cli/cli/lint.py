"""`autoparser lint` and `autoparser rule`: templates -> mistakes in them, in the format that the reader
wants.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autoparser_cli.cli.options import NoCacheOption
from autoparser_cli.cli.progress import progress_bar
from autoparser_cli.cli.telling import tell

if TYPE_CHECKING:
    from autoparser_cli.linting.config import LintConfig
    from autoparser_cli.linting.report import LintReport
    from autoparser_cli.linting.rule import Rule


class LintFormat(StrEnum):
    """How the findings are written; auto: github inside of GitHub's actions, else text."""

    AUTO = "auto"
    TEXT = "text"
    CONCISE = "concise"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"
    GITLAB = "gitlab"
    JUNIT = "junit"


class FailOn(StrEnum):
    """The mildest severity that makes the exit code 1."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


def lint_command(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="PATH", help="Template files, or folders of them (default: here); - is stdin."
        ),
    ] = None,
    output_format: Annotated[
        LintFormat, typer.Option("--format", "-f", help="How to write the findings.")
    ] = LintFormat.AUTO,
    output_file: Annotated[
        Path | None,
        typer.Option(
            "--output-file", "-o", metavar="FILE", help="Write them here; a summary stays on screen."
        ),
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option(metavar="CODES", help="Only these rules, or groups such as AP2. Repeatable."),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="CODES", help="Not these rules. Repeatable.")
    ] = None,
    per_file_ignores: Annotated[
        list[str] | None,
        typer.Option(metavar="PATTERN:CODES", help="Not these rules in these files. Repeatable."),
    ] = None,
    engine: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ENGINES", help="transformers, llama.cpp, minijinja, transformers.js (default: all)."
        ),
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Findings in this file do not count.")
    ] = None,
    update_baseline: Annotated[
        bool, typer.Option("--update-baseline", help="Write all findings of now into the baseline.")
    ] = False,
    fail_on: Annotated[
        FailOn | None,
        typer.Option(help="The mildest severity that makes the exit code 1 (default: warning)."),
    ] = None,
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="Exit with 0 whatever is found.")] = False,
    statistics: Annotated[
        bool, typer.Option("--statistics", help="Count the findings by rule instead.")
    ] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Fix what can safely be fixed.")] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what --fix would change, and change nothing.")
    ] = False,
    no_cache: NoCacheOption = False,
    jobs: Annotated[
        int | None, typer.Option("-j", "--jobs", metavar="N", min=1, help="Processes (default: cores).")
    ] = None,
) -> None:
    """Find mistakes in chat templates: what does not render, does not parse back, does not work in every
    engine.

    Exit code 0: clean. 1: findings. 2: something could not be read or not be evaluated. `autoparser rule`
    explains the rules.
    """
    from dataclasses import replace

    from autoparser_cli.linting.runner import lint

    given = paths or [Path()]
    config = _configuration(
        given[0], select, ignore, per_file_ignores, engine, baseline, fail_on, update_baseline
    )
    config = replace(config, cache=not no_cache)
    if update_baseline:
        _update_baseline(given, config, jobs)
        return
    with progress_bar("templates") as progress:
        report = lint(given, config, jobs=jobs, progress=progress)
    if diff:
        raise typer.Exit(_show_diff(report))
    if fix and _fix(report):
        report = lint(given, config, jobs=jobs)
    _write(report, output_format, output_file, statistics=statistics)
    raise typer.Exit(0 if exit_zero and report.exit_code == 1 else report.exit_code)


def rule_command(
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE", help="A rule's code or name, or a group such as AP2; default: list all."
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Explain every rule.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write the page of all rules.")] = False,
) -> None:
    """Explain a lint rule: what it finds, why that matters, an example, and what to do instead."""
    from autoparser_cli.errors import InputError
    from autoparser_cli.linting.rules import all_rules
    from autoparser_cli.reports.lint_text import rule_text

    rules = all_rules()
    if markdown:
        from autoparser_cli.reports.rules_page import rules_page

        typer.echo(rules_page(rules), nl=False)
    elif everything:
        typer.echo("\n\n".join(map(rule_text, rules)), nl=False)
    elif code is None:
        _list_rules(rules)
    elif wanted := [rule for rule in rules if code.lower() in (rule.code.lower(), rule.name)]:
        typer.echo(rule_text(wanted[0]), nl=False)
    elif group := [rule for rule in rules if rule.code.startswith(code.upper())]:
        _list_rules(group)
    else:
        raise InputError(f"no rule is called {code!r}", hint="`autoparser rule` lists them")


def _list_rules(rules: Sequence[Rule]) -> None:
    for rule in rules:
        typer.echo(f"{rule.code}  {rule.severity.value:<7}  {rule.name:<30}  {rule.summary}")


def _configuration(
    start: Path,
    select: list[str] | None,
    ignore: list[str] | None,
    per_file_ignores: list[str] | None,
    engine: list[str] | None,
    baseline: Path | None,
    fail_on: FailOn | None,
    update_baseline: bool,
) -> LintConfig:
    """Read pyproject.toml, and let the command line win over it; `--ignore` and `--per-file-ignores` add to
    it.
    """
    from dataclasses import replace

    from autoparser_cli.errors import InputError
    from autoparser_cli.linting.config import read_config, read_per_file, read_severity, split_codes

    config = read_config(start if start.is_dir() else start.parent)
    if select:
        config = replace(config, select=split_codes(select))
    if engine:
        config = replace(config, engines=split_codes(engine))
    if fail_on:
        config = replace(config, fail_on=read_severity(fail_on.value, "--fail-on"))
    config = replace(
        config,
        ignore=config.ignore + split_codes(ignore or []),
        per_file_ignores={**config.per_file_ignores, **read_per_file(per_file_ignores or [])},
        baseline=baseline or config.baseline,
    )
    if update_baseline and config.baseline is None:
        raise InputError("--update-baseline needs --baseline FILE, or `baseline` in pyproject.toml")
    return config


def _update_baseline(paths: list[Path], config: LintConfig, jobs: int | None) -> None:
    from dataclasses import replace

    from autoparser_cli.linting.baseline import write_baseline
    from autoparser_cli.linting.runner import lint
    from autoparser_cli.reports.lint_text import summary_line

    assert config.baseline is not None
    with progress_bar("templates") as progress:
        report = lint(paths, replace(config, baseline=None), jobs=jobs, progress=progress)
    write_baseline(config.baseline, report.violations)
    typer.echo(f"{config.baseline}: {len(report.violations)} findings\n{summary_line(report)}")
    # What could not be judged is in no baseline: it would be missing there without anybody knowing.
    raise typer.Exit(0 if report.exit_code == 1 else report.exit_code)


def _show_diff(report: LintReport) -> int:
    from autoparser_cli.linting.fixing import fixed_texts, unified_diff

    texts = fixed_texts(report.violations)
    for path, (before, after, _) in texts.items():
        typer.echo(unified_diff(path, before, after), nl=False)
    if not texts:
        typer.echo("nothing to fix", err=True)
    return 1 if texts else 0


def _fix(report: LintReport) -> bool:
    from autoparser_cli.linting.fixing import fixed_texts, write_fixed

    texts = fixed_texts(report.violations)
    for path, (_, after, count) in texts.items():
        write_fixed(path, after)
        tell(f"{path}: {count} fixed")
    return bool(texts)


def _write(
    report: LintReport, output_format: LintFormat, output_file: Path | None, *, statistics: bool
) -> None:
    if output_format is LintFormat.AUTO:
        in_actions = os.environ.get("GITHUB_ACTIONS") == "true"
        output_format = LintFormat.GITHUB if in_actions else LintFormat.TEXT
    if output_file is not None:
        _write_file(report, output_format, output_file)
    if statistics or (output_format is LintFormat.TEXT and output_file is None):
        _show(report, statistics=statistics)
    elif output_file is None:
        typer.echo(_text(report, output_format), nl=False)


def _write_file(report: LintReport, output_format: LintFormat, output_file: Path) -> None:
    from autoparser_cli.errors import SourceError
    from autoparser_cli.reports.lint_text import summary_line

    try:
        output_file.write_text(_text(report, output_format), encoding="utf-8")
    except OSError as error:
        raise SourceError(f"{output_file}: {(error.strerror or str(error)).lower()}") from None
    typer.echo(summary_line(report), err=True)


def _show(report: LintReport, *, statistics: bool) -> None:
    from autoparser_cli.reports.console.lint import show_lint, show_statistics
    from autoparser_cli.reports.console.screen import Screen

    if statistics:
        show_statistics(Screen(), report)
    else:
        show_lint(Screen(), report)


def _text(report: LintReport, output_format: LintFormat) -> str:
    if output_format is LintFormat.JSON:
        from autoparser_cli.reports.json import to_text

        return f"{to_text(report.to_dict())}\n"
    if output_format is LintFormat.SARIF:
        from autoparser_cli.reports.sarif import to_sarif

        return to_sarif(report)
    if output_format is LintFormat.GITHUB:
        from autoparser_cli.reports.github import to_github

        return to_github(report)
    if output_format is LintFormat.GITLAB:
        from autoparser_cli.reports.gitlab import to_gitlab

        return to_gitlab(report)
    if output_format is LintFormat.JUNIT:
        from autoparser_cli.reports.junit_lint import lint_to_junit

        return lint_to_junit(report)
    from autoparser_cli.reports.lint_text import summary_line, to_concise

    return (
        f"{to_concise(report)}{summary_line(report)}\n"
        if output_format is LintFormat.TEXT
        else to_concise(report)
    )
