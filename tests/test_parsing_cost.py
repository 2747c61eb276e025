"""The shape of what parsing costs, in counted calls of functions: a clock would tell of the machine, too."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from autoparser_cli.parsing import OutputParser, build_parser
from tests import formats

CODE = 'def add(a, b):\n    """Add."""\n    return {"sum": a + b}  # <b> & more\n'
NAMES = ("CODER", "HERMES", "FUNCTIONARY", "NEMO", "GEMMA")


def calls_of(run: Callable[[], object]) -> int:
    """Count the calls of functions, those in C among them."""
    count = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return count


def parser_of(name: str, tools: Any = formats.TOOLS) -> OutputParser:
    return build_parser(getattr(formats, name), tools=tools)


def long_call(name: str, lines: int) -> str:
    code = CODE * lines
    arguments = json.dumps({"path": "a.py", "content": code})
    return {
        "CODER": "<tool_call>\n<function=write_file>\n<parameter=path>\na.py\n</parameter>\n"
        f"<parameter=content>\n{code}\n</parameter>\n</function>\n</tool_call>",
        "HERMES": f'<tool_call>\n{{"name": "write_file", "arguments": {arguments}}}\n</tool_call>',
        "FUNCTIONARY": f"<function=write_file>{arguments}</function>",
        "NEMO": f'[TOOL_CALLS][{{"name": "write_file", "arguments": {arguments}, "id": "abcdefghi"}}]',
        "GEMMA": f'<|tool_call>call:write_file{{content:<|"|>{code}<|"|>}}<tool_call|>',
    }[name]


def feed_all(parser: OutputParser, text: str, size: int = 4) -> int:
    """Count the calls that a stream of small chunks takes, without its end."""
    stream = parser.stream()
    chunks = [text[at : at + size] for at in range(0, len(text), size)]

    def feed() -> None:
        for chunk in chunks:
            stream.feed(chunk)

    count = calls_of(feed)
    assert stream.close().error is None
    return count


@pytest.mark.parametrize("name", NAMES)
def test_a_chunk_of_a_long_stream_takes_a_few_calls_however_long_it_is(name: str) -> None:
    parser = parser_of(name)
    parser.parse(long_call(name, 1))
    counts = [feed_all(parser, long_call(name, lines)) for lines in (50, 100, 200)]
    chunks_each = len(long_call(name, 200)) // 4
    assert counts[2] < 20 * chunks_each
    assert counts[2] - counts[1] == pytest.approx(2 * (counts[1] - counts[0]), rel=0.02)


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_output_takes_as_many_calls_short_or_long(name: str) -> None:
    parser = parser_of(name)
    parser.parse(long_call(name, 1))
    texts = [long_call(name, lines) for lines in (10, 1000)]
    short, long = [calls_of(lambda text=text: parser.parse(text)) for text in texts]
    assert long <= short + 50


@pytest.mark.parametrize(
    "piece", ["{", "<", '"', "\\", "<tool_call>", "</parameter>", " ", '{"a":', "<think>"]
)
@pytest.mark.parametrize("name", ["HERMES", "CODER", "LLAMA3"])
def test_twice_as_much_hostile_text_takes_twice_the_calls(name: str, piece: str) -> None:
    parser = parser_of(name)
    parser.parse("Hello")
    for opening in ("", "<tool_call>\n<function=write_file>\n<parameter=content>\n", "<think>\n"):
        texts = [opening + piece * (size // len(piece)) for size in (4000, 8000, 16000)]
        parser.parse(texts[0])
        whole = [calls_of(lambda text=text: parser.parse(text)) for text in texts]
        assert whole[2] - whole[1] <= 2.2 * (whole[1] - whole[0]) + 200
        fed = [feed_quietly(parser, text) for text in texts]
        assert fed[2] - fed[1] <= 2.2 * (fed[1] - fed[0]) + 200


def feed_quietly(parser: OutputParser, text: str) -> int:
    stream = parser.stream()
    return calls_of(lambda: [stream.feed(text[at : at + 4]) for at in range(0, len(text), 4)])


@pytest.mark.parametrize("name", ["HERMES", "CODER"])
def test_the_number_of_tools_does_not_matter_to_a_parse(name: str) -> None:
    few, many = ([tool(index) for index in range(count)] for count in (2, 200))
    text = {
        "HERMES": '<tool_call>\n{"name": "tool_1", "arguments": {"p0": "x"}}\n</tool_call>',
        "CODER": "<tool_call>\n<function=tool_1>\n<parameter=p0>\nx\n</parameter>\n</function>\n</tool_call>",
    }[name]
    counts = []
    for tools in (few, many):
        parser = parser_of(name, tools)
        assert parser.parse(text).message.tool_calls[0].name == "tool_1"
        counts.append(calls_of(lambda parser=parser: parser.parse(text)))
    assert counts[1] <= counts[0] + 5


def tool(index: int) -> dict[str, Any]:
    properties = {f"p{field}": {"type": "string"} for field in range(20)}
    parameters = {"type": "object", "properties": properties}
    return {"type": "function", "function": {"name": f"tool_{index}", "parameters": parameters}}


def many_keys(count: int) -> str:
    arguments = ", ".join(f'"k{index}": 1' for index in range(count))
    return f'<tool_call>\n{{"name": "write_file", "arguments": {{{arguments}}}}}\n</tool_call>'


#: What was read again at each place once: by name, a format, whether it is lenient, an output of a size.
GROWING: dict[str, tuple[str, bool, Callable[[int], str]]] = {
    "arguments of a call": ("HERMES", False, many_keys),
    "failures that a lenient parser goes on behind": ("HERMES", True, lambda size: "<|im_end|>" * size),
    "names that never end": ("KIMI", False, lambda size: "text " + "functions.get_time:0" * size),
}


@pytest.mark.parametrize("chunk", [None, 7])
@pytest.mark.parametrize("what", GROWING)
def test_four_times_as_much_takes_about_four_times_as_long(what: str, chunk: int | None) -> None:
    name, lenient, output = GROWING[what]
    parser = build_parser(getattr(formats, name), formats.TOOLS, lenient=lenient)
    texts = [output(size) for size in (8000, 32000)]
    times = [min(seconds_of(parser, text, chunk) for _ in range(3)) for text in texts]
    assert times[1] < 10 * times[0]


def seconds_of(parser: OutputParser, text: str, chunk: int | None) -> float:
    start = time.process_time()
    stream = parser.stream()
    for at in range(0, len(text), chunk or len(text)):
        stream.feed(text[at : at + (chunk or len(text))])
    stream.close()
    return time.process_time() - start
