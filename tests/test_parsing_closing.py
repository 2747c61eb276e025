"""Closing markers that are doubled, wrong, missing or cut: an error in strict, a named repair in lenient."""

from __future__ import annotations

from dataclasses import replace

import pytest
from wire_formats import FITTING, FORMATS, TOOLS

from autoparser_cli.messages import ToolCall
from autoparser_cli.parsing import ParseResult, build_parser

JSON = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Bonn"}}\n</tool_call>'
TAGS = (
    "x\n</think>\n\n<tool_call>\n<function=get_weather>\n<parameter=city>\nBonn\n</parameter>\n"
    "<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>"
)
CALLS = {
    "hermes": (ToolCall("get_weather", '{"city": "Bonn"}'),),
    "thinking-tags": (ToolCall("get_weather", '{"city": "Bonn", "days": 3}'),),
}


def parsed(format_: str, output: str, *, lenient: bool) -> ParseResult:
    """Parse, and make sure that single characters give the same."""
    parser = build_parser(FORMATS[format_], TOOLS, lenient=lenient)
    result = parser.parse(output)
    stream = parser.stream()
    for char in output:
        stream.feed(char)
    assert stream.close() == result
    return result


@pytest.mark.parametrize(
    ("format_", "output", "repair", "skipped"),
    [
        ("hermes", JSON + "\n</tool_call>", "doubled-closing-marker", "</tool_call>"),
        ("hermes", JSON.replace("</tool_call>", "</tool>"), "wrong-closing-marker", "</tool>"),
        ("hermes", JSON.replace("</tool_call>", "</call></tool_call>"), "wrong-closing-marker", "</call>"),
        ("hermes", JSON.replace("}}", "}}}"), "extra-closing-bracket", "}"),
        ("hermes", JSON[:-4], "missing-call-end", ""),
        ("thinking-tags", TAGS + "\n</tool_call>", "doubled-closing-marker", "</tool_call>"),
        ("thinking-tags", TAGS.replace("</function>\n", ""), "missing-call-end", ""),
        (
            "thinking-tags",
            TAGS.replace("</function>", "</function>\n</function>"),
            "wrong-closing-marker",
            "</function>",
        ),
    ],
)
def test_a_closing_marker_that_is_not_as_printed(
    format_: str, output: str, repair: str, skipped: str
) -> None:
    strict = parsed(format_, output, lenient=False)
    assert strict.error is not None
    lenient = parsed(format_, output, lenient=True)
    assert (lenient.error, lenient.message.tool_calls) == (None, CALLS[format_])
    assert lenient.message.content == ""
    assert repair in [made.name for made in lenient.repairs]
    assert lenient.unparsed == skipped


def test_text_behind_a_call_without_its_end_is_content() -> None:
    output = JSON.removesuffix("\n</tool_call>") + "\nSo."
    lenient = parsed("hermes", output, lenient=True)
    assert (lenient.message.content.strip(), lenient.message.tool_calls) == ("So.", CALLS["hermes"])
    assert parsed("hermes", output, lenient=False).error is not None


@pytest.mark.parametrize("format_", ["hermes", "thinking-tags"])
def test_a_marker_never_leaks_into_content_behind_a_call(format_: str) -> None:
    output = {"hermes": JSON, "thinking-tags": TAGS}[format_] + "\n</tool_call>\n</tool_call>"
    for lenient in (False, True):
        assert "</tool_call>" not in parsed(format_, output, lenient=lenient).message.content


@pytest.mark.parametrize("cut", range(TAGS.index("<parameter=days>") + 17, TAGS.index("</function>")))
def test_a_raw_value_that_may_be_cut_is_no_call(cut: int) -> None:
    assert parsed("thinking-tags", TAGS[:cut], lenient=True).message.tool_calls == ()


def test_a_value_that_holds_the_next_parameter_is_found() -> None:
    for wrong in ("</param>", ""):
        result = parsed("thinking-tags", TAGS.replace("</parameter>", wrong, 1), lenient=False)
        found = [finding for finding in result.findings if finding.code == "parameter-in-value"]
        assert len(found) == 1
        assert "the value of city holds <parameter=days" in found[0].message


def test_a_parameter_s_name_in_a_value_is_no_finding_where_it_is_given_too() -> None:
    output = TAGS.replace("Bonn", "use <parameter=days> for days")
    assert parsed("thinking-tags", output, lenient=False).findings == ()


BARE = FORMATS["bare-json"]
assert BARE.calls is not None
SINGLE = replace(BARE, calls=replace(BARE.calls, parallel=False))
ONE = '{"name": "get_weather", "parameters": {"city": "Bonn; x"}}'


def test_a_second_call_where_the_template_prints_one_is_an_error_and_in_lenient_a_repair() -> None:
    output = f"{ONE}; {ONE}"
    strict = build_parser(SINGLE, TOOLS).parse(output)
    assert (len(strict.message.tool_calls), strict.error is None) == (1, False)
    lenient = build_parser(SINGLE, TOOLS, lenient=True).parse(output)
    assert (len(lenient.message.tool_calls), lenient.message.content, lenient.unparsed) == (2, "", ";")
    assert {"second-call", "separator-the-template-lacks"} <= {made.name for made in lenient.repairs}


def test_a_marker_that_the_template_lacks_before_a_bare_call() -> None:
    lenient = build_parser(SINGLE, TOOLS, lenient=True).parse(f"<|other_tag|>{ONE}")
    assert (lenient.message.content, lenient.unparsed) == ("", "<|other_tag|>")
    assert lenient.message.tool_calls[0].name == "get_weather"
    strict = build_parser(SINGLE, TOOLS).parse(f"<|other_tag|>{ONE}")
    assert strict.message.content == "<|other_tag|>"


def test_a_marker_that_the_template_lacks_is_content_where_no_call_follows() -> None:
    lenient = build_parser(SINGLE, TOOLS, lenient=True).parse("<|other_tag|> says {nothing}")
    assert (lenient.message.content, lenient.unparsed) == ("<|other_tag|> says {nothing}", "")


@pytest.mark.parametrize("rest", ["", "\n", "\n<arg_key>", "\n<arg_key>days</arg_key>\n"])
def test_a_call_that_may_have_more_arguments_is_none(rest: str) -> None:
    output = f"<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Bonn</arg_value>{rest}"
    for lenient in (False, True):
        result = parsed("key-value-tags", output, lenient=lenient)
        assert (result.message.tool_calls, result.message.content) == ((), "")


@pytest.mark.parametrize("name", FORMATS)
def test_what_fits_is_read_the_same_in_both_modes(name: str) -> None:
    for output in FITTING[name]:
        assert parsed(name, output, lenient=True) == parsed(name, output, lenient=False)
