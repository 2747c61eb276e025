"""A response template, run by transformers, gives the parser's message; what it cannot say is an error."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
import test_parsing_message_sequence as sequence
from wire_formats import FITTING, FORMATS, TOOLS

from autoparser_cli.errors import FormatError
from autoparser_cli.grammars.response_template import response_template
from autoparser_cli.parsing import build_parser

IMPOSSIBLE = {"name-is-key": "JSON key", "nested-tags": "tag names"}
#: Its arguments stay the JSON string that they are on the wire.
AS_STRING = ("arguments-as-string",)
POSSIBLE = [name for name in FORMATS if name not in IMPOSSIBLE]


@pytest.mark.parametrize("name", POSSIBLE)
def test_transformers_reads_what_the_parser_reads(name: str) -> None:
    chat_parsing = pytest.importorskip(
        "transformers.utils.chat_parsing", reason="transformers is not installed"
    )
    analysis = FORMATS[name]
    template = response_template(analysis)
    tools = [{"type": "function", "function": tool} for tool in TOOLS]
    prefix = analysis.generation_prompt
    for output in FITTING[name]:
        read = chat_parsing.parse_response(output, template, prefix=prefix, tools=tools)
        message = build_parser(analysis, TOOLS).parse(output).message
        calls = [(call["function"]["name"], call["function"]["arguments"]) for call in read["tool_calls"]]
        if name in AS_STRING:
            calls = [
                (called, json.loads(arguments)) for called, arguments in calls if isinstance(arguments, str)
            ]
        assert calls == [(call.name, json.loads(call.arguments)) for call in message.tool_calls]
        assert (read.get("content") or "").strip() == message.content.strip()
        assert (read.get("thinking") or "").strip() == message.reasoning_content.strip()


MESSAGES = replace(sequence.ANALYSIS, turn=replace(sequence.ANALYSIS.turn, header=sequence.MESSAGES.start))
SEQUENCES = [
    *(header + sequence.CALL + end for header in sequence.CALLS.values() for end in ("", "[RUN]")),
    "[LANE]aside[SAY]Hm.[STOP][TURN]bot[LANE]answer[SAY]Hello.",
    "[LANE]task[SAY]I look.[STOP][TURN]bot for=kit.get_time[LANE]task json[SAY]{}[RUN]",
    (
        "[LANE]aside[SAY]Hm.[STOP][TURN]bot for=kit.get_time[LANE]task json[SAY]{}[RUN]"
        '[TURN]bot[LANE]task for=kit.get_weather [KIND]json[SAY]{"city": "Bern"}[RUN]'
    ),
]


@pytest.mark.parametrize("output", SEQUENCES)
def test_transformers_reads_a_sequence_of_messages(output: str) -> None:
    chat_parsing = pytest.importorskip(
        "transformers.utils.chat_parsing", reason="transformers is not installed"
    )
    read = chat_parsing.parse_response(output, response_template(MESSAGES), prefix="[TURN]bot")
    message = sequence.parse(output).message
    calls = [
        (call["function"]["name"], call["function"]["arguments"]) for call in read.get("tool_calls") or ()
    ]
    assert calls == [(call.name, json.loads(call.arguments)) for call in message.tool_calls]
    assert (read.get("content") or "", read.get("thinking") or "") == (
        message.content,
        message.reasoning_content,
    )


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_cannot_be_said_is_an_error_with_the_reason(name: str) -> None:
    with pytest.raises(FormatError, match=IMPOSSIBLE[name]) as raised:
        response_template(FORMATS[name])
    assert raised.value.exit_code == 1


@pytest.mark.parametrize("name", POSSIBLE)
def test_patterns_compile_and_none_begins_with_unbounded_white_space(name: str) -> None:
    field = response_template(FORMATS[name])["fields"]["tool_calls"]
    patterns = [
        field["open_pattern"],
        field.get("close_pattern", ""),
        field.get("content_args", {}).get("tag_pattern", ""),
    ]
    for pattern in patterns:
        re.compile(pattern)
        assert not re.match(r"\\s[*+]", pattern)
