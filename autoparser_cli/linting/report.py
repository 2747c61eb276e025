"""What a lint run gives: a report for each file, and the exit code that follows."""

from __future__ import annotations

from collections import Counter
from typing import Any

from autoparser_cli.frozen import frozen
from autoparser_cli.linting.rule import NotEvaluated, Severity, Violation


@frozen
class FileReport:
    """One file. `error`: it could not be read; `internal`: a rule broke, which is a bug in autoparser."""

    path: str
    violations: tuple[Violation, ...] = ()
    excused: tuple[Violation, ...] = ()
    not_evaluated: tuple[NotEvaluated, ...] = ()
    error: str = ""
    internal: str = ""

    @property
    def state(self) -> str:
        """Tell `clean` from `findings`, and both from `not evaluated`."""
        if self.error or self.internal:
            return "error"
        if self.violations:
            return "findings"
        return "not evaluated" if any(not gap.optional for gap in self.not_evaluated) else "clean"

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON types."""
        return {
            "path": self.path,
            "state": self.state,
            "violations": [item.to_dict() for item in self.violations],
            "suppressed": [item.to_dict() for item in self.excused],
            "not_evaluated": [gap.to_dict() for gap in self.not_evaluated],
            "error": self.error or self.internal or None,
        }


@frozen
class LintReport:
    """A whole run. `known`: findings that the baseline has; `missing`: paths that are not there."""

    files: tuple[FileReport, ...]
    known: tuple[Violation, ...] = ()
    missing: tuple[str, ...] = ()
    fail_on: Severity = Severity.WARNING

    @property
    def violations(self) -> tuple[Violation, ...]:
        """Return all findings that count."""
        return tuple(item for file in self.files for item in file.violations)

    @property
    def gaps(self) -> tuple[NotEvaluated, ...]:
        """Return everything that was not evaluated."""
        return tuple(gap for file in self.files for gap in file.not_evaluated)

    @property
    def exit_code(self) -> int:
        """0 clean, 1 findings of `fail_on` or worse, 2 something could not be judged, 3 a bug."""
        if any(file.internal for file in self.files):
            return 3
        if any(item.severity.rank >= self.fail_on.rank for item in self.violations):
            return 1
        unread = self.missing or any(file.error for file in self.files)
        return 2 if unread or any(not gap.optional for gap in self.gaps) else 0

    def statistics(self) -> list[tuple[str, str, int, int]]:
        """Count findings by rule: code, name, findings, files; most first."""
        found = Counter((item.code, item.name) for item in self.violations)
        files = Counter(key for file in self.files for key in {(v.code, v.name) for v in file.violations})
        return [(code, name, count, files[code, name]) for (code, name), count in found.most_common()]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON types."""
        severities = Counter(item.severity.value for item in self.violations)
        states = Counter(file.state for file in self.files)
        return {
            "exit_code": self.exit_code,
            "summary": {
                "files": len(self.files),
                "states": dict(sorted(states.items())),
                "findings": {severity.value: severities[severity.value] for severity in Severity},
                "in_baseline": len(self.known),
            },
            "missing": list(self.missing),
            "files": [file.to_dict() for file in self.files],
        }
