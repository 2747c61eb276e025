"""What the parser makes of outputs.

The formats as printed, what models write differently, and what is wrong.
"""

from __future__ import annotations

import json
from typing import Any

import formats
import pytest

from autoparser_cli.errors import ClosedStreamError, ToolsError
from autoparser_cli.parsing import ParseResult, build_parser


def parse(
    name: str, output: str, prompt: str | None = None, tools: Any = formats.TOOLS, **options: Any
) -> ParseResult:
    return build_parser(getattr(formats, name), tools=tools, generation_prompt=prompt, **options).parse(
        output
    )


def calls(result: ParseResult) -> list[tuple[str, Any]]:
    return [(call.name, json.loads(call.arguments)) for call in result.message.tool_calls]


def repairs(result: ParseResult) -> set[str]:
    return {repair.name for repair in result.repairs}


CITY = {"city": "Paris"}
PRINTED = {
    "HERMES": '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris"}}\n</tool_call>',
    "NEMO": '[TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Paris"}, "id": "123456789"}]',
    "APERTUS": '<|tools_prefix|>[{"get_weather": {"city": "Paris"}}]<|tools_suffix|>',
    "FUNCTIONARY": '<function=get_weather>{"city": "Paris"}</function>',
    "DEEPSEEK_V31": (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>"
        '{"city": "Paris"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>'
    ),
    "CODER": (
        "<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>\n</tool_call>"
    ),
    "GLM": (
        "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n</tool_call>"
    ),
    "SEED": (
        "<seed:tool_call>\n<function=get_weather>\n<parameter=city>Paris</parameter>\n</function>\n</seed:tool_call>"
    ),
    "R7B": (
        '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Paris"}}]'
        "<|END_ACTION|>"
    ),
    "LLAMA3": '{"name": "get_weather", "parameters": {"city": "Paris"}}',
    "KIMI": (
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>"
        '{"city": "Paris"}<|tool_call_end|><|tool_calls_section_end|>'
    ),
    "GEMMA": '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>}<tool_call|>',
    "LFM": "<|tool_call_start|>[get_weather(city='Paris')]<|tool_call_end|>",
    "DSML": (
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n'
        '<｜DSML｜parameter name="city" string="true">'
        "Paris</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>"
    ),
    "CHANNELS": (
        "<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>"
        '{"city": "Paris"}<|call|>'
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PRINTED)
def test_a_call_as_printed_needs_no_repair(name: str) -> None:
    result = parse(name, PRINTED[name])
    assert result.error is None
    assert calls(result) == [("get_weather", CITY)]
    assert result.message.content == ""
    assert result.repairs == ()


@pytest.mark.parametrize("name", PRINTED)
def test_a_call_cut_anywhere_before_its_end_is_never_returned(name: str) -> None:
    text = PRINTED[name]
    last = text.rindex("Paris")
    for end in range(last + 5):
        result = parse(name, text[:end])
        assert result.message.tool_calls == (), text[:end]
        if result.open_call is not None:
            assert result.open_call.name == "get_weather"


@pytest.mark.parametrize("name", PRINTED)
def test_an_undeclared_tool_is_an_error_and_kept_in_lenient(name: str) -> None:
    text = PRINTED[name].replace("get_weather", "other_tool")
    strict, lenient = parse(name, text), parse(name, text, lenient=True)
    assert strict.message.tool_calls == ()
    if name == "LLAMA3":
        assert strict.message.content == text
        return
    assert strict.error is not None
    assert strict.error.offset == text.index("other_tool")
    assert "get_weather" in strict.error.expected
    assert strict.error.unparsed == text
    assert calls(lenient) == [("other_tool", CITY)]
    assert "unknown-tool" in repairs(lenient)


@pytest.mark.parametrize("name", PRINTED)
def test_without_tools_a_call_is_content(name: str) -> None:
    result = parse(name, PRINTED[name], tools=[])
    assert result.message.tool_calls == ()
    assert "Paris" in result.message.content


@pytest.mark.parametrize("name", PRINTED)
def test_where_tools_are_not_known_any_name_is_a_tools(name: str) -> None:
    result = parse(name, PRINTED[name], tools=None)
    assert result.error is None
    assert calls(result) == calls(parse(name, PRINTED[name]))
    assert result.findings == ()


def test_with_unknown_tools_prose_with_braces_is_content() -> None:
    text = 'Sure: x(y), {"name": "Bob"} and [a] are fine.'
    result = parse("LLAMA3", text, tools=None)
    assert (result.message.content, result.message.tool_calls) == (text, ())


def test_with_unknown_tools_the_choice_still_holds() -> None:
    assert calls(parse("HERMES", PRINTED["HERMES"], tools=None, tool_choice="none")) == []
    assert parse("HERMES", PRINTED["HERMES"], tools=None, tool_choice="another_tool").error is not None


THINK = "<|im_start|>assistant\n<think>\n"


def test_reasoning_content_and_two_calls() -> None:
    text = "<think>\nWhy?\n</think>\n\nLet me see.\n" + PRINTED["HERMES"] + "\n" + PRINTED["HERMES"]
    result = parse("HERMES", text)
    assert result.message.reasoning_content == "Why?"
    assert result.message.content == "Let me see."
    assert len(calls(result)) == 2
    assert result.repairs == ()


@pytest.mark.parametrize(
    ("prompt", "output", "reasoning", "content"),
    [
        (THINK, "so\n</think>\n\nHi", "so", "Hi"),
        (THINK, "still thinking", "still thinking", ""),
        (THINK, "</think>\n\nHi", "", "Hi"),
        ("<|im_start|>assistant\n<think>\n\n</think>\n\n", "Hi", "", "Hi"),
        (None, "Hi", "", "Hi"),
        (None, "\n<think>\na\n</think>\n\nHi", "a", "Hi"),
        (None, "<think>\n\n</think>\n\nHi", "", "Hi"),
        (None, "</think>\n\nHi", "", "Hi"),
        ("", "<think>a</think>Hi", "a", "Hi"),
        ("unknown header <think>\n", "a</think>Hi", "a", "Hi"),
        ("unknown header </think>", "Hi", "", "Hi"),
        ("about <think> tags: ", "Hi", "", "Hi"),
    ],
)
def test_the_prompt_decides_where_the_output_begins(
    prompt: str | None, output: str, reasoning: str, content: str
) -> None:
    result = parse("HERMES", output, prompt)
    assert (result.message.reasoning_content, result.message.content) == (reasoning, content)
    assert result.error is None


def test_a_mention_of_the_call_marker_stays_where_it_is() -> None:
    result = parse("HERMES", "It opens with <tool_call>, as in <tool_call> x.")
    assert result.message.content == "It opens with <tool_call>, as in <tool_call> x."


def test_a_call_in_reasoning_that_is_closed_later_is_reasoning() -> None:
    result = parse("HERMES", f"I could write {PRINTED['HERMES']} here\n</think>\n\nNo.", THINK)
    assert result.message.tool_calls == ()
    assert PRINTED["HERMES"] in result.message.reasoning_content
    assert result.message.content == "No."


def test_a_call_in_reasoning_that_is_never_closed_is_a_call() -> None:
    result = parse("HERMES", f"I need it.\n{PRINTED['HERMES']}", THINK)
    assert calls(result) == [("get_weather", CITY)]
    assert result.message.reasoning_content.strip() == "I need it."
    assert repairs(result) == {"call-in-unclosed-reasoning"}


@pytest.mark.parametrize(
    ("body", "repair"),
    [
        ('{"arguments": {"city": "Paris"}, "name": "get_weather"}', "key-order"),
        ('{"id": "x", "name": "get_weather", "arguments": {"city": "Paris"}}', None),
        ('{"name": "get_weather", "arguments": "{\\"city\\": \\"Paris\\"}"}', "arguments-as-string"),
        ('{"name": "get_weather", "parameters": {"city": "Paris"}}', "other-arguments-key"),
        ('{ "name" :"get_weather","arguments":{"city":"Paris"} }', None),
    ],
)
def test_json_is_read_as_an_object(body: str, repair: str | None) -> None:
    result = parse("HERMES", f"<tool_call>{body}</tool_call>")
    assert calls(result) == [("get_weather", CITY)]
    assert result.error is None
    if repair:
        assert repair in repairs(result)


@pytest.mark.parametrize(
    "body",
    ['{"name": "get_weather", "arguments": {"city": Paris}}', '{"name": 3}', '{"name": "get_weather" "a"}'],
)
def test_broken_json_in_a_marked_call_is_an_error(body: str) -> None:
    result = parse("HERMES", f"Hi\n<tool_call>\n{body}\n</tool_call>")
    assert result.error is not None
    assert result.error.unparsed.startswith("<tool_call>")
    assert result.message.tool_calls == ()


def test_values_are_typed_by_their_schema() -> None:
    fields = {"flag": "true", "items": '["a"]', "options": "{}", "either": "5", "x": "-1.5"}
    text = "".join(f"<parameter={key}>\n{value}\n</parameter>\n" for key, value in fields.items())
    result = parse("CODER", f"<tool_call>\n<function=run>\n{text}</function>\n</tool_call>")
    assert calls(result) == [("run", {"flag": True, "items": ["a"], "options": {}, "either": 5, "x": -1.5})]
    assert result.findings == ()


def test_a_value_may_hold_the_markers() -> None:
    value = "Close: </parameter> and </function> and <parameter=path> </tool_call>"
    text = (
        f"<tool_call>\n<function=write_file>\n<parameter=content>\n{value}\n</parameter>\n"
        "</function>\n</tool_call>"
    )
    assert calls(parse("CODER", text)) == [("write_file", {"content": value})]


def test_findings_tell_of_types_and_keep_the_call() -> None:
    result = parse("HERMES", PRINTED["HERMES"].replace('"Paris"', "3"))
    assert calls(result) == [("get_weather", {"city": 3})]
    assert [finding.code for finding in result.findings] == ["wrong-type"]
    assert result.error is None


def test_text_behind_a_call_is_content_and_named() -> None:
    result = parse("HERMES", f"before {PRINTED['HERMES']} after")
    assert result.message.content == "before  after"
    assert "text-after-calls" in repairs(result)


def test_an_opening_marker_may_be_missing() -> None:
    text = PRINTED["CODER"].removeprefix("<tool_call>\n")
    result = parse("CODER", text)
    assert calls(result) == [("get_weather", CITY)]
    assert "missing-call-start" in repairs(result)


def test_a_json_call_without_its_opening_marker_needs_the_closing_one() -> None:
    body = '{"name": "get_time", "arguments": {}}'
    result = parse("HERMES", f"Sure: {body}\n</tool_call>")
    assert calls(result) == [("get_time", {})]
    assert repairs(result) == {"missing-call-start"}
    assert parse("HERMES", f"Sure: {body} is one.").message.content == f"Sure: {body} is one."


def test_the_end_of_reasoning_inside_the_arguments_of_a_call_ends_nothing() -> None:
    text = PRINTED["HERMES"].replace("Paris", "close </think> now")
    assert calls(parse("HERMES", f"I. {text}", THINK)) == [("get_weather", {"city": "close </think> now"})]


@pytest.mark.parametrize("end", ["<|im_end|>", "<|im_end|>\n"])
def test_the_end_of_the_turn_belongs_to_nothing(end: str) -> None:
    assert parse("HERMES", "Hi" + end).message.content == "Hi"
    assert calls(parse("HERMES", PRINTED["HERMES"] + end)) == [("get_weather", CITY)]


def test_text_behind_the_end_of_the_turn_is_not_parsed() -> None:
    result = parse("HERMES", "Hi<|im_end|>\n<|im_start|>user")
    assert result.message.content == "Hi"
    assert result.error is not None
    assert result.error.unparsed.endswith("<|im_start|>user")


def test_an_error_tells_line_and_column() -> None:
    result = parse("HERMES", 'é\n<tool_call>\n{"name": "get_weather", "arguments": {"city" 1}}')
    assert result.error is not None
    assert (result.error.line, result.error.column) == (3, 46)
    assert result.error.expected == (":",)


def test_lenient_goes_on_behind_a_broken_call() -> None:
    text = "<|tool_call>call:run(x)<tool_call|>" + PRINTED["GEMMA"]
    strict, lenient = parse("GEMMA", text), parse("GEMMA", text, lenient=True)
    assert strict.error is not None
    assert strict.error.expected == ("{",)
    assert calls(lenient) == [("get_weather", CITY)]
    assert lenient.error is None
    assert "unparsed-text" in repairs(lenient)
    assert lenient.unparsed.startswith("<|tool_call>call:run")


TWO = (
    PRINTED["HERMES"]
    + "\n"
    + PRINTED["HERMES"].replace("get_weather", "get_time").replace('"city": "Paris"', "")
)


@pytest.mark.parametrize(
    ("options", "output", "strict_calls", "strict_error", "lenient_calls"),
    [
        ({}, TWO, 2, False, 2),
        ({"parallel_tool_calls": False}, TWO, 1, True, 2),
        ({"parallel_tool_calls": False}, PRINTED["HERMES"], 1, False, 1),
        ({"tool_choice": "required"}, "Hi", 0, True, 0),
        ({"tool_choice": "required"}, PRINTED["HERMES"], 1, False, 1),
        ({"tool_choice": "none"}, PRINTED["HERMES"], 0, False, 0),
        ({"tool_choice": "get_time"}, PRINTED["HERMES"], 0, True, 1),
        ({"tool_choice": "get_weather"}, PRINTED["HERMES"], 1, False, 1),
    ],
)
def test_options_in_strict_and_lenient(
    options: dict[str, Any], output: str, strict_calls: int, strict_error: bool, lenient_calls: int
) -> None:
    strict, lenient = parse("HERMES", output, **options), parse("HERMES", output, lenient=True, **options)
    assert len(strict.message.tool_calls) == strict_calls
    assert (strict.error is not None) == strict_error
    assert len(lenient.message.tool_calls) == lenient_calls


@pytest.mark.parametrize("output", ['{"a": 1}', '```json\n{"a": 1}\n```', '<think>\nx\n</think>\n\n{"a": 1}'])
def test_a_json_response_is_bare_or_fenced(output: str) -> None:
    result = parse("HERMES", output, json_schema={"type": "object"})
    assert json.loads(result.message.content) == {"a": 1}
    assert result.error is None


def test_reasoning_left_in_the_content() -> None:
    text = "<think>\na\n</think>\n\nHi"
    assert parse("HERMES", text, reasoning_format="none").message.content == text
    opened = parse("HERMES", "a\n</think>\n\nHi", THINK, reasoning_format="none")
    assert opened.message.content == text


def test_a_continued_message_holds_what_the_prompt_began() -> None:
    prompt = THINK + "I am\n</think>\n\nHello, "
    result = parse("HERMES", "world", prompt, continue_final_message="content")
    assert result.message.content == "Hello, world"
    assert result.message.reasoning_content == "I am"
    result = parse("HERMES", " here\n</think>\n\nHi", THINK + "I am", continue_final_message="reasoning")
    assert (result.message.reasoning_content, result.message.content) == ("I am here", "Hi")


def test_names_and_ids_come_first_and_arguments_as_they_come() -> None:
    stream = build_parser(formats.HERMES, tools=formats.TOOLS).stream()
    assert stream.feed("<tool_call>\n") == ()
    named = stream.feed('{"name": "get_weather", "arguments": ')
    assert [delta.tool_call.name for delta in named if delta.tool_call] == ["get_weather"]
    pieces = stream.feed('{"city": "Par')
    assert [delta.tool_call.arguments for delta in pieces if delta.tool_call] == ['{"city": "Par']


def test_raw_strings_stream_before_they_end() -> None:
    stream = build_parser(formats.CODER, tools=formats.TOOLS).stream()
    stream.feed("<tool_call>\n<function=write_file>\n<parameter=content>\n")
    deltas = stream.feed('say "hi"\n')
    assert [delta.tool_call.arguments for delta in deltas if delta.tool_call] == ['say \\"hi\\"']


def test_content_is_held_back_only_where_a_marker_may_begin() -> None:
    stream = build_parser(formats.HERMES, tools=formats.TOOLS).stream()
    assert [delta.content for delta in stream.feed("a <b")] == ["a <b"]
    assert stream.feed("<tool_c") == ()
    assert [delta.content for delta in stream.feed("ost")] == ["<tool_cost"]


def test_an_analysis_without_calls_gives_content() -> None:
    parser = build_parser(formats.analysis(None, *formats.plain_joints()), tools=formats.TOOLS)
    assert parser.parse(PRINTED["HERMES"]).message.content == PRINTED["HERMES"]


def test_what_cannot_be_used_is_refused() -> None:
    with pytest.raises(ToolsError):
        build_parser(formats.HERMES, tools=[{"nonsense": 1}])
    with pytest.raises(ValueError, match="reasoning_format"):
        build_parser(formats.HERMES, reasoning_format="loud")


def test_the_dump_shows_markers_and_tools() -> None:
    shown = build_parser(formats.CODER, tools=formats.TOOLS).dump()
    assert "<function=" in shown
    assert "get_weather" in shown


@pytest.mark.parametrize("name", ["HERMES", "CODER", "LLAMA3"])
@pytest.mark.parametrize("piece", ["<tool_call>", "{", '{"a":', "</parameter>", "<think>", '"', " "])
def test_the_work_grows_with_the_text_and_not_faster(name: str, piece: str) -> None:
    """Count the resumptions and events of a stream: twice the text, about twice the work."""
    parser = build_parser(getattr(formats, name), tools=formats.TOOLS)
    counts = []
    for size in (200, 400):
        stream = parser.stream()
        text = piece * size
        counts.append(sum(len(stream.feed(text[at : at + 7])) for at in range(0, len(text), 7)) + 10)
        stream.close()
    assert counts[1] <= 2.3 * counts[0]


def test_a_closed_stream_takes_no_more_and_keeps_its_result() -> None:
    stream = build_parser(formats.HERMES, formats.TOOLS).stream()
    stream.feed("Hello")
    result = stream.close()
    with pytest.raises(ClosedStreamError, match="closed"):
        stream.feed(", world")
    assert stream.close() is result
    assert result.message.content == "Hello"


@pytest.mark.parametrize("size", [1, 3, 500])
def test_constants_of_python_in_json_arguments_are_a_repair(size: int) -> None:
    output = (
        '<tool_call>\n{"name": "run", "arguments": {"flag": True, "items": [None, "None"]}}\n</tool_call>'
    )
    stream = build_parser(formats.HERMES, formats.TOOLS).stream()
    for at in range(0, len(output), size):
        stream.feed(output[at : at + size])
    result = stream.close()
    assert result.error is None
    assert calls(result) == [("run", {"flag": True, "items": [None, "None"]})]
    told = [(repair.name, output[repair.offset :][:4]) for repair in result.repairs]
    assert told == [("literal-of-another-language", "True"), ("literal-of-another-language", "None")]


@pytest.mark.parametrize("word", ["Truly", "TRUE", "nil", "undefined", "NaN"])
def test_other_words_in_json_arguments_are_an_error(word: str) -> None:
    output = f'<tool_call>\n{{"name": "run", "arguments": {{"flag": {word}}}}}\n</tool_call>'
    assert parse("HERMES", output).error is not None
