"""Cases and their results: a recorded output, the message it means, and how a parse of it was judged.

Plain frozen values that can be sent to another process; reading, judging and drawing are elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from pathlib import Path
from typing import Any

from autoparser_cli.frozen import frozen

#: The kinds of cases that can be judged; others are skipped and counted.
PARSE_KINDS = frozenset({"parse", "stream"})
#: `feature` is judged by its output where it has one, else by what the analysis says; `lint` by what is
#: rendered and parsed: what a linter finds is not a matter of outputs.
JUDGED_KINDS = PARSE_KINDS | {"analysis", "render", "grammar", "lint", "feature"}

DEFAULT_MESSAGES: tuple[Mapping[str, Any], ...] = ({"role": "user", "content": "Hello"},)


@frozen
class TemplateRef:
    """Where a case's template is: a file, or the source itself."""

    path: Path | None = None
    source: str | None = None

    @property
    def label(self) -> str:
        """The name to show."""
        return self.path.name if self.path is not None else "(inline)"


@frozen
class ExpectedCall:
    """A call to expect; `arguments` is a parsed JSON value.

    In a case with more to come, `arguments_text` is what the text starts with. `id` None: any id is right.
    """

    name: str
    arguments: Any = None
    arguments_text: str | None = None
    id: str | None = None


@frozen
class ExpectedMessage:
    """A message to expect; None for a text that is not compared."""

    content: str | None = ""
    reasoning: str | None = ""
    calls: tuple[ExpectedCall, ...] = ()


@frozen
class ExpectedError:
    """No valid call exists: any of `accept` is right, which has `no_tool_calls`, `content_passthrough`,
    `exception`."""

    reason: str
    accept: tuple[str, ...]


@frozen
class StrictError:
    """The strict result is an error, at `offset` where that is given."""

    offset: int | None = None


@frozen
class More:
    """Further expectations: what is not judged of `expect_more` is not here.

    `error_allowed`: the strict result may be an error. `recognised`: the strict message up to its error, and
    `unparsed_start` what the tail that was not used begins with. `facts` is the whole structure, for kinds other than
    parsing.
    """

    strict_error: StrictError | None = None
    error_allowed: bool = False
    lenient: ExpectedMessage | None = None
    recognised: ExpectedMessage | None = None
    unparsed_start: str = ""
    content_in_order: tuple[str, ...] = ()
    reasoning_in_order: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


@frozen
class Generator:
    """How a long output is made: one call to the first tool, with one long and one short text argument."""

    path: str
    content_chars: int
    chunk_chars: int
    seconds: float | None = None
    ratio: float | None = None


@frozen
class CaseOptions:
    """How the output was asked for; None where the case does not say."""

    tool_choice: str | Mapping[str, Any] | None = None
    parallel_tool_calls: bool | None = None
    reasoning_format: str | None = None
    json_schema: Mapping[str, Any] | None = None
    add_generation_prompt: bool = True
    continue_final_message: str | None = None


@frozen
class Case:
    """One recorded output and what it means.

    `output` is None only for kinds that need none, or where `generator` stands for it. `rendered`: the case
    was made by rendering its template, so the rendered prompt must end with the recorded one.
    """

    id: str
    file: str
    where: str
    template: TemplateRef
    kind: str = "parse"
    template_kwargs: Mapping[str, Any] = field(default_factory=dict)
    messages: tuple[Mapping[str, Any], ...] = DEFAULT_MESSAGES
    tools: tuple[Mapping[str, Any], ...] = ()
    options: CaseOptions = CaseOptions()
    generation_prompt: str | None = None
    output: str | None = None
    generator: Generator | None = None
    chunks: tuple[str, ...] = ()
    chunking: str = ""
    partial: bool = False
    truncated: bool = False
    stop: tuple[str, ...] = ()
    never_leak: tuple[str, ...] = ()
    expect: ExpectedMessage | None = None
    expect_error: ExpectedError | None = None
    more: More = More()
    exact: frozenset[str] = frozenset()
    rendered: bool = False
    probe: tuple[Mapping[str, Any], ...] = ()
    tags: tuple[str, ...] = ()


class Status(Enum):
    """How a case ended; KNOWN is a failure that the list of known disagreements has."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    KNOWN = "known"
    INVALID = "invalid"


@frozen
class CaseResult:
    """How one case was judged; `expected` and `got` are texts to put side by side, or empty.

    `error` is what the parser said. `prompt_checked` and `prompt_ok` tell of the rendered prompt's end.
    """

    id: str
    file: str
    where: str
    template: str
    kind: str
    status: Status
    reason: str = ""
    expected: str = ""
    got: str = ""
    error: str = ""
    prompt_checked: bool = False
    prompt_ok: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the result as an entry of the JSON report."""
        entry = {"id": self.id, "file": self.file, "status": self.status.value, "reason": self.reason}
        details = {"expected": self.expected, "got": self.got, "error": self.error}
        return entry | {key: text for key, text in details.items() if text}


@frozen
class RunReport:
    """The results of a run, in the order of the files; `unrun` cases were left out after a first failure."""

    results: tuple[CaseResult, ...]
    unrun: int = 0

    def count(self, *statuses: Status) -> int:
        """Count the results that have one of the statuses."""
        return sum(result.status in statuses for result in self.results)

    @property
    def exit_code(self) -> int:
        """0: all passed. 1: some failed. 2: some could not be run, or there was none."""
        if not self.results or self.count(Status.INVALID):
            return 2
        return 1 if self.count(Status.FAILED) else 0

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON report."""
        return {
            **{status.value: self.count(status) for status in Status},
            "cases": [result.to_dict() for result in self.results],
        }
