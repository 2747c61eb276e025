"""An alignment loses no token, calls nothing equal that is not, and stays linear where many tokens are alike."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from autoparser_cli.diffing.alignment import align

TOKENS = st.lists(st.sampled_from("abcdefgh"), max_size=24)


@given(TOKENS, TOKENS)
@example([], [])
@example(["a"], [])
@example([], ["a"])
@example(list("ab"), list("ba"))
def test_no_token_is_lost(old: list[str], new: list[str]) -> None:
    stretches = align(old, new)
    assert [token for part in stretches for token in old[part.old_start : part.old_end]] == old
    assert [token for part in stretches for token in new[part.new_start : part.new_end]] == new


@given(TOKENS, TOKENS)
def test_equal_stretches_are_equal_and_changed_ones_alternate_with_them(
    old: list[str], new: list[str]
) -> None:
    stretches = align(old, new)
    for part in stretches:
        same = old[part.old_start : part.old_end] == new[part.new_start : part.new_end]
        assert same or not part.same
        assert part.old_end > part.old_start or part.new_end > part.new_start
    assert all(one.same != other.same for one, other in pairwise(stretches))


@given(st.lists(st.sampled_from("aab"), max_size=14), st.lists(st.sampled_from("aab"), max_size=14))
def test_without_anchors_as_much_is_kept_as_can_be(old: list[str], new: list[str]) -> None:
    assume(not has_anchors(old, new))
    kept = sum(part.old_end - part.old_start for part in align(old, new) if part.same)
    assert kept == longest_common(old, new)


def has_anchors(old: list[str], new: list[str]) -> bool:
    """Tell whether some token stands exactly once on both sides, between what they begin and end with alike."""
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return any(old.count(token) == 1 == new.count(token) for token in old)


def longest_common(old: list[str], new: list[str]) -> int:
    row = [0] * (len(new) + 1)
    for token in old:
        above = 0
        for at, other in enumerate(new, 1):
            above, row[at] = row[at], above + 1 if token == other else max(row[at], row[at - 1])
    return row[-1]


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("abc", "abc", []),
        ("abc", "abXc", [("", "X")]),
        ("abcd", "ad", [("bc", "")]),
        ("axbxc", "aybyc", [("x", "y"), ("x", "y")]),
        ("abc", "xyz", [("abc", "xyz")]),
        ("aaaaab", "aaab", [("aa", "")]),
        ("abcabba", "cbabac", [("ab", ""), ("", "b"), ("b", ""), ("", "c")]),
    ],
)
def test_what_changed(old: str, new: str, changed: list[tuple[str, str]]) -> None:
    found = [
        (old[part.old_start : part.old_end], new[part.new_start : part.new_end])
        for part in align(old, new)
        if not part.same
    ]
    assert sum(len(one) + len(other) for one, other in found) <= sum(len(a) + len(b) for a, b in changed)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (["\n"], ["\n", "x"]),
        (["a", "b"], ["b", "a"]),
        (["a", "a", "b"], ["b", "a", "c"]),
    ],
)
def test_the_cost_is_linear(old: list[str], new: list[str]) -> None:
    def cost(times: int) -> float:
        start = time.process_time()
        align(old * times, new * times)
        return time.process_time() - start

    small = min(cost(2_000) for _ in range(3))
    assert min(cost(32_000) for _ in range(2)) < 16 * 8 * small


def test_a_moved_paragraph_keeps_the_longer_rest() -> None:
    old, new = list("123456789"), list("912345678")
    kept = [part for part in align(old, new) if part.same]
    assert [old[part.old_start : part.old_end] for part in kept] == [list("12345678")]
