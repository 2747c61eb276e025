"""`autoparser test`: its reports, its exit codes, and what it says of bad input."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from autoparser_cli.cases import engine, running
from autoparser_cli.cli.main import run
from tests.stub_engine import load_stub


@pytest.fixture(autouse=True)
def _stub_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "run_paths", partial(running.run_paths, loader=load_stub))
    monkeypatch.setattr(engine.TemplateEngine, "load", staticmethod(load_stub))


def entry(name: str, content: str = "Hi", **more: Any) -> dict[str, Any]:
    return {"id": name, "template_inline": "stub", "output": "Hi", "expect": {"content": content}, **more}


def write(tmp_path: Path, *cases: dict[str, Any]) -> str:
    file = tmp_path / "a.jsonl"
    file.write_text("\n".join(map(json.dumps, cases)))
    return str(file)


def test_all_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test", write(tmp_path, entry("a"), entry("b"))]) == 0
    assert "2 passed, 0 failed" in capsys.readouterr().out


def test_a_failure_is_shown_and_ends_with_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test", write(tmp_path, entry("a"), entry("b", "Ho"))]) == 1
    out = capsys.readouterr().out
    assert "failed: b" in out
    assert "content: H▶o" in out
    assert "content: H▶i" in out


def test_bad_cases_end_with_two_and_the_others_still_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, {"id": "bad", "template_inline": "stub", "expect": {}}, entry("good"))
    assert run(["test", file]) == 2
    out = capsys.readouterr().out
    assert f"{file}:1: the case has no `output`" in out
    assert "1 passed, 0 failed, 1 invalid" in out


def test_json_has_the_counts_and_the_cases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, entry("a"), entry("b", "Ho"), {"id": "c", "kind": "benchmark"})
    assert run(["test", file, "--format", "json", "-j", "1"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["passed"], report["failed"], report["skipped"]) == (1, 1, 1)
    assert set(report["cases"][0]) == {"id", "file", "status", "reason"}
    assert [case["status"] for case in report["cases"]] == ["passed", "failed", "skipped"]


def test_junit_is_xml_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test", write(tmp_path, entry("b", "Ho")), "--format", "junit"]) == 1
    assert ElementTree.fromstring(capsys.readouterr().out.encode()).tag == "testsuites"


def test_score_is_one_line_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = tmp_path / "known_disagreements.list"
    known.write_text(json.dumps({"id": "b", "file": "a.jsonl", "reason": "wrong", "instead": "Hi"}))
    file = write(tmp_path, entry("a"), entry("b", "Ho"))
    assert run(["test", file, "--format", "score", "--known", str(known)]) == 0
    assert capsys.readouterr().out == "a.jsonl  1 / 2  50.0 %  (1 known)\n"


def test_selecting_nothing_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["test", write(tmp_path, entry("a")), "-k", "zzz"]) == 2
    assert "no case was selected" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["gone.jsonl"], ["."], []])
def test_paths_that_hold_no_cases_are_one_clear_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["test", *arguments]) == 2
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err + captured.out


def test_update_shows_the_result_and_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = {"id": "new", "template_inline": "stub", "output": 'Hi<call>f {"a": 1}</call>'}
    file = write(tmp_path, new, entry("old"))
    assert run(["test", "--update", file]) == 0
    out = capsys.readouterr().out
    assert "recorded: new" in out
    assert 'call: f {"a": 1}' in out
    assert run(["test", file]) == 0
    assert run(["test", "--update", file]) == 0
    assert "nothing to record" in capsys.readouterr().out
