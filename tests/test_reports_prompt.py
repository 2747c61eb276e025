"""Prompts on the screen: parts of the assistant's turn in their colours, and the gutter of template lines."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from autoparser_cli.analysis.model import (
    CallFormat,
    Capabilities,
    ContentFields,
    JsonCall,
    LiteralArguments,
    ReasoningFields,
    TemplateAnalysis,
    ToolFields,
    TurnFormat,
)
from autoparser_cli.reports.console.prompt import _turn_ranges, show_prompt, show_sources
from autoparser_cli.reports.console.screen import Screen
from autoparser_cli.templates.tracing import Span

PROMPT = (
    "<|sys|>use <call>\n<|bot|><think>hm</think>\nyes <call>{}</call>\n<|end|>\n<|bot|>no<|end|>\n<|bot|>"
)


def analysis(header: str = "<|bot|>", section: str = "<call>") -> TemplateAnalysis:
    body = JsonCall(name_path=("name",), arguments_path=("arguments",), arguments=LiteralArguments())
    return TemplateAnalysis(
        template="t",
        capabilities=Capabilities(),
        reasoning=ReasoningFields(start="<think>", end="</think>"),
        content=ContentFields(),
        tools=ToolFields(),
        turn=TurnFormat(header=header, joints=(), end="<|end|>\n"),
        calls=CallFormat(section, "</call>", (), (), "", body) if section else None,
        generation_prompt="",
    )


def coloured(text: str, given: TemplateAnalysis) -> list[tuple[str, str]]:
    return [(text[start:end], style) for start, end, style in _turn_ranges(text, given)]


def test_parts_are_found_inside_the_assistants_turns_only() -> None:
    assert coloured(PROMPT, analysis()) == [
        ("<think>hm</think>\nyes <call>{}</call>\n", "green"),
        ("<think>hm</think>", "blue"),
        ("<call>{}</call>", "magenta"),
        ("no", "green"),
        ("", "green"),
    ]


def test_an_open_part_reaches_to_the_end_of_its_turn() -> None:
    assert ("<think>hm", "blue") in coloured("<|bot|><think>hm", analysis())


def test_without_calls_or_header_nothing_loops() -> None:
    assert coloured("abc", analysis(header="", section="")) == [("abc", "green")]


def test_a_turn_without_an_end_stops_where_another_role_begins() -> None:
    given = replace(analysis(), turn=TurnFormat(header="<|bot|>", joints=(), end=""))
    text = "<|bot|><think>hm</think>yes<call>{}</call><|tool|>sunny<|bot|>no <|sys|>x"
    assert coloured(text, given) == [
        ("<think>hm</think>yes<call>{}</call>", "green"),
        ("<think>hm</think>", "blue"),
        ("<call>{}</call>", "magenta"),
        ("no ", "green"),
    ]


def test_all_of_the_text_is_shown_with_and_without_an_analysis() -> None:
    for given in (None, analysis()):
        stream = io.StringIO()
        show_prompt(Screen(stream), PROMPT, given)
        assert stream.getvalue() == PROMPT.rstrip("\n") + "\n"


def test_what_could_control_the_terminal_is_escaped() -> None:
    stream = io.StringIO()
    show_prompt(Screen(stream), "a\x1b[2Jb", analysis(header=""))
    assert stream.getvalue() == "a\\x1b[2Jb\n"


def test_the_gutter_marks_what_continues_a_line_and_what_is_unknown() -> None:
    stream = io.StringIO()
    show_sources(Screen(stream), [Span("a", 9), Span("b\nc\n", 10), Span("\td", None)])
    assert stream.getvalue() == " 9 │ a\n10 ┊ b⏎\n10 │ c⏎\n ? │ ⇥d\n"


def test_only_the_gutter_is_pale(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    stream = io.StringIO()
    show_sources(Screen(stream), [Span("a", 9)])
    assert stream.getvalue() == "\x1b[2m9 │ \x1b[0ma\n"
