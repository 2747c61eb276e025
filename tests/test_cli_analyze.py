"""`autoparser analyze` on the fixtures: one template and several, JSON and pages, evidence and parser."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from autoparser_cli.cli.main import run

FIXTURES = Path(__file__).parent.parent / "fixtures"
FLAT = str(FIXTURES / "json-flat/template.jinja")
TAGGED = str(FIXTURES / "tag-tagged/template.jinja")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def report(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_one_template_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyze", FLAT, "--format", "json"]) == 0
    found = report(capsys)
    assert found["template"].endswith("template.jinja")
    assert found["tools"]["format"]["mode"] == "JSON_NATIVE"
    assert "evidence" not in found


def test_several_templates_are_a_list_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyze", TAGGED, FLAT, "--format", "json"]) == 0
    modes = [entry["tools"]["format"]["mode"] for entry in report(capsys)]
    assert modes == ["TAG_WITH_TAGGED", "JSON_NATIVE"]


def test_a_folder_is_a_list_even_of_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one/x.jinja").write_text(Path(FLAT).read_text())
    assert run(["analyze", str(tmp_path / "one"), "--format", "json"]) == 0
    assert len(report(capsys)) == 1


def test_a_template_that_fails_does_not_stop_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.jinja"
    bad.write_text("{% if %}")
    assert run(["analyze", str(bad), FLAT, "--format", "json"]) == 2
    failed, found = report(capsys)
    assert "bad.jinja:1" in failed["failure"]
    assert found["tools"]["format"]["mode"] == "JSON_NATIVE"
    assert run(["analyze", str(bad), FLAT]) == 2
    printed = capsys.readouterr()
    assert "bad.jinja:1" in printed.err
    assert "JSON_NATIVE" in printed.out


def test_page_shows_markers_with_white_space(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyze", TAGGED]) == 0
    page = capsys.readouterr().out
    assert "<call>⏎" in page
    assert "</fn>" in page
    assert "<|turn·assistant|>⏎" in page


def test_explain_shows_the_probes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyze", TAGGED, "--explain"]) == 0
    page = capsys.readouterr().out
    assert "T1" in page
    assert "→" in page
    assert run(["analyze", TAGGED, "--all-probes"]) == 0
    assert len(capsys.readouterr().out) > len(page)


def test_explain_as_json_has_the_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyze", TAGGED, "--explain", "--format", "json"]) == 0
    probes = {entry["probe"] for entry in report(capsys)["evidence"]}
    assert {"T1", "C1"} <= probes


def test_show_parser_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    tools = str(FIXTURES / "tag-tagged/tools.json")
    assert run(["analyze", TAGGED, "--show-parser", "--tools", tools]) == 0
    page = capsys.readouterr().out
    assert "get_tide" in page[page.index("\nparser\n") :]


def test_verbose_logs_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    logger = logging.getLogger("autoparser_cli")
    try:
        assert run(["analyze", FLAT, "-vv", "--no-cache", "--format", "json"]) == 0
    finally:
        logger.handlers.clear()
        logger.setLevel(logging.NOTSET)
    printed = capsys.readouterr()
    json.loads(printed.out)
    assert "autoparser_cli." in printed.err
