"""A ParseResult -> its page: the message, where and why the parser stopped, repairs, findings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from autoparser_cli.messages import Message, ToolCall
from autoparser_cli.reports.console.screen import Screen, plain_text, visible

if TYPE_CHECKING:
    from autoparser_cli.parsing import ParseError, ParseResult

#: Lines of the output that show around an error, and how much of a long line.
_LINES_BEFORE = 2
_LINE_WINDOW = 60


def show_result(screen: Screen, result: ParseResult, output: str, *, lenient: bool = False) -> None:
    """Show what was read from `output`, and what was not."""
    show_message(screen, result.message)
    if result.error is not None:
        screen.show(screen.section("error", _error(result.error, output, lenient=lenient), style="red"))
    for title, notes, style in (
        ("repairs", result.repairs, "yellow"),
        ("findings", result.findings, "yellow"),
    ):
        if notes:
            screen.show(screen.section(title, Group(*(plain_text(str(note)) for note in notes)), style=style))


def show_message(screen: Screen, message: Message) -> None:
    """Show reasoning, content and calls, each in its own frame."""
    if message.reasoning_content:
        screen.show(screen.section("reasoning", plain_text(message.reasoning_content), style="blue"))
    if message.content:
        screen.show(screen.section("content", plain_text(message.content), style="green"))
    for index, call in enumerate(message.tool_calls):
        screen.show(screen.section(_call_title(index, call), arguments_text(call.arguments), style="magenta"))
    if message == Message():
        screen.show(Text("The message is empty: no reasoning, no content, no calls.", style="dim"))


def _call_title(index: int, call: ToolCall) -> str:
    identity = f" (id {visible(call.id, keep=' ')})" if call.id else ""
    return f"call {index + 1}: {visible(call.name, keep=' ')}{identity}"


def arguments_text(arguments: str) -> Text:
    """Draw arguments as indented JSON, or as they are where they are not JSON."""
    try:
        # Pairs keep a key that is written twice from vanishing: such arguments show as they are.
        value = json.loads(arguments, object_pairs_hook=_unique)
    except ValueError:
        return plain_text(arguments)
    return plain_text(json.dumps(value, indent=2, ensure_ascii=False))


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is written twice")
    return found


def _error(error: ParseError, output: str, *, lenient: bool) -> RenderableType:
    parts: list[RenderableType] = [Text(f"line {error.line}, column {error.column} (offset {error.offset})")]
    parts += context_lines(output, error.line, error.column)
    if error.expected:
        parts.append(Text.assemble("expected ", plain_text(_either(error.expected), style="bold")))
    parts += [Text.assemble(("try: ", "dim"), hint) for hint in _hints(error, output, lenient=lenient)]
    return Group(*parts)


def _either(names: list[str] | tuple[str, ...]) -> str:
    shown = [visible(name, keep=" ") for name in names]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} or {shown[-1]}"


def context_lines(output: str, line: int, column: int) -> list[Text]:
    """Draw the line of an error, two lines above it, and a caret below; `line` and `column` are 1-based."""
    lines = output.split("\n")
    first = max(0, line - 1 - _LINES_BEFORE)
    width = len(str(line))
    start = max(0, column - 1 - _LINE_WINDOW // 2)
    drawn = []
    for number in range(first, min(line, len(lines))):
        drawn.append(Text.assemble((f"{number + 1:>{width}} | ", "dim"), _window(lines[number], start)))
    shift = (1 if start else 0) + _cells(lines[line - 1][start : column - 1] if line <= len(lines) else "")
    drawn.append(Text.assemble((" " * width + " | ", "dim"), " " * shift, ("^", "bold red")))
    return drawn


def _window(line: str, start: int) -> str:
    """Return the part of a line that shows, `…` where something is left out."""
    shown = visible(line[start : start + _LINE_WINDOW], keep=" ")
    return f"{'…' if start else ''}{shown}{'…' if len(line) > start + _LINE_WINDOW else ''}"


def _cells(text: str) -> int:
    """Count the columns that a text takes once it is drawn: wide letters take two."""
    return Text(visible(text, keep=" ")).cell_len


def _hints(error: ParseError, output: str, *, lenient: bool) -> Iterator[str]:
    if error.offset >= len(output):
        yield "a longer output: this one ends before it is complete (was it cut at a token limit?)"
    if not lenient:
        yield "--lenient, to keep what can be understood, with each repair named"
    yield "--explain, to see what was matched up to here"
