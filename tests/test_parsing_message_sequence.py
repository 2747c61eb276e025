"""Turns that are sequences of messages: what models write, what they write wrongly, in any chunks, and grammars of it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import formats
import pytest

from autoparser_cli.analysis.model import MessageSequence
from autoparser_cli.grammars.dialects import Dialect
from autoparser_cli.grammars.export import export
from autoparser_cli.parsing import OutputParser, ParseResult, build_parser

MESSAGES = MessageSequence(
    start="[TURN]bot",
    channel="[LANE]",
    body="[SAY]",
    ends=("[STOP]", "[OVER]", "[RUN]"),
    reasoning_channel="aside",
    content_channel="answer",
    call_channel="task",
    recipient="for=",
    namespace="kit.",
    content_type="json",
)
ANALYSIS = replace(formats.CHANNELS, messages=MESSAGES, generation_prompt="[TURN]bot")
CALL = '{"city": "Paris"}'
NEXT = "[STOP][TURN]bot"


def parser(prompt: str = "[TURN]bot", tools: Any = formats.TOOLS, **options: Any) -> OutputParser:
    return build_parser(ANALYSIS, tools=tools, generation_prompt=prompt, **options)


def parse(output: str, prompt: str = "[TURN]bot", tools: Any = formats.TOOLS, **options: Any) -> ParseResult:
    """Parse at once and character by character, which must be the same."""
    made = parser(prompt, tools, **options)
    whole = made.parse(output)
    stream = made.stream()
    for character in output:
        stream.feed(character)
    assert stream.close() == whole
    return whole


def calls(result: ParseResult) -> list[tuple[str, Any]]:
    return [(call.name, json.loads(call.arguments)) for call in result.message.tool_calls]


def repairs(result: ParseResult) -> set[str]:
    return {repair.name for repair in result.repairs}


CALLS = {
    "recipient-first": " for=kit.get_weather[LANE]task json[SAY]",
    "channel-first": "[LANE]task for=kit.get_weather json[SAY]",
    "token-before-type": "[LANE]task for=kit.get_weather [KIND]json[SAY]",
    "token-only": "[LANE]task for=kit.get_weather [KIND][SAY]",
    "no-type": " for=kit.get_weather[LANE]task[SAY]",
    "on-the-channel-of-reasoning": "[LANE]aside for=kit.get_weather[SAY]",
}


@pytest.mark.parametrize("header", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("end", ["", "[RUN]", "[STOP]"])
def test_call(header: str, end: str) -> None:
    result = parse(header + CALL + end)
    assert (result.error, calls(result)) == (None, [("get_weather", {"city": "Paris"})])
    assert (result.message.content, result.message.reasoning_content) == ("", "")
    assert repairs(result) == set()


@pytest.mark.parametrize(
    ("output", "repair"),
    [
        ("[LANE]task for=kit.get_weather[KIND]json[SAY]" + CALL, "white-space"),
        ("[LANE]plan for=kit.get_weather json[SAY]" + CALL, "unknown-channel"),
        ("[LANE]task for=get_weather json[SAY]" + CALL, "missing-namespace"),
        ("[TURN]bot[LANE]task for=kit.get_weather json[SAY]" + CALL, "message-opened-again"),
        (
            "[LANE]task for=kit.get_weather json[SAY]" + CALL + "[TURN]bot[LANE]answer[SAY]",
            "missing-call-end",
        ),
    ],
)
def test_call_with_a_repair(output: str, repair: str) -> None:
    result = parse(output)
    assert (result.error, calls(result)) == (None, [("get_weather", {"city": "Paris"})])
    assert repairs(result) == {repair}


def test_a_sequence_of_messages() -> None:
    result = parse(
        f"[LANE]aside[SAY]First. {NEXT}[LANE]aside[SAY]Then.{NEXT}[LANE]task[SAY]I look.{NEXT}"
        f" for=kit.get_weather[LANE]task json[SAY]{CALL}[RUN][TURN]bot for=kit.get_time[LANE]task json[SAY]{{}}[RUN]"
    )
    assert result.error is None
    assert result.message.reasoning_content == "First. Then."
    assert result.message.content == "I look."
    assert calls(result) == [("get_weather", {"city": "Paris"}), ("get_time", {})]
    assert repairs(result) == set()


@pytest.mark.parametrize("end", ["", "[OVER]", "[STOP]"])
def test_reasoning_and_answer(end: str) -> None:
    result = parse(f"[LANE]aside[SAY]Hm.{NEXT}[LANE]answer[SAY]Hello [there].{end}")
    assert (result.error, result.message.content) == (None, "Hello [there].")
    assert result.message.reasoning_content == "Hm."


def test_markers_in_prose_are_prose() -> None:
    text = "I do not write [RUN] or [LANE]answer or [STOP] myself."
    result = parse(f"[LANE]aside[SAY]{text}{NEXT}[LANE]answer[SAY]Done.")
    assert (result.error, result.message.reasoning_content) == (None, text)


def test_a_message_to_somebody_else_is_no_answer() -> None:
    result = parse(f"[LANE]aside[SAY]Hm.{NEXT}[LANE]task for=python [KIND]code[SAY]print(1)")
    assert (result.error, result.message.content, calls(result)) == (None, "", [])
    assert repairs(result) == {"message-to-another-recipient"}
    assert result.unparsed == "print(1)"


def test_an_unknown_tool_is_an_error() -> None:
    result = parse(" for=kit.fly[LANE]task json[SAY]{}[RUN]")
    assert result.error is not None
    assert "get_weather" in result.error.expected
    assert calls(parse(" for=kit.fly[LANE]task json[SAY]{}[RUN]", lenient=True)) == [("fly", {})]


@pytest.mark.parametrize("cut", range(1, len(CALL)))
def test_a_cut_call_is_no_call(cut: int) -> None:
    result = parse(" for=kit.get_weather[LANE]task json[SAY]" + CALL[:cut])
    assert result.error is not None
    assert calls(result) == []
    assert result.open_call is not None
    assert result.open_call.name == "get_weather"


def test_a_call_cut_in_its_header_is_no_call() -> None:
    result = parse(f"[LANE]aside[SAY]Hm.{NEXT} for=kit.get_weather[LANE]task [KIND]json")
    assert result.error is not None
    assert (calls(result), result.message.content, result.message.reasoning_content) == ([], "", "Hm.")


@pytest.mark.parametrize(
    ("output", "content", "repair"),
    [
        ("[LANE]musing[SAY]Hello.", "Hello.", "unknown-channel"),
        ("[SAY]Hello.", "Hello.", "missing-channel"),
        ("Hello.", "Hello.", "missing-header"),
        ("[LANE]task for=bot[LANE]answer[SAY]Hello.", "Hello.", "header-without-body"),
        ("[LANE]??[STOP][TURN]bot[LANE]answer[SAY]Hello.", "Hello.", "garbled-header"),
        ("[LANE]answer[SAY]Hello.[TURN]bot[LANE]answer[SAY] You.", "Hello. You.", "missing-message-end"),
        ("[LANE]answer[SAY]Hello.[STOP][LANE]answer[SAY] You.", "Hello. You.", "missing-message-start"),
    ],
)
def test_unusual_headers(output: str, content: str, repair: str) -> None:
    result = parse(output)
    assert (result.error, result.message.content, calls(result)) == (None, content, [])
    assert repairs(result) == {repair}


def test_reasoning_that_is_not_ended_before_the_answer() -> None:
    result = parse("[LANE]aside[SAY]Hm.[LANE]answer[SAY]Hello.")
    assert (result.message.reasoning_content, result.message.content) == ("Hm.", "Hello.")
    assert repairs(result) == {"missing-message-end"}


def test_reasoning_that_is_not_ended_before_a_call() -> None:
    result = parse("[LANE]aside[SAY]Hm.[LANE]task for=kit.get_weather [KIND]json[SAY]" + CALL)
    assert (result.message.reasoning_content, calls(result)) == ("Hm.", [("get_weather", {"city": "Paris"})])
    assert repairs(result) == {"missing-message-end"}


def test_a_garbled_header_at_the_end_is_an_error() -> None:
    result = parse(f"[LANE]aside[SAY]Hm.{NEXT}[LANE]answer Hello.")
    assert result.error is not None
    assert "[SAY]" in result.error.expected
    assert result.message.content == ""


def test_nothing_written_is_no_error() -> None:
    for output in ("", "[STOP]", " \n"):
        result = parse(output)
        assert (result.error, result.message.content, repairs(result)) == (None, "", set())


def test_call_text_is_content_where_no_call_is_allowed() -> None:
    result = parse(" for=kit.get_weather[LANE]task json[SAY]" + CALL, tool_choice="none")
    assert (result.error, result.message.content, calls(result)) == (None, CALL, [])


def test_only_the_named_tool_is_known() -> None:
    result = parse(" for=kit.get_time[LANE]task json[SAY]{}", tool_choice="get_weather")
    assert result.error is not None
    assert calls(result) == []


def test_a_call_is_required() -> None:
    assert parse("[LANE]answer[SAY]Hello.", tool_choice="required").error is not None


def test_a_second_call_where_one_is_allowed() -> None:
    one = f" for=kit.get_weather[LANE]task json[SAY]{CALL}[RUN]"
    result = parse(one + "[TURN]bot" + one, parallel_tool_calls=False)
    assert result.error is not None
    assert len(calls(result)) == 1
    assert repairs(parse(one + "[TURN]bot" + one, parallel_tool_calls=False, lenient=True)) == {"second-call"}


def test_reasoning_left_in_the_content_keeps_its_markers() -> None:
    result = parse(f"[LANE]aside[SAY]Hm.{NEXT}[LANE]answer[SAY]Hello.", reasoning_format="none")
    assert (result.message.content, result.message.reasoning_content) == (
        "[LANE]aside[SAY]Hm.[STOP]Hello.",
        "",
    )


@pytest.mark.parametrize(
    ("prompt", "output", "reasoning", "content"),
    [
        ("[TURN]user[SAY]Hi[STOP][TURN]bot", "[LANE]answer[SAY]Yes.", "", "Yes."),
        ("", "[TURN]bot[LANE]answer[SAY]Yes.", "", "Yes."),
        ("[TURN]bot[LANE]answer[SAY]", "Yes.", "", "Yes."),
        ("[TURN]bot[LANE]aside[SAY]", f"Hm.{NEXT}[LANE]answer[SAY]Yes.", "Hm.", "Yes."),
        (
            "[TURN]bot[LANE]answer[SAY]Old.[STOP][TURN]user[SAY]Hi[STOP][TURN]bot",
            "[LANE]answer[SAY]Yes.",
            "",
            "Yes.",
        ),
    ],
    ids=["usual", "no-prompt", "answer-open", "reasoning-open", "earlier-turn"],
)
def test_what_the_prompt_holds(prompt: str, output: str, reasoning: str, content: str) -> None:
    result = parse(output, prompt)
    assert (result.error, result.message.reasoning_content) == (None, reasoning)
    assert result.message.content == content
    assert repairs(result) == set()


def test_a_continued_message_holds_all_of_its_turn() -> None:
    earlier = "[TURN]bot[LANE]answer[SAY]Old.[STOP][TURN]user[SAY]Hi[STOP]"
    prompt = f"{earlier}[TURN]bot[LANE]aside[SAY]Hm.{NEXT}[LANE]answer[SAY]He"
    result = parse("llo.", prompt, continue_final_message="content")
    assert (result.message.reasoning_content, result.message.content) == ("Hm.", "Hello.")


def test_an_answer_in_json() -> None:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}}
    output = f"[LANE]aside[SAY]Hm.{NEXT}[LANE]answer [KIND]json[SAY]"
    assert parse(output + CALL, json_schema=schema).message.content == CALL
    assert parse(output + "{city", json_schema=schema).error is not None


def test_lenient_goes_on_behind_a_broken_call() -> None:
    output = " for=kit.get_weather[LANE]task json[SAY]{oops[RUN][TURN]bot[LANE]answer[SAY]Hello."
    assert parse(output).error is not None
    result = parse(output, lenient=True)
    assert (result.error, result.message.content, calls(result)) == (None, "Hello.", [])
    assert "oops" in result.unparsed


def test_text_streams_as_it_comes() -> None:
    stream = parser().stream()
    stream.feed("[LANE]answer[SAY]")
    assert [delta.content for delta in stream.feed("Hello")] == ["Hello"]
    assert stream.feed("[ST") == ()
    assert [delta.content for delta in stream.feed("AR]")] == ["[STAR]"]


def test_arguments_stream_as_they_come() -> None:
    stream = parser().stream()
    deltas = stream.feed(" for=kit.get_weather[LANE]task json[SAY]")
    assert [delta.tool_call.name for delta in deltas if delta.tool_call] == ["get_weather"]
    deltas = stream.feed('{"city": "Pa')
    assert "".join(delta.tool_call.arguments for delta in deltas if delta.tool_call) == '{"city": "Pa'


@pytest.mark.parametrize("dialect", [Dialect.GBNF, Dialect.LARK, Dialect.LLGUIDANCE, Dialect.STRUCTURAL_TAG])
@pytest.mark.parametrize("choice", ["auto", "required"])
def test_every_grammar_is_written(dialect: Dialect, choice: str) -> None:
    written = export(ANALYSIS, parser(tool_choice=choice), dialect, generation_prompt="[TURN]bot")
    assert "get_weather" in written.text
    if dialect is Dialect.GBNF and choice == "auto":
        assert written.triggers == ("for=kit.",)
