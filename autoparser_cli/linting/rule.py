"""What a lint rule is, and what it finds.

A rule is a function from a `Subject` to hits, with the words that explain it. A hit is in the template's own
terms; a violation
is the same in the file's terms, with a fingerprint that survives moved lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import TYPE_CHECKING, Any

from autoparser_cli.frozen import frozen

if TYPE_CHECKING:
    from autoparser_cli.linting.subject import Subject


class Severity(Enum):
    """How bad a finding is: broken for its users, wrong for some of them, good to know."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """Order severities: the higher the worse."""
        return {"error": 2, "warning": 1, "info": 0}[self.value]


@frozen
class Edit:
    """Replace `source[start:end]` of the template by `text`."""

    start: int
    end: int
    text: str


@frozen
class Hit:
    """One thing that a rule found. `line` is of the template, None where the template as a whole is meant.

    `key` tells hits of one rule on one line apart where the message may change (a count, another line's
    number).
    """

    message: str
    line: int | None = None
    end_line: int | None = None
    column: int | None = None
    key: str = ""
    severity: Severity | None = None
    edits: tuple[Edit, ...] = ()


Check = Callable[["Subject"], Iterable[Hit]]


@frozen
class Rule:
    """A rule and its explanation. `code` is stable and never used for anything else; `fixable`: hits may
    bring edits.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    why: str
    example: str
    instead: str
    check: Check
    fixable: bool = False

    @property
    def group(self) -> str:
        """Name the group that the code's first digit stands for."""
        return GROUPS.get(self.code[2], "")


#: The first digit of a code -> what rules of that group are about.
GROUPS = {"0": "renders", "1": "parses back", "2": "portable", "3": "tokens", "4": "safe", "9": "lint itself"}


def rule(
    code: str,
    name: str,
    severity: Severity,
    *,
    summary: str,
    why: str,
    example: str,
    instead: str,
    fixable: bool = False,
) -> Callable[[Check], Rule]:
    """Make a rule of a check function."""

    def make(check: Check) -> Rule:
        return Rule(code, name, severity, summary, why, example, instead, check, fixable)

    return make


class NotEvaluatedError(Exception):
    """A rule could not judge the template; the text says why. Never the same as finding nothing."""


class NotInstalledError(NotEvaluatedError):
    """A rule needs an optional package that is not there; said, but not held against the template."""


@frozen
class Violation:
    """A hit in a file. Lines and columns are 1-based and of the file; `template_line` is of the template
    inside it.
    """

    code: str
    name: str
    severity: Severity
    path: str
    line: int
    end_line: int
    column: int | None
    message: str
    instead: str
    fingerprint: str
    template_line: int | None = None
    variant: str = ""
    edits: tuple[Edit, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the violation as JSON types."""
        return {
            "code": self.code,
            "name": self.name,
            "severity": self.severity.value,
            "path": self.path,
            "line": self.line,
            "end_line": self.end_line,
            "column": self.column,
            "template_line": self.template_line,
            "variant": self.variant,
            "message": self.message,
            "instead": self.instead,
            "fingerprint": self.fingerprint,
            "fixable": bool(self.edits),
        }


@frozen
class NotEvaluated:
    """Rules that could not judge a template, and why; `optional` where a package is missing."""

    codes: tuple[str, ...]
    reason: str
    variant: str = ""
    optional: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the gap as JSON types."""
        return {
            "codes": list(self.codes),
            "reason": self.reason,
            "variant": self.variant,
            "optional": self.optional,
        }
