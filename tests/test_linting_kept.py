"""Lint reports that are kept: an unchanged file is not judged again, and anything that matters changes it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from autoparser_cli.inference import cache
from autoparser_cli.linting import kept
from autoparser_cli.linting.config import LintConfig
from autoparser_cli.linting.files import TemplateFile
from autoparser_cli.linting.report import FileReport
from tests.lint_templates import around

NUMERIC = around("{{ messages.0.role }}\n")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path / "cache")


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the files that are judged from now on."""
    names: list[str] = []

    def judge(file: TemplateFile, config: LintConfig) -> FileReport:
        names.append(file.shown)
        return judge_file(file, config)

    judge_file = kept.judge_file
    monkeypatch.setattr(kept, "judge_file", judge)
    return names


@pytest.fixture
def file(tmp_path: Path) -> TemplateFile:
    path = tmp_path / "templates/a.jinja"
    path.parent.mkdir()
    path.write_text(NUMERIC)
    return TemplateFile(path, "a.jinja", named=True)


def recall(file: TemplateFile, **options: object) -> FileReport:
    return kept.judge_or_recall(file, LintConfig(**{"cache": True, **options}))  # type: ignore[arg-type]


def test_an_unchanged_file_has_the_same_report(file: TemplateFile, judged: list[str]) -> None:
    first = recall(file)
    assert first.violations
    assert any(violation.edits for violation in first.violations)
    assert recall(file) == first
    assert judged == ["a.jinja"]


def test_without_cache_it_is_judged_each_time(file: TemplateFile, judged: list[str]) -> None:
    assert recall(file, cache=False) == recall(file, cache=False)
    assert len(judged) == 2
    assert not cache.cache_folder().exists()


@pytest.mark.parametrize(
    "options",
    [{"select": ("AP1",)}, {"ignore": ("AP1",)}, {"per_file_ignores": {"*": ("AP1",)}}, {"engines": ()}],
)
def test_asking_for_something_else_judges_again(
    file: TemplateFile, judged: list[str], options: dict[str, object]
) -> None:
    recall(file)
    recall(file, **options)
    assert len(judged) == 2


def test_what_does_not_change_a_report_is_no_reason(file: TemplateFile, judged: list[str]) -> None:
    recall(file)
    recall(file, baseline=Path("known.json"), exclude=("b*",))
    (file.path.parent / "other.jinja").write_text("{{ messages }}")
    recall(file)
    assert len(judged) == 1


def test_a_changed_file_is_judged_again(file: TemplateFile, judged: list[str]) -> None:
    first = recall(file)
    file.path.write_text(around(""))
    assert recall(file) != first
    assert len(judged) == 2


def test_a_changed_tokenizer_beside_it_judges_again(file: TemplateFile, judged: list[str]) -> None:
    recall(file)
    config = file.path.parent / "tokenizer_config.json"
    for text, time in (("{}", 1000), ("{ }", 1000), ("{ }", 2000)):
        config.write_text(text)
        os.utime(config, (time, time))
        recall(file)
    assert len(judged) == 4


def test_a_report_with_gaps_is_not_kept(file: TemplateFile, judged: list[str]) -> None:
    file.path.write_text("{% if %}")
    assert any(not gap.optional for gap in recall(file).not_evaluated)
    recall(file)
    assert len(judged) == 2


def test_a_file_that_is_gone_is_reported_as_such(file: TemplateFile) -> None:
    recall(file)
    file.path.unlink()
    assert recall(file).error
