"""Markers are found by shape, in every alphabet; what is not a marker stays text."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autoparser_cli.diffing.segments import is_marker, marker_spans, markers, segment

MARKERS = [
    "<think>",
    "</think>",
    "<|im_start|>",
    "<| start of turn |>",
    "<｜tool▁calls▁begin｜>",
    "<｜end▁of▁sentence｜>",
    '<｜DSML｜invoke name="get weather">',
    '<parameter name="a>b" string="true">',
    "<parameter name='city'>",
    "<function=get_weather>",
    "<function name = get_weather >",
    "<minimax:tool_call>",
    "</seed:think>",
    "<arg_key/>",
    "<br />",
    '<|"|>',
    "<<SYS>>",
    "<</SYS>>",
    "<мысль>",
    "<思考>",
    "[TOOL_CALLS]",
    "[/INST]",
    "[gMASK]",
    "[think]",
    "[TOOL RESULTS]",
    "[思考]",
    "⟨call⟩",
    "⟦tool⟧",
    "【工具】",
    "〈name〉",
    "《arg》",
    "「思考」",
    "◁think▷",
    "◁/think▷",
    "＜tool＞",
    "]<]minimax[>[",
    "]~!b[",
    "]~b]",
    "[e~[",
    ">>>",
    "```json",
    "```",
    "````c++",
]

NOT_MARKERS = [
    "a < b and c > d",
    "1<2 and 3>2",
    "x <= y >= z",
    "a->b",
    "<>",
    "< think>",
    "<think",
    "think>",
    "<a\nb>",
    "<3 you>",
    "[1, 2]",
    '["a", "b"]',
    "[]",
    "[true]",
    "[null]",
    "[False]",
    "[ TOOL ]",
    "[not a marker]",
    "[TOOL_CALLS",
    "⟨ ⟩",
    "⟨two words⟩",
    "``",
    ">> ",
    '{"a": [1], "b": {}}',
]

ALPHABET = st.text(st.sampled_from(list("<>|｜[]/ab A=\"'~`\n ⟨⟩◁▷é思")), max_size=60)


@pytest.mark.parametrize("marker", MARKERS)
def test_shape_is_one_marker(marker: str) -> None:
    assert is_marker(marker)
    assert markers(f"text {marker} text") == (marker,)


@pytest.mark.parametrize("text", NOT_MARKERS)
def test_text_is_no_marker(text: str) -> None:
    assert markers(text) == ()


@pytest.mark.parametrize("marker", MARKERS)
def test_neighbours_are_kept_apart(marker: str) -> None:
    expected = [("x", False), (marker, True), ("\n", False), ("<end>", True)]
    assert [(piece.text, piece.is_marker) for piece in segment(f"x{marker}\n<end>")] == expected


def test_markers_without_text_between_them() -> None:
    assert markers("<a><b></b></a><|e|>") == ("<a>", "<b>", "</b>", "</a>", "<|e|>")


def test_no_segments_of_nothing() -> None:
    assert segment("") == ()


@given(ALPHABET)
def test_segments_are_the_text(text: str) -> None:
    pieces = segment(text)
    assert "".join(piece.text for piece in pieces) == text
    assert all(piece.text and text[piece.start : piece.end] == piece.text for piece in pieces)


@given(ALPHABET)
def test_spans_are_ordered_and_apart(text: str) -> None:
    spans = list(marker_spans(text))
    assert all(start < end for start, end in spans)
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(spans))


@given(st.text(st.characters(exclude_characters="<>[]`⟨⟪⟦◁◀【〔〈〈《「『❮‹«＜﹤")))
def test_text_without_brackets_is_one_segment(text: str) -> None:
    assert [piece.is_marker for piece in segment(text)] == ([False] if text else [])


@pytest.mark.parametrize("unit", ["<", "[", "<a ", '<a b="', "]<]", "<|", "```", "<<"])
def test_unfinished_markers_cost_no_more_than_linear(unit: str) -> None:
    """A text of openings without an end is read through once, or the test does not come back."""
    assert "".join(piece.text for piece in segment(unit * 20_000)) == unit * 20_000
