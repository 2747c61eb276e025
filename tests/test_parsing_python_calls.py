"""Calls in the syntax of Python's: what a template prints of them comes back, and so does what models write in its place."""

from __future__ import annotations

import pytest
from call_templates import OSLO, RING, TYPED, calls_of, output, parse, proved, template

_CALLS = """[{% for call in calls -%}
{{ call.function.name }}(
{%- for key, value in call.function.arguments.items() -%}
{{ key }}=VALUE{{ 'BETWEEN' if not loop.last }}
{%- endfor -%}){{ ', ' if not loop.last }}
{%- endfor -%}]"""

VALUES = {
    "raw": "{{ value }}",
    "all in quotes": '"{{ value }}"',
    "JSON": "{{ value | tojson }}",
    "Python": "{{ value | pprint }}",
}
#: The same call as models write it, whatever the template does.
WRITTEN = {
    "Python": "[tide(port='Oslo', days=3, metric=True), ring()]",
    "JSON": '[tide(port="Oslo", days=3, metric=true), ring()]',
    "both": '[tide(port="Oslo", days=3, metric=True), ring()]',
}
EXPECTED = [("tide", {"port": "Oslo", "days": 3, "metric": True}), RING]
OTHERS = {"other-quotes", "literal-of-another-language"}


def analysis_of(value: str, between: str = ", "):
    return proved(template(_CALLS.replace("VALUE", VALUES[value]).replace("BETWEEN", between)))


@pytest.mark.parametrize("chunk", [0, 1])
@pytest.mark.parametrize("value", VALUES)
def test_what_the_template_prints_needs_no_repair(value: str, chunk: int) -> None:
    chat_template = template(_CALLS.replace("VALUE", VALUES[value]).replace("BETWEEN", ", "))
    result = parse(proved(chat_template), output(chat_template, TYPED, RING, OSLO), chunk)
    assert calls_of(result) == [TYPED, RING, OSLO]
    assert result.repairs == ()


@pytest.mark.parametrize("chunk", [0, 1])
@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
@pytest.mark.parametrize("value", VALUES)
def test_what_models_write_is_understood(value: str, written: str, chunk: int) -> None:
    result = parse(analysis_of(value), written + "<|end|>\n", chunk)
    assert calls_of(result) == EXPECTED
    assert {repair.name for repair in result.repairs} <= OTHERS


@pytest.mark.parametrize("chunk", [0, 1])
def test_a_comma_is_no_part_of_a_name(chunk: int) -> None:
    analysis = analysis_of("JSON", between=" ")
    result = parse(analysis, '[tide(port="Oslo", days=3)]<|end|>\n', chunk)
    assert calls_of(result) == [("tide", {"port": "Oslo", "days": 3})]
    assert [repair.name for repair in result.repairs] == ["separator-the-template-lacks"]


@pytest.mark.parametrize(
    ("written", "port"),
    [
        ("Oslo, Norway", "Oslo, Norway"),
        ("Oslo (old), level", "Oslo (old), level"),
        ("the port of (a) and (b)", "the port of (a) and (b)"),
        ('"Oslo" or Bergen', '"Oslo" or Bergen'),
        ('"Oslo', '"Oslo'),
        ("", ""),
        ('"a, days=4"', "a, days=4"),
        ("f(x=1)y, days", "f(x=1)y, days"),
    ],
)
@pytest.mark.parametrize("chunk", [0, 1])
def test_raw_text_ends_only_before_what_follows_it(written: str, port: str, chunk: int) -> None:
    result = parse(analysis_of("raw"), f"[tide(port={written}, days=3), ring()]<|end|>\n", chunk)
    assert calls_of(result) == [("tide", {"port": port, "days": 3}), RING]


def test_an_unknown_tool_ends_raw_text_too() -> None:
    result = parse(analysis_of("raw"), "[tide(port=Oslo), sing(song=x)]<|end|>\n")
    assert result.error is not None and result.error.expected == ("a tool name",)
    assert [call.arguments for call in result.message.tool_calls] == ['{"port": "Oslo"}']


@pytest.mark.parametrize("value", ["all in quotes", "JSON"])
def test_a_value_that_is_none_is_an_error(value: str) -> None:
    result = parse(analysis_of(value), "[tide(port=Oslo)]<|end|>\n")
    assert result.error is not None
    assert result.message.tool_calls == ()
