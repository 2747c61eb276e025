"""The table of options: each option, on each wire format, strict and lenient."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import pytest
from wire_formats import FITTING, FORMATS, TOOLS

from autoparser_cli.messages import ToolCall
from autoparser_cli.parsing import ParseResult, build_parser

NAMES = [tool["name"] for tool in TOOLS]


@dataclass(frozen=True)
class Sample:
    """An output with calls, and what it means without any option."""

    format: str
    output: str

    @property
    def plain(self) -> ParseResult:
        return build_parser(FORMATS[self.format], TOOLS).parse(self.output)

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return self.plain.message.tool_calls


SAMPLES = [
    pytest.param(Sample(name, output), id=f"{name}-{number}")
    for name in FORMATS
    for number, output in enumerate(FITTING[name])
]
by_sample = pytest.mark.parametrize("sample", SAMPLES)
by_mode = pytest.mark.parametrize("lenient", [False, True], ids=["strict", "lenient"])


def parse(sample: Sample, lenient: bool, output: str | None = None, **options: Any) -> ParseResult:
    """Parse with options; single characters give the same."""
    parser = build_parser(FORMATS[sample.format], TOOLS, lenient=lenient, **options)
    text = sample.output if output is None else output
    result = parser.parse(text)
    stream = parser.stream()
    for character in text:
        stream.feed(character)
    assert stream.close() == result
    return result


def names_of(result: ParseResult) -> list[str]:
    return [call.name for call in result.message.tool_calls]


def repairs_of(result: ParseResult) -> set[str]:
    return {repair.name for repair in result.repairs}


@by_sample
@by_mode
@pytest.mark.parametrize("choice", ["auto", "required"])
def test_a_call_is_a_call_where_it_may_or_must_be_one(sample: Sample, lenient: bool, choice: str) -> None:
    result = parse(sample, lenient, tool_choice=choice)
    assert (result.error, result.message) == (None, sample.plain.message)
    assert len(result.message.tool_calls) >= 1


@by_sample
@by_mode
def test_required_and_no_call_is_an_error_in_both_modes(sample: Sample, lenient: bool) -> None:
    opening = sample.output.partition("</think>")[0] + "</think>\n\n" if "</think>" in sample.output else ""
    result = parse(sample, lenient, f"{opening}Just text.", tool_choice="required")
    assert result.error is not None
    assert result.error.expected == ("a tool call",)
    assert result.message.content == "Just text."


@by_sample
@by_mode
def test_none_leaves_the_text_of_calls_in_the_content(sample: Sample, lenient: bool) -> None:
    result = parse(sample, lenient, tool_choice="none")
    assert (result.error, result.message.tool_calls) == (None, ())
    for call in sample.calls:
        assert call.name in result.message.content


@by_sample
def test_a_named_tool_is_the_only_one_in_strict(sample: Sample) -> None:
    named = sample.calls[0].name
    result = parse(sample, False, tool_choice=named)
    if all(call.name == named for call in sample.calls):
        assert (result.error, result.message) == (None, sample.plain.message)
        return
    assert result.error is not None
    assert set(names_of(result)) <= {named}
    other = next(call.name for call in sample.calls if call.name != named)
    assert other in result.error.unparsed


@by_sample
def test_in_lenient_a_tool_that_is_not_the_named_one_is_a_repair(sample: Sample) -> None:
    called = {call.name for call in sample.calls}
    named = next(name for name in NAMES if name not in called)
    result = parse(sample, True, tool_choice=named)
    # Without a marker that says so, an unknown name is no call: the text is content.
    if result.message.tool_calls:
        assert "unknown-tool" in repairs_of(result)
        assert set(names_of(result)) <= called
    else:
        assert sample.calls[0].name in result.message.content + result.unparsed
    assert parse(sample, False, tool_choice=named).message.tool_calls == ()


@by_sample
def test_one_call_only(sample: Sample) -> None:
    strict = parse(sample, False, parallel_tool_calls=False)
    lenient = parse(sample, True, parallel_tool_calls=False)
    assert strict.message.tool_calls == sample.calls[:1]
    assert (strict.error is None) == (len(sample.calls) == 1)
    assert (lenient.error, lenient.message) == (None, sample.plain.message)
    assert ("second-call" in repairs_of(lenient)) == (len(sample.calls) > 1)


@by_sample
@by_mode
def test_reasoning_left_in_place_loses_nothing(sample: Sample, lenient: bool) -> None:
    result = parse(sample, lenient, reasoning_format="none")
    plain = sample.plain.message
    assert (result.error, result.message.tool_calls) == (None, plain.tool_calls)
    assert result.message.reasoning_content == ""
    assert plain.reasoning_content in result.message.content
    assert plain.content in result.message.content


@by_mode
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("fence", ["", "```json\n"], ids=["bare", "fenced"])
def test_a_response_with_a_schema(name: str, lenient: bool, fence: str) -> None:
    opening = "x\n</think>\n\n" if name == "thinking-tags" else ""
    output = f'{opening}{fence}{{"name": "add"}}' + ("\n```" if fence else "")
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    parser = build_parser(FORMATS[name], [], json_schema=schema, lenient=lenient)
    result = parser.parse(output)
    assert (result.error, result.message.content) == (None, '{"name": "add"}')


@by_mode
@pytest.mark.parametrize("name", FORMATS)
def test_a_continued_message_begins_with_what_the_prompt_holds(name: str, lenient: bool) -> None:
    analysis = FORMATS[name]
    closed = "x\n</think>\n\n" if name == "thinking-tags" else ""
    prompt = f"{analysis.generation_prompt}{closed}It is "
    parser = build_parser(
        analysis, TOOLS, generation_prompt=prompt, continue_final_message="content", lenient=lenient
    )
    result = parser.parse("noon.")
    assert (result.error, result.message.content) == (None, "It is noon.")


@by_mode
def test_a_format_that_was_not_inferred_gives_content_and_a_finding(lenient: bool) -> None:
    unknown = replace(FORMATS["hermes"], calls=None)
    output = FITTING["hermes"][0]
    result = build_parser(unknown, TOOLS, lenient=lenient).parse(output)
    assert (result.error, result.message.content, result.message.tool_calls) == (None, output, ())
    assert [(finding.code, finding.call) for finding in result.findings] == [("no-tool-format", -1)]
    assert build_parser(unknown, TOOLS, tool_choice="none").parse(output).findings == ()
    assert build_parser(unknown, []).parse(output).findings == ()


@by_mode
def test_a_parameter_that_is_given_twice_is_found_in_its_own_call_only(lenient: bool) -> None:
    first = "<function=get_weather>\n<parameter=city>\na\n</parameter>\n<parameter=city>\nb\n</parameter>\n</function>"
    second = "<function=get_weather>\n<parameter=city>\nc\n</parameter>\n</function>"
    output = f"x\n</think>\n\n<tool_call>\n{first}\n</tool_call>\n<tool_call>\n{second}\n</tool_call>"
    result = build_parser(FORMATS["thinking-tags"], TOOLS, lenient=lenient).parse(output)
    assert [json.loads(call.arguments) for call in result.message.tool_calls] == [
        {"city": "b"},
        {"city": "c"},
    ]
    assert [(finding.code, finding.call) for finding in result.findings] == [("doubled-parameter", 0)]


def test_the_same_name_inside_a_value_is_no_double() -> None:
    call = '{"name": "get_weather", "arguments": {"city": "x", "tags": ["city", {"city": 1}]}}'
    result = build_parser(FORMATS["hermes"], TOOLS).parse(f"<tool_call>\n{call}\n</tool_call>")
    assert result.findings == ()
