"""`autoparser grammar`: what is printed, how samples are judged, and the exit codes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from grammar_runs import PRESENT, Engine
from wire_formats import BARE_JSON, FITTING, FORBIDDEN, FORMATS, HERMES, THINKING_TAGS, TOOLS

from autoparser_cli.analysis.model import TemplateAnalysis
from autoparser_cli.cli.main import run
from autoparser_cli.grammars.gbnf_engine import read_gbnf


class Folder:
    """A template, tools and samples on disk; the analysis is given, because inference has its own tests."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path = path
        self.monkeypatch = monkeypatch
        self.write("t.jinja", "{{ messages[0].content }}")
        self.write("tools.json", json.dumps(TOOLS))
        self.analysis(HERMES)

    def analysis(self, analysis: TemplateAnalysis) -> None:
        self.monkeypatch.setattr("autoparser_cli.inference.analyze", lambda _, **__: analysis, raising=False)

    def write(self, name: str, text: str) -> str:
        (self.path / name).write_text(text, encoding="utf-8")
        return str(self.path / name)

    def run(self, *arguments: str) -> int:
        return run(
            ["grammar", str(self.path / "t.jinja"), "--tools", str(self.path / "tools.json"), *arguments]
        )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    return Folder(tmp_path, monkeypatch)


def test_gbnf_is_printed_with_what_a_sampler_needs(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.analysis(THINKING_TAGS)
    assert folder.run() == 0
    printed = capsys.readouterr().out
    assert read_gbnf(printed).match(FITTING["thinking-tags"][1].split("Text\n\n")[1]).complete
    assert '# triggers: "<tool_call>"' in printed
    assert "# lazy: yes" in printed
    assert "# reasoning budget, first state: COUNTING" in printed


def test_json_has_the_grammar_and_everything_beside_it(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    assert folder.run("--json", "--tool-choice", "required") == 0
    report = json.loads(capsys.readouterr().out)
    assert read_gbnf(report["grammar"]).match(FITTING["hermes"][0]).complete
    assert report["grammar_lazy"] is False
    assert report["grammar_triggers"] == []
    assert report["reasoning_budget_state"] == "IDLE"
    assert report["generation_prompt"] == "<|im_start|>assistant\n"
    assert report["grammar_prefill"] == ""


def test_without_tools_the_grammar_takes_any_call_and_says_so(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    template, call = str(folder.path / "t.jinja"), FITTING["hermes"][0].replace("add", "no_such_tool")
    assert run(["grammar", template, "--tool-choice", "required"]) == 0
    printed = capsys.readouterr()
    assert read_gbnf(printed.out).match(call).complete
    assert "no tools were given" in printed.err
    sample = folder.write("sample.txt", call)
    assert run(["grammar", template, "--check", sample]) == 0
    assert folder.run("--check", sample) == 1
    folder.write("tools.json", "[]")
    assert folder.run() == 1
    assert "no tools to call" in capsys.readouterr().err


def test_a_grammar_is_written_to_a_file(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    target = folder.path / "out.gbnf"
    assert folder.run("-o", str(target)) == 0
    assert capsys.readouterr().out == ""
    assert "root ::= " in target.read_text(encoding="utf-8")
    assert folder.run("-o", str(folder.path / "no" / "such" / "folder")) == 2


@pytest.mark.parametrize("engine", [engine.value for engine, present in PRESENT.items() if present])
def test_samples_are_run_and_judged(folder: Folder, engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    good = [folder.write(f"good{n}", output) for n, output in enumerate(FITTING["hermes"])]
    assert folder.run("--check", *good, "--engine", engine) == 0
    assert capsys.readouterr().out.count(": ok") == len(good)
    for output in FORBIDDEN["hermes"]:
        assert folder.run("--check", folder.write("bad", output), "--engine", engine) == 1


def test_a_sample_that_does_not_fit_shows_the_place(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = folder.write("bad", 'Well\n<tool_call>\n{"name": "nope", "arguments": {}}\n</tool_call>')
    assert folder.run("--check", bad) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{bad}:3:10: does not fit; expected ")
    assert '"add"' in lines[0]
    assert lines[1:3] == ["  1 | Well", "  2 | <tool_call>"]
    assert lines[3].index('"nope"') == lines[4].index("^")


def test_the_caret_stands_below_what_stands_behind_wide_letters(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = folder.write("bad", '<tool_call>\n日本語{"name": "add", "arguments": {}}\n</tool_call>')
    assert folder.run("--check", bad) == 1
    shown, caret = capsys.readouterr().out.splitlines()[-2:]
    assert "日本語" in shown
    assert caret.index("^") == shown.index("日")


def test_a_cut_sample_says_what_could_come_next(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    cut = folder.write("cut", '<tool_call>\n{"name": "get_weather_now", "arguments": {}}')
    assert folder.run("--check", cut) == 1
    assert "ends too early; next could come '\\n</tool_call>'" in capsys.readouterr().out


@pytest.mark.parametrize("cut", [3, 20, 32])
def test_a_sample_cut_within_a_word_ends_too_early_as_well(
    folder: Folder, cut: int, capsys: pytest.CaptureFixture[str]
) -> None:
    output = FITTING["hermes"][0]
    sample = folder.write("cut", output[output.index("<tool_call>") :][:cut])
    assert folder.run("--check", sample, "--tool-choice", "required") == 1
    assert "ends too early" in capsys.readouterr().out


def test_the_tree_is_shown(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    assert folder.run("--check", folder.write("good", FITTING["hermes"][2]), "--show-tree") == 0
    printed = capsys.readouterr().out
    assert "content" in printed
    assert '"get_weather"' in printed
    assert "⏎</tool_call>" in printed


def test_what_lark_has_to_widen_the_schema_check_finds(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    union = {
        "anyOf": [
            {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
            {"type": "null"},
            {"type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]},
        ]
    }
    tool = {"name": "f", "parameters": {"type": "object", "properties": {"x": union}}}
    folder.write("tools.json", json.dumps([tool]))
    assert folder.run("--format", "lark") == 0
    assert "widened to any object" in capsys.readouterr().out
    for value, code in (('{"a": 1}', 0), ('{"b": 1}', 0), ("null", 0), ("[]", 1)):
        sample = f'<tool_call>\n{{"name": "f", "arguments": {{"x": {value}}}}}\n</tool_call>'
        assert folder.run("--check", folder.write("sample", sample)) == code, value


def test_the_schema_is_applied_to_what_the_grammar_takes(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.analysis(THINKING_TAGS)
    word = {"type": "string", "pattern": "^[a-z]+$"}
    folder.write("tools.json", json.dumps([{"name": "f", "parameters": {"properties": {"word": word}}}]))
    body = "<function=f>\n<parameter=word>\n{}\n</parameter>\n</function>"
    for value, code in (("abc", 0), ("ABC", 1)):
        sample = f"why\n</think>\n\n<tool_call>\n{body.format(value)}\n</tool_call>"
        assert folder.run("--check", folder.write("sample", sample)) == code, value
    assert "f.word: 'ABC' does not match" in capsys.readouterr().out


def test_samples_as_json_have_their_trees_when_asked(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    good = folder.write("good", FITTING["hermes"][0])
    assert folder.run("--check", good, "--json") == 0
    [report] = json.loads(capsys.readouterr().out)
    assert report["ok"] is True
    assert "tree" not in report
    assert folder.run("--check", good, "--json", "--show-tree") == 0
    [report] = json.loads(capsys.readouterr().out)
    assert "add" in report["tree"]


def test_a_response_template_needs_no_tools_and_says_what_it_cannot(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.write("tools.json", "[]")
    assert folder.run("--format", "response-template") == 0
    fields = json.loads(capsys.readouterr().out)["response_template"]["fields"]
    assert sorted(fields) == ["content", "tool_calls"]
    folder.analysis(FORMATS["name-is-key"])
    assert folder.run("--format", "response-template") == 1
    assert "JSON key" in capsys.readouterr().err


def test_a_format_that_was_not_inferred_is_exit_1_with_the_reason(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.analysis(replace(HERMES, calls=None))
    assert folder.run() == 1
    assert "could not be inferred" in capsys.readouterr().err


def test_an_unanchored_pattern_is_a_diagnostic_and_not_an_error(
    folder: Folder, capsys: pytest.CaptureFixture[str]
) -> None:
    properties = {"glob": {"type": "string", "pattern": "[a-z]+"}}
    folder.write("tools.json", json.dumps([{"name": "find", "parameters": {"properties": properties}}]))
    assert folder.run() == 0
    captured = capsys.readouterr()
    assert "pattern of find.glob is not anchored; treated as plain string" in captured.err
    assert read_gbnf(captured.out)


def test_a_missing_engine_is_named_with_its_extra(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for engine in (Engine.LLGUIDANCE, Engine.XGRAMMAR):
        monkeypatch.setitem(__import__("sys").modules, engine.value, None)
        assert folder.run("--check", folder.write("good", "Hi"), "--engine", engine.value) == 2
        assert f"autoparser-cli[{engine.value}]" in capsys.readouterr().err


def test_samples_without_check_are_bad_usage(folder: Folder) -> None:
    assert folder.run(folder.write("sample", "Hi")) == 2


@pytest.mark.parametrize("dialect", ["gbnf", "lark", "llguidance", "structural-tag", "json-schema"])
def test_every_dialect_is_printed(folder: Folder, dialect: str, capsys: pytest.CaptureFixture[str]) -> None:
    if dialect == "llguidance" and not PRESENT[Engine.LLGUIDANCE]:
        pytest.skip("llguidance is not installed")
    folder.analysis(BARE_JSON)
    assert folder.run("--format", dialect) == 0
    assert "get_weather" in capsys.readouterr().out
