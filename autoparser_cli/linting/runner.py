"""Paths and a configuration -> a lint report: files in parallel, then the baseline."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from autoparser_cli.errors import InputError
from autoparser_cli.inference.processes import run_all
from autoparser_cli.linting.baseline import read_baseline, split_known
from autoparser_cli.linting.config import LintConfig, check_config
from autoparser_cli.linting.files import TemplateFile, find_files, has_template
from autoparser_cli.linting.kept import judge_or_recall
from autoparser_cli.linting.report import FileReport, LintReport
from autoparser_cli.linting.rule import NotEvaluated, Violation

#: Told after each file: the files done so far, and all of them.
Progress = Callable[[int, int], None]


def lint(
    paths: Sequence[Path],
    config: LintConfig | None = None,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> LintReport:
    """Lint all templates under `paths`. Raise InputError for a configuration that names what there is not,
    and for no template.
    """
    config = check_config(config or LintConfig())
    found, missing = find_files(paths, exclude=config.exclude)
    files = [file for file in found if has_template(file)]
    if not files and not missing:
        raise InputError(
            f"no templates under {', '.join(map(str, paths))}",
            hint="looked for *.jinja, *.j2, tokenizer_config.json, chat_template.json",
        )
    reports: dict[str, FileReport] = {}
    for report in _judge_all(files, config, jobs):
        reports[report.path] = report
        if progress is not None:
            progress(len(reports), len(files))
    return _without_known(
        LintReport(tuple(reports[file.shown] for file in files), (), tuple(missing), config.fail_on), config
    )


def _without_known(report: LintReport, config: LintConfig) -> LintReport:
    if config.baseline is None:
        return report
    known = read_baseline(config.baseline)
    files, old = [], list[Violation]()
    for file in report.files:
        new, seen = split_known(file.violations, known)
        files.append(replace(file, violations=new))
        old += seen
    return replace(report, files=tuple(files), known=tuple(old))


def _judge_all(files: Sequence[TemplateFile], config: LintConfig, jobs: int | None) -> Iterator[FileReport]:
    if any(str(file.path) == "-" for file in files):
        jobs = 1  # a process of its own would not see this one's standard input
    judge = partial(judge_or_recall, config=config)
    for _, report in run_all(judge, files, lost=_lost, jobs=jobs, weight=_weight):
        yield report


def _weight(file: TemplateFile) -> float:
    return file.path.stat().st_size if file.path.is_file() else 0


def _lost(file: TemplateFile) -> FileReport:
    reason = "the process that judged it ended (out of memory?)"
    return FileReport(file.shown, not_evaluated=(NotEvaluated((), reason),))
