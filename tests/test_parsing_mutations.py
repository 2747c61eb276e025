"""Outputs that fit, spoiled at a place or two: whatever a parser makes of them, it makes of them in pieces too."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_parsing_properties import assert_cuts_change_nothing
from wire_formats import FITTING, FORMATS, TOOLS

from autoparser_cli import ChatTemplate, analyze, build_parser, read_tools
from autoparser_cli.parsing import OutputParser

FIXTURES = Path(__file__).parent.parent / "fixtures"
OUTPUTS = {
    **{path.parent.name: (path.read_text("utf-8"),) for path in sorted(FIXTURES.glob("*/output.txt"))},
    **{f"format {name}": tuple(outputs) for name, outputs in FITTING.items()},
}
#: What models write by mistake, and what looks like white space and is none.
SPOILING = ["\u00a0", "\u2028", "\t", "\r\n", " ", "None", "null", "true", "\"", "'", "{", "}", "[", "]", "<", ">", ",", ":", "\\", "é", "0"]  # fmt: skip
#: A place and a length, each as a share of the output, and what is put there: the span again, nothing, or a text.
MUTATION = st.tuples(
    st.floats(0, 1), st.integers(0, 12), st.one_of(st.just("twice"), st.just(""), st.sampled_from(SPOILING))
)
QUICK = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@cache
def parser_of(name: str, lenient: bool) -> OutputParser:
    if name.startswith("format "):
        return build_parser(FORMATS[name.removeprefix("format ")], tools=TOOLS, lenient=lenient)
    tools = read_tools(json.loads((FIXTURES / name / "tools.json").read_text("utf-8")))
    return build_parser(
        analyze(ChatTemplate.load(FIXTURES / name / "template.jinja")), tools=tools, lenient=lenient
    )


def spoiled(text: str, mutations: list[tuple[float, int, str]]) -> str:
    for share, length, put in mutations:
        start = int(share * len(text))
        span = text[start : start + length]
        text = text[:start] + (span + span if put == "twice" else put) + text[start + length :]
    return text


@pytest.mark.parametrize("name", OUTPUTS)
@QUICK
@given(
    which=st.integers(0, 9),
    mutations=st.lists(MUTATION, min_size=1, max_size=3),
    places=st.lists(st.integers(0, 400), max_size=6),
    lenient=st.booleans(),
)
def test_a_spoiled_output_gives_the_same_in_pieces(
    name: str, which: int, mutations: list[tuple[float, int, str]], places: list[int], lenient: bool
) -> None:
    outputs = OUTPUTS[name]
    text = spoiled(outputs[which % len(outputs)], mutations)
    assert_cuts_change_nothing(parser_of(name, lenient), text, places)


def test_an_empty_name_loses_no_argument() -> None:
    text = OUTPUTS["reasoning-tools-only"][0].replace("get_tide", "")
    assert '"name": ""' in text
    assert_cuts_change_nothing(parser_of("reasoning-tools-only", True), text, [])


@pytest.mark.parametrize("name", OUTPUTS)
def test_an_output_that_fits_is_no_error_to_begin_with(name: str) -> None:
    for text in OUTPUTS[name]:
        assert parser_of(name, False).parse(text).error is None
