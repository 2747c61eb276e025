"""The mistakes in templates that people reported: lint finds each, says what it is, and where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from autoparser_cli import ChatTemplate, analyze, build_parser
from autoparser_cli.linting.runner import lint
from autoparser_cli.messages import read_tools
from autoparser_cli.templates import RenderInputs

REPORTS = Path(__file__).parent.parent.parent / "shared" / "conformance" / "bug-reports.jsonl"
pytestmark = pytest.mark.skipif(not REPORTS.is_file(), reason="the bug reports are not beside the project")

#: Report -> the codes that it must be found by, at which line and in which words.
EXPECTED = {
    "BUG-113": {"AP005": (1, "encoded twice")},
    "BUG-114": {"AP006": (1, "printed as None")},
    "BUG-121": {"AP202": (1, "write [0]")},
    "BUG-122": {"AP203": (1, "a slice with a step"), "AP205": (1, "'is sequence'")},
    "BUG-124": {"AP003": (1, "a system message that comes late")},
    "BUG-125": {"AP003": (1, "two user messages in a row")},
    "BUG-127": {"AP019": (4, "without it the prompt goes on with"), "AP020": (4, "in a longer chat")},
}


def reports() -> dict[str, dict[str, Any]]:
    entries = map(json.loads, REPORTS.read_text(encoding="utf-8").splitlines())
    return {entry["id"]: entry for entry in entries if entry["kind"] == "lint"}


def test_every_report_is_expected_here() -> None:
    assert set(reports()) == {*EXPECTED, "BUG-128"}


@pytest.mark.parametrize("case", sorted(EXPECTED))
def test_a_reported_mistake_is_found(case: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jinja"
    path.write_text(reports()[case]["template_inline"], encoding="utf-8")
    found = {(item.code, item.line): item.message for item in lint([path], jobs=1).violations}
    for code, (line, words) in EXPECTED[case].items():
        assert any(key == (code, line) and words in message for key, message in found.items()), found


def test_content_comes_back_byte_for_byte() -> None:
    report = reports()["BUG-128"]
    template = ChatTemplate.load(REPORTS.parent / report["template"])
    tools = report["tools"]
    prompt = template.render(
        RenderInputs([{"role": "user", "content": "hi"}], tools=tools, add_generation_prompt=True)
    )
    result = build_parser(analyze(template), tools=read_tools(tools), generation_prompt=prompt).parse(
        report["output"]
    )
    assert result.error is None
    assert result.message.content == report["expect_more"]["parsed"]["content"]
    messages = [{"role": "user", "content": "hi"}, result.message.to_dict()]
    for call in messages[1]["tool_calls"]:
        call["function"]["arguments"] = json.loads(call["function"]["arguments"])
    rendered = template.render(RenderInputs(messages, tools=tools))
    assert rendered.startswith(prompt + report["output"])
