"""A pattern becomes a grammar of the same texts, or says why it cannot."""

from __future__ import annotations

import re

import pytest

from autoparser_cli.grammars.patterns import PatternError, inverted, pattern_node
from autoparser_cli.grammars.regexes import regex

SAMPLES = [
    "",
    "a",
    "b",
    "ab",
    "abc",
    "aab",
    "a1",
    "1",
    "12",
    "123",
    "a-b",
    "A_9",
    "a b",
    "x.y",
    "é",
    "]",
    "^",
    "\n",
    "a\tb",
]


@pytest.mark.parametrize(
    "pattern",
    [
        "^a*b?$",
        "^(?:a|b)+$",
        "^[a-z]{1,2}\\d*$",
        "^\\w+$",
        "^[^a-c]$",
        "^a[-b]b$",
        "^(a(b(c)?)?)?$",
        "^x\\.y$",
        "^.$",
        "^[\\]\\^]$",
        "^\\x61\\u0062$",
        "^(?<n>a)\\s?b$",
        "^\\D+$",
        "^a{2}b$",
        "^[\\d.-]+$",
        "^a+?b$",
        "^[^\\W_]+$",
    ],
)
def test_same_texts_as_pythons(pattern: str) -> None:
    ours = re.compile(regex(pattern_node(pattern)))
    theirs = re.compile(pattern.replace("(?<", "(?P<").removesuffix("$") + "\\Z", re.ASCII)
    for sample in SAMPLES:
        assert bool(ours.fullmatch(sample)) == bool(theirs.match(sample)), sample


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("a", "not anchored"),
        ("^a", "not anchored"),
        ("a$", "not anchored"),
        ("^a\\$", "not anchored"),
        ("^a|b$", "not anchored in every"),
        ("^(?=a)a$", "looks ahead"),
        ("^(?<!a)b$", "looks ahead"),
        ("^(a)\\1$", "uses"),
        ("^a\\b$", "uses"),
        ("^a^b$", "anchor in the middle"),
        ("^(a$", "open group"),
        ("^a)$", "unmatched"),
        ("^*a$", "nothing"),
        ("^[b-a]$", "backwards"),
        ("^[a$", "too early"),
        ("^a{3,2}$", "out of bounds"),
        ("^a{99999}$", "out of bounds"),
    ],
)
def test_what_cannot_be_spelled_is_refused(pattern: str, reason: str) -> None:
    with pytest.raises(PatternError, match=reason):
        pattern_node(pattern)


def test_inverting_twice_gives_the_same_characters() -> None:
    ranges = ((0x30, 0x39), (0x41, 0x5A), (0x41, 0x43))
    assert inverted(inverted(ranges)) == ((0x30, 0x39), (0x41, 0x5A))
    assert inverted(()) == ((0, 0x10FFFF),)
