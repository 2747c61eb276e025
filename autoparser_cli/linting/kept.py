"""The report of a file that was judged before, where nothing that it depends on has changed.

That is the file, the tokenizer's files beside it, what is asked for, and the packages that rules use where they are
installed. A report that is not complete (a rule ran out of time, or broke) is not kept.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from autoparser_cli.inference.cache import load_result, store_result
from autoparser_cli.linting import report, rule
from autoparser_cli.linting.config import LintConfig
from autoparser_cli.linting.files import TemplateFile
from autoparser_cli.linting.judging import judge_file
from autoparser_cli.linting.report import FileReport

#: What rules look at beside a template.
_BESIDE = (".json", ".model", ".txt")

#: What rules use where it is installed.
_OPTIONAL = ("minijinja",)


def judge_or_recall(file: TemplateFile, config: LintConfig) -> FileReport:
    """Return the report of an unchanged file as it was; judge any other. Never raise."""
    made_of = _made_of(file, config) if config.cache else None
    if made_of is None:
        return judge_file(file, config)
    found = load_result(made_of, FileReport, report, rule)
    if found is not None:
        return found
    judged = judge_file(file, config)
    if not judged.error and not judged.internal and all(gap.optional for gap in judged.not_evaluated):
        store_result(made_of, judged)
    return judged


def _made_of(file: TemplateFile, config: LintConfig) -> object:
    """Return what a report depends on; None where that cannot be read."""
    try:
        content = hashlib.sha256(file.path.read_bytes()).hexdigest()
        beside = [_beside(folder) for folder in dict.fromkeys((file.path.parent, _home(file.path)))]
    except OSError:
        return None
    asked = [config.select, config.ignore, sorted(config.per_file_ignores.items()), config.engines]
    return [content, file.shown, file.in_project, str(file.path), beside, asked, config.seconds, _installed()]


def _home(path: Path) -> Path:
    return path.parent.parent if path.parent.name == "additional_chat_templates" else path.parent


def _beside(folder: Path) -> list[tuple[str, int, int]]:
    found = []
    for entry in os.scandir(folder):
        if entry.name.endswith(_BESIDE) and entry.is_file():
            state = entry.stat()
            found.append((entry.name, state.st_size, state.st_mtime_ns))
    return sorted(found)


@cache
def _installed() -> list[str]:
    found = []
    for name in _OPTIONAL:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return found
