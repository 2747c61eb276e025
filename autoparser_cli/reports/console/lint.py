"""A lint report -> a page: findings by file, with the template's line, what to do, and a summary."""

from __future__ import annotations

from pathlib import Path

from rich.text import Text

from autoparser_cli.linting.report import FileReport, LintReport
from autoparser_cli.linting.rule import Severity, Violation
from autoparser_cli.reports.console.screen import Screen, visible
from autoparser_cli.reports.lint_text import gap_lines, one_line, statistics_lines, summary_line

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
_LINE_WIDTH = 120


def show_lint(screen: Screen, report: LintReport) -> None:
    """Show every file that has something to say, then the summary. `What to do` stands with a rule's first
    finding only.
    """
    told: set[str] = set()
    for text in report.missing:
        screen.show(Text(text, style="bold red"))
    for file in report.files:
        if file.state != "clean" or file.not_evaluated:
            screen.show(_file_page(file, told), Text(""))
    screen.show(Text(summary_line(report), style="bold"))


def show_statistics(screen: Screen, report: LintReport) -> None:
    """Show the findings counted by rule."""
    screen.show(*(Text(line) for line in statistics_lines(report)))


def _file_page(file: FileReport, told: set[str]) -> Text:
    page = Text(file.path, style="bold")
    lines = _source_lines(file)
    for item in file.violations:
        page.append_text(_finding(item, lines, told))
    for line in gap_lines(file):
        page.append(
            f"\n  {visible(line, keep=' ')}", style="bold red" if file.error or file.internal else "magenta"
        )
    return page


def _finding(item: Violation, lines: list[str], told: set[str]) -> Text:
    place = f"{item.line}" if item.column is None else f"{item.line}:{item.column}"
    text = Text("\n  ", style="not bold")
    text.append(f"{place:>7}  ", style="dim")
    text.append(f"{item.code} ", style=_STYLES[item.severity])
    text.append(visible(one_line(item.message), keep=" "))
    if item.template_line is not None and 0 < item.template_line <= len(lines):
        source = lines[item.template_line - 1].strip()
        shown = source if len(source) <= _LINE_WIDTH else f"{source[:_LINE_WIDTH]}…"
        text.append(f"\n           │ {visible(shown, keep=' ')}", style="dim")
    if item.code not in told:
        told.add(item.code)
        text.append(f"\n           → {item.instead}", style="green")
    return text


def _source_lines(file: FileReport) -> list[str]:
    """Read the file again for the lines to show; a JSON file has none that help."""
    if file.path.endswith(".json") or not file.violations:
        return []
    try:
        return Path(file.path).read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        return []
