"""What parsing costs beside floors measured in the same run: `python benchmarks/bench_parsing.py`.

Prints ratios, which hold from machine to machine; the absolute figures beside them do not.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import formats

from autoparser_cli.parsing import OutputParser, build_parser

CHUNK = 4
SOURCE_LINE = 'def add(a, b):\n    """Add."""\n    return {"sum": a + b}  # <b> & more\n'


def source_code(size: int) -> str:
    """Return source code of `size` characters, about one in thirty of them escaped in JSON."""
    return (SOURCE_LINE * (size // len(SOURCE_LINE) + 1))[:size]


def outputs(size: int) -> dict[str, tuple[OutputParser, str]]:
    """Return an output of about `size` characters for each kind of format."""
    code = source_code(size)
    arguments = json.dumps({"path": "a.py", "content": code}, ensure_ascii=False)
    tagged = (
        "<tool_call>\n<function=write_file>\n<parameter=path>\na.py\n</parameter>\n"
        f"<parameter=content>\n{code}\n</parameter>\n</function>\n</tool_call>"
    )
    return {
        "tagged": (_parser("CODER"), tagged),
        "json": (
            _parser("HERMES"),
            f'<tool_call>\n{{"name": "write_file", "arguments": {arguments}}}\n</tool_call>',
        ),
        "tag with json": (_parser("FUNCTIONARY"), f"<function=write_file>{arguments}</function>"),
        "reasoning": (_parser("HERMES"), f"<think>\n{code[: size // 2]}\n</think>\n\n{code[size // 2 :]}"),
        "array": (
            _parser("NEMO"),
            f'[TOOL_CALLS][{{"name": "write_file", "arguments": {arguments}, "id": "abcdefghi"}}]',
        ),
        "own quotes": (
            _parser("GEMMA"),
            f'<|tool_call>call:write_file{{content:<|"|>{code}<|"|>}}<tool_call|>',
        ),
    }


def _parser(name: str) -> OutputParser:
    return build_parser(getattr(formats, name), tools=formats.TOOLS)


class Appender:
    """The floor of streaming: only keeps the chunks."""

    def __init__(self) -> None:
        self.chunks: list[str] = []

    def feed(self, chunk: str) -> None:
        """Keep a chunk."""
        self.chunks.append(chunk)


def best(run: Callable[[], object], times: int = 3) -> float:
    """Return the shortest of a few runs, in seconds."""
    shortest = float("inf")
    for _ in range(times):
        begin = time.perf_counter()
        run()
        shortest = min(shortest, time.perf_counter() - begin)
    return shortest


def stream_times(parser: OutputParser, text: str) -> list[float]:
    """Return the time that each tenth of a stream in small chunks takes."""
    chunks = [text[at : at + CHUNK] for at in range(0, len(text), CHUNK)]
    tenth = max(1, len(chunks) // 10)
    stream = parser.stream()
    times = []
    for start in range(0, tenth * 10, tenth):
        begin = time.perf_counter()
        for chunk in chunks[start : start + tenth]:
            stream.feed(chunk)
        times.append((time.perf_counter() - begin) / tenth)
    stream.close()
    return times


def append_time(count: int) -> float:
    """Return what one feed of the floor costs."""
    chunks = ["abcd"] * count

    def run() -> None:
        floor = Appender()
        for chunk in chunks:
            floor.feed(chunk)

    return best(run) / count


def print_streaming(size: int) -> None:
    """Print the cost of a chunk."""
    floor = append_time(size // CHUNK)
    print(f"streaming {size // 1024} KB in chunks of {CHUNK} (floor {floor * 1e6:.3f} us; at most 80x, 1.3)")
    for name, (parser, text) in outputs(size).items():
        times = stream_times(parser, text)
        mean = sum(times) / len(times)
        print(f"  {name:16} {mean * 1e6:7.2f} us {mean / floor:6.1f}x  last/first {times[-1] / times[0]:.2f}")


def print_one_shot(size: int) -> None:
    """Print the cost of a whole output."""
    print(f"one shot {size // 1000} KB against json.loads of the same text as one string (at most 7x)")
    for name, (parser, text) in outputs(size).items():
        encoded = json.dumps(text)
        floor = best(lambda encoded=encoded: json.loads(encoded), 5)
        ours = best(lambda parser=parser, text=text: parser.parse(text), 5)
        print(f"  {name:16} {ours * 1e3:7.2f} ms {ours / floor:6.1f}x {len(text) / ours / 1e6:8.1f} MB/s")


def print_calls(count: int) -> None:
    """Print the cost of many short calls."""
    print(f"{count} short calls against json.loads of the same calls (at most 20x)")
    city = "x" * 80
    arguments = json.dumps({"city": city, "days": 3})
    call = json.dumps({"name": "get_weather", "arguments": {"city": city, "days": 3}})
    floor = best(lambda: [json.loads(call) for _ in range(count)], 5)
    texts = {
        "HERMES": f"<tool_call>\n{call}\n</tool_call>\n" * count,
        "CODER": (
            "<tool_call>\n<function=get_weather>\n<parameter=city>\n" + city + "\n</parameter>\n"
            "<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>\n"
        )
        * count,
        "FUNCTIONARY": f"<function=get_weather>{arguments}</function>" * count,
        "LLAMA3": "; ".join([call.replace("arguments", "parameters")] * count),
        "GEMMA": f'<|tool_call>call:get_weather{{city:<|"|>{city}<|"|>,days:3}}<tool_call|>' * count,
    }
    for name, text in texts.items():
        parser = _parser(name)
        assert len(parser.parse(text).message.tool_calls) == count, name
        ours = best(lambda parser=parser, text=text: parser.parse(text), 5)
        print(f"  {name:16} {ours / count * 1e6:7.1f} us a call {ours / floor:6.1f}x")


def print_hostile(size: int) -> None:
    """Print what text made to hurt costs, and what twice as much does."""
    print("hostile text, one shot and in chunks (twice as much: at most 2.3x; 1 MB: at most 2 s)")
    pieces = [
        "{",
        "<",
        '"',
        "\\",
        "<tool_call>",
        '<tool_call>\n{"name": "get_weather", "arguments": {"city": "',
    ]
    pieces += ["</parameter>", " ", "[", '{"a":', "<think>", "</think>", "<tool_call>\n<function=get_time>"]
    for name in ("HERMES", "CODER", "LLAMA3"):
        for piece in pieces:
            for opening in ("", "<tool_call>\n<function=write_file>\n<parameter=content>\n", "<think>\n"):
                print_growth(name, opening, piece, size)


def print_growth(name: str, opening: str, piece: str, size: int) -> None:
    """Print what twice as much of one piece costs, where it is much or all are asked for."""
    parser = _parser(name)
    texts = [opening + piece * (times * size // len(piece)) for times in (1, 2)]
    first, second = (best(partial(parser.parse, text), 2) for text in texts)
    fed = [sum(stream_times(parser, text)) * len(text) / CHUNK / 10 for text in texts]
    steep = (second > 2.3 * first and second > 0.01) or fed[1] > 2.5 * fed[0]
    if steep or second > 0.5 or "-v" in sys.argv:
        print(
            f" {'!' if steep else ' '}{name:8} {opening[:12]!r:16} {piece[:20]!r:24} {second * 1e3:8.1f} ms "
            f"{second / first:5.2f}x  chunked {fed[1] * 1e3:8.1f} ms {fed[1] / fed[0]:5.2f}x"
        )


def print_building() -> None:
    """Print the cost of building a parser for many tools."""
    tools = [
        {
            "type": "function",
            "function": {
                "name": f"tool_{index}",
                "parameters": {
                    "type": "object",
                    "properties": {f"p{field}": {"type": "string"} for field in range(20)},
                },
            },
        }
        for index in range(100)
    ]
    for name in ("HERMES", "CODER"):
        analysis = getattr(formats, name)
        took = best(lambda analysis=analysis: build_parser(analysis, tools=tools).parse("Hello"))
        print(f"building {name} for 100 tools of 20 parameters: {took * 1e3:.2f} ms (at most 100)")


if __name__ == "__main__":
    print_streaming(512 * 1024)
    for size in (100_000, 1_000_000):
        print_one_shot(size)
    print_calls(200)
    print_building()
    print_hostile(100_000 if len(sys.argv) < 2 else int(sys.argv[1]))
