"""A split loses no text, never cuts a marker and finds the smallest difference that does neither."""

from __future__ import annotations

import time
from dataclasses import dataclass

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autoparser_cli.diffing.segments import marker_spans
from autoparser_cli.diffing.split import DiffSplit, common_prefix_length, compare_variants, split_diff
from autoparser_cli.errors import RenderError

PIECES = st.lists(
    st.sampled_from(
        ["<think>", "</think>", "<tool>", "[CALL]", "[CALL", "⟨a⟩", "⟨b⟩", "<", ">", "a", "b", "\n", " "]
    ),
    max_size=14,
).map("".join)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("", "", ("", "", "", "")),
        ("same", "same", ("same", "", "", "")),
        ("", "new", ("", "", "new", "")),
        ("abc", "abXc", ("ab", "", "X", "c")),
        ("aaa", "aa", ("aa", "a", "", "")),
        ("<think>", "<tool>", ("", "<think>", "<tool>", "")),
        ("x<think>y", "x</think>y", ("x", "<think>", "</think>", "y")),
        ("a[CALLS]b", "a[CALL]b", ("a", "[CALLS]", "[CALL]", "b")),
        ("<｜end｜>", "<｜begin｜>", ("", "<｜end｜>", "<｜begin｜>", "")),
        ("⟨a⟩ ⟨c⟩", "⟨b⟩ ⟨c⟩", ("", "⟨a⟩", "⟨b⟩", " ⟨c⟩")),
        ("<p n='a'>1</p>", "<p n='b'>1</p>", ("", "<p n='a'>", "<p n='b'>", "1</p>")),
        ('{"a": 1}', '{"a": 2}', ('{"a": ', "1", "2", "}")),
    ],
)
def test_split(left: str, right: str, expected: tuple[str, str, str, str]) -> None:
    assert split_diff(left, right) == DiffSplit(*expected)


@given(PIECES, PIECES)
@example("<a>", "<a><a>")
@example("<think", "<think>")
@example("aaaa", "aa")
def test_nothing_is_lost(left: str, right: str) -> None:
    split = split_diff(left, right)
    assert split.left_text == left
    assert split.right_text == right
    assert split.differs == (left != right)


@given(PIECES, PIECES)
@example("<<think>", "<think>")
def test_no_marker_is_cut(left: str, right: str) -> None:
    split = split_diff(left, right)
    for text, middle in ((left, split.left), (right, split.right)):
        borders = {len(split.prefix), len(split.prefix) + len(middle)}
        assert not [at for at in borders for start, end in marker_spans(text) if start < at < end]


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=8), st.text(max_size=8))
def test_plain_text_splits_at_the_first_and_last_difference(
    head: str, tail: str, one: str, other: str
) -> None:
    """Without brackets there is no marker to keep whole: what both sides have left shares neither end."""
    plain = [
        text.translate({ord(char): "x" for char in "<>[]`⟨⟪⟦◁◀【〔〈〈《「『❮‹«＜﹤"})
        for text in (head, tail, one, other)
    ]
    head, tail, one, other = plain
    split = split_diff(head + one + tail, head + other + tail)
    assert len(split.prefix) >= len(head) or split.differs is False
    assert not (split.left and split.right and split.left[0] == split.right[0])
    assert not (split.left and split.right and split.left[-1] == split.right[-1])


@given(st.integers(0, 300_000), st.integers(0, 300_000))
@example(65_599, 65_600)
@example(64, 65)
def test_common_prefix_of_any_length(length: int, other: int) -> None:
    """Slices double in size; no border of theirs may be counted wrongly."""
    assert common_prefix_length("x" * length + "a", "x" * other + "b") == min(length, other)


def test_markers_all_the_way_back() -> None:
    """Each step out of a marker of one text may lead into one of the other."""
    left = "<" + "ab" * 30 + ">"
    right = "<" + "ab" * 30 + "c>"
    assert split_diff(left, right) == DiffSplit("", left, right, "")


@dataclass(frozen=True)
class _Upper:
    """Stands for a template: refuses an empty text."""

    def render(self, inputs: str) -> str:
        if not inputs:
            raise RenderError("nothing to say", line=3)
        return f"<say>{inputs.upper()}</say>"


def test_variants_are_rendered_and_split() -> None:
    comparison = compare_variants(_Upper(), "yes", lambda text: text + "!")
    assert (comparison.left, comparison.right) == ("<say>YES</say>", "<say>YES!</say>")
    assert comparison.split == DiffSplit("<say>YES", "", "!", "</say>")
    assert comparison.rendered
    assert comparison.differs


def test_a_refusal_is_kept_with_the_other_render() -> None:
    comparison = compare_variants(_Upper(), "yes", lambda _: "")
    assert comparison.left == "<say>YES</say>"
    assert comparison.right == ""
    assert comparison.error_left is None
    assert comparison.error_right is not None
    assert comparison.error_right.line == 3
    assert comparison.differs
    assert not comparison.rendered


def test_two_refusals_do_not_differ() -> None:
    comparison = compare_variants(_Upper(), "", lambda text: text)
    assert not comparison.differs
    assert not comparison.rendered


def test_other_errors_are_not_swallowed() -> None:
    with pytest.raises(ZeroDivisionError):
        compare_variants(_Upper(), "yes", lambda _: str(1 // 0))


@pytest.mark.parametrize("unit", ["<a>", "<", "text ", "[A]\n", "<｜a"])
def test_the_cost_is_linear(unit: str) -> None:
    def cost(times: int) -> float:
        left, right = unit * times + "x" + unit * times, unit * times + "y" + unit * times
        start = time.process_time()
        split_diff(left, right)
        return time.process_time() - start

    small = min(cost(5_000) for _ in range(3))
    assert min(cost(80_000) for _ in range(3)) < 16 * 8 * small
