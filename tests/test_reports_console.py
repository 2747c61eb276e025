"""Pages: what shows on a terminal, in a pipe and where it is narrow; nothing is cut or gets through."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from rich.cells import cell_len

from autoparser_cli.analysis.model import (
    AnalysisWarning,
    Capabilities,
    ContentFields,
    Evidence,
    Proof,
    ProofStep,
    ReasoningFields,
    ReasoningMode,
    Switch,
    TemplateAnalysis,
    ToolFields,
    TurnFormat,
)
from autoparser_cli.diffing.split import DiffSplit
from autoparser_cli.messages import Delta, Message, ToolCall, ToolCallDelta
from autoparser_cli.parsing import Finding, ParseError, ParseResult, Repair
from autoparser_cli.parsing.near_misses import NearMiss
from autoparser_cli.parsing.trace import TraceNode, TraceStep
from autoparser_cli.reports.console import (
    Screen,
    show_analysis,
    show_evidence,
    show_near_misses,
    show_result,
    show_step,
    show_summary,
    show_trace,
    show_tree,
    visible,
)
from autoparser_cli.reports.console.marker_words import in_plain_words
from autoparser_cli.reports.console.parse import arguments_text, context_lines

LONG = "word " * 60 + "x" * 300 + " end"
EVIDENCE = Evidence(
    probe="R1",
    question="Does it print reasoning?",
    left_name="without",
    right_name="with",
    left="a" * 100 + "z",
    right="a" * 100 + "<think>z",
    split=DiffSplit("a" * 100, "", "<think>", "z"),
    conclusion="it does",
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def screen_of(
    monkeypatch: pytest.MonkeyPatch, *, width: int = 0, no_color: bool = True
) -> tuple[Screen, io.StringIO]:
    """Make a screen on a terminal of `width` columns, or in a pipe for 0."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    if no_color:
        monkeypatch.setenv("NO_COLOR", "1")
    stream = Terminal() if width else io.StringIO()
    monkeypatch.setenv("COLUMNS", str(width or 20))
    return Screen(stream), stream


@pytest.mark.parametrize(
    ("force", "no_color", "coloured"), [("1", "", True), ("1", "1", False), ("0", "", False), ("", "", False)]
)
def test_a_pipe_is_coloured_where_that_is_forced(
    force: str, no_color: str, coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", force)
    monkeypatch.setenv("NO_COLOR", no_color)
    stream = io.StringIO()
    screen = Screen(stream)
    screen.show(screen.section("title", "body"))
    assert ("\x1b[" in stream.getvalue()) is coloured
    assert "╭" not in stream.getvalue()


def analysis(**changes: object) -> TemplateAnalysis:
    fields: dict[str, object] = {
        "template": "a.jinja",
        "capabilities": Capabilities(supports_tools=True),
        "reasoning": ReasoningFields(ReasoningMode.TAG_BASED, "<muse>\n", "\t</muse> "),
        "content": ContentFields(),
        "tools": ToolFields(),
        "turn": TurnFormat("", (), ""),
        "calls": None,
        "generation_prompt": "<|turn|>",
    }
    return TemplateAnalysis(**{**fields, **changes})  # type: ignore[arg-type]


def squeezed(text: str) -> str:
    """Take boxes and line breaks out, so that folded text compares as a whole."""
    return re.sub(r"[\s│╭╮╰╯─├┤┬┴┼]", "", text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a b\n\tc\r", "a·b⏎⇥c␍"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\u202egnp", "\\u202egnp"),
        ("\ud83d", "\\ud83d"),
        ("\U000e0041", "\\U000e0041"),
        ("<|tool▁call|> é", "<|tool▁call|>·é"),
    ],
)
def test_visible_shows_white_space_and_escapes_controls(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize("width", [0, 24, 49, 50, 80, 140])
def test_nothing_is_cut_at_any_width(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    screen, stream = screen_of(monkeypatch, width=width)
    show_analysis(
        screen,
        analysis(
            generation_prompt=LONG,
            warnings=(AnalysisWarning("template-raises", LONG, 3),),
            switches=(Switch("enable_thinking", None, (True, False), (False,)),),
        ),
    )
    show_result(screen, ParseResult(Message(LONG, LONG, (ToolCall("f", f'{{"a": "{LONG}"}}'),))), LONG)
    text = squeezed(stream.getvalue())
    assert text.count(squeezed(LONG)) == 4
    assert squeezed(visible(LONG)) in text
    assert "…" not in text


def test_a_terminal_gets_boxes_and_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, stream = screen_of(monkeypatch, width=80, no_color=False)
    show_analysis(screen, analysis())
    assert "╭" in stream.getvalue()
    assert "\x1b[" in stream.getvalue()


def test_no_color_leaves_neither_escape_codes_nor_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, stream = screen_of(monkeypatch, width=80)
    show_analysis(screen, analysis())
    show_evidence(screen, [EVIDENCE])
    assert not set(stream.getvalue()) & set("\x1b╭│─")


def test_a_pipe_gets_neither_boxes_nor_trailing_space(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, stream = screen_of(monkeypatch, no_color=False)
    show_analysis(screen, analysis())
    text = stream.getvalue()
    assert not set(text) & set("\x1b╭│─")
    assert [line for line in text.splitlines() if line != line.rstrip()] == []
    assert "  start  <muse>⏎\n  end    ⇥</muse>·\n" in text


def test_a_template_cannot_control_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, stream = screen_of(monkeypatch, width=80)
    bad = "\x1b]0;owned\x07"
    show_analysis(
        screen,
        analysis(
            template=bad,
            reasoning=ReasoningFields(ReasoningMode.TAG_BASED, bad, bad),
            preserved_tokens=(bad,),
            warnings=(AnalysisWarning("x", bad),),
            proof=Proof((ProofStep("content", False, bad),)),
        ),
    )
    show_result(screen, ParseResult(Message(bad, bad, (ToolCall(bad, bad, bad),))), bad)
    assert not set(stream.getvalue()) & {"\x1b", "\x07"}


def test_markup_in_text_is_text(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, stream = screen_of(monkeypatch)
    show_result(screen, ParseResult(Message("[bold]:smile:[/bold]")), "")
    assert "[bold]:smile:[/bold]" in stream.getvalue()


@pytest.mark.parametrize(
    ("mode", "words"), [("NONE", "none is printed"), ("TOOLS_ONLY", "only in turns with calls")]
)
def test_a_mode_is_told_in_plain_words(mode: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = replace(analysis(), reasoning=ReasoningFields(ReasoningMode(mode)))
    screen, stream = screen_of(monkeypatch)
    show_analysis(screen, found)
    assert f"reasoning\n  mode  {mode}  ({words})\n" in stream.getvalue()


def test_proof_says_what_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, stream = screen_of(monkeypatch)
    steps = (ProofStep("content", True), ProofStep("two calls", False, "the second is missing"))
    show_analysis(screen, analysis(proof=Proof(steps)))
    assert "1 / 2" in stream.getvalue()
    assert "two calls: the second is missing" in stream.getvalue()


def test_a_warning_about_what_was_raised_shows_the_template_there(monkeypatch: pytest.MonkeyPatch) -> None:
    raising = AnalysisWarning("calls-refused", "no calls", 2)
    for warning, shown in (
        (raising, True),
        (replace(raising, line=None), False),
        (replace(raising, line=9), False),
    ):
        screen, stream = screen_of(monkeypatch, width=0)
        show_analysis(
            screen, analysis(warnings=(warning,)), template_source="a\n{{ raise_exception('x') }}\nb"
        )
        assert ("> 2 | {{ raise_exception('x') }}" in stream.getvalue()) is shown


def test_evidence_leaves_out_the_middle_of_a_long_side(monkeypatch: pytest.MonkeyPatch) -> None:
    long = f"start{'x' * 500}end"
    entry = Evidence("T1", "?", "l", "r", "", long, DiffSplit("", "", long, ""), "c")
    screen, stream = screen_of(monkeypatch, width=0)
    show_evidence(screen, [entry])
    shown = stream.getvalue()
    assert "startxxx" in shown
    assert "xxxend" in shown
    assert long not in shown
    show_evidence(screen, [entry], everything=True)
    assert long in stream.getvalue()


def test_evidence_shows_both_sides_and_the_conclusion(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, stream = screen_of(monkeypatch)
    show_evidence(screen, [EVIDENCE])
    text = stream.getvalue()
    assert "- without" in text
    assert "+ with" in text
    assert f"…{'a' * 60}<think>z" in text
    assert "→ it does" in text
    assert "a" * 61 not in text


def test_all_probes_show_undecided_ones_and_full_renders(monkeypatch: pytest.MonkeyPatch) -> None:
    undecided = Evidence(
        "T5", "?", "l", "r", "same", "", DiffSplit("same", "", "", ""), "no", False, "", "no tools"
    )
    screen, stream = screen_of(monkeypatch)
    show_evidence(screen, [EVIDENCE, undecided])
    assert "T5" not in stream.getvalue()
    assert "1 more" in stream.getvalue()
    show_evidence(screen, [EVIDENCE, undecided], everything=True)
    assert "T5" in stream.getvalue()
    assert "raised: no tools" in stream.getvalue()
    assert f"{'a' * 100}<think>z" in stream.getvalue()


def test_error_has_place_context_caret_and_expectation(monkeypatch: pytest.MonkeyPatch) -> None:
    output = "one\ntwo\nthree\nfour </x>\nfive"
    error = ParseError(19, 4, 6, ("</fn>", "<arg="), "</x>\nfive")
    screen, stream = screen_of(monkeypatch)
    show_result(screen, ParseResult(Message("one"), error), output, tools=["<arg="])
    text = stream.getvalue()
    assert "line 4, column 6 (offset 19)" in text
    assert "  2 | two\n  3 | three\n  4 | four </x>\n    |      ^\n" in text
    assert "expected </fn> or <arg= (a tool)\n" in text
    assert "five" not in text
    assert "--lenient" in text


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        ("</muse>", "</muse> (closes the reasoning)"),
        ("<muse>", "<muse> (opens the reasoning)"),
        ("end of output", "end of output"),
        ("", ""),
        (" ", " "),
        ("\x1b", "\\x1b"),
        (",", "`,`"),
        ("/>", "`/>`"),
    ],
)
def test_expected_markers_are_told_in_plain_words(expected: str, words: str) -> None:
    assert in_plain_words(expected, analysis()) == words
    assert in_plain_words(expected, None) == words.partition(" (")[0]


@pytest.mark.parametrize(("column", "at"), [(1, 4), (3, 8)])
def test_caret_stands_below_wide_letters(column: int, at: int) -> None:
    assert context_lines("日本語", 1, column)[-1].plain.index("^") == at


def test_caret_in_a_long_line_stands_below_its_letter() -> None:
    line, caret = (text.plain for text in context_lines("a" * 500 + "X" + "b" * 500, 1, 501, 60))
    assert len(line) < 75
    assert line[caret.index("^")] == "X"
    assert line.endswith("…")


@pytest.mark.parametrize("column", [1, 31, 50, 60])
def test_a_line_that_has_room_is_not_cut(column: int) -> None:
    line, caret = (
        text.plain for text in context_lines("a" * (column - 1) + "X" + "b" * (60 - column), 1, column, 60)
    )
    assert line[caret.index("^")] == "X"
    assert "…" not in line


def test_a_long_line_above_the_error_shows_both_its_ends() -> None:
    above = "{" + "a" * 200 + "}"
    shown = context_lines(f"{above}\n</call>", 2, 1, 60)[0].plain
    assert shown.startswith("1 | {a")
    assert shown.endswith("a}")
    assert len(shown) < 70


@pytest.mark.parametrize("width", [60, 80, 140])
def test_the_place_of_an_error_fits_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    screen, stream = screen_of(monkeypatch, width=width)
    output = "日本語" * 100 + "\n" + "日本語" * 100 + "X" + "b" * 500
    show_result(screen, ParseResult(Message(), ParseError(601, 2, 301, ("</fn>",), "")), output)
    lines = stream.getvalue().splitlines()
    above = next(at for at, line in enumerate(lines) if "^" in line) - 1
    assert "2 | …" in lines[above]
    assert cell_len(lines[above].partition("X")[0]) == cell_len(lines[above + 1].partition("^")[0])
    assert all(cell_len(line) <= width for line in lines)


def test_a_summary_on_a_terminal_tells_the_common_folder_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [replace(analysis(), template=f"/models/all/{name}") for name in ("ab.jinja", "old/ac.jinja")]
    screen, stream = screen_of(monkeypatch, width=80)
    show_summary(screen, found)
    page = stream.getvalue()
    assert "in /models/all/\n" in page
    assert "\nab.jinja " in page
    assert "\nold/ac.jinja " in page
    assert page.count("/models") == 1


def test_a_summary_in_a_pipe_has_whole_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [replace(analysis(), template=f"/models/all/{name}") for name in ("ab.jinja", "ac.jinja")]
    screen, stream = screen_of(monkeypatch)
    show_summary(screen, found)
    assert "\n/models/all/ab.jinja " in stream.getvalue()


def test_a_summary_of_one_template_names_it_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, stream = screen_of(monkeypatch, width=80)
    show_summary(screen, [replace(analysis(), template="/models/ab.jinja")])
    assert "/models/ab.jinja" in stream.getvalue()


def test_caret_at_the_very_end_of_an_output() -> None:
    assert [text.plain for text in context_lines("ab\n", 2, 1)] == ["1 | ab", "2 | ", "  | ^"]


def test_a_cut_output_is_named_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, stream = screen_of(monkeypatch)
    show_result(screen, ParseResult(Message(), ParseError(3, 1, 4, (), "")), "<ca")
    assert "token limit" in stream.getvalue()


def test_repairs_and_findings_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    result = ParseResult(
        Message("x"),
        repairs=(Repair("white-space", 2),),
        findings=(Finding("missing-parameter", "f: the required parameter a is missing", 0, 2),),
    )
    screen, stream = screen_of(monkeypatch)
    show_result(screen, result, "a\nb")
    assert stream.getvalue().count("white-space at 2:1") == 1
    assert "missing-parameter: f: the required parameter a is missing" in stream.getvalue()


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ('{"a":[1]}', '{\n  "a": [\n    1\n  ]\n}'),
        ('{"a":"é"}', '{\n  "a": "é"\n}'),
        ('{"a": 1, "a": 2}', '{"a": 1, "a": 2}'),
        ('{"a": ', '{"a":·'),
        ("", ""),
    ],
)
def test_arguments_are_pretty_but_never_changed(arguments: str, shown: str) -> None:
    assert arguments_text(arguments).plain == shown.replace("·", " ")


def test_stream_shows_chunks_and_deltas(monkeypatch: pytest.MonkeyPatch) -> None:
    call = ToolCallDelta(0, "c1", "get_tide", '{"port": ')
    screen, stream = screen_of(monkeypatch)
    for chunk, deltas in [("a\n", (Delta(content="a"),)), ("b", ()), ("", (Delta(tool_call=call),))]:
        show_step(screen, chunk, deltas)
    assert stream.getvalue() == ('« a⏎\n  » content a\n« b\n« (end)\n  » call 1 get_tide (id c1) {"port":\n')


def test_trace_names_places(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, stream = screen_of(monkeypatch)
    show_trace(screen, [TraceStep("reasoning", "", -3), TraceStep("content", "b", 2)], "a\nb")
    assert stream.getvalue() == "matched\n  prompt reasoning\n  2:1 content       b\n"


def test_a_tree_hangs_the_parts_of_a_call_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    call = TraceNode("call", "", 2, (TraceNode("marker", "<c>\n", 2), TraceNode("name", "f", 6)))
    screen, stream = screen_of(monkeypatch)
    show_tree(screen, TraceNode("turn", "", 0, (TraceNode("content", "a", 0), call)), "a\n<c>\nf")
    assert stream.getvalue() == (
        "tree\n  turn\n  ├── content 1:1  a\n  └── call 2:1\n      ├── marker  <c>⏎\n      └── name 3:1  f\n"
    )


def test_a_near_miss_has_its_place_a_sentence_and_what_to_try(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, stream = screen_of(monkeypatch)
    misses = (NearMiss("missing-marker", 2, "`</c>` is missing here", "put it in"), NearMiss("x", 0, "y", ""))
    show_near_misses(screen, misses, "a\nb")
    assert stream.getvalue() == (
        "near misses\n  missing-marker at 2:1: `</c>` is missing here\n    try: put it in\n  x at 1:1: y\n"
    )
