"""Lines of a diff give both texts back, and mark what differs and nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autoparser_cli.diffing.lines import Place, diff_lines, first_difference, unified_diff

TEXTS = st.lists(
    st.sampled_from(["a", "b", "cd ", "\n", "\n", "<t>", "</t>", "\r", "\u2028"]), max_size=16
).map("".join)


def changed_text(left: str, right: str) -> tuple[list[str], list[str]]:
    blocks = diff_lines(left, right)
    sides = (
        [line for block in blocks for line in block.left],
        [line for block in blocks for line in block.right],
    )
    old, new = ([run.text for line in side for run in line.runs if run.changed] for side in sides)
    return old, new


@given(TEXTS, TEXTS)
@example("a", "a\n")
@example("\n\n", "\n")
@example("", "\n")
def test_lines_are_the_texts(left: str, right: str) -> None:
    blocks = diff_lines(left, right)
    assert "".join(line.text for block in blocks for line in block.left) == left
    assert "".join(line.text for block in blocks for line in block.right) == right


@given(TEXTS, TEXTS)
def test_equal_blocks_are_equal_and_changed_ones_are_not(left: str, right: str) -> None:
    for block in diff_lines(left, right):
        same = [line.text for line in block.left] == [line.text for line in block.right]
        assert same != block.changed


@given(TEXTS, TEXTS)
def test_lines_are_numbered_from_one(left: str, right: str) -> None:
    blocks = diff_lines(left, right)
    for numbers in (
        [line.number for block in blocks for line in block.left],
        [line.number for block in blocks for line in block.right],
    ):
        assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize(
    ("left", "right", "old", "new"),
    [
        ("same\n", "same\n", [], []),
        ("one call\n", "one last call\n", [], ["last "]),
        ("<think>\n", "</think>\n", ["<think>"], ["</think>"]),
        ("get_weather(1)", "get_time(1)", ["weather"], ["time"]),
        ("a\nc\n", "a\nb\nc\n", [], ["b\n"]),
        ("x 1\nsame line\ny 1\n", "x 2\nsame line\ny 2\n", ["1", "1"], ["2", "2"]),
        ("a\n", "a", ["\n"], []),
        ("", "a\nb", [], ["a\n", "b"]),
    ],
)
def test_only_what_differs_is_marked(left: str, right: str, old: list[str], new: list[str]) -> None:
    assert changed_text(left, right) == (old, new)


def test_what_both_sides_have_between_two_changes_is_an_equal_block() -> None:
    blocks = diff_lines("a1\nmiddle\nb1\n", "a2\nmiddle\nb2\n")
    assert [(block.changed, block.left[0].text) for block in blocks] == [
        (True, "a1\n"),
        (False, "middle\n"),
        (True, "b1\n"),
    ]


@given(TEXTS, TEXTS)
@example("a\n", "a")
def test_paired_lines_are_the_texts_and_number_their_first_line(left: str, right: str) -> None:
    blocks = diff_lines(left, right, paired=True)
    for text, lines in (
        (left, [line for block in blocks for line in block.left]),
        (right, [line for block in blocks for line in block.right]),
    ):
        assert "".join(line.text for line in lines) == text
        done = 0
        for line in lines:
            assert line.number == text[:done].count("\n") + 1
            done += len(line.text)


@pytest.mark.parametrize(
    ("left", "right", "lines"),
    [
        ("<u>\nhello <a>", "<u>hello <a>", ["<u>\nhello <a>"]),
        ("<u>hello<a>\n<t></t>\nyes", "<u>hello<a></t>yes", ["<u>hello<a>\n<t></t>\nyes"]),
        ("one\n\ntwo", "one\ntwo", ["one\n", "\n", "two"]),
        ("say a\n" + "b" * 60 + " now", "say now", ["say a\n", "b" * 60 + " now"]),
    ],
)
def test_paired_lines_go_on_behind_a_break_that_only_one_side_has(
    left: str, right: str, lines: list[str]
) -> None:
    blocks = diff_lines(left, right, paired=True)
    assert [line.text for block in blocks for line in block.left] == lines


def test_a_paired_line_marks_where_the_other_side_has_more() -> None:
    (block,) = diff_lines("<a><b>", "<a>new<b>", paired=True)
    assert [(run.text, run.changed) for run in block.left[0].runs] == [
        ("<a>", False),
        ("", True),
        ("<b>", False),
    ]
    assert block.left[0].runs[1].edit == block.right[0].runs[1].edit


def test_too_many_tokens_are_one_change() -> None:
    left = "".join(f"l{number} " for number in range(3_000))
    right = "".join(f"r{number} " for number in range(3_000))
    old, new = changed_text(f"<s>{left}</s>", f"<s>{right}</s>")
    assert (len(old), len(new)) == (1, 1)


@pytest.mark.parametrize(
    ("left", "right", "place"),
    [
        ("", "", None),
        ("a\n", "a\n", None),
        ("", "x", Place(1, 1)),
        ("ab", "ac", Place(1, 2)),
        ("ab\ncd", "ab\nce", Place(2, 2)),
        ("ab\n", "ab", Place(1, 3)),
        ("ab\n", "ab\nc", Place(2, 1)),
        ("é思<think>", "é思<thing>", Place(1, 8)),
    ],
)
def test_first_difference(left: str, right: str, place: Place | None) -> None:
    assert first_difference(left, right) == place


def test_unified_diff_keeps_the_context_asked_for() -> None:
    left = "".join(f"line {number}\n" for number in range(1, 21))
    right = left.replace("line 5\n", "line five\n").replace("line 15\n", "")
    assert unified_diff(left, right, context=1) == (
        "@@ -4 +4 @@",
        " line 4",
        "-line 5",
        "+line five",
        " line 6",
        "@@ -14 +14 @@",
        " line 14",
        "-line 15",
        " line 16",
    )


def test_a_single_line_between_two_changes_is_not_left_out() -> None:
    assert unified_diff("a1\nmiddle\nb1\n", "a2\nmiddle\nb2\n", context=0) == (
        "-a1",
        "+a2",
        " middle",
        "-b1",
        "+b2",
    )


def test_unified_diff_of_equal_texts_is_empty() -> None:
    assert unified_diff("a\nb\n", "a\nb\n") == ()


def numbered(start: int, count: int) -> str:
    return "".join(f"line {number} <t>{number % 7}</t>\n" for number in range(start, start + count))


@pytest.mark.parametrize(
    "texts",
    [
        lambda n: (numbered(0, n), numbered(0, n // 2) + numbered(n, n // 2)),
        lambda n: ("\n" * n, "\n" * n + "x"),
        lambda n: ("a\n" * n, "a\nb\n" * (n // 2)),
        lambda n: ("<" * n, "<" * n + "x"),
        lambda n: (numbered(0, n).replace("\n", " "), numbered(3, n).replace("\n", " ")),
        lambda n: ("ab " * n, "ba " * n),
    ],
    ids=["half", "blank lines", "like lines", "openers", "one line", "words"],
)
def test_the_cost_is_linear(texts: Callable[[int], tuple[str, str]]) -> None:
    def cost(size: int) -> float:
        left, right = texts(size)
        start = time.process_time()
        diff_lines(left, right, paired=True)
        return time.process_time() - start

    small = min(cost(1_000) for _ in range(3))
    assert min(cost(16_000) for _ in range(3)) < 16 * 8 * small
