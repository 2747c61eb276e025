"""A run of case files -> its page: each failure with what was expected and what came, then the counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from autoparser_cli.cases.model import CaseResult, RunReport, Status
from autoparser_cli.reports.console.screen import Row, Screen, plain_text, visible

#: Stands before the first character that differs; what ends there shows as the end of the text.
MARK = "▶"

_STYLES = {
    Status.PASSED: "green",
    Status.FAILED: "red",
    Status.KNOWN: "yellow",
    Status.SKIPPED: "dim",
    Status.INVALID: "magenta",
}

#: Templates with failures that are listed by name; the others are counted.
_LISTED_TEMPLATES = 20


def show_report(screen: Screen, report: RunReport, *, details: bool = True) -> None:
    """Show the failures, then the summary by file, template and kind, then one line for all."""
    if details:
        for result in report.results:
            if result.status in (Status.FAILED, Status.INVALID):
                screen.show(_failure(screen, result))
    screen.show(screen.table([(title, rows) for title, rows in _groups(report.results) if rows]))
    skipped = Counter(result.kind for result in report.results if result.status is Status.SKIPPED)
    if skipped:
        kinds = ", ".join(f"{kind} {count}" for kind, count in skipped.most_common())
        screen.show(Text(f"skipped, since their kind is not judged: {kinds}", style="dim"))
    if report.unrun:
        screen.show(Text(f"stopped at the first failure: {report.unrun} not run", style="yellow"))
    screen.show(_total(report))


def score_lines(report: RunReport) -> list[str]:
    """Return one line a file: passed / total, where the total leaves out the kinds that are not judged."""
    by_file: dict[str, list[CaseResult]] = {}
    for result in report.results:
        by_file.setdefault(result.file, []).append(result)
    width = max((len(Path(file).name) for file in by_file), default=0)
    lines = [f"{Path(file).name:<{width}}  {_score(results)}" for file, results in by_file.items()]
    checked = [result for result in report.results if result.prompt_checked]
    if checked:
        right = sum(result.prompt_ok for result in checked)
        lines.append(f"{'prompts end as recorded':<{width}}  {right} / {len(checked)}")
    return lines


def _score(results: Sequence[CaseResult]) -> str:
    counts = Counter(result.status for result in results)
    total = len(results) - counts[Status.SKIPPED]
    if not total:
        return f"{counts[Status.SKIPPED]} skipped"
    text = f"{counts[Status.PASSED]} / {total}"
    # Rounded down: 100.0 % is said only where all passed.
    text += f"  {1000 * counts[Status.PASSED] // total / 10:.1f} %"
    notes = [
        f"{counts[status]} {words}"
        for status, words in (
            (Status.KNOWN, "known"),
            (Status.INVALID, "invalid"),
            (Status.SKIPPED, "skipped"),
        )
        if counts[status]
    ]
    return f"{text}  ({', '.join(notes)})" if notes else text


def _groups(results: Sequence[CaseResult]) -> Iterable[tuple[str, list[Row]]]:
    """Group the results; a grouping with one group only would say the total once more."""
    yield "by file", _rows(results, lambda result: Path(result.file).name)
    if len({result.kind for result in results}) > 1:
        yield "by kind", _rows(results, lambda result: result.kind)
    if len({result.template for result in results if result.template}) > 1:
        yield "by template", _template_rows(results)


def _template_rows(results: Sequence[CaseResult]) -> list[Row]:
    """List the templates that have failures, the worst first."""
    judged = [result for result in results if result.template and result.status is not Status.SKIPPED]
    failures = Counter(result.template for result in judged if result.status is not Status.PASSED)
    names = {result.template for result in judged}
    listed = [name for name, _ in failures.most_common(_LISTED_TEMPLATES)]
    rows = _rows([result for result in judged if result.template in listed], lambda result: result.template)
    rows.sort(key=lambda row: listed.index(row[0]))
    if len(failures) > len(listed):
        rows.append(("and more", Text(f"{len(failures) - len(listed)} templates with failures")))
    rows.append(("all right", Text(f"{len(names) - len(failures)} of {len(names)} templates")))
    return rows if names else []


def _rows(results: Sequence[CaseResult], key: Callable[[CaseResult], str]) -> list[Row]:
    groups: dict[str, list[CaseResult]] = {}
    for result in results:
        groups.setdefault(key(result), []).append(result)
    return [(visible(name, keep=" "), _score_text(group)) for name, group in groups.items()]


def _score_text(results: Sequence[CaseResult]) -> Text:
    statuses = {result.status for result in results} - {Status.SKIPPED}
    style = "green" if statuses == {Status.PASSED} else "red" if statuses else "dim"
    return Text(_score(results), style=style)


def _failure(screen: Screen, result: CaseResult) -> RenderableType:
    # The reason of an invalid case begins with its place.
    place = "" if result.reason.startswith(result.where) else result.where
    place += f", template {result.template}" if place and result.template else ""
    parts: list[RenderableType] = [plain_text(place, style="dim")] if place else []
    parts.append(plain_text(result.reason, style="bold"))
    if result.expected or result.got:
        parts.append(_side_by_side(screen, result.expected, result.got))
    if result.error:
        parts.append(plain_text(f"parse error: {result.error}", style="magenta"))
    title = visible(f"{result.status.value}: {result.id}", keep=" ")
    return screen.section(title, Group(*parts), style=_STYLES[result.status])


def _side_by_side(screen: Screen, expected: str, got: str) -> RenderableType:
    left, right = _marked(expected, got)
    if not screen.boxed:
        return Group(screen.section("expected", left), screen.section("got", right))
    table = Table.grid(padding=(0, 2), expand=True)
    table.add_column(ratio=1, overflow="fold")
    table.add_column(ratio=1, overflow="fold")
    table.add_row(Text("expected", style="bold green"), Text("got", style="bold red"))
    table.add_row(left, right)
    return table


def _marked(left: str, right: str) -> tuple[Text, Text]:
    """Put the mark before the first character that differs, in both texts."""
    at = next(
        (index for index, (one, other) in enumerate(zip(left, right, strict=False)) if one != other),
        min(len(left), len(right)),
    )
    if left == right:
        return plain_text(left), plain_text(right)
    return _with_mark(left, at), _with_mark(right, at)


def _with_mark(text: str, at: int) -> Text:
    drawn = plain_text(text[:at])
    drawn.append(MARK, style="bold red")
    drawn.append_text(plain_text(text[at:], style="bold"))
    return drawn


def _total(report: RunReport) -> Text:
    line = Text()
    for status in Status:
        count = report.count(status)
        if count or status in (Status.PASSED, Status.FAILED):
            words = "known disagreement" if status is Status.KNOWN else status.value
            line.append(
                f"{', ' if len(line) else ''}{count} {words}", style=_STYLES[status] if count else "dim"
            )
    return line
