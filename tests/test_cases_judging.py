"""A case passes where its output means what it says, however it is cut, and fails with a reason otherwise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autoparser_cli.analysis.model import GenerationPrompt
from autoparser_cli.cases.chunking import assemble, cuts
from autoparser_cli.cases.comparing import same_json
from autoparser_cli.cases.from_json import read_case
from autoparser_cli.cases.judging import judge
from autoparser_cli.cases.model import Case, CaseResult, Status
from autoparser_cli.messages import Delta, Message, ToolCall, ToolCallDelta
from tests.stub_engine import ANALYSIS, StubEngine

CALL = '<call>add {"a": 3, "b": [true, null]}</call>'
ADD = {"name": "add", "arguments": {"a": 3, "b": [True, None]}}


def make(output: str, expect: dict[str, Any] | None = None, **more: Any) -> Case:
    data: dict[str, Any] = {"id": "x", "template_inline": "stub", "output": output, **more}
    if expect is not None:
        data["expect"] = expect
    return read_case(data, folder=Path(), file="f.jsonl", where="f.jsonl:1")


def run(output: str, expect: dict[str, Any] | None = None, *, flaw: str = "", **more: Any) -> CaseResult:
    return judge(make(output, expect, **more), StubEngine(flaw))


def test_the_message_that_was_expected_passes() -> None:
    expect = {"content": "Hi", "reasoning_content": "so", "tool_calls": [ADD]}
    result = run(f"<think>so </think> Hi\n{CALL}", expect)
    assert (result.status, result.reason) == (Status.PASSED, "")


def test_null_is_an_empty_text() -> None:
    assert (
        run(CALL, {"content": None, "reasoning_content": None, "tool_calls": [ADD]}).status is Status.PASSED
    )


@pytest.mark.parametrize(
    ("expect", "reason"),
    [
        ({"content": "Hi", "tool_calls": [ADD]}, "reasoning differs"),
        ({"content": "Ho", "reasoning_content": "so", "tool_calls": [ADD]}, "content differs"),
        ({"content": "Hi", "reasoning_content": "so"}, "0 calls expected, 1 found"),
        (
            {"content": "Hi", "reasoning_content": "so", "tool_calls": [{**ADD, "name": "sub"}]},
            "the name of call 1 differs",
        ),
        (
            {
                "content": "Hi",
                "reasoning_content": "so",
                "tool_calls": [{"name": "add", "arguments": {"a": 3}}],
            },
            "the arguments of call 1 differ",
        ),
        (
            {"content": "Hi", "reasoning_content": "so", "tool_calls": [{**ADD, "id": "c1"}]},
            "the id of call 1 is None, not 'c1'",
        ),
    ],
)
def test_what_differs_is_named_and_both_are_shown(expect: dict[str, Any], reason: str) -> None:
    result = run(f"<think>so</think>Hi{CALL}", expect)
    assert (result.status, result.reason) == (Status.FAILED, reason)
    assert "call: add" in result.got
    assert result.expected.startswith("reasoning: ")


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (3, "3", False),
        (True, 1, False),
        (0, False, False),
        (2, 2.0, True),
        ({"a": [1, True]}, {"a": [1, 1]}, False),
        ({"a": None}, {}, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ([1, 2], [1], False),
        (None, "", False),
    ],
)
def test_json_values_are_compared_with_their_types(left: object, right: object, same: bool) -> None:
    assert same_json(left, right) is same


@pytest.mark.parametrize("arguments", ['{"a": ', '{"a": NaN}', ""])
def test_arguments_that_are_not_json_are_wrong(arguments: str) -> None:
    expect = {"tool_calls": [{"name": "add", "arguments": {"a": 1}}]}
    assert run(f"<call>add {arguments}</call>", expect).reason == "the arguments of call 1 are not JSON"


def test_white_space_counts_only_where_the_case_says_exact() -> None:
    assert run(" Hi\n", {"content": "Hi"}).status is Status.PASSED
    assert run(" Hi\n", {"content": "Hi"}, compare={"content": "exact"}).reason == "content differs"


def test_an_error_fails_a_right_message_unless_the_case_was_cut() -> None:
    cut = "Hi<call>add {"
    assert run(cut, {"content": "Hi"}).reason == "the message is right, but the parse has an error"
    assert run(cut, {"content": "Hi"}, truncated=True).status is Status.PASSED
    assert run(cut, {"content": "Hi", "tool_calls": [ADD]}, truncated=True).status is Status.FAILED


def test_the_parse_error_is_part_of_a_failure() -> None:
    result = run("Hi<call>add {", {"content": "Ho"})
    assert result.error == "line 1, column 14 (offset 13): expected '</call>'; not read: '<call>add {'"


def test_a_call_that_is_missing_is_told_before_the_content_that_has_it() -> None:
    result = run("<cal>add {}</cal>", {"content": "", "tool_calls": [ADD]})
    assert result.reason == "1 call expected, 0 found"


def test_a_marker_or_stop_token_must_not_leak_unless_it_was_expected() -> None:
    assert run("a <x> b", {"content": "a <x> b"}, never_leak=["<x>"]).status is Status.PASSED
    output = '<call>f {"a": "<x>"}</call>'
    expect = {"tool_calls": [{"name": "f", "arguments": {"a": "<x>"}}]}
    assert run(output, expect, never_leak=["<x>"]).status is Status.PASSED
    order = {"content_contains_in_order": ["a", "b"]}
    result = run("a <x> b", {"content": None}, stop=["<x>"], expect_more=order)
    assert result.reason == "the marker <x> leaked into content"


def test_parts_in_order_stand_for_the_whole_text() -> None:
    order = {"reasoning_contains_in_order": ["one", "two"]}
    assert run("<think>one, two</think>", {}, expect_more=order).status is Status.PASSED
    assert "does not have 'two'" in run("<think>two, one</think>", {}, expect_more=order).reason


@pytest.mark.parametrize(
    ("output", "accept", "status"),
    [
        ("<call>add {", ["exception"], Status.PASSED),
        ("plain", ["exception"], Status.FAILED),
        ("plain", ["no_tool_calls"], Status.PASSED),
        (CALL, ["no_tool_calls", "content_passthrough", "exception"], Status.FAILED),
        ("plain ", ["content_passthrough"], Status.PASSED),
        ("<think>x</think>", ["content_passthrough"], Status.FAILED),
    ],
)
def test_where_no_valid_call_exists_any_accepted_answer_is_right(
    output: str, accept: list[str], status: Status
) -> None:
    assert run(output, expect_error={"reason": "broken", "accept": accept}).status is status


def test_a_strict_error_is_demanded_at_its_offset_and_the_forgiving_result_is_compared() -> None:
    more: dict[str, Any] = {"strict_error": {"offset": 11}, "lenient": {"content": None, "tool_calls": [ADD]}}
    case = make("<call>add {", {}, expect_more=more)
    forgiving = StubEngine(forgiven=Message("", "", (ToolCall("add", '{"a": 3, "b": [true, null]}'),)))
    assert judge(case, forgiving).status is Status.PASSED
    assert judge(case, StubEngine()).reason == "lenient: 1 call expected, 0 found"
    assert run("fine", {}, expect_more=more).reason == "the strict result must be an error"
    elsewhere = {"strict_error": {"offset": 3}}
    assert run("<call>add {", {}, expect_more=elsewhere).reason == "the error is at another place"


@pytest.mark.parametrize(
    ("flaw", "reason"),
    [
        ("cut", "cut into single characters: another message"),
        ("sum", "cut into single characters: the deltas do not add up to the message"),
        ("crash", "internal error: KeyError: 'a bug'"),
    ],
)
def test_a_flawed_parser_is_found_out(flaw: str, reason: str) -> None:
    result = run("Hi there", {"content": "Hi there"}, flaw=flaw)
    assert (result.status, result.reason) == (Status.FAILED, reason)


def test_without_chunks_only_the_whole_output_is_parsed() -> None:
    case = make("Hi there", {"content": "Hi there"})
    assert judge(case, StubEngine("cut"), chunks=False).status is Status.PASSED


def test_partial_judges_what_is_known_before_the_end() -> None:
    assert run("Hi", {"content": "Hi"}, flaw="partial", partial=True).status is Status.PASSED
    result = run("Hi", {"content": "Hi"}, partial=True)
    assert (result.status, result.reason) == (Status.FAILED, "content differs")


def test_the_recorded_prompt_must_end_a_case_that_was_rendered() -> None:
    case = make("Hi", {"content": "Hi"}, generation_prompt="<bot>", confirmed=True)
    good = judge(case, StubEngine())
    assert (good.status, good.prompt_checked, good.prompt_ok) == (Status.PASSED, True, True)
    bad = judge(case, StubEngine(prompt_text="user: Hello\n<other>"))
    assert (bad.status, bad.prompt_ok) == (Status.FAILED, False)
    assert "does not end with the recorded" in bad.reason
    free = make("Hi", {"content": "Hi"}, generation_prompt="<elsewhere>")
    assert judge(free, StubEngine()).status is Status.PASSED


def test_other_kinds_are_skipped() -> None:
    case = read_case({"id": "x", "kind": "benchmark"}, folder=Path(), file="f", where="f:1")
    assert judge(case, StubEngine()).status is Status.SKIPPED


def test_a_generated_output_comes_back() -> None:
    tool = {
        "type": "function",
        "function": {"name": "write", "parameters": {"properties": {"path": {}, "content": {}}}},
    }
    data = {
        "id": "long",
        "template_inline": "stub",
        "tools": [tool],
        "output": "(generated)",
        "generator": {"kind": "long-argument", "path": "a.txt", "content_chars": 5000, "chunk_chars": 100},
    }
    case = read_case(data, folder=Path(), file="f", where="f:1")
    assert judge(case, StubEngine()).status is Status.PASSED
    assert "did not come back" in judge(case, StubEngine("cut")).reason


def test_facts_of_an_analysis_are_compared_without_outer_white_space() -> None:
    facts = {"reasoning_start": "<think>", "tool_format": "NONE", "preserved_tokens_include": ["<think>"]}
    data = {"id": "a", "kind": "analysis", "template_inline": "stub", "expect_more": facts}
    case = read_case(data, folder=Path(), file="f", where="f:1")
    assert judge(case, StubEngine()).status is Status.PASSED
    wrong = {**data, "expect_more": {"tool_format": "JSON_NATIVE", "reasoning_end": "</think>"}}
    result = judge(read_case(wrong, folder=Path(), file="f", where="f:1"), StubEngine())
    assert result.reason == "the analysis differs in tool_format, reasoning_end"


def test_generation_prompts_are_compared_for_each_setting() -> None:
    data = {
        "id": "a",
        "kind": "analysis",
        "template_inline": "stub",
        "probe": [{"think": False}],
        "expect_more": {"generation_prompts": ["<bot></think>"]},
    }
    case = read_case(data, folder=Path(), file="f", where="f:1")
    assert judge(case, StubEngine()).status is Status.FAILED
    found = replace(ANALYSIS, generation_prompts=(GenerationPrompt("<bot></think>", (("think", False),)),))
    assert judge(case, StubEngine(analysis=found)).status is Status.PASSED


def test_facts_of_a_render_are_compared() -> None:
    def rendered(**facts: Any) -> Status:
        data = {"id": "r", "kind": "render", "template_inline": "stub", "expect_more": facts}
        return judge(read_case(data, folder=Path(), file="f", where="f:1"), StubEngine()).status

    assert rendered(rendered_contains="<bot>", forbidden=["&lt;"]) is Status.PASSED
    assert rendered(rendered_contains="<cat>") is Status.FAILED
    assert rendered(forbidden=["<bot>"]) is Status.FAILED
    assert rendered(rendered="other") is Status.FAILED
    assert rendered(raises="TypeError") is Status.FAILED


def test_each_cut_is_the_whole_output_and_comes_back_the_same() -> None:
    case = make("some output", {}, chunks=["some ", "output"], chunking="random:1-4:seeds0-4")
    first = list(cuts(case, "some output"))
    assert len(first) == 1 + 1 + 3 + 5
    assert all("".join(cut.chunks) == "some output" for cut in first)
    assert first == list(cuts(case, "some output"))


def test_a_way_of_cutting_that_is_unknown_makes_the_case_invalid() -> None:
    result = run("Hi", {"content": "Hi"}, chunking="every third")
    assert result.status is Status.INVALID
    assert result.reason.startswith("f.jsonl:1: `chunking` must be")


def test_deltas_add_up_by_the_index_of_their_call() -> None:
    deltas = [
        Delta(content="a"),
        Delta(tool_call=ToolCallDelta(1, "c2", "g", "{")),
        Delta(tool_call=ToolCallDelta(0, "c1", "f", "{}")),
        Delta(content="b"),
        Delta(tool_call=ToolCallDelta(1, arguments="}")),
        Delta(reasoning_content="r"),
    ]
    calls = (ToolCall("f", "{}", "c1"), ToolCall("g", "{}", "c2"))
    assert assemble(deltas) == Message("ab", "r", calls)
