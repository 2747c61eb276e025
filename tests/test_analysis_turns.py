"""The shapes of a turn tell its markers and joints: what all share is the turn's own, the rest belongs to a part."""

from __future__ import annotations

import pytest

from autoparser_cli.analysis.joints import content_as_reasoning, find_joints
from autoparser_cli.analysis.model import TurnPart
from autoparser_cli.analysis.observing import Observed
from autoparser_cli.analysis.shapes import TurnShape
from autoparser_cli.analysis.turns import find_markers

START, REASONING, CONTENT, CALLS, END = TurnPart

CONTENT_ALONE = (CONTENT,), ("<bot>", "<eot>")
CALL_ALONE = (CALLS,), ("<bot><call>", "</call><eot>")
THOUGHT = (REASONING, CONTENT), ("<bot><think>", "</think>", "<eot>")
THOUGHT_CALL = (REASONING, CALLS), ("<bot><think>", "</think><call>", "</call><eot>")


def seen(
    *shapes: tuple[tuple[TurnPart, ...], tuple[str, ...]], prompts: tuple[str, ...] = ("<bot>",)
) -> Observed:
    found = {frozenset(parts): TurnShape("", parts, literals) for parts, literals in shapes}
    return Observed(found, (), prompts, "")


def test_what_all_turns_share_is_the_header_and_the_end() -> None:
    markers = find_markers(seen(CONTENT_ALONE, CALL_ALONE, THOUGHT, THOUGHT_CALL))
    assert (markers.header, markers.end) == ("<bot>", "<eot>")
    assert (markers.reasoning_start, markers.reasoning_end) == ("<think>", "</think>")
    assert (markers.call_open, markers.call_close) == ("<call>", "</call>")
    assert (markers.content_start, markers.content_end, markers.wrapped_start) == ("", "", "")


def test_a_turn_without_reasoning_has_no_reasoning_markers() -> None:
    markers = find_markers(seen(CONTENT_ALONE, CALL_ALONE))
    assert (markers.reasoning_start, markers.reasoning_end) == ("", "")


@pytest.mark.parametrize("beside_reasoning", [False, True])
def test_content_is_wrapped_always_or_only_beside_reasoning(beside_reasoning: bool) -> None:
    alone = CONTENT_ALONE if beside_reasoning else ((CONTENT,), ("<bot><say>", "</say><eot>"))
    behind = (REASONING, CONTENT), ("<bot><think>", "</think><say>", "</say><eot>")
    markers = find_markers(seen(alone, CALL_ALONE, behind, THOUGHT_CALL))
    assert (markers.content_start, markers.wrapped_start) == (
        ("", "<say>") if beside_reasoning else ("<say>", "")
    )


def test_the_next_prompt_behind_a_turn_is_no_part_of_it() -> None:
    markers = find_markers(
        seen(((CONTENT,), ("<bot>", "<eot><bot>")), ((CALLS,), ("<bot><call>", "</call><eot><bot>")))
    )
    assert markers.end == "<eot>"


def test_joints_hold_what_stands_between_parts_without_the_calls_own_markers() -> None:
    shapes = seen(CONTENT_ALONE, CALL_ALONE, THOUGHT, THOUGHT_CALL)
    joints = {(j.before, j.after): j for j in find_joints(shapes, find_markers(shapes)).joints}
    assert joints[START, REASONING].text == "<think>"
    assert joints[REASONING, CALLS].text == "</think>"
    assert joints[CALLS, END].text == ""
    assert joints[REASONING, CALLS].observed


def test_a_pair_that_no_turn_shows_is_put_together_and_says_so() -> None:
    shapes = seen(CONTENT_ALONE, CALL_ALONE, THOUGHT)
    joints = {(j.before, j.after): j for j in find_joints(shapes, find_markers(shapes)).joints}
    assert joints[REASONING, CALLS].text == "</think>"
    assert not joints[REASONING, CALLS].observed


def test_content_between_the_markers_of_reasoning_is_told_from_content() -> None:
    disguised = TurnShape("", (CONTENT, CALLS), ("<bot><think>", "</think><call>", "</call><eot>"))
    plain = TurnShape("", (CONTENT, CALLS), ("<bot>", "<call>", "</call><eot>"))
    others = [TurnShape("", *THOUGHT_CALL), TurnShape("", *CONTENT_ALONE)]
    assert content_as_reasoning(disguised, [disguised, *others])
    assert not content_as_reasoning(plain, [plain, *others])


def test_content_is_told_from_reasoning_too_where_no_turn_shows_reasoning_beside_calls() -> None:
    disguised = TurnShape("", (CONTENT, CALLS), ("<bot><think>", "</think><call>", "</call><eot>"))
    wrapped = TurnShape("", (CONTENT, CALLS), ("<bot><think>", "</say><call>", "</call><eot>"))
    others = [TurnShape("", *THOUGHT), TurnShape("", *CONTENT_ALONE)]
    assert content_as_reasoning(disguised, [disguised, *others])
    assert not content_as_reasoning(wrapped, [wrapped, *others])
