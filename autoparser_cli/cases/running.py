"""Cases -> a report: grouped by template, so that each is analysed once, in one or more processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from autoparser_cli.cases.engine import Engine, TemplateEngine
from autoparser_cli.cases.judging import judge, result_of
from autoparser_cli.cases.known import KnownDisagreement
from autoparser_cli.cases.model import JUDGED_KINDS, Case, CaseResult, RunReport, Status, TemplateRef
from autoparser_cli.cases.reading import read_cases
from autoparser_cli.errors import AutoparserError
from autoparser_cli.frozen import frozen
from autoparser_cli.inference.limits import memory_limit
from autoparser_cli.inference.processes import run_all

#: Makes a template's engine; must be importable by name where there is more than one process.
EngineLoader = Callable[[TemplateRef], Engine]

#: Told after each template: the cases done so far, and all of them.
Progress = Callable[[int, int], None]


@frozen
class RunOptions:
    """How to run; `select` has texts that all must stand in a case's id, file, template, kind or tags."""

    chunks: bool = True
    select: tuple[str, ...] = ()
    fail_fast: bool = False
    jobs: int | None = None
    known: tuple[KnownDisagreement, ...] = ()


def run_paths(
    paths: Iterable[Path],
    options: RunOptions = RunOptions(),
    *,
    loader: EngineLoader = TemplateEngine.load,
    progress: Progress | None = None,
) -> RunReport:
    """Run all case files. Raise CaseError for a path that is none."""
    cases, invalid = read_cases(paths)
    wanted = [case for case in cases if selected(case, options.select)]
    broken = [result for result in invalid if not options.select or _names(result, options.select)]
    report = run_cases(wanted, options, loader=loader, progress=progress)
    return _in_file_order(RunReport((*broken, *report.results), report.unrun), [*cases], invalid)


def run_cases(
    cases: Sequence[Case],
    options: RunOptions = RunOptions(),
    *,
    loader: EngineLoader = TemplateEngine.load,
    progress: Progress | None = None,
) -> RunReport:
    """Run cases that have been read; the results come in the order of `cases`."""
    results: list[CaseResult] = []
    for group_results in _run_groups(cases, options, loader):
        results += group_results
        if progress is not None:
            progress(len(results), len(cases))
        if options.fail_fast and any(result.status is Status.FAILED for result in results):
            results = _up_to_failure(results)
            break
    places = {(case.file, case.where): number for number, case in enumerate(cases)}
    results.sort(key=lambda result: places[result.file, result.where])
    return RunReport(tuple(results), unrun=len(cases) - len(results))


def selected(case: Case, texts: Sequence[str]) -> bool:
    """Tell whether each text stands in the case's id, file, template, kind or tags, in any letter case."""
    words = "\n".join((case.id, case.file, case.template.label, f"kind={case.kind}", *case.tags)).lower()
    return all(text.lower() in words for text in texts)


def run_group(cases: Sequence[Case], options: RunOptions, loader: EngineLoader) -> list[CaseResult]:
    """Judge the cases of one template; where the template cannot be loaded, each of them is invalid."""
    known = {(entry.file, entry.id): entry for entry in options.known}
    results: list[CaseResult] = []
    engine: Engine | None = None
    for case in cases:
        if case.kind not in JUDGED_KINDS:
            results.append(result_of(case, Status.SKIPPED, f"cases of kind {case.kind} are not judged"))
            continue
        try:
            engine = engine or loader(case.template)
        except AutoparserError as error:
            results.append(result_of(case, Status.INVALID, f"{case.where}: {error}"))
            continue
        with memory_limit():
            result = _set_apart(judge(case, engine, chunks=options.chunks), known)
        results.append(result)
        if options.fail_fast and result.status is Status.FAILED:
            break
    return results


def _names(result: CaseResult, texts: Sequence[str]) -> bool:
    return all(text.lower() in f"{result.id}\n{result.file}".lower() for text in texts)


def _in_file_order(report: RunReport, cases: Sequence[Case], invalid: Sequence[CaseResult]) -> RunReport:
    """Sort the results by the files' order; broken cases stand first in their file."""
    files = dict.fromkeys([*(case.file for case in cases), *(result.file for result in invalid)])
    order = {file: number for number, file in enumerate(sorted(files))}
    results = sorted(report.results, key=lambda result: order[result.file])
    return RunReport(tuple(results), report.unrun)


def _run_groups(
    cases: Sequence[Case], options: RunOptions, loader: EngineLoader
) -> Iterator[list[CaseResult]]:
    groups: dict[TemplateRef, list[Case]] = {}
    for case in cases:
        groups.setdefault(case.template, []).append(case)
    judge_group = partial(run_group, options=options, loader=loader)
    for _, results in run_all(judge_group, [*groups.values()], lost=_lost, jobs=options.jobs, weight=len):
        yield results


def _lost(cases: Sequence[Case]) -> list[CaseResult]:
    reason = "the process that ran it ended (out of memory?)"
    return [result_of(case, Status.INVALID, f"{case.where}: {reason}") for case in cases]


def _set_apart(result: CaseResult, known: dict[tuple[str, str], KnownDisagreement]) -> CaseResult:
    entry = known.get((Path(result.file).name, result.id))
    if entry is None or result.status is not Status.FAILED:
        return result
    return replace(result, status=Status.KNOWN, reason=entry.reason)


def _up_to_failure(results: list[CaseResult]) -> list[CaseResult]:
    first = next(number for number, result in enumerate(results) if result.status is Status.FAILED)
    return results[: first + 1]
