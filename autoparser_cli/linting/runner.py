"""Paths and a configuration -> a lint report: files in parallel, then the baseline."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path

from autoparser_cli.errors import InputError
from autoparser_cli.linting.baseline import read_baseline, split_known
from autoparser_cli.linting.config import LintConfig, check_config
from autoparser_cli.linting.files import TemplateFile, find_files, has_template
from autoparser_cli.linting.judging import judge_file
from autoparser_cli.linting.report import FileReport, LintReport
from autoparser_cli.linting.rule import NotEvaluated, Violation

#: Told after each file: the files done so far, and all of them.
Progress = Callable[[int, int], None]

#: The most memory that one process may map. Linting a template takes a hundredth of it.
_MEMORY = 4 << 30


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
    jobs = min(jobs or os.cpu_count() or 1, len(files))
    # A process of its own would not see this one's standard input.
    if jobs <= 1 or any(str(file.path) == "-" for file in files):
        yield from (judge_file(file, config) for file in files)
        return
    waiting = list(files)
    while waiting:
        done: list[TemplateFile] = []
        try:
            for file, report in _in_processes(waiting, config, jobs):
                done.append(file)
                yield report
            return
        except BrokenProcessPool:
            # Which file ended the process is not known: judge the rest one by one, each in a process of its
            # own.
            waiting = [file for file in waiting if file not in done]
            for file in waiting:
                yield _judge_alone(file, config)
            return


def _in_processes(
    files: Sequence[TemplateFile], config: LintConfig, jobs: int
) -> Iterator[tuple[TemplateFile, FileReport]]:
    with ProcessPoolExecutor(jobs, initializer=_limit_memory) as pool:
        running: dict[Future[FileReport], TemplateFile] = {
            pool.submit(judge_file, file, config): file for file in _largest_first(files)
        }
        try:
            while running:
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield running.pop(future), future.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _largest_first(files: Sequence[TemplateFile]) -> list[TemplateFile]:
    """Sort so that no process is left alone with a long one at the end."""
    return sorted(files, key=lambda file: -(file.path.stat().st_size if file.path.is_file() else 0))


def _judge_alone(file: TemplateFile, config: LintConfig) -> FileReport:
    try:
        with ProcessPoolExecutor(1, initializer=_limit_memory) as pool:
            return pool.submit(judge_file, file, config).result()
    except BrokenProcessPool:
        return FileReport(
            file.shown, not_evaluated=(NotEvaluated((), "the process that judged it ended (out of memory?)"),)
        )


def _limit_memory() -> None:
    try:
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, hard))
    except (ImportError, ValueError, OSError):
        return
