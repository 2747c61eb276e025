"""What was matched, as steps and as a tree."""

from __future__ import annotations

import pytest
from test_parsing_closing import JSON, TAGS
from wire_formats import FITTING, FORMATS, TOOLS

from autoparser_cli.parsing import build_parser
from autoparser_cli.parsing.trace import TraceNode, trace, trace_tree


def kinds(node: TraceNode) -> list[str]:
    return [part.kind for part in node.parts]


def test_a_call_has_its_markers_name_and_arguments_below_it() -> None:
    root = trace_tree(build_parser(FORMATS["hermes"], TOOLS), "Hi\n" + JSON)
    assert kinds(root)[:3] == ["content", "marker", "call"]
    call = root.parts[2]
    assert kinds(call) == ["marker", "name", "marker", "arguments", "marker"]
    assert (call.parts[0].text, call.parts[1].text) == ('<tool_call>\n{"name": "', "get_weather")
    assert [(part.kind, part.text) for part in call.parts[3].parts] == [("city", '"Bonn"')]


def test_an_unfinished_call_is_named_so() -> None:
    root = trace_tree(build_parser(FORMATS["hermes"], TOOLS), JSON[:55])
    assert kinds(root) == ["unfinished call"]


def test_nested_arguments_hang_below_their_key() -> None:
    output = JSON.replace('"Bonn"', '"Bonn", "tags": ["a", "b"]')
    root = trace_tree(build_parser(FORMATS["hermes"], TOOLS), output)
    arguments = next(part for part in root.parts[0].parts if part.kind == "arguments")
    assert [(part.kind, part.text) for part in arguments.parts[1].parts] == [("0", '"a"'), ("1", '"b"')]


@pytest.mark.parametrize("name", FORMATS)
def test_steps_and_tree_are_made_of_any_output_of_any_format(name: str) -> None:
    parser = build_parser(FORMATS[name], TOOLS)
    for output in [*FITTING[name], TAGS, "", "x", FITTING[name][0][:-5]]:
        steps = trace(parser, output)
        assert all(step.offset <= len(output) for step in steps)
        calls = [part for part in trace_tree(parser, output).parts if part.kind.endswith("call")]
        assert len(calls) == sum(step.kind == "call" for step in steps)


def test_a_tree_is_json() -> None:
    found = trace_tree(build_parser(FORMATS["hermes"], TOOLS), "Hi").to_dict()
    part = {"kind": "content", "text": "Hi", "offset": 0}
    assert found == {"kind": "turn", "text": "", "offset": 0, "parts": [part]}
