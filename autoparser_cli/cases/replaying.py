"""Outputs recorded for one template -> what two templates, an old and a new one, make of them.

Only cases of either template are replayed: those whose template has the same source. Behind the new
template's prompt the output may mean something else; so the new parser gets the prompt that the new
template renders, not the recorded one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autoparser_cli.analysis.model import TemplateAnalysis
from autoparser_cli.cases.engine import Engine, TemplateEngine
from autoparser_cli.cases.model import PARSE_KINDS, Case, CaseResult, Status, TemplateRef
from autoparser_cli.cases.reading import read_cases
from autoparser_cli.cases.running import EngineLoader, RunOptions, run_group
from autoparser_cli.comparison.model import RecordedDifference
from autoparser_cli.errors import AutoparserError, CaseError
from autoparser_cli.frozen import frozen
from autoparser_cli.templates import ChatTemplate


@frozen
class Replay:
    """The outputs tried with both templates, and those that the two read differently."""

    tried: int
    differences: tuple[RecordedDifference, ...]


@dataclass(frozen=True)
class AnalysedTemplate(TemplateEngine):
    """An engine whose analysis is already there."""

    known: TemplateAnalysis

    @property
    def analysis(self) -> TemplateAnalysis:
        """What the template's analysis found."""
        return self.known


def replay(
    paths: Iterable[Path],
    templates: tuple[ChatTemplate, ChatTemplate],
    analyses: tuple[TemplateAnalysis, TemplateAnalysis],
) -> Replay:
    """Run the cases of two templates with both. Raise CaseError for a file without any of theirs."""
    files = tuple(paths)
    cases, invalid = read_cases(files)
    if invalid:
        raise CaseError(invalid[0].reason)
    engines = [AnalysedTemplate(*pair) for pair in zip(templates, analyses, strict=True)]
    return replay_cases(tuple(_recorded_for(cases, templates)), engines, where=", ".join(map(str, files)))


def replay_cases(cases: Sequence[Case], engines: Sequence[Engine], *, where: str = "") -> Replay:
    """Run cases with an old and a new engine and compare the results."""
    if not cases:
        raise CaseError(
            f"{where}: no output in it was recorded for either template",
            hint="A case belongs to a template where its `template` has the same source.",
        )
    old, new = engines
    options = RunOptions(chunks=False)
    before = run_group(cases, options, _always(old))
    after = run_group([_without_prompt(case) for case in cases], options, _always(new))
    return Replay(len(cases), tuple(_differences(before, after)))


def _recorded_for(cases: Iterable[Case], templates: Sequence[ChatTemplate]) -> Iterator[Case]:
    sources = {template.source for template in templates}
    known: dict[TemplateRef, bool] = {}
    for case in cases:
        if case.template not in known:
            known[case.template] = _source(case.template) in sources
        if known[case.template] and case.kind in PARSE_KINDS:
            yield case


def _source(ref: TemplateRef) -> str | None:
    """Return the source of a case's template; a template that is gone is none of the two."""
    try:
        return TemplateEngine.load(ref).template.source
    except AutoparserError:
        return None


def _without_prompt(case: Case) -> Case:
    return replace(case, generation_prompt=None, rendered=False)


def _always(engine: Engine) -> EngineLoader:
    return lambda _: engine


def _differences(before: Sequence[CaseResult], after: Sequence[CaseResult]) -> Iterator[RecordedDifference]:
    for old, new in zip(before, after, strict=True):
        passed = old.status is Status.PASSED, new.status is Status.PASSED
        if old.status is not new.status or (not any(passed) and (old.got, old.error) != (new.got, new.error)):
            told = old if passed[1] else new
            yield RecordedDifference(old.id, *passed, told.reason or told.error)
