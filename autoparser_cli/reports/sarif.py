"""A lint report -> SARIF 2.1.0, which GitHub's code scanning and most editors read.

What could not be evaluated is a notification of the run, and the run is then not successful: it is never only
missing.
"""

from __future__ import annotations

import json
from typing import Any

from autoparser_cli import __version__
from autoparser_cli.linting.report import LintReport
from autoparser_cli.linting.rule import Rule, Severity, Violation
from autoparser_cli.linting.rules import all_rules
from autoparser_cli.reports.lint_text import listed_codes, with_advice

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def to_sarif(report: LintReport) -> str:
    """Return the report as SARIF text."""
    rules = all_rules()
    index = {rule.code: number for number, rule in enumerate(rules)}
    results = [_result(item, index) for item in report.violations]
    results += [
        {**_result(item, index), "suppressions": [{"kind": "inSource"}]}
        for file in report.files
        for item in file.excused
    ]
    results += [{**_result(item, index), "suppressions": [{"kind": "external"}]} for item in report.known]
    driver = {
        "name": "autoparser",
        "semanticVersion": __version__,
        "rules": [_descriptor(rule) for rule in rules],
    }
    notifications = _notifications(report)
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not any(note["level"] == "error" for note in notifications),
                "exitCode": report.exit_code,
                "toolExecutionNotifications": notifications,
            }
        ],
        "results": results,
    }
    return (
        json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False)
        + "\n"
    )


def _descriptor(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.why},
        "help": {"text": f"{rule.why}\n\nExample: {rule.example}\n\nInstead: {rule.instead}"},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": [rule.group]},
    }


def _result(item: Violation, index: dict[str, int]) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": item.line, "endLine": item.end_line}
    if item.column is not None:
        region["startColumn"] = item.column
    location = {"artifactLocation": {"uri": _uri(item.path)}, "region": region}
    return {
        "ruleId": item.code,
        "ruleIndex": index[item.code],
        "level": _LEVELS[item.severity],
        "message": {"text": with_advice(item)},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"autoparser/v1": item.fingerprint},
    }


def _notifications(report: LintReport) -> list[dict[str, Any]]:
    notes = [_notification(text, "", "error") for text in report.missing]
    for file in report.files:
        if file.error or file.internal:
            notes.append(_notification(file.error or f"internal error: {file.internal}", file.path, "error"))
        for gap in file.not_evaluated:
            text = f"not evaluated: {listed_codes(gap.codes)}: {gap.reason}"
            notes.append(_notification(text, file.path, "note" if gap.optional else "error"))
    return notes


def _notification(text: str, path: str, level: str) -> dict[str, Any]:
    note: dict[str, Any] = {"level": level, "message": {"text": text}}
    if path:
        note["locations"] = [{"physicalLocation": {"artifactLocation": {"uri": _uri(path)}}}]
    return note


def _uri(path: str) -> str:
    from urllib.parse import quote

    return quote(path.encode("utf-8", "surrogateescape"))  # a name may hold any bytes
