"""parse(render(message)) == message, over generated messages, for every fixture; and any cut of it the same."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from autoparser_cli.analysis.model import (
    ReasoningMode,
    TaggedArguments,
    TemplateAnalysis,
    ToolFormatMode,
)
from autoparser_cli.inference import analyze
from autoparser_cli.messages import Message, read_tools
from autoparser_cli.parsing import build_parser
from autoparser_cli.templates import ChatTemplate, RenderInputs
from tests.goldens import fixture_folders

QUESTION = {"role": "user", "content": "When is high water?"}
TYPES: dict[str, Any] = {
    "text": st.text(alphabet=st.sampled_from("ab3 \n\"'\\{}[]<>/=|é😀:,"), max_size=24),
    "whole": st.integers(-(10**6), 10**6),
    "ratio": st.floats(-1e6, 1e6).map(lambda number: round(number, 3)),
    "yes": st.booleans(),
    "names": st.lists(st.text(alphabet="ab,\" '", max_size=6), max_size=3),
    "nested": st.fixed_dictionaries(
        {"a": st.lists(st.integers(0, 9), max_size=2), "b": st.text("x<\"'", max_size=4)}
    ),
}
DECLARED = {
    "text": "string",
    "whole": "integer",
    "ratio": "number",
    "yes": "boolean",
    "names": "array",
    "nested": "object",
}
TOOLS = [
    {"type": "function", "function": {"name": name, "description": name, "parameters": parameters}}
    for name, parameters in {
        "get_tide": {"type": "object", "properties": {key: {"type": kind} for key, kind in DECLARED.items()}},
        "ring_bell": {"type": "object", "properties": {}},
    }.items()
]
PROSE = st.text(alphabet=st.sampled_from("abc \n.,!?äß0"), max_size=40).filter(
    lambda text: text == text.strip()
)
CALL = st.one_of(
    st.just(("ring_bell", {})),
    st.tuples(st.just("get_tide"), st.fixed_dictionaries({}, optional=TYPES)),
)


@lru_cache
def loaded(folder: Path) -> tuple[ChatTemplate, TemplateAnalysis]:
    template = ChatTemplate.load(folder / "template.jinja")
    return template, analyze(template)


def message_of(
    analysis: TemplateAnalysis, reasoning: str, content: str, calls: list[tuple[str, dict[str, Any]]]
) -> dict[str, Any]:
    """Put a message together of what the template shows."""
    if analysis.tools.format.mode is ToolFormatMode.NONE:
        calls = []
    mode = analysis.reasoning.mode
    shown = mode is ReasoningMode.TAG_BASED or (mode is ReasoningMode.TOOLS_ONLY and calls)
    message: dict[str, Any] = {"role": "assistant", "content": content}
    if shown and reasoning:
        message[analysis.reasoning.field or "reasoning_content"] = reasoning
    if calls:
        message["tool_calls"] = [
            {"type": "function", "id": f"call0000{index}", "function": {"name": name, "arguments": arguments}}
            for index, (name, arguments) in enumerate(calls)
        ]
    return message


def is_told_by_lines(analysis: TemplateAnalysis) -> bool:
    """Tell whether nothing but the end of its line ends a text: then none with line breaks can be told."""
    arguments = analysis.calls.body.arguments if analysis.calls is not None else None
    return isinstance(arguments, TaggedArguments) and any(
        form.encoding.is_raw and not "".join(piece for piece in form.close if isinstance(piece, str)).strip()
        for form in arguments.forms
    )


def plain(message: Message) -> tuple[str, str, list[tuple[str, Any]]]:
    calls = [(call.name, json.loads(call.arguments)) for call in message.tool_calls]
    return message.content.strip(), message.reasoning_content.strip(), calls


@pytest.mark.parametrize("folder", fixture_folders(), ids=lambda folder: folder.name)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    reasoning=PROSE,
    content=PROSE,
    calls=st.lists(CALL, max_size=3),
    places=st.lists(st.integers(0, 500), max_size=8),
)
def test_a_rendered_message_comes_back(
    folder: Path,
    reasoning: str,
    content: str,
    calls: list[tuple[str, dict[str, Any]]],
    places: list[int],
) -> None:
    template, analysis = loaded(folder)
    if is_told_by_lines(analysis):
        assume(not any("\n" in arguments.get("text", "") for _, arguments in calls))
    message = message_of(analysis, reasoning, content, calls)
    prompt = template.render(RenderInputs([QUESTION], tools=TOOLS, add_generation_prompt=True))
    whole = template.render(RenderInputs([QUESTION, message], tools=TOOLS))
    assume(whole.startswith(prompt))  # a prompt that opens reasoning does not lead to a turn without
    output = whole[len(prompt) :]
    parser = build_parser(analysis, tools=read_tools(TOOLS), generation_prompt=prompt)
    result = parser.parse(output)
    assert result.error is None
    if content or "tool_calls" in message:  # white space around an empty content is not told from other
        assert result.repairs == ()
    thought = message.get(analysis.reasoning.field or "reasoning_content", "")
    wanted = [
        (call["function"]["name"], call["function"]["arguments"]) for call in message.get("tool_calls", ())
    ]
    assert plain(result.message) == (content, thought, wanted)
    borders = [0, *sorted(place % (len(output) + 1) for place in places), len(output)]
    stream = parser.stream()
    for start, end in pairwise(borders):
        stream.feed(output[start:end])
    assert stream.close() == result
