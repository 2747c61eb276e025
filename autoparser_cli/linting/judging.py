"""One file -> its report: each of its templates, each wanted rule, under one time limit; then what its author
has excused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from autoparser_cli.errors import AutoparserError, ResourceLimitError, TemplateSyntaxError
from autoparser_cli.frozen import frozen
from autoparser_cli.inference.limits import memory_limit, time_limit
from autoparser_cli.linting.baseline import fingerprint
from autoparser_cli.linting.config import LintConfig
from autoparser_cli.linting.files import TemplateFile, template_line_in_file
from autoparser_cli.linting.report import FileReport
from autoparser_cli.linting.rule import (
    Hit,
    NotEvaluated,
    NotEvaluatedError,
    NotInstalledError,
    Rule,
    Violation,
)
from autoparser_cli.linting.rules import all_rules
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.suppressions import apply_suppressions, judge_suppressions, read_suppressions
from autoparser_cli.templates import ChatTemplate
from autoparser_cli.templates.source import read_source

#: Groups in the order in which they run: what needs only the text first, so that a slow template loses least.
_GROUP_ORDER = "42301"


@dataclass
class _Judgement:
    """What the rules say of one template, as it grows."""

    found: list[tuple[str, Hit]] = field(default_factory=list)
    evaluated: list[str] = field(default_factory=list)
    gaps: dict[tuple[str, bool], list[str]] = field(default_factory=dict)
    internal: str = ""
    too_much: str = ""

    def miss(self, code: str, reason: str, *, optional: bool = False) -> None:
        self.gaps.setdefault((reason, optional), []).append(code)


class _TimeIsUp(BaseException):
    """Not an Exception: nothing between here and there may take it for one of its own."""


def judge_file(file: TemplateFile, config: LintConfig) -> FileReport:
    """Judge one file. Never raise: what goes wrong is in the report."""
    try:
        templates = load_templates(file)
    except AutoparserError as error:
        return FileReport(file.shown, error=str(error))
    report = FileReport(file.shown)
    for variant, template in templates.items():
        one = _judge_template(file, variant if len(templates) > 1 else "", template, config)
        report = FileReport(
            file.shown,
            report.violations + one.violations,
            report.excused + one.excused,
            report.not_evaluated + one.not_evaluated,
            internal=report.internal or one.internal,
        )
    return report


def load_templates(file: TemplateFile) -> dict[str, ChatTemplate]:
    """Read the templates in a file by name, without compiling them. Raise SourceError."""
    kept = read_source(file.path)
    variants: dict[str, ChatTemplate] = {}
    for name, text in kept.templates.items():
        variants[name] = ChatTemplate(file.shown, text, kept.special_tokens, variants)
    return variants


def _judge_template(
    file: TemplateFile, variant: str, template: ChatTemplate, config: LintConfig
) -> FileReport:
    rules = [rule for rule in all_rules() if config.wants(rule.code, file.shown, file.in_project)]
    rules.sort(key=lambda rule: (_GROUP_ORDER.find(rule.code[2]), rule.code))
    subject = Subject(template, config.engines, file.path, config.cache)
    judgement = _Judgement()
    _run_rules(rules, subject, judgement, config.seconds)
    suppressions = read_suppressions(template.source)
    kept, excused, used = apply_suppressions(judgement.found, suppressions)
    own = judge_suppressions(suppressions, used, [rule.code for rule in all_rules()], judgement.evaluated)
    kept += [(code, hit) for code, hit in own if config.wants(code, file.shown, file.in_project)]
    place = _Place(file, variant, template.source.split("\n"), template_line_in_file(file.path))
    gaps = [
        NotEvaluated(tuple(codes), reason, variant, optional)
        for (reason, optional), codes in judgement.gaps.items()
    ]
    found, accepted = place.violations(kept), place.violations(excused)
    return FileReport(file.shown, found, accepted, tuple(gaps), internal=judgement.internal)


def _run_rules(rules: Sequence[Rule], subject: Subject, judgement: _Judgement, seconds: float) -> None:
    try:
        with memory_limit(), time_limit(seconds, _TimeIsUp):
            for rule in rules:
                if judgement.too_much:
                    judgement.miss(rule.code, judgement.too_much)
                else:
                    _run_rule(rule, subject, judgement)
                judgement.evaluated.append(rule.code)
    except _TimeIsUp:
        for rule in rules[len(judgement.evaluated) :]:
            judgement.miss(rule.code, f"not finished after {seconds:g} s")
    for code in {code for codes in judgement.gaps.values() for code in codes}.intersection(
        judgement.evaluated
    ):
        judgement.evaluated.remove(code)


def _run_rule(rule: Rule, subject: Subject, judgement: _Judgement) -> None:
    try:
        judgement.found += [(rule.code, hit) for hit in rule.check(subject)]
    except NotInstalledError as gap:
        judgement.miss(rule.code, str(gap), optional=True)
    except NotEvaluatedError as gap:
        judgement.miss(rule.code, str(gap))
    except TemplateSyntaxError:
        judgement.miss(rule.code, "the template does not compile")
    except (ResourceLimitError, MemoryError, RecursionError) as error:
        judgement.too_much = f"the template takes too much: {error}"
        judgement.miss(rule.code, judgement.too_much)
    except Exception as error:  # a broken rule must not take the others with it
        judgement.internal = judgement.internal or f"{rule.code}: {type(error).__name__}: {error}"
        judgement.miss(rule.code, "a bug in autoparser")


@frozen
class _Place:
    """Where a template stands: in which file, under which name, and on which line of a JSON file."""

    file: TemplateFile
    variant: str
    lines: Sequence[str]
    json_line: int | None

    def violations(self, found: Sequence[tuple[str, Hit]]) -> tuple[Violation, ...]:
        """Turn hits into violations in the file's lines, in their order."""
        rules = {rule.code: rule for rule in all_rules()}
        ordered = sorted(found, key=lambda item: (item[1].line or 0, item[0], item[1].key, item[1].message))
        seen: Counter[tuple[str, str, str]] = Counter()
        violations = []
        for code, hit in ordered:
            line_text = self.lines[hit.line - 1] if hit.line and hit.line <= len(self.lines) else ""
            same = (code, line_text, hit.key)
            violations.append(self._violation(rules[code], hit, line_text, seen[same]))
            seen[same] += 1
        return tuple(violations)

    def _violation(self, rule: Rule, hit: Hit, line_text: str, ordinal: int) -> Violation:
        line = hit.line or 1
        end_line = max(line, hit.end_line or line)
        in_json = self.json_line is not None
        message, path = hit.message, self.file.in_project or self.file.shown
        if self.json_line is not None:
            where = f" (line {hit.line} of the template)" if hit.line else ""
            message, line, end_line = f"{message}{where}", self.json_line, self.json_line
        return Violation(
            code=rule.code,
            name=rule.name,
            severity=hit.severity or rule.severity,
            path=self.file.shown,
            line=line,
            end_line=end_line,
            column=None if in_json else hit.column,
            message=f"{self.variant}: {message}" if self.variant else message,
            instead=rule.instead,
            fingerprint=fingerprint(rule.code, path, self.variant, line_text, hit.key, ordinal),
            template_line=hit.line,
            variant=self.variant,
            edits=() if in_json else hit.edits,
        )
