"""A lint report -> a page: findings by file, with the template's line, what to do, and a summary."""

from __future__ import annotations

from pathlib import Path

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from autoparser_cli.linting.report import FileReport, LintReport
from autoparser_cli.linting.rule import Severity, Violation
from autoparser_cli.reports.console.screen import Screen, visible
from autoparser_cli.reports.lint_text import (
    gap_lines,
    one_line,
    optional_lines,
    statistics_lines,
    summary_line,
)

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
_LINE_WIDTH = 120
_PLACE_WIDTH = 9


def show_lint(screen: Screen, report: LintReport) -> None:
    """Show every file that has something to say, then the summary. `What to do` stands with a rule's first
    finding only.
    """
    told: set[str] = set()
    for text in report.missing:
        screen.show(Text(visible(text, keep=" "), style="bold red"))
    for file in report.files:
        if file.state != "clean":
            screen.show(_file_page(file, told), Text(""))
    screen.show(*(Text(line, style="magenta") for line in optional_lines(report)))
    screen.show(Text(summary_line(report), style="bold"))


def show_statistics(screen: Screen, report: LintReport) -> None:
    """Show the findings counted by rule, and the summary."""
    screen.show(*(Text(line) for line in statistics_lines(report)))
    screen.show(Text(""), Text(summary_line(report), style="bold"))


def _file_page(file: FileReport, told: set[str]) -> Group:
    # A grid, so that what is too long for the screen goes on below its own column.
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(justify="right", min_width=_PLACE_WIDTH, no_wrap=True)
    grid.add_column(overflow="fold")
    lines = _source_lines(file)
    for item in file.violations:
        grid.add_row(Text(_place(item), style="dim"), _finding(item, lines, told))
    gaps = [Padding(_gap(file, line), (0, 0, 0, 2), expand=False) for line in gap_lines(file)]
    return Group(
        Text(visible(file.path, keep=" "), style="bold"), *([grid] if file.violations else []), *gaps
    )


def _gap(file: FileReport, line: str) -> Text:
    return Text(visible(line, keep=" "), style="bold red" if file.error or file.internal else "magenta")


def _place(item: Violation) -> str:
    """Name the line; nothing where the template as a whole is meant."""
    if item.template_line is None:
        return ""
    return f"{item.line}" if item.column is None else f"{item.line}:{item.column}"


def _finding(item: Violation, lines: list[str], told: set[str]) -> Text:
    text = Text(f"{item.code} {item.severity.value}: ", style=_STYLES[item.severity])
    text.append(visible(one_line(item.message), keep=" "), style="default not bold")
    if item.template_line is not None and 0 < item.template_line <= len(lines):
        source = lines[item.template_line - 1].strip()
        shown = source if len(source) <= _LINE_WIDTH else f"{source[:_LINE_WIDTH]}…"
        text.append(f"\n│ {visible(shown, keep=' ')}", style="default not bold dim")
    if item.code not in told:
        told.add(item.code)
        text.append(f"\n→ {item.instead}", style="not bold green")
    return text


def _source_lines(file: FileReport) -> list[str]:
    """Read the file again for the lines to show; a JSON file has none that help."""
    if file.path.endswith(".json") or not file.violations:
        return []
    try:
        return Path(file.path).read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        return []
