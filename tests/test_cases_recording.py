"""New cases get the result of now; what a person wrote stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autoparser_cli.cases.reading import read_cases
from autoparser_cli.cases.recording import expectation, find_new, record
from autoparser_cli.errors import CaseError
from tests.stub_engine import StubError, StubResult, parse_stub

OUTPUT = 'Hi<call>f {"a": 1}</call>'
RECORDED = {
    "content": "Hi",
    "reasoning_content": "",
    "tool_calls": [{"name": "f", "arguments": {"a": 1}}],
}


def record_all(file: Path) -> list[str]:
    found = find_new([file])
    for new in reversed(found):
        record(new, expectation(parse_stub(new.case.output or "")))
    return [new.case.id for new in found]


def test_json_lines_keep_every_other_line(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    old = '{"id":"old",  "template_inline":"x","output":"Hi","expect":{"content":"Hi"}}'
    new = json.dumps({"id": "new", "template_inline": "x", "output": OUTPUT})
    file.write_text(f"{old}\n\n{new}\n")
    assert record_all(file) == ["new"]
    lines = file.read_text().split("\n")
    assert lines[:2] == [old, ""]
    assert json.loads(lines[2])["expect"] == RECORDED
    assert record_all(file) == []


@pytest.mark.parametrize("wrapped", [True, False])
def test_json_files_are_recorded(tmp_path: Path, wrapped: bool) -> None:
    file = tmp_path / "a.json"
    cases = [{"id": "new", "template_inline": "x", "output": OUTPUT}]
    file.write_text(json.dumps({"cases": cases} if wrapped else cases))
    assert record_all(file) == ["new"]
    assert read_cases([file])[0][0].expect is not None


def test_yaml_keeps_comments_and_the_layout(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    text = (
        "# mine\n"
        "cases:\n"
        "  - id: one  # first\n"
        "    template_inline: x\n"
        "    output: Hi\n"
        "  - id: two\n"
        "    template_inline: x\n"
        "    output: 'Hi<call>f {\"a\": 1}</call>'\n"
        "    # the end\n"
    )
    file.write_text(text)
    assert record_all(file) == ["one", "two"]
    written = file.read_text()
    assert [line for line in text.split("\n") if line not in written.split("\n")] == []
    cases, invalid = read_cases([file])
    assert invalid == []
    assert [case.expect.content for case in cases if case.expect is not None] == ["Hi", "Hi"]
    assert cases[1].expect is not None
    assert cases[1].expect.calls[0].arguments == {"a": 1}


def test_a_yaml_case_on_one_line_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("- {id: one, template_inline: x, output: Hi}\n")
    with pytest.raises(CaseError, match=r"a\.yaml:1"):
        record_all(file)
    assert "expect" not in file.read_text()


def test_an_output_that_does_not_parse_is_recorded_as_an_error() -> None:
    outcome = StubResult(parse_stub("Hi").message, StubError(2))
    assert expectation(outcome)["expect_error"]["accept"] == ["exception"]


def test_a_case_that_is_wrong_otherwise_is_not_recorded(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"id": "new", "template_inline": "x", "output": "Hi", "expct": 1}')
    with pytest.raises(CaseError, match="unknown key"):
        find_new([file])
