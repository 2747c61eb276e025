"""A lint report -> GitHub's workflow commands, which annotate the lines of a pull request.

::error file=a.jinja,line=3,endLine=3,col=5,title=AP202 numeric-attribute::.0 is refused by llama.cpp
"""

from __future__ import annotations

from autoparser_cli.linting.report import LintReport
from autoparser_cli.linting.rule import Severity, Violation
from autoparser_cli.reports.lint_text import listed_codes, with_advice

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def to_github(report: LintReport) -> str:
    """Return one command a line; what could not be judged is a command, too."""
    lines = [_whole_file("error", text.split(":", 1)[0], "not found", text) for text in report.missing]
    told: set[str] = set()
    for file in report.files:
        lines += [_annotation(item) for item in file.violations]
        if file.error or file.internal:
            title = "could not be read" if file.error else "internal error"
            lines.append(_whole_file("error", file.path, title, file.error or file.internal))
        for gap in file.not_evaluated:
            text = f"{listed_codes(gap.codes)}: {gap.reason}"
            if not gap.optional:
                lines.append(_whole_file("warning", file.path, "not evaluated", text))
            elif text not in told:
                told.add(text)  # a missing package is one notice, not one a file
                lines.append(_whole_file("notice", file.path, "not run", text))
    return "".join(f"{line}\n" for line in lines)


def _annotation(item: Violation) -> str:
    properties = {"file": item.path, "line": str(item.line), "endLine": str(item.end_line)}
    if item.column is not None:
        properties["col"] = str(item.column)
    properties["title"] = f"{item.code} {item.name}"
    return _command(_COMMANDS[item.severity], properties, with_advice(item))


def _whole_file(name: str, path: str, title: str, text: str) -> str:
    return _command(name, {"file": path, "line": "1", "endLine": "1", "title": title}, text)


def _command(name: str, properties: dict[str, str], text: str) -> str:
    listed = ",".join(f"{key}={_escape(value, ':,')}" for key, value in properties.items())
    return f"::{name} {listed}::{_escape(text)}"


def _escape(text: str, more: str = "") -> str:
    """Escape as the runner's toolkit does: what ends a command, and in properties what ends a property."""
    for character in f"%\r\n{more}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text
