"""What parsing costs beside floors, and beside transformers' `ResponseParser`, measured in the same run.

    python -m benchmarks.bench_parsing [--markdown] [--hostile [SIZE]]

`--hostile` measures text made to hurt instead: what twice as much of it costs, whole and in chunks.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from autoparser_cli.parsing import OutputParser, build_parser
from autoparser_cli.parsing.near_misses import markers_of
from benchmarks.table import Row, least, least_of_each, print_rows

# The tests' formats import each other by their bare names.
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
import formats

CHUNK = 4
SOURCE_LINE = 'def add(a, b):\n    """Add."""\n    return {"sum": a + b}  # <b> & more\n'

#: The formats of `outputs`, by the name of their analysis in `tests.formats`.
FORMATS = {
    "tagged": "CODER",
    "JSON": "HERMES",
    "tag with JSON": "FUNCTIONARY",
    "reasoning": "HERMES",
    "JSON array": "NEMO",
    "own quotes": "GEMMA",
}


def rows() -> Iterator[Row]:
    """Measure all but hostile text."""
    yield from streaming_rows(512 * 1024)
    for size in (100_000, 1_000_000):
        yield from one_shot_rows(size)
    yield from call_rows(200)
    yield from building_rows()
    if find_spec("transformers") is not None:
        yield from transformers_rows()


def source_code(size: int) -> str:
    """Return source code of `size` characters, about one in thirty of them escaped in JSON."""
    return (SOURCE_LINE * (size // len(SOURCE_LINE) + 1))[:size]


def outputs(size: int) -> dict[str, tuple[OutputParser, str]]:
    """Return an output of about `size` characters for each kind of format."""
    code = source_code(size)
    arguments = json.dumps({"path": "a.py", "content": code}, ensure_ascii=False)
    texts = {
        "tagged": "<tool_call>\n<function=write_file>\n<parameter=path>\na.py\n</parameter>\n"
        f"<parameter=content>\n{code}\n</parameter>\n</function>\n</tool_call>",
        "JSON": f'<tool_call>\n{{"name": "write_file", "arguments": {arguments}}}\n</tool_call>',
        "tag with JSON": f"<function=write_file>{arguments}</function>",
        "reasoning": f"<think>\n{code[: size // 2]}\n</think>\n\n{code[size // 2 :]}",
        "JSON array": f'[TOOL_CALLS][{{"name": "write_file", "arguments": {arguments}, "id": "abcdefghi"}}]',
        "own quotes": f'<|tool_call>call:write_file{{content:<|"|>{code}<|"|>}}<tool_call|>',
    }
    return {name: (_parser(FORMATS[name]), text) for name, text in texts.items()}


def _parser(name: str) -> OutputParser:
    return build_parser(getattr(formats, name), tools=formats.TOOLS)


class Appender:
    """The floor of streaming: only keeps the chunks."""

    def __init__(self) -> None:
        self.chunks: list[str] = []

    def feed(self, chunk: str) -> None:
        """Keep a chunk."""
        self.chunks.append(chunk)


def stream_times(parser: OutputParser, text: str) -> list[float]:
    """Return the time that each tenth of a stream in small chunks takes."""
    chunks = [text[at : at + CHUNK] for at in range(0, len(text), CHUNK)]
    tenth = max(1, len(chunks) // 10)
    stream = parser.stream()
    times = []
    for start in range(0, tenth * 10, tenth):
        begin = time.process_time()
        for chunk in chunks[start : start + tenth]:
            stream.feed(chunk)
        times.append((time.process_time() - begin) / tenth)
    stream.close()
    return times


def append_all(count: int) -> None:
    """Feed the floor."""
    floor = Appender()
    for _ in range(count):
        floor.feed("abcd")


def streaming_rows(size: int) -> Iterator[Row]:
    """Measure a chunk on average, and the last tenth of a stream beside its first."""
    count = size // CHUNK
    for name, (parser, text) in outputs(size).items():
        streams: list[list[float]] = []
        floors = []
        for _ in range(4):
            floors.append(least(partial(append_all, count), 1) / count)
            streams.append(stream_times(parser, text))
        mean = min(sum(times) / len(times) for times in streams)
        yield Row(f"stream {name}, a chunk of {CHUNK}", mean, "appending it to a list", min(floors), 80)
        first, last = (min(times[tenth] for times in streams) for tenth in (0, -1))
        yield Row(f"stream {name}, last of {size >> 10} KB", last, "the first tenth", first, 1.3)


def one_shot_rows(size: int) -> Iterator[Row]:
    """Measure a whole output."""
    for name, (parser, text) in outputs(size).items():
        encoded = json.dumps(text)
        ours, floor, search = least_of_each(
            [partial(parser.parse, text), partial(json.loads, encoded), partial(text.find, "</absent>")], 7
        )
        yield Row(f"parse {name}, {size // 1000} KB", ours, "json.loads of it as a string", floor, 7)
        if name == "tagged":
            yield Row(f"parse {name}, {size // 1000} KB", ours, "str.find of a marker", search)


def call_rows(count: int) -> Iterator[Row]:
    """Measure many short calls."""
    city = "x" * 80
    call = json.dumps({"name": "get_weather", "arguments": {"city": city, "days": 3}})
    arguments = json.dumps({"city": city, "days": 3})
    texts = {
        "JSON": ("HERMES", f"<tool_call>\n{call}\n</tool_call>\n" * count),
        "tagged": (
            "CODER",
            f"<tool_call>\n<function=get_weather>\n<parameter=city>\n{city}\n</parameter>\n"
            "<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>\n" * count,
        ),
        "tag with JSON": ("FUNCTIONARY", f"<function=get_weather>{arguments}</function>" * count),
        "bare JSON": ("LLAMA3", "; ".join([call.replace("arguments", "parameters")] * count)),
        "own quotes": (
            "GEMMA",
            f'<|tool_call>call:get_weather{{city:<|"|>{city}<|"|>,days:3}}<tool_call|>' * count,
        ),
    }
    for name, (analysis, text) in texts.items():
        parser = _parser(analysis)
        assert len(parser.parse(text).message.tool_calls) == count, name
        ours, floor = least_of_each(
            [partial(parser.parse, text), lambda: [json.loads(call) for _ in range(count)]], 9
        )
        yield Row(f"parse {name}, {count} calls", ours, "json.loads of the calls", floor, 20)


def building_rows() -> Iterator[Row]:
    """Measure the building of a parser for many tools, with its first parse; the limit is a time."""
    properties = {f"p{field}": {"type": "string"} for field in range(20)}
    parameters = {"type": "object", "properties": properties}
    tools = [
        {"type": "function", "function": {"name": f"tool_{index}", "parameters": parameters}}
        for index in range(100)
    ]
    for name in ("JSON", "tagged"):
        analysis = getattr(formats, FORMATS[name])
        took = least(lambda analysis=analysis: build_parser(analysis, tools=tools).parse("Hello"))
        yield Row(f"build {name}, 100 tools of 20 parameters", took, "the limit of 100 ms", 0.1, 1)


def transformers_rows() -> Iterator[Row]:
    """Measure the same outputs with the `response_template` that we export for the same format."""
    for name, (parser, text) in outputs(32 * 1024).items():
        feed = partial(_transformers_feed, FORMATS[name])
        ours, theirs = least_of_each([partial(parser.parse, text), partial(feed, text, len(text))], 3)
        yield Row(f"parse {name}, 32 KB", ours, "ResponseParser of transformers", theirs)
        count = len(text) / CHUNK
        ours, theirs = least_of_each([partial(stream_times, parser, text), partial(feed, text, CHUNK)], 1)
        yield Row(f"stream {name}, a chunk of {CHUNK}", ours / count, "ResponseParser", theirs / count)


def _transformers_feed(name: str, text: str, size: int) -> None:
    from transformers.utils.chat_parsing import ResponseParser

    from autoparser_cli.grammars.response_template import response_template

    template: Any = response_template(getattr(formats, name))
    parser = ResponseParser(template, prefix="", tools=formats.TOOLS)
    for at in range(0, len(text), size):
        parser.feed(text[at : at + size])
    parser.finalize()


#: What text made to hurt repeats, beside the markers of the format itself, and what stands before it.
HOSTILE_PIECES = (
    "{", "<", '"', "\\", " ", "\n", "[", "'", '{"a":', '"a": 1, ', '\\"', "a", "<|", "<think>", "</think>",
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "', "<tool_call>\n<function=get_time>",
)  # fmt: skip
HOSTILE_FORMATS = {
    "HERMES": '<tool_call>\n{"name": "write_file", "arguments": {"content": "',
    "CODER": "<tool_call>\n<function=write_file>\n<parameter=content>\n",
    "FUNCTIONARY": '<function=write_file>{"content": "',
    "GEMMA": '<|tool_call>call:write_file{content:<|"|>',
    "KIMI": '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_time:0<|tool_call_argument_begin|>{"a": "',
    "LLAMA3": '{"name": "write_file", "parameters": {"content": "',
}


def print_hostile(size: int) -> None:
    """Print what text made to hurt costs, and what twice as much does, where it is much."""
    print("hostile text, one shot and in chunks (twice as much: at most 2.3x; 1 MB: at most 2 s)")
    for name, call in HOSTILE_FORMATS.items():
        parser = _parser(name)
        for piece in dict.fromkeys((*HOSTILE_PIECES, *sorted(markers_of(parser)))):
            for opening in ("", call, "<think>\n"):
                print_growth(name, opening, piece, size)


def print_growth(name: str, opening: str, piece: str, size: int) -> None:
    """Print what twice as much of one piece costs: the least of two turns, of six where that is much."""
    parser = _parser(name)
    texts = [opening + piece * (times * size // len(piece)) for times in (1, 2)]
    runs = {
        "whole": [partial(parser.parse, text) for text in texts],
        "chunked": [partial(feed_all, parser, text) for text in texts],
    }
    for way, both in runs.items():
        first, second = least_of_each(both, 2)
        if second > 2.3 * first and second > 0.01:
            more = least_of_each(both, 4)
            first, second = min(first, more[0]), min(second, more[1])
        steep = second > 2.3 * first and second > 0.01
        if steep or second * 1_000_000 / (2 * size) > (1 if way == "whole" else 5):
            text = f"{name:12} {opening[:12]!r:16} {piece[:20]!r:24} {way:8}"
            print(f" {'!' if steep else ' '}{text} {second * 1e3:8.1f} ms {second / first:5.2f}x", flush=True)


def feed_all(parser: OutputParser, text: str) -> None:
    """Feed a text in small chunks."""
    stream = parser.stream()
    for at in range(0, len(text), CHUNK):
        stream.feed(text[at : at + CHUNK])
    stream.close()


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--markdown", action="store_true")
    arguments.add_argument("--hostile", type=int, nargs="?", const=250_000, metavar="SIZE")
    options = arguments.parse_args()
    if options.hostile:
        print_hostile(options.hostile)
    else:
        print_rows(rows(), markdown=options.markdown)


if __name__ == "__main__":
    main()
