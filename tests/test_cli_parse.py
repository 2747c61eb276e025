"""`autoparser parse` on the fixtures: messages, errors, streams, options, exit codes."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from autoparser_cli.cli.main import run

FIXTURES = Path(__file__).parent.parent / "fixtures"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def parse(fixture: str, *arguments: str, output: str | None = None) -> int:
    """Parse `output` (standard input), or the fixture's own one."""
    folder = FIXTURES / fixture
    source = ["-"] if output is not None else [str(folder / "output.txt")]
    if output is not None:
        sys.stdin = io.TextIOWrapper(io.BytesIO(output.encode()))
    options = ["--template", str(folder / "template.jinja"), "--tools", str(folder / "tools.json")]
    try:
        return run(["parse", *options, *source, *arguments])
    finally:
        sys.stdin = sys.__stdin__


def report(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_json_is_the_fixtures_message(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse("json-array", "--format", "json") == 0
    expected = json.loads((FIXTURES / "json-array/message.json").read_text())
    assert report(capsys) == {"message": expected, "error": None, "repairs": [], "findings": []}


def test_page_shows_reasoning_content_and_calls(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse("reasoning-tagged") == 0
    page = capsys.readouterr().out
    assert (
        page.index("The user wants the tide.") < page.index("Let me look.") < page.index("call 1: get_tide")
    )
    assert '  {\n    "port": "Oslo"\n  }' in page
    assert "think_step" not in page


def test_empty_output_is_an_empty_message_with_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse("json-flat", output="") == 0
    assert "empty" in capsys.readouterr().out
    assert parse("json-flat", "--format", "json", output="") == 0
    found = report(capsys)
    assert found["message"] == {"role": "assistant", "content": ""}
    assert "empty" in found["note"]


def test_output_that_does_not_fit_is_exit_code_1_with_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    output = (FIXTURES / "tag-tagged/broken.txt").read_text()
    assert parse("tag-tagged", output=output) == 1
    page = capsys.readouterr().out
    assert "line 3, column 5 (offset 26)" in page
    assert "  3 | <fn=get_tides>\n    |     ^\n" in page
    assert "get_tide (a tool)" in page


def test_lenient_keeps_the_call_and_names_the_repair(capsys: pytest.CaptureFixture[str]) -> None:
    output = (FIXTURES / "tag-tagged/broken.txt").read_text()
    assert parse("tag-tagged", "--lenient", "--format", "json", output=output) == 0
    found = report(capsys)
    assert [call["function"]["name"] for call in found["message"]["tool_calls"]] == ["get_tides"]
    assert "unknown-tool" in [repair["name"] for repair in found["repairs"]]


def test_explain_shows_what_matched_and_the_near_miss(capsys: pytest.CaptureFixture[str]) -> None:
    output = (FIXTURES / "tag-tagged/broken.txt").read_text()
    assert parse("tag-tagged", "--explain", output=output) == 1
    page = capsys.readouterr().out
    assert "1:1 content" in page
    assert "unknown-tool at 3:5" in page


@pytest.mark.parametrize("size", ["1", "3", "1000"])
def test_stream_gives_the_message_and_its_deltas(size: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert parse("reasoning-tagged", "--stream", size, "--format", "json") == 0
    found = report(capsys)
    folder = FIXTURES / "reasoning-tagged"
    assert found["message"] == json.loads((folder / "message.json").read_text())
    assert "".join(step["chunk"] for step in found["stream"]) == (folder / "output.txt").read_text()
    deltas = [delta for step in found["stream"] for delta in step["deltas"]]
    assert "".join(delta.get("content", "") for delta in deltas) == found["message"]["content"]
    reasoning = "".join(delta.get("reasoning_content", "") for delta in deltas)
    assert reasoning == found["message"]["reasoning_content"]


def test_chunks_of_a_file_are_one_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chunks = tmp_path / "chunks.jsonl"
    chunks.write_text('"a\u2028b"\n" c"\n\n', encoding="utf-8")
    template = str(FIXTURES / "json-flat/template.jinja")
    assert run(["parse", "--template", template, "--stream", str(chunks), "--format", "json"]) == 0
    found = report(capsys)
    assert [step["chunk"] for step in found["stream"]] == ["a\u2028b", " c"]
    assert found["message"]["content"] == "a\u2028b c"


def test_schema_findings_stand_beside_the_message(capsys: pytest.CaptureFixture[str]) -> None:
    output = '<call>\n{"name": "get_tide", "arguments": {"days": "x"}}\n</call>'
    assert parse("json-flat", "--format", "json", output=output) == 0
    found = report(capsys)
    assert len(found["message"]["tool_calls"]) == 1
    assert "missing-parameter" in [finding["code"] for finding in found["findings"]]


def test_tool_choice_none_leaves_calls_in_the_content(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse("json-flat", "--tool-choice", "none", "--format", "json") == 0
    message = report(capsys)["message"]
    assert "tool_calls" not in message
    assert '{"name": "get_tide"' in message["content"]


def test_a_second_call_is_an_error_without_parallel_calls(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse("json-flat", "--no-parallel-tool-calls") == 1
    assert "call 1: get_tide" in capsys.readouterr().out


def test_reasoning_format_none_leaves_it_in_the_content(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse("reasoning-tagged", "--reasoning-format", "none", "--format", "json") == 0
    message = report(capsys)["message"]
    assert "reasoning_content" not in message
    assert "I should call a tool." in message["content"]


def test_unknown_reasoning_format_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse("reasoning-tagged", "--reasoning-format", "xml") == 2
    assert capsys.readouterr().err == "autoparser: reasoning_format must be one of auto, none\n"


def test_the_prompt_decides_whether_reasoning_is_open(capsys: pytest.CaptureFixture[str]) -> None:
    output = "It is noon."
    assert parse("prompt-opens-reasoning", "--kwarg", "enable_thinking=false", output=output) == 0
    assert "content\n  It is noon." in capsys.readouterr().out
    prompt = ("--generation-prompt", "<|turn assistant|>\n<muse>\n")
    parse("prompt-opens-reasoning", *prompt, "--format", "json", output=output)
    assert "content" not in {name for name, text in report(capsys)["message"].items() if text == output}


def test_messages_give_the_prompt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "chat.json").write_text('[{"role": "user", "content": "When?"}]')
    messages = ("--messages", str(tmp_path / "chat.json"))
    assert parse("prompt-opens-reasoning", *messages, output="Hm.\n</muse>\n\nNoon.") == 0
    assert "reasoning\n  Hm.\ncontent\n  Noon.\n" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["{}", "[]", '["a"]', "x"])
def test_bad_messages_are_one_line(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "chat.json").write_text(text)
    assert parse("json-flat", "--messages", str(tmp_path / "chat.json")) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_show_tree_hangs_the_calls_parts_below_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse("json-flat", "--show-tree") == 0
    page = capsys.readouterr().out
    assert "├── content 1:1  Let me look." in page
    assert "│   ├── name 3:11  get_tide" in page
    assert parse("json-flat", "--show-tree", "--format", "json") == 0
    tree = report(capsys)["tree"]
    assert [part["kind"] for part in tree["parts"]][:3] == ["content", "marker", "call"]


def test_explain_says_in_json_too_what_was_missing(capsys: pytest.CaptureFixture[str]) -> None:
    output = '<call>\n{"name": "get_tide", "arguments": {"port": "Oslo"}\n</call>'
    assert parse("json-flat", "--explain", "--format", "json", output=output) == 1
    miss = report(capsys)["near_misses"][0]
    assert (miss["name"], miss["offset"], miss["advice"]) == (
        "missing-bracket",
        output.index("\n</call>"),
        "put `}` in",
    )


@pytest.mark.parametrize(
    ("field", "begun", "output", "wanted"),
    [
        ("content", {"content": "It is "}, "noon.", {"content": "It is noon."}),
        (
            "reasoning",
            {"content": "", "reasoning_content": "I am "},
            "sure.\n</think_step>\n\nNoon.",
            {"content": "Noon.", "reasoning_content": "I am sure."},
        ),
    ],
)
def test_an_output_may_go_on_with_the_last_message(
    field: str,
    begun: dict[str, str],
    output: str,
    wanted: dict[str, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    chat = [{"role": "user", "content": "When?"}, {"role": "assistant", **begun}]
    (tmp_path / "chat.json").write_text(json.dumps(chat))
    options = ("--messages", str(tmp_path / "chat.json"), "--continue-final-message", field)
    assert parse("reasoning-tagged", *options, "--format", "json", output=output) == 0
    assert report(capsys)["message"] == {"role": "assistant", **wanted}


def test_a_field_that_cannot_be_continued_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse("reasoning-tagged", "--continue-final-message", "calls", output="x") == 2
    assert capsys.readouterr().err == "autoparser: --continue-final-message must be content or reasoning\n"


def test_a_call_in_another_format_is_noted_and_explained(capsys: pytest.CaptureFixture[str]) -> None:
    output = '[{"name": "get_tide", "arguments": {"port": "Oslo"}}'
    assert parse("tag-tagged", output=output) == 0
    assert "get_tide is named as in a call, but no call was read.\n  try: --explain" in (
        capsys.readouterr().out
    )
    assert parse("tag-tagged", "--explain", output=output) == 0
    page = capsys.readouterr().out
    assert "call-as-text at 1:12" in page
    assert "a call as the template writes it\n  <call>\n  <fn=get_tide>\n" in page
    assert "note\n  No <call> stands in the output" in page


@pytest.mark.parametrize(
    "output",
    [
        '<call>\n{"name": "get_tide", "arguments": {}}\n</call>',  # the markers are there, the format is another
        "Let me call ring_bell and see.",
        "<call>\n<fn=get_tide>\n<arg=port>Oslo</arg>\n</fn>\n</call>",
    ],
)
def test_special_tokens_are_not_said_to_be_lost_where_they_stand_or_no_call_is(
    output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert parse("tag-tagged", "--explain", output=output) == 0
    assert "special tokens" not in capsys.readouterr().out


def test_an_answer_in_words_has_no_note(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse("tag-tagged", "--explain", output="I will ask get_tide about Oslo.") == 0
    page = capsys.readouterr().out
    assert "near misses" not in page
    assert "as the template writes it" not in page


def test_calls_of_tools_that_are_not_known_are_read_and_noted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "output.txt").write_text("<call>\n<fn=get_tide>\n</fn>\n</call>")
    fixture = ["--template", str(FIXTURES / "tag-tagged" / "template.jinja")]
    assert run(["parse", *fixture, str(tmp_path / "output.txt")]) == 0
    page = capsys.readouterr().out
    assert "call 1: get_tide" in page
    assert "note\n  No tools were given: any name counts as a tool's" in page


def test_an_empty_list_of_tools_makes_a_call_content(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "output.txt").write_text("<call>\n<fn=get_tide>\n</fn>\n</call>")
    (tmp_path / "tools.json").write_text("[]")
    fixture = ["--template", str(FIXTURES / "tag-tagged" / "template.jinja")]
    assert (
        run(["parse", *fixture, "--tools", str(tmp_path / "tools.json"), str(tmp_path / "output.txt")]) == 0
    )
    page = capsys.readouterr().out
    assert "call 1" not in page
    assert "None was looked for: the list of tools is empty.\n  try: without --tools" in page


def test_a_note_says_that_calls_were_not_to_be_looked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse("tag-tagged", "--tool-choice", "none", output="<call>\n<fn=get_tide>\n</fn>\n</call>") == 0
    page = capsys.readouterr().out
    assert "None was looked for: --tool-choice is none." in page
    assert "--explain" not in page


def test_a_note_does_not_promise_a_call_of_a_template_that_writes_none(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tools = str(FIXTURES / "tag-tagged" / "tools.json")
    assert parse("content-plain", "--tools", tools, output='{"name": "get_tide"}') == 0
    page = capsys.readouterr().out
    assert "The template writes no calls" in page
    assert "to see how the template writes one" not in page


def test_a_tool_choice_that_names_no_tool_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse("tag-tagged", "--tool-choice", "get_tides", output="<call>") == 2
    assert "no tool is called 'get_tides' (auto, required, none, or: get_tide, ring_bell)" in (
        capsys.readouterr().err
    )


def test_a_request_brings_its_tools(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fixture = FIXTURES / "tag-tagged"
    request = {
        "messages": [{"role": "user", "content": "When?"}],
        "tools": json.loads((fixture / "tools.json").read_text()),
    }
    (tmp_path / "request.json").write_text(json.dumps(request))
    command = ["parse", "--template", str(fixture / "template.jinja"), "--messages"]
    assert run([*command, str(tmp_path / "request.json"), str(fixture / "broken.txt")]) == 1
    assert "expected get_tide (a tool) or ring_bell (a tool)" in capsys.readouterr().out


def test_tools_are_no_conversation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tools = str(FIXTURES / "tag-tagged" / "tools.json")
    assert parse("tag-tagged", "--messages", tools) == 2
    assert "messages[0] has no role" in capsys.readouterr().err


def test_a_call_in_another_format_is_noted_without_tools_by_its_marker(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "output.txt").write_text('<call>\n{"name": "get_tide", "arguments": {}}\n</call>')
    command = ["parse", "--template", str(FIXTURES / "tag-tagged" / "template.jinja")]
    assert run([*command, str(tmp_path / "output.txt")]) == 0
    assert "note\n  <call> stands in the content, but no call was read." in capsys.readouterr().out
    assert run([*command, str(tmp_path / "output.txt"), "--explain"]) == 0
    assert "a call as the template writes it\n  <call>\n  <fn=FUNCTION>\n" in capsys.readouterr().out
