"""Each fixture: its analysis in every field, its proof, and what its sample output means."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from autoparser_cli.inference import analyze
from autoparser_cli.messages import read_tools
from autoparser_cli.parsing import OutputParser, build_parser
from autoparser_cli.templates import ChatTemplate, RenderInputs
from tests.goldens import analysis_of, fixture_folders

FOLDERS = fixture_folders()
each_fixture = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)

QUESTION = {"role": "user", "content": "When is high water?"}


def read(folder: Path, name: str) -> Any:
    return json.loads((folder / name).read_text())


def parser_of(folder: Path) -> OutputParser:
    template = ChatTemplate.load(folder / "template.jinja")
    return build_parser(analyze(template), tools=read_tools(read(folder, "tools.json")))


def values_of(name: str, *path: str) -> set[Any]:
    """Collect what the fixtures' analyses say in one field."""
    found = set()
    for folder in FOLDERS:
        value = read(folder, name)
        for key in path:
            value = value[key]
        found.add(value)
    return found


def test_every_mode_has_a_fixture() -> None:
    of = "analysis.json"
    assert values_of(of, "reasoning", "mode") == {"NONE", "TAG_BASED", "TOOLS_ONLY"}
    assert values_of(of, "content", "mode") == {"PLAIN", "ALWAYS_WRAPPED", "WRAPPED_WITH_REASONING"}
    modes = {"NONE", "JSON_NATIVE", "TAG_WITH_JSON", "TAG_WITH_TAGGED"}
    assert values_of(of, "tools", "format", "mode") == modes
    positions = {"NONE", "PRE_FUNC_NAME", "BETWEEN_FUNC_AND_ARGS", "POST_ARGS"}
    assert values_of(of, "tools", "call_id", "pos") == positions


@each_fixture
def test_analysis_is_exactly_as_written(folder: Path) -> None:
    assert analysis_of(folder) == read(folder, "analysis.json")


@each_fixture
def test_analysis_is_proved(folder: Path) -> None:
    proof = analyze(ChatTemplate.load(folder / "template.jinja")).proof
    assert [step for step in proof.steps if not step.passed] == []
    assert proof.tried > 0


@each_fixture
def test_sample_output_means_the_message(folder: Path) -> None:
    result = parser_of(folder).parse((folder / "output.txt").read_text())
    assert result.error is None
    assert result.repairs == ()
    assert result.message.to_dict() == read(folder, "message.json")


@each_fixture
def test_sample_output_means_the_same_character_by_character(folder: Path) -> None:
    stream = parser_of(folder).stream()
    for character in (folder / "output.txt").read_text():
        stream.feed(character)
    result = stream.close()
    assert (result.error, result.message.to_dict()) == (None, read(folder, "message.json"))


@each_fixture
def test_template_renders_the_message_as_the_sample_output(folder: Path) -> None:
    """The fixture is what it says: no file of it was written past the template."""
    template = ChatTemplate.load(folder / "template.jinja")
    message = read(folder, "message.json")
    for call in message.get("tool_calls", ()):
        call["function"]["arguments"] = json.loads(call["function"]["arguments"])
    tools = read(folder, "tools.json")
    prompt = template.render(RenderInputs([QUESTION], tools=tools, add_generation_prompt=True))
    whole = template.render(RenderInputs([QUESTION, message], tools=tools))
    assert whole == f"{prompt}{(folder / 'output.txt').read_text()}<|done|>\n"


@pytest.mark.parametrize(
    "folder",
    [folder for folder in FOLDERS if "tool_calls" in read(folder, "message.json")],
    ids=lambda f: f.name,
)
def test_output_cut_inside_its_last_call_is_an_error(folder: Path) -> None:
    """A call that is not finished is never given as if it were."""
    output = (folder / "output.txt").read_text()
    name = read(folder, "message.json")["tool_calls"][-1]["function"]["name"]
    result = parser_of(folder).parse(output[: output.rindex(name) + len(name)])
    assert result.error is not None
    assert len(result.message.tool_calls) < len(read(folder, "message.json")["tool_calls"])
