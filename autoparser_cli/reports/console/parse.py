"""A ParseResult -> its page: the message, where and why the parser stopped, repairs, findings."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text
from rich.tree import Tree

from autoparser_cli.analysis.model import TemplateAnalysis
from autoparser_cli.messages import Delta, Message, ToolCall
from autoparser_cli.reports.console.marker_words import in_plain_words
from autoparser_cli.reports.console.screen import Screen, plain_text, visible

if TYPE_CHECKING:
    from autoparser_cli.parsing import ParseError, ParseResult
    from autoparser_cli.parsing.mapper import Repair
    from autoparser_cli.parsing.near_misses import NearMiss
    from autoparser_cli.parsing.trace import TraceNode, TraceStep

#: Lines of the output that show around an error, and how much of a long line where the terminal does not decide.
_LINES_BEFORE = 2
_LINE_WINDOW = 100
#: What stands beside a line on a terminal: the box, its number, signs for what is left out.
_BESIDE_LINE = 14
_NARROWEST_WINDOW = 20


def show_result(
    screen: Screen,
    result: ParseResult,
    output: str,
    *,
    analysis: TemplateAnalysis | None = None,
    tools: Collection[str] = (),
    explained: bool = False,
) -> None:
    """Show what was read from `output`, and what was not.

    `analysis` and `tools` (their names) are what the parser was built from: with them, what was expected is
    told in plain words.
    """
    show_message(screen, result.message)
    if result.error is not None:
        expected = [in_plain_words(marker, analysis, tools) for marker in result.error.expected]
        body = [
            *_place(result.error, output, expected, _window_of(screen)),
            *_hints(result.error, output, explained=explained),
        ]
        screen.show(screen.section("error", Group(*body), style="red"))
    if result.repairs:
        screen.show(screen.section("repairs", _repair_lines(result.repairs, output), style="yellow"))
    if result.findings:
        lines = (
            Text.assemble((finding.code, "yellow"), ": ", plain_text(finding.message))
            for finding in result.findings
        )
        screen.show(screen.section("findings", Group(*lines), style="yellow"))


def show_trace(screen: Screen, steps: Sequence[TraceStep], output: str) -> None:
    """Show what was matched in order, with the line and column where each begins."""
    rows = [(f"{place(output, step.offset)} {step.kind}", plain_text(step.text)) for step in steps]
    screen.show(screen.section("matched", screen.rows(rows), style="blue"))


def show_tree(screen: Screen, root: TraceNode, output: str) -> None:
    """Show what was matched as a tree: each call with its parts, markers between the texts."""
    drawn = Tree(Text(root.kind, style="bold"), guide_style="dim")
    _grow(drawn, root, output)
    screen.show(screen.section("tree", drawn, style="blue"))


def _grow(tree: Tree, node: TraceNode, output: str, above: int = -1) -> None:
    for part in node.parts:
        where = "" if part.offset == above else f" {place(output, part.offset)}"
        label = Text.assemble((part.kind, "dim" if part.kind == "marker" else "cyan"), (where, "dim"))
        if part.text:
            label.append("  ").append(visible(part.text, keep=" "))
        _grow(tree.add(label), part, output, part.offset)


def show_syntax_tree(screen: Screen, root: Any) -> None:
    """Show a grammar's tree of an output (`data` and `children`); white space in what it matched is visible."""
    drawn = Tree(Text(str(root.data), style="bold"), guide_style="dim")
    _grow_syntax(drawn, root)
    screen.show(screen.section("tree", drawn, style="blue"))


def _grow_syntax(tree: Tree, node: Any) -> None:
    for child in node.children:
        if isinstance(child, str):
            tree.add(Text(visible(child, keep=" ")))
        else:
            _grow_syntax(tree.add(Text(str(child.data), style="cyan")), child)


def show_near_misses(screen: Screen, misses: Sequence[NearMiss], output: str) -> None:
    """Show how little was missing, the nearest first, each with what to try."""
    lines: list[Text] = []
    for miss in misses:
        where = f" at {place(output, miss.offset)}: "
        lines.append(Text.assemble((miss.name, "yellow"), where, plain_text(miss.message)))
        if miss.advice:
            lines.append(Text.assemble(("  try: ", "dim"), plain_text(miss.advice)))
    if lines:
        screen.show(screen.section("near misses", Group(*lines), style="yellow"))


def _repair_lines(repairs: Sequence[Repair], output: str) -> RenderableType:
    from autoparser_cli.parsing.repair_words import repair_words

    lines = []
    for repair in repairs:
        where = f" at {place(output, repair.offset)}: "
        lines.append(Text.assemble((repair.name, "yellow"), where, repair_words(repair.name)[0]))
    return Group(*lines)


def place(output: str, offset: int) -> str:
    """Name a place in the output as LINE:COLUMN; what is in front of it is the prompt's."""
    if offset < 0:
        return "prompt"
    return f"{output.count(chr(10), 0, offset) + 1}:{offset - output.rfind(chr(10), 0, offset)}"


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


def show_place(screen: Screen, output: str, line: int, column: int) -> None:
    """Show where an output stops fitting: the lines that lead there, and a caret."""
    for row in context_lines(output, line, column, _window_of(screen)):
        screen.show(Text.assemble("  ", row))


def show_step(screen: Screen, chunk: str, deltas: Sequence[Delta]) -> None:
    """Show a chunk of a stream (empty: its end), and below it what became known with it."""
    screen.show(Text.assemble(("« ", "dim"), (visible(chunk) if chunk else "(end)", "dim")))
    for delta in deltas:
        screen.show(_delta_line(delta))


def _delta_line(delta: Delta) -> Text:
    call = delta.tool_call
    if call is None:
        kind, text = (
            ("content", delta.content)
            if delta.content is not None
            else ("reasoning", delta.reasoning_content)
        )
        return Text.assemble("  » ", (f"{kind} ", "cyan"), visible(text or "", keep=" "))
    line = Text.assemble("  » ", (f"call {call.index + 1} ", "magenta"))
    if call.name is not None:
        line.append(f"{visible(call.name)} ", style="bold")
    if call.id is not None:
        line.append(f"(id {visible(call.id)}) ", style="dim")
    return line.append(visible(call.arguments, keep=" "))


def _call_title(index: int, call: ToolCall) -> str:
    identity = f" (id {visible(call.id, keep=' ')})" if call.id else ""
    return f"call {index + 1}: {visible(call.name, keep=' ')}{identity}"


def arguments_text(arguments: str) -> Text:
    """Draw arguments as indented JSON, or as they are where they are not JSON, or too deep."""
    try:
        # Pairs keep a key that is written twice from vanishing: such arguments show as they are.
        value = json.loads(arguments, object_pairs_hook=_unique)
        return plain_text(json.dumps(value, indent=2, ensure_ascii=False))
    except (ValueError, RecursionError):
        return plain_text(arguments)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is written twice")
    return found


def _place(error: ParseError, output: str, expected: list[str], window: int) -> Iterator[Text]:
    yield Text(f"line {error.line}, column {error.column} (offset {error.offset})")
    yield from context_lines(output, error.line, error.column, window)
    if expected:
        yield Text.assemble("expected ", (" or ".join(expected), "bold"))


def _window_of(screen: Screen) -> int:
    return _LINE_WINDOW if screen.width is None else max(screen.width - _BESIDE_LINE, _NARROWEST_WINDOW)


def context_lines(output: str, line: int, column: int, window: int = _LINE_WINDOW) -> list[Text]:
    """Draw the line of an error, two lines above it, and a caret below; `line` and `column` are 1-based.

    Of a long line the part around the error shows; of one above it both ends, since what is missing is often
    missing at its end.
    """
    lines = output.split("\n")
    first = max(0, line - 1 - _LINES_BEFORE)
    width = len(str(line))
    failed = lines[line - 1] if line <= len(lines) else ""
    if _cells(failed) > len(failed):
        window //= 2
    start = max(0, min(column - 1 - window // 2, len(failed) - window))
    drawn = []
    for number in range(first, min(line, len(lines))):
        shown = _window(failed, start, window) if number == line - 1 else _both_ends(lines[number], window)
        drawn.append(Text.assemble((f"{number + 1:>{width}} | ", "dim"), shown))
    shift = (1 if start else 0) + _cells(failed[start : column - 1])
    drawn.append(Text.assemble((" " * width + " | ", "dim"), " " * shift, ("^", "bold red")))
    return drawn


def _window(line: str, start: int, window: int) -> str:
    """Return the part of a line that shows, `…` where something is left out."""
    shown = visible(line[start : start + window], keep=" ")
    return f"{'…' if start else ''}{shown}{'…' if len(line) > start + window else ''}"


def _both_ends(line: str, window: int) -> str:
    if len(line) <= window:
        return visible(line, keep=" ")
    head = window // 3
    return f"{visible(line[:head], keep=' ')}…{visible(line[head - window :], keep=' ')}"


def _cells(text: str) -> int:
    """Count the columns that a text takes once it is drawn: wide letters take two."""
    return Text(visible(text, keep=" ")).cell_len


def _hints(error: ParseError, output: str, *, explained: bool) -> Iterator[Text]:
    hints = []
    if error.offset >= len(output):
        hints.append("a longer output: this one ends before it is complete (was it cut at a token limit?)")
    hints.append("--lenient, to keep what can be understood, with each repair named")
    if not explained:
        hints.append("--explain, to see what was matched up to here")
    for hint in hints:
        yield Text.assemble(("try: ", "dim"), hint)
