"""Properties of the parser over generated outputs: chunks, deltas, no lost text, no exceptions."""

from __future__ import annotations

import json
from itertools import pairwise

import formats
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from autoparser_cli.messages import Delta
from autoparser_cli.parsing import OutputParser, ParseResult, build_parser
from autoparser_cli.parsing.near_misses import near_misses
from autoparser_cli.parsing.trace import trace_tree

NAMES = [
    "HERMES", "NEMO", "APERTUS", "FUNCTIONARY", "DEEPSEEK_V31", "CODER", "GLM", "SEED", "R7B", "LLAMA3",
    "KIMI", "GEMMA", "LFM", "DSML", "CHANNELS",
]  # fmt: skip
PARSERS: dict[tuple[str, bool], OutputParser] = {
    (name, lenient): build_parser(getattr(formats, name), tools=formats.TOOLS, lenient=lenient)
    for name in NAMES
    for lenient in (False, True)
}
PIECES = [
    "<think>",
    "\n</think>\n\n",
    "</think>",
    "<tool_call>",
    "\n",
    "</tool_call>",
    '{"name": "get_weather", "arguments": ',
    '{"city": "Par\\u00e9s"}',
    "}",
    "{",
    "[",
    "]",
    '"',
    "\\",
    "<function=write_file>\n",
    "<parameter=content>\n",
    "x < y",
    "\n</parameter>\n",
    "</function>",
    "[TOOL_CALLS]",
    ', "id": "abc"',
    "get_time",
    "(",
    ")",
    "city='a\\'b'",
    "<|tool_call>",
    "call:run{",
    '<|"|>',
    "items:[",
    ",",
    "either:3",
    "<tool_call|>",
    "<|tool_calls_section_begin|>",
    "<|tool_call_begin|>",
    "functions.get_time:0",
    "<|tool_call_argument_begin|>",
    "{}",
    "<|tool_call_end|>",
    "<|im_end|>",
    "<|START_THINKING|>",
    "<|END_THINKING|>",
    "<|START_ACTION|>",
    "text ",
    " ",
    "é😀",
    "</seed:think>",
    "<arg_key>",
    "days",
    "</arg_key>",
    "<arg_value>",
    "3",
    "</arg_value>",
    "<|tool_call_start|>[",
    "]<|tool_call_end|>",
    "true",
    "None",
    "-1.5e3",
    "<",
]
GARBAGE = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
QUICK = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def run(parser: OutputParser, chunks: list[str]) -> tuple[ParseResult, list[Delta]]:
    stream = parser.stream()
    deltas: list[Delta] = []
    for chunk in chunks:
        deltas += stream.feed(chunk)
    result = stream.close()
    return result, deltas + list(stream.last_deltas)


def cut(text: str, places: list[int]) -> list[str]:
    borders = [0, *sorted({place % (len(text) + 1) for place in places}), len(text)]
    return [text[start:end] for start, end in pairwise(borders)]


def concatenated(deltas: list[Delta]) -> tuple[str, str, list[tuple[str, str]]]:
    calls: dict[int, tuple[str, str]] = {}
    for delta in deltas:
        if delta.tool_call is not None:
            name, arguments = calls.get(delta.tool_call.index, ("", ""))
            calls[delta.tool_call.index] = (
                name + (delta.tool_call.name or ""),
                arguments + delta.tool_call.arguments,
            )
    content = "".join(delta.content or "" for delta in deltas)
    return content, "".join(delta.reasoning_content or "" for delta in deltas), list(calls.values())


def assert_cuts_change_nothing(parser: OutputParser, text: str, places: list[int]) -> None:
    """Compare what a whole output gives with the same in chunks, and the message with its deltas."""
    whole = parser.parse(text)
    for chunks in (cut(text, places), list(text)):
        result, deltas = run(parser, chunks)
        assert result == whole
        if whole.error is None and not whole.unparsed:
            message = whole.message
            calls = [(call.name, call.arguments) for call in message.tool_calls]
            assert concatenated(deltas) == (message.content, message.reasoning_content, calls)


@pytest.mark.parametrize("name", NAMES)
@QUICK
@given(text=GARBAGE, places=st.lists(st.integers(0, 400), max_size=12), lenient=st.booleans())
@example(text='<tool_call>\n{"name": "get_time", "arguments": {"x": 3.14}}', places=[47], lenient=False)
def test_any_cut_gives_the_same_result_and_deltas_make_the_message(
    name: str, text: str, places: list[int], lenient: bool
) -> None:
    assert_cuts_change_nothing(PARSERS[name, lenient], text, places)


@pytest.mark.parametrize("name", NAMES)
@QUICK
@given(text=GARBAGE)
def test_arguments_of_complete_calls_are_json_objects(name: str, text: str) -> None:
    for call in PARSERS[name, False].parse(text).message.tool_calls:
        assert isinstance(json.loads(call.arguments), dict)


@pytest.mark.parametrize("name", NAMES)
@QUICK
@given(text=st.text(alphabet=st.sampled_from("abc \n.,!?äß"), max_size=60))
def test_prose_is_content(name: str, text: str) -> None:
    result = PARSERS[name, False].parse(text)
    assert result.message.content.strip() == text.strip()
    assert not result.message.tool_calls


VALUES = st.dictionaries(
    st.sampled_from(["city", "note"]),
    st.text(alphabet=st.sampled_from("ab \n\"'\\{}<>/=é😀:,"), max_size=20),
    max_size=2,
)


@QUICK
@given(
    arguments=VALUES,
    content=st.sampled_from(["", "Hello.", "a < b {x}"]),
    places=st.lists(st.integers(0, 300)),
)
def test_json_calls_come_back(arguments: dict[str, str], content: str, places: list[int]) -> None:
    body = json.dumps({"name": "get_weather", "arguments": arguments}, ensure_ascii=False)
    text = (
        f"{content}\n<tool_call>\n{body}\n</tool_call>" if content else f"<tool_call>\n{body}\n</tool_call>"
    )
    result, _ = run(PARSERS["HERMES", False], cut(text, places))
    assert result.error is None
    assert result.message.content == content
    assert [json.loads(call.arguments) for call in result.message.tool_calls] == [arguments]


@QUICK
@given(
    value=st.text(alphabet=st.sampled_from("ab \n\"'\\{}<>/=é😀"), max_size=30),
    places=st.lists(st.integers(0, 300)),
)
def test_raw_strings_come_back_to_the_last_space(value: str, places: list[int]) -> None:
    text = (
        f"<tool_call>\n<function=write_file>\n<parameter=content>\n{value}\n</parameter>\n"
        "</function>\n</tool_call>"
    )
    result, _ = run(PARSERS["CODER", False], cut(text, places))
    assert result.error is None
    assert json.loads(result.message.tool_calls[0].arguments) == {"content": value}


@QUICK
@given(
    value=st.text(alphabet=st.sampled_from("ab \n\"'\\{}<>/é😀(),"), max_size=30),
    places=st.lists(st.integers(0, 99)),
)
def test_python_strings_come_back(value: str, places: list[int]) -> None:
    text = f"<|tool_call_start|>[write_file(path={value!r}, content='x')]<|tool_call_end|>"
    result, _ = run(PARSERS["LFM", False], cut(text, places))
    assert result.error is None
    assert json.loads(result.message.tool_calls[0].arguments) == {"path": value, "content": "x"}


@pytest.mark.parametrize("name", NAMES)
@QUICK
@given(text=GARBAGE, end=st.integers(0, 400))
def test_no_text_is_lost(name: str, text: str, end: int) -> None:
    """Letters and digits of the output are in the message, in what is not parsed, or in a marker."""
    text = f"qq{text}zz"
    result = PARSERS[name, False].parse(text)
    kept = result.message.content + result.message.reasoning_content + result.unparsed
    kept += result.error.unparsed if result.error else ""
    assert kept.strip().startswith("qq")
    assert kept.strip().endswith("zz")


def everything(result: ParseResult) -> str:
    """Put together all that a result holds of its output."""
    message = result.message
    calls = list(message.tool_calls)
    kept = [message.content, message.reasoning_content, result.unparsed]
    if result.error is not None:
        kept.append(result.error.unparsed)
    for call in calls:
        kept += [call.name, call.id or "", call.arguments]
    return "\n".join(kept)


@pytest.mark.parametrize("name", NAMES)
@QUICK
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=20), lenient=st.booleans())
def test_every_word_comes_out_somewhere(name: str, pieces: list[str], lenient: bool) -> None:
    """Also where words stand between, and inside of, what looks like markers, calls and values."""
    words = [f"w{number}w" for number in range(len(pieces))]
    text = "".join(piece + word for piece, word in zip(pieces, words, strict=True))
    result = PARSERS[name, lenient].parse(text)
    if {"extra-key", "header-without-body"} & {repair.name for repair in result.repairs}:
        return  # a key of a call that says nothing is read over, and the repair says so
    kept = everything(result)
    assert [word for word in words if word not in kept] == []


@pytest.mark.parametrize("name", NAMES)
@QUICK
@given(text=GARBAGE)
def test_explaining_garbage_never_raises(name: str, text: str) -> None:
    strict, lenient = PARSERS[name, False], PARSERS[name, True]
    result = strict.parse(text)
    for miss in near_misses(strict, text, result, lenient.parse(text)):
        assert 0 <= miss.offset <= len(text)
        assert miss.message
    root = trace_tree(strict, text)
    assert root.to_dict()["kind"] == "turn"


@pytest.mark.parametrize("name", NAMES)
@QUICK
@given(text=st.text(max_size=80), places=st.lists(st.integers(0, 80), max_size=5), lenient=st.booleans())
def test_any_text_at_all_is_read(name: str, text: str, places: list[int], lenient: bool) -> None:
    parser = PARSERS[name, lenient]
    result, _ = run(parser, cut(text, places))
    assert result == parser.parse(text)
