"""A lint report -> lines for people and for `grep`: `path:line:column: CODE message`, plain text without
colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from autoparser_cli.linting.report import FileReport, LintReport
from autoparser_cli.linting.rule import Rule, Violation

#: More codes than this are counted, not named.
_MOST_CODES = 8


def to_concise(report: LintReport) -> str:
    """Return one line a finding, and one for everything that could not be judged."""
    findings = (concise_line(item) for item in report.violations)
    lines = [*_unread(report), *findings, *_gaps(report), *optional_lines(report)]
    return "".join(f"{line}\n" for line in lines)


def concise_line(item: Violation) -> str:
    """Write a finding on one line."""
    place = f"{item.path}:{item.line}" if item.column is None else f"{item.path}:{item.line}:{item.column}"
    return f"{place}: {item.code} [{item.severity.value}] {one_line(item.message)}"


def summary_line(report: LintReport) -> str:
    """Say in one line what was found, and what was not evaluated."""
    summary = report.to_dict()["summary"]
    found = summary["findings"]
    states = summary["states"]
    parts = [_counted(len(report.files), "template file")]
    parts.append(", ".join(_counted(found[kind], kind) for kind in ("error", "warning", "info")))
    parts.append(f"{states.get('clean', 0)} clean")
    partly = sum(any(not gap.optional for gap in file.not_evaluated) for file in report.files)
    if partly:
        parts.append(f"{partly} not fully evaluated")
    unread = len(report.missing) + states.get("error", 0)
    if unread:
        parts.append(f"{unread} could not be read or judged")
    fixable = sum(bool(item.edits) for item in report.violations)
    if fixable:
        parts.append(f"{fixable} fixable with --fix")
    if report.known:
        parts.append(f"{len(report.known)} in the baseline")
    return "; ".join(parts)


def statistics_lines(report: LintReport) -> list[str]:
    """Return a table: code, name, findings, files."""
    rows = [("code", "rule", "findings", "files")]
    rows += [(code, name, str(count), str(files)) for code, name, count, files in report.statistics()]
    widths = [max(len(row[at]) for row in rows) for at in range(4)]
    return [
        f"{row[0]:<{widths[0]}}  {row[1]:<{widths[1]}}  {row[2]:>{widths[2]}}  {row[3]:>{widths[3]}}"
        for row in rows
    ]


def rule_text(rule: Rule) -> str:
    """Explain a rule."""
    fixable = "\n`autoparser lint --fix` does it where it changes no render.\n" if rule.fixable else ""
    return (
        f"{rule.code} {rule.name} ({rule.severity.value}; {rule.group})\n\n"
        f"{rule.summary}\n\nWhy it matters\n  {rule.why}\n\nExample\n  {rule.example}\n\nInstead\n  "
        f"{rule.instead}\n{fixable}"
    )


def gap_lines(file: FileReport) -> Iterator[str]:
    """Yield a line for everything in a file that could not be judged."""
    if file.error:
        yield f"could not be read: {file.error}"
    if file.internal:
        yield f"internal error, a bug in autoparser: {file.internal}"
    for gap in file.not_evaluated:
        if not gap.optional:
            yield f"not evaluated: {listed_codes(gap.codes)}: {one_line(gap.reason)}"


def optional_lines(report: LintReport) -> list[str]:
    """Return a line for each rule that missed an optional package: one for all files."""
    gaps = [gap for gap in report.gaps if gap.optional]
    return list(dict.fromkeys(f"not run: {listed_codes(gap.codes)}: {one_line(gap.reason)}" for gap in gaps))


def with_advice(item: Violation) -> str:
    """Return what was found and what to do, as sentences."""
    return f"{item.message.rstrip('.')}. {item.instead}"


def listed_codes(codes: Sequence[str]) -> str:
    """Name a few codes, and count many."""
    if not codes:
        return "all rules"
    return ", ".join(codes) if len(codes) <= _MOST_CODES else f"{len(codes)} rules"


def one_line(text: str) -> str:
    """Put a message of several lines on one."""
    return " ".join(text.split())


def _unread(report: LintReport) -> Iterator[str]:
    yield from report.missing


def _gaps(report: LintReport) -> Iterator[str]:
    for file in report.files:
        for line in gap_lines(file):
            yield f"{file.path}: {line}"


def _counted(count: int, name: str) -> str:
    return f"{count} {name}{'' if count == 1 else 's'}"
