"""How little was missing: the nearest miss, in a sentence, with what to try."""

from __future__ import annotations

import pytest
from test_parsing_closing import JSON, TAGS
from wire_formats import FORMATS, TOOLS

from autoparser_cli.parsing import build_parser
from autoparser_cli.parsing.near_misses import NearMiss, near_misses


def misses(format_: str, output: str) -> tuple[NearMiss, ...]:
    strict = build_parser(FORMATS[format_], TOOLS)
    lenient = build_parser(FORMATS[format_], TOOLS, lenient=True)
    return near_misses(strict, output, strict.parse(output), lenient.parse(output))


@pytest.mark.parametrize(
    ("format_", "output", "name", "at", "advice"),
    [
        (
            "hermes",
            JSON.replace("</tool_call>", "</tool>"),
            "misspelt-marker",
            "</tool>",
            "write `</tool_call>`",
        ),
        ("hermes", JSON.replace('"}}', '"}'), "missing-bracket", "\n</tool", "put `}` in"),
        ("hermes", JSON.replace('Bonn"}}', "Bonn"), "missing-bracket", "\n</tool", 'put `"}}` in'),
        ("hermes", JSON.replace('"}}', '"}}}'), "extra-bracket", "}\n</tool", "take it out"),
        ("hermes", JSON.replace("get_weather", "get_wether"), "unknown-tool", "get_wether", "`get_weather`?"),
        (
            "thinking-tags",
            TAGS.replace("</function>", "</func>"),
            "misspelt-marker",
            "</func>",
            "`</function>`",
        ),
        (
            "thinking-tags",
            TAGS.replace("</function>\n", ""),
            "missing-marker",
            "</tool_call>",
            "`</function>`",
        ),
        (
            "thinking-tags",
            TAGS.replace("3\n</parameter>\n", "3\n"),
            "missing-marker",
            "</function>",
            "put `</parameter>` in",
        ),
    ],
)
def test_the_nearest_miss_comes_first(format_: str, output: str, name: str, at: str, advice: str) -> None:
    first = misses(format_, output)[0]
    assert (first.name, first.offset) == (name, output.index(at))
    assert advice in first.advice


def test_a_doubled_marker_is_named_where_it_stands_again() -> None:
    output = TAGS.replace("</function>", "</function>\n</function>")
    first = misses("thinking-tags", output)[0]
    assert (first.name, first.offset) == ("doubled-marker", output.rindex("</function>"))


def test_a_missing_line_break_is_told_once() -> None:
    found = misses("thinking-tags", TAGS.replace(">\n<", "><"))
    assert [miss.name for miss in found] == ["white-space"]
    assert "a line break is missing or added" in found[0].message


def test_a_missing_parameter_is_told_with_its_name() -> None:
    output = JSON.replace('"city"', '"days"').replace('"Bonn"', "3")
    found = misses("hermes", output)
    assert [(miss.name, "city" in miss.message) for miss in found] == [("missing-parameter", True)]


def test_what_fits_has_no_near_miss() -> None:
    assert misses("hermes", JSON) == ()


def test_an_output_that_no_small_edit_mends_has_no_invented_one() -> None:
    names = {miss.name for miss in misses("hermes", '<tool_call>\n{"name": "get_weather", "arguments": [1, ')}
    assert names == {"unparsed-text"}


JSON_CALL = '{"name": "get_weather", "arguments": {"city": "Bonn"}}'


@pytest.mark.parametrize(
    ("format_", "output", "at"),
    [
        ("thinking-tags", f"Well.\n{JSON_CALL}", 'get_weather", "arg'),
        ("hermes", TAGS[TAGS.index("<function") :], "get_weather>"),
        ("hermes", 'get_weather(city="Bonn")', "get_weather("),
        ("hermes", "Let me see.\n\nfunctions.get_weather:0", "get_weather:0"),
    ],
)
def test_a_call_in_another_format_is_told(format_: str, output: str, at: str) -> None:
    first = misses(format_, output)[0]
    assert (first.name, first.offset) == ("call-as-text", output.index(at))


PYTHON_CALL = "{'name': 'get_weather', 'arguments': {'city': 'Bonn', 'note': \"it's\"}}"


def in_tags(call: str) -> str:
    return f"<tool_call>\n{call}\n</tool_call>"


@pytest.mark.parametrize(
    "call",
    [
        PYTHON_CALL,
        JSON_CALL.replace('"Bonn"', "'Bonn'"),
        "{name: 'get_weather', arguments: {city: 'Bonn'}}",
    ],
)
def test_a_call_that_is_nearly_json_is_told_as_json(call: str) -> None:
    output = f"Well.\n{in_tags(call)}"
    first = misses("hermes", output)[0]
    assert (first.name, first.offset) == ("not-json", output.index("{"))
    assert '"city": "Bonn"' in first.advice


def test_several_calls_that_are_nearly_json_are_one_near_miss() -> None:
    names = [miss.name for miss in misses("hermes", in_tags(PYTHON_CALL) + in_tags(PYTHON_CALL))]
    assert names == ["not-json"]


def test_a_comma_that_nothing_follows_is_told() -> None:
    output = in_tags(JSON_CALL.replace('"Bonn"', '"Bonn",'))
    first = misses("hermes", output)[0]
    assert (first.name, first.offset) == ("extra-comma", output.index(",}"))


def test_what_is_nearly_json_without_markers_is_not_told_as_json() -> None:
    found = misses("hermes", "In Python: {'name': 'get_weather', 'arguments': {}} is a mapping.")
    assert [miss.name for miss in found] == ["call-as-text"]


@pytest.mark.parametrize(
    "output", ["I could use get_weather for that.", "my.get_weather_tool()", "get_weather"]
)
def test_a_tools_name_in_a_sentence_is_no_call(output: str) -> None:
    assert misses("hermes", output) == ()


def test_a_marker_that_would_leave_the_rest_of_the_call_as_text_is_no_edit() -> None:
    output = "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Bonn</arg_value>\n<arg_key>days</arg_key>\n<arg_value>"
    names = {miss.name for miss in misses("key-value-tags", output)}
    assert names == {"unparsed-text"}
