"""Comparisons as JSON and as annotations: complete, and safe in a line of a log."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from autoparser_cli.analysis.model import Evidence
from autoparser_cli.comparison import Area, BehaviourComparison, Difference, RecordedDifference, RenderedPair
from autoparser_cli.comparison.model import GrammarPair
from autoparser_cli.diffing.split import DiffSplit
from autoparser_cli.reports.behaviour import evidence_to_json, github_annotations

SAME = BehaviourComparison("old", "new", (), (RenderedPair("user", "a", "a"),), GrammarPair("g", "g"))
DIFFERENT = BehaviourComparison(
    "old",
    "new",
    (Difference(Area.REASONING, "reasoning.start", "<think>\n", None),),
    (
        RenderedPair("user", "a\nb", "a\nc"),
        RenderedPair("tools", "a", None, "", "no: tools,\n100%"),
        RenderedPair("same", "a", "a"),
    ),
    GrammarPair("root ::= a", "root ::= b"),
    (RecordedDifference("case-1", True, False, "a line\nmore"),),
    7,
)


def test_nothing_that_differs_is_a_notice() -> None:
    assert list(github_annotations(SAME, file="a.jinja")) == [
        "::notice file=a.jinja,title=Same behaviour::nothing that was compared differs"
    ]


def test_every_difference_is_an_annotation_of_one_line() -> None:
    lines = list(github_annotations(DIFFERENT, file="a,b.jinja"))
    assert lines == [
        '::error file=a%2Cb.jinja,title=reasoning.start::"<think>\\n" → none',
        "::error file=a%2Cb.jinja,title=Rendered%3A user::first difference: line 2, column 1%0A-b%0A+c",
        "::error file=a%2Cb.jinja,title=Rendered%3A tools::rendered → raises: no: tools,%0A100%25",
        "::error file=a%2Cb.jinja,title=Grammar::the grammar for the standard tools is another one",
        "::error file=a%2Cb.jinja,title=Recorded output case-1::fails now: a line%0Amore",
    ]


def test_a_change_in_many_conversations_is_one_annotation() -> None:
    pairs = tuple(RenderedPair(name, f"{name}\nb\n", f"{name}\nc\n") for name in ("one", "two", "three"))
    (line,) = github_annotations(replace(SAME, rendered=pairs), file=None)
    assert line == ("::error title=Rendered%3A one and 2 more::first difference: line 2, column 1%0A-b%0A+c")


def test_a_template_that_is_no_file_has_no_place() -> None:
    assert next(github_annotations(SAME, file=None)).startswith("::notice title=")


def test_a_long_message_is_cut() -> None:
    pair = RenderedPair("user", "a" * 5_000, "b" * 5_000)
    line = next(github_annotations(replace(SAME, rendered=(pair,)), file=None))
    assert len(line) < 600
    assert line.endswith("…")


@pytest.mark.parametrize(
    "changes",
    [
        {"differences": DIFFERENT.differences},
        {"rendered": DIFFERENT.rendered},
        {"grammar": DIFFERENT.grammar},
        {"recorded": DIFFERENT.recorded},
    ],
)
def test_any_single_difference_makes_templates_different(changes: dict[str, object]) -> None:
    assert SAME.same
    assert not replace(SAME, **changes).same  # type: ignore[arg-type]


def test_json_has_everything() -> None:
    data = json.loads(json.dumps(DIFFERENT.to_dict()))
    assert data["same"] is False
    assert data["differences"] == [
        {"area": "reasoning", "field": "reasoning.start", "old": "<think>\n", "new": None}
    ]
    assert [pair["differs"] for pair in data["rendered"]] == [True, True, False]
    assert data["grammar"] == {"differs": True, "diff": ["-root ::= a", "+root ::= b"]}
    assert data["recorded"]["tried"] == 7
    assert data["recorded"]["differences"][0]["passed_new"] is False


def test_json_without_cases_says_that_none_were_run() -> None:
    assert SAME.to_dict()["recorded"] is None


def test_evidence_has_its_split_and_a_diff() -> None:
    entry = Evidence(
        "R1", "Where?", "without", "with", "a\nz", "a\n<t>z", DiffSplit("a\n", "", "<t>", "z"), "start = <t>"
    )
    (data,) = evidence_to_json([entry])
    assert data["split"] == {"prefix": "a\n", "left": "", "right": "<t>", "suffix": "z"}
    assert data["diff"] == [" a", "-z", "+<t>z"]
    assert data["left"] == {"name": "without", "text": "a\nz", "error": None}
    assert (data["probe"], data["conclusion"], data["decided"]) == ("R1", "start = <t>", True)
