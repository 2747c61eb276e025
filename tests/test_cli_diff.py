"""`autoparser diff`: which comparisons are shown, how templates are told apart, and the exit codes."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from wire_formats import HERMES, THINKING_TAGS

from autoparser_cli.analysis.model import Evidence, TemplateAnalysis
from autoparser_cli.cli.main import run
from autoparser_cli.diffing.split import DiffSplit
from autoparser_cli.templates import ChatTemplate

FIXTURES = Path(__file__).parent.parent / "fixtures"
SHARED = Path(__file__).parent.parent.parent / "shared" / "templates"
PROBES = ("R1", "R2", "R3", "C1", "T1", "T2", "T3", "T5", "T6", "T7", "A1", "A2")
FLAT = (FIXTURES / "json-flat" / "template.jinja").read_text(encoding="utf-8")


def evidence(probe: str, decided: bool) -> Evidence:
    return Evidence(
        probe,
        f"asks {probe}",
        "without",
        "with",
        "a\n",
        "b\n",
        DiffSplit("", "a", "b", "\n"),
        f"found {probe}",
        decided,
    )


PROBED = replace(HERMES, evidence=tuple(evidence(probe, probe != "R3") for probe in PROBES))


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> dict[str, TemplateAnalysis]:
    """The analysis of each template by a word of its source; inference has tests of its own."""
    found: dict[str, TemplateAnalysis] = {}

    def analyze(template: ChatTemplate, **_: object) -> TemplateAnalysis:
        return next((found[word] for word in found if word in template.source), PROBED)

    monkeypatch.setattr("autoparser_cli.inference.analyze", analyze, raising=False)
    return found


@pytest.fixture
def folder(tmp_path: Path, given: dict[str, TemplateAnalysis], monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.jinja").write_text(FLAT, encoding="utf-8")
    (tmp_path / "spaced.jinja").write_text(FLAT.replace("{%- ", "{%-   "), encoding="utf-8")
    (tmp_path / "new.jinja").write_text(FLAT.replace("<call>", "<invoke>"), encoding="utf-8")
    given["<invoke>"] = THINKING_TAGS
    return tmp_path


@pytest.mark.parametrize("probe", PROBES)
def test_every_probe_can_be_shown(folder: Path, capsys: pytest.CaptureFixture[str], probe: str) -> None:
    assert run(["diff", "old.jinja", "--probe", probe.lower()]) == 0
    shown = capsys.readouterr().out
    assert f"asks {probe}" in shown
    assert f"found {probe}" in shown
    assert shown.count("asks ") == 1


def test_without_a_probe_what_decided_something_is_shown(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["diff", "old.jinja"]) == 0
    shown = capsys.readouterr().out
    assert "asks R1" in shown
    assert "asks R3" not in shown


def test_all_probes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "old.jinja", "--probe", "all"]) == 0
    assert capsys.readouterr().out.count("asks ") == len(PROBES)


def test_t4_is_the_comparisons_that_it_consists_of(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "old.jinja", "--probe", "T4", "--format", "json"]) == 0
    assert [entry["probe"] for entry in json.loads(capsys.readouterr().out)] == ["A1", "A2"]


def test_nothing_decided_is_said(
    folder: Path, given: dict[str, TemplateAnalysis], capsys: pytest.CaptureFixture[str]
) -> None:
    given["call"] = HERMES
    assert run(["diff", "old.jinja"]) == 0
    assert "no comparison that decided anything; --probe all" in capsys.readouterr().out
    assert run(["diff", "old.jinja", "--probe", "all"]) == 0
    assert capsys.readouterr().out == "The analysis made no comparison.\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["old.jinja", "--probe", "X9"], "--probe X9: the analysis of this template did not run it"),
        (["old.jinja", "--cases", "c.jsonl"], "--cases compares two templates"),
        (["old.jinja", "--format", "github"], "--format github compares two templates"),
        (["old.jinja", "new.jinja", "--probe", "R1"], "--probe shows one template"),
        (["old.jinja", "new.jinja", "old.jinja"], "name one template, or two"),
        (["none.jinja"], "none.jinja"),
        (["old.jinja", "none.jinja"], "none.jinja"),
        (["git:HEAD", "new.jinja"], "must be git:REVISION:PATH"),
        (["old.jinja", "new.jinja", "--cases", "none.jsonl"], "none.jsonl"),
        (["old.jinja", "new.jinja", "--cases", "old.jinja"], "autoparser: old.jinja: is not a case file"),
    ],
)
def test_what_cannot_be_run_is_one_line_and_code_2(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert run(["diff", *arguments]) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.out == ""
    assert "Traceback" not in captured.err


def test_a_template_spaced_anew_is_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "old.jinja", "spaced.jinja"]) == 0
    assert "The same behaviour" in capsys.readouterr().out


def test_another_behaviour_is_code_1_and_listed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "old.jinja", "new.jinja"]) == 1
    shown = capsys.readouterr().out
    assert "reasoning.start\n  - “”\n  + “<think>”" in shown
    assert "Rendered text" in shown
    assert "- <call>⏎" in shown
    assert "+ <invoke>⏎" in shown
    assert "Grammar" in shown


def test_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "old.jinja", "new.jinja", "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["same"] is False
    assert {"area": "reasoning", "field": "reasoning.end", "old": "", "new": "</think>"} in data[
        "differences"
    ]
    assert data["grammar"]["differs"] is True


def test_github(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "old.jinja", "new.jinja", "--format", "github"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines
    assert all(line.startswith("::error file=new.jinja,") for line in lines)


def test_a_revision_against_the_working_tree(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = {
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@b",
    }
    for command in (["init", "-q"], ["add", "old.jinja"], ["commit", "-q", "-m", "first"]):
        subprocess.run(["git", *command], cwd=folder, check=True, env={**os.environ, **names})
    assert run(["diff", "git:HEAD:old.jinja", "old.jinja"]) == 0
    (folder / "old.jinja").write_text(FLAT.replace("<call>", "<invoke>"), encoding="utf-8")
    capsys.readouterr()
    assert run(["diff", "git:HEAD:old.jinja", "old.jinja"]) == 1
    assert "--- git:HEAD:old.jinja" in capsys.readouterr().out


def write_case(folder: Path, output: str) -> None:
    case = {
        "id": "hello",
        "template": "old.jinja",
        "generation_prompt": "<|im_start|>assistant\n",
        "output": output,
        "expect": {"content": "", "tool_calls": [{"name": "get_time", "arguments": {}}]},
        "tools": [{"type": "function", "function": {"name": "get_time", "parameters": {"type": "object"}}}],
    }
    (folder / "cases.jsonl").write_text(json.dumps(case) + "\n", encoding="utf-8")


def test_recorded_outputs_that_no_longer_parse(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_case(folder, '<tool_call>\n{"name": "get_time", "arguments": {}}\n</tool_call>')
    assert run(["diff", "old.jinja", "new.jinja", "--cases", "cases.jsonl"]) == 1
    assert "hello: passed, now fails" in capsys.readouterr().out


def test_recorded_outputs_that_still_parse(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_case(folder, '<tool_call>\n{"name": "get_time", "arguments": {}}\n</tool_call>')
    assert run(["diff", "old.jinja", "spaced.jinja", "--cases", "cases.jsonl", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["recorded"] == {"tried": 1, "differences": []}


@pytest.mark.parametrize("name", ["json-flat", "tag-tagged", "reasoning-tagged", "json-array"])
def test_a_spaced_copy_of_a_fixture_is_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    path = FIXTURES / name / "template.jinja"
    copy = tmp_path / "copy.jinja"
    copy.write_text(path.read_text(encoding="utf-8").replace("{%- ", "{%-\n   ").replace(" %}", "   %}"))
    assert run(["diff", str(path), str(copy)]) == 0, capsys.readouterr().out


@pytest.mark.skipif(not SHARED.is_dir(), reason="the real templates are not there")
@pytest.mark.parametrize(
    ("old", "new", "fields"),
    [
        (
            "Qwen-Qwen3-0.6B",
            "Qwen3.5-4B",
            {"tools.format.mode", "generation_prompt", "tools.function.name_prefix"},
        ),
        (
            "GLM-4.6",
            "GLM-4.7-Flash",
            {"tools.arguments.value_suffix", "tools.arguments.name_suffix", "generation_prompt"},
        ),
        (
            "deepseek-ai-DeepSeek-V3.1",
            "deepseek-ai-DeepSeek-V3.2",
            {"tools.format.mode", "tools.format.section_start"},
        ),
        ("Kimi-K2-Instruct", "Kimi-K2-Thinking", {"reasoning.mode", "reasoning.start", "reasoning.end"}),
    ],
)
def test_two_versions_of_a_family(
    capsys: pytest.CaptureFixture[str], old: str, new: str, fields: set[str]
) -> None:
    assert run(["diff", str(SHARED / f"{old}.jinja"), str(SHARED / f"{new}.jinja"), "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert fields <= {difference["field"] for difference in data["differences"]}
    assert any(pair["differs"] for pair in data["rendered"])


def test_a_revision_as_git_names_it_is_told_how_to_write(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["diff", "HEAD:chat_template.jinja", "fixtures/json-flat/template.jinja"]) == 2
    error = capsys.readouterr().err
    assert "HEAD:chat_template.jinja: no such file or directory\n" in error
    assert "git:HEAD:chat_template.jinja" in error
