"""A lint report -> GitLab's code quality report: a JSON list of findings with fingerprints."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from autoparser_cli.linting.report import FileReport, LintReport
from autoparser_cli.linting.rule import Severity, Violation
from autoparser_cli.reports.lint_text import listed_codes, with_advice

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.INFO: "info"}


def to_gitlab(report: LintReport) -> str:
    """Return the report as JSON text; what could not be judged is an entry of its own."""
    entries = [_gap("not-found", text, text.split(":", 1)[0], "blocker") for text in report.missing]
    for file in report.files:
        entries += [_entry(item) for item in file.violations]
        entries += _gaps(file)
    return json.dumps(entries, indent=2, ensure_ascii=False) + "\n"


def _entry(item: Violation) -> dict[str, Any]:
    return {
        "description": f"{item.code} {with_advice(item)}",
        "check_name": f"{item.code} {item.name}",
        "fingerprint": item.fingerprint,
        "severity": _SEVERITIES[item.severity],
        "location": {"path": item.path, "lines": {"begin": item.line, "end": item.end_line}},
    }


def _gaps(file: FileReport) -> list[dict[str, Any]]:
    gaps = []
    if file.error or file.internal:
        gaps.append(_gap("error", file.error or f"internal error: {file.internal}", file.path, "blocker"))
    for gap in file.not_evaluated:
        text = f"not evaluated: {listed_codes(gap.codes)}: {gap.reason}"
        gaps.append(_gap("not-evaluated", text, file.path, "info" if gap.optional else "major"))
    return gaps


def _gap(name: str, text: str, path: str, severity: str) -> dict[str, Any]:
    return {
        "description": text,
        "check_name": name,
        "fingerprint": hashlib.sha256(f"{name}\0{path}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()[
            :32
        ],
        "severity": severity,
        "location": {"path": path, "lines": {"begin": 1}},
    }
