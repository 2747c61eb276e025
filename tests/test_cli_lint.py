"""The commands `lint` and `rule`, as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autoparser_cli.cli.main import run
from tests.lint_templates import SOUND, around

NUMERIC = around("{{ messages.0.role }}\n")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    (tmp_path / "wrong.jinja").write_text(NUMERIC)
    (tmp_path / "sound.jinja").write_text(SOUND)
    return tmp_path


def test_exit_codes() -> None:
    assert run(["lint", "sound.jinja"]) == 0
    assert run(["lint"]) == 1
    assert run(["lint", "--exit-zero"]) == 0
    assert run(["lint", "--fail-on", "error"]) == 0
    assert run(["lint", "--ignore", "AP202"]) == 0
    assert run(["lint", "--per-file-ignores", "wrong.jinja:AP2"]) == 0
    assert run(["lint", "--engine", "transformers,minijinja"]) == 0
    assert run(["lint", "nowhere.jinja"]) == 2
    assert run(["lint", "--exit-zero", "nowhere.jinja"]) == 2
    assert run(["lint", "--select", "AP777"]) == 2
    assert run(["lint", "--engine", "nunjucks"]) == 2
    assert run(["lint", "--update-baseline"]) == 2


def test_text_shows_the_line_and_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    run(["lint", "--select", "AP202"])
    printed = capsys.readouterr().out
    assert "AP202 warning: .0 is refused by llama.cpp" in printed
    assert "{{ messages.0.role }}" in printed
    assert "Write `messages[0].role`." in printed
    assert printed.endswith("2 template files; 0 errors, 1 warning, 0 infos; 1 clean; 1 fixable with --fix\n")


@pytest.mark.parametrize("name", ["text", "concise", "json", "sarif", "github", "gitlab", "junit"])
def test_each_format_goes_to_a_file(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", "--format", name, "--output-file", "out"]) == 1
    assert "AP202" in (folder / "out").read_text()
    captured = capsys.readouterr()
    assert captured.out == "" and "1 warning" in captured.err


def test_auto_is_github_inside_of_actions(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    run(["lint"])
    assert capsys.readouterr().out.startswith("::warning file=wrong.jinja,line=1,endLine=1,col=12,")


def test_json_has_the_states(capsys: pytest.CaptureFixture[str]) -> None:
    (Path.cwd() / "broken.jinja").write_text("{% if x %}")
    run(["lint", "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert report["exit_code"] == 1
    assert {file["path"]: file["state"] for file in report["files"]} == {
        "broken.jinja": "findings",
        "sound.jinja": "clean",
        "wrong.jinja": "findings",
    }
    assert report["files"][0]["not_evaluated"][0]["reason"] == "the template does not compile"


def test_statistics(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", "--statistics"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines] == [
        ["code", "rule", "findings", "files"],
        ["AP202", "numeric-attribute", "1", "1"],
        [],
        [
            "2",
            "template",
            "files;",
            "0",
            "errors,",
            "1",
            "warning,",
            "0",
            "infos;",
            "1",
            "clean;",
            "1",
            "fixable",
            "with",
            "--fix",
        ],
    ]


def test_diff_changes_nothing_and_fix_does(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", "--diff"]) == 1
    assert "+{{ messages[0].role }}" in capsys.readouterr().out
    assert (folder / "wrong.jinja").read_text() == NUMERIC
    assert run(["lint", "--fix"]) == 0
    assert (folder / "wrong.jinja").read_text() == NUMERIC.replace("messages.0", "messages[0]")
    assert run(["lint", "--diff"]) == 0


def test_a_baseline_hides_what_was_there(folder: Path) -> None:
    assert run(["lint", "--baseline", "known.json"]) == 2
    assert run(["lint", "--baseline", "known.json", "--update-baseline"]) == 0
    assert run(["lint", "--baseline", "known.json"]) == 0
    (folder / "wrong.jinja").write_text(f"\n{NUMERIC}{{{{ [].append(1) }}}}")
    assert run(["lint", "--baseline", "known.json"]) == 1


def test_pyproject_sets_defaults(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.autoparser]\nignore = ["AP202"]\n')
    assert run(["lint"]) == 0
    (folder / "pyproject.toml").write_text('[tool.autoparser]\nignore = ["nothing"]\n')
    assert run(["lint"]) == 2


def test_rule_explains_by_code_and_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rule", "AP202"]) == 0
    by_code = capsys.readouterr().out
    assert run(["rule", "numeric-attribute"]) == 0
    assert capsys.readouterr().out == by_code
    for title in ("Why it matters", "Example", "Instead", "--fix"):
        assert title in by_code


def test_rule_lists_all_and_refuses_what_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rule"]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 40
    assert run(["rule", "AP777"]) == 2
    assert "no rule is called 'AP777'" in capsys.readouterr().err


def test_every_rule_can_be_explained_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    from autoparser_cli.linting.rules import all_rules

    assert run(["rule", "--all"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("Why it matters") == len(all_rules())


def test_a_group_of_rules_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rule", "ap2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 5
    assert {line[:3] for line in lines} == {"AP2"}
    assert run(["rule", "AP9999"]) == 2
