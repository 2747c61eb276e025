"""`autoparser analyze` on the fixtures: one template and several, JSON and pages, evidence and parser."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
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


def test_the_parser_without_tools_reads_calls_of_any_tool(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyze", TAGGED, "--show-parser"]) == 0
    page = capsys.readouterr().out
    assert '"<fn=" _ {name}' in page[page.index("\nparser\n") :].replace('"<fn=" {name}', '"<fn=" _ {name}')


def test_the_parser_of_an_empty_list_of_tools_reads_no_call(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tools.json").write_text("[]")
    assert run(["analyze", TAGGED, "--show-parser", "--tools", str(tmp_path / "tools.json")]) == 0
    page = capsys.readouterr().out
    assert "call(" not in page[page.index("\nparser\n") :]


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


@pytest.fixture
def logger() -> Iterator[logging.Logger]:
    """The package's logger, left as it was found."""
    found = logging.getLogger("autoparser_cli")
    handlers, level = list(found.handlers), found.level
    yield found
    found.handlers[:] = handlers
    found.setLevel(level)


@pytest.mark.usefixtures("logger")
def test_steps_are_logged_as_they_run_even_where_the_result_is_known(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["analyze", FLAT, TAGGED]) == 0
    capsys.readouterr()
    assert run(["analyze", "-v", FLAT, TAGGED]) == 0
    lines = [line.partition(": ")[2] for line in capsys.readouterr().err.splitlines()]
    starts = [lines.index(f"inferring {source}") for source in (FLAT, TAGGED)]
    assert starts == sorted(starts)
    first = lines[starts[0] : starts[1]]
    for step in ("messages: ", "messages with calls: ", "a call: JSON", "generation prompt ", "proof: "):
        assert any(line.startswith(step) for line in first), step
    assert not any(line.startswith("render ") for line in lines)


@pytest.mark.usefixtures("logger")
def test_more_is_logged_with_vv(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refusing = tmp_path / "t.jinja"
    refusing.write_text("{% for m in messages %}{{ m.content + '' }}{% endfor %}")
    assert run(["analyze", "-vv", str(refusing)]) == 0
    told = capsys.readouterr().err
    assert "render 1: [user, assistant] -> " in told
    assert "line 1: " in told
    assert "proof, content: passed" in told


def test_a_missing_file_among_several_is_named_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyze", FLAT, "none.jinja"]) == 2
    assert capsys.readouterr().err == "autoparser: none.jinja: no such file or directory\n"


def test_a_refused_call_is_told_with_its_conversation_and_the_template_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.jinja"
    path.write_text(
        "{% for m in messages %}{% if m.tool_calls %}\n{{ raise_exception('no calls') }}\n{% endif %}"
        "<{{ m.role }}>{{ m.content }}{% endfor %}"
    )
    assert run(["analyze", str(path)]) == 0
    told = capsys.readouterr().out
    assert (
        "line 2: the template raises on a tool call: no calls (while it rendered [user, assistant (" in told
    )
    assert "> 2 | {{ raise_exception('no calls') }}" in told


def test_all_probes_show_more_than_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyze", "--explain", FLAT]) == 0
    explained = capsys.readouterr().out
    assert run(["analyze", "--all-probes", FLAT]) == 0
    everything = capsys.readouterr().out
    assert "R2" not in explained
    assert "R2  What does switching thinking change in the prompt?" in everything
    assert "render of one call:" in everything


def test_pages_of_several_templates_stand_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyze", FLAT, TAGGED]) == 0
    page = capsys.readouterr().out
    assert f"\n\n{TAGGED}\n" in page
    assert page.count("\n\n") == 1


def test_summary_has_a_line_for_each_template(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyze", "--summary", FLAT, "no-such.jinja", TAGGED]) == 2
    done = capsys.readouterr()
    lines = [line.split() for line in done.out.splitlines()]
    assert lines[0] == ["template", "reasoning", "tools", "proof", "warnings"]
    assert [(line[0], line[2]) for line in lines[1:]] == [(FLAT, "JSON_NATIVE"), (TAGGED, "TAG_WITH_TAGGED")]
    assert done.err == "autoparser: no-such.jinja: no such file or directory\n"


def test_a_text_that_is_no_template_proves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.jinja").write_text("no template")
    assert run(["analyze", str(tmp_path / "notes.jinja")]) == 0
    assert "0 / 0: nothing could be rendered" in capsys.readouterr().out


@pytest.mark.usefixtures("logger")
@pytest.mark.parametrize("command", [["parse", "--template"], ["grammar"]])
def test_other_commands_log_the_steps_even_where_the_analysis_is_known(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    output = [str(FIXTURES / "tag-tagged/output.txt")] if command[0] == "parse" else []
    assert run([*command, TAGGED, *output]) == 0
    assert "inferring" not in capsys.readouterr().err
    assert run([*command, TAGGED, *output, "-v"]) == 0
    assert f"inferring {TAGGED}" in capsys.readouterr().err
