"""A range of whole numbers is spelled exactly."""

from __future__ import annotations

import re

import pytest

from autoparser_cli.grammars.integers import integer_node
from autoparser_cli.grammars.regexes import regex

BOUNDS = [None, -1234, -100, -99, -10, -9, -1, 0, 1, 9, 10, 11, 99, 100, 101, 999, 1000, 1234]


@pytest.mark.parametrize("low", BOUNDS)
@pytest.mark.parametrize("high", BOUNDS)
def test_every_number_in_the_range_and_no_other(low: int | None, high: int | None) -> None:
    if low is not None and high is not None and low > high:
        low, high = high, low
    pattern = re.compile(regex(integer_node(low, high)))
    for number in {
        *range(-1300, 1300, 7),
        *(bound + step for bound in BOUNDS if bound for step in (-1, 0, 1)),
    }:
        fits = (low is None or number >= low) and (high is None or number <= high)
        assert bool(pattern.fullmatch(str(number))) == fits
        if fits and number >= 0:
            longest = pattern.match(f"{number},")
            assert longest is not None
            assert longest[0] == str(number)
    for text in ("", "-", "-0", "00", "01", "1.0", "+1"):
        assert not pattern.fullmatch(text)
