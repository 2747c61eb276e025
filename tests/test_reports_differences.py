"""The pages of `autoparser diff`, kept as files: in a pipe, on a terminal of 80 columns, on one of 140.

With AUTOPARSER_UPDATE_GOLDENS=1 the files are written anew; a person reads the difference before it is kept.
"""

from __future__ import annotations

import io
import os
from dataclasses import replace
from pathlib import Path

import pytest
from wire_formats import HERMES, THINKING_TAGS

from autoparser_cli.analysis.model import Evidence
from autoparser_cli.comparison import RecordedDifference, compare_templates
from autoparser_cli.comparison.conversations import standard_conversations
from autoparser_cli.diffing.lines import diff_lines
from autoparser_cli.diffing.split import DiffSplit, split_diff
from autoparser_cli.inference import analyze
from autoparser_cli.reports.console.diff_lines import Look, draw_blocks
from autoparser_cli.reports.console.differences import show_comparison, show_diffs
from autoparser_cli.reports.console.evidence import show_evidence
from autoparser_cli.reports.console.screen import Screen
from autoparser_cli.templates import ChatTemplate

FIXTURES = Path(__file__).parent.parent / "fixtures"
GOLDENS = Path(__file__).parent / "golden_pages"
CONVERSATIONS = {conversation.name: conversation.inputs for conversation in standard_conversations()}
WIDTHS = [0, 80, 140]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(params=WIDTHS, ids=lambda width: f"{width or 'pipe'}")
def page(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[Screen, io.StringIO, str]:
    """A screen of each width, what is written to it, and the name for the golden file."""
    width: int = request.param
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "")
    monkeypatch.setenv("COLUMNS", str(width or 80))
    stream = Terminal() if width else io.StringIO()
    return Screen(stream), stream, f"{width}" if width else "pipe"


def check(name: str, text: str) -> None:
    path = GOLDENS / f"{name}.txt"
    if os.environ.get("AUTOPARSER_UPDATE_GOLDENS") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{path} differs; `make goldens` writes it anew"


def template(name: str) -> ChatTemplate:
    return ChatTemplate.from_source((FIXTURES / name / "template.jinja").read_text(encoding="utf-8"), name)


def evidence(name: str, probe: str, left: str, right: str, conclusion: str, decided: bool = True) -> Evidence:
    texts = [template(name).render(CONVERSATIONS[conversation]) for conversation in (left, right)]
    split = split_diff(*texts)

    return Evidence(
        probe, f"What does {probe} ask?", left, right, texts[0], texts[1], split, conclusion, decided
    )


EVIDENCE = [
    evidence("reasoning-tagged", "R1", "content", "reasoning and content", 'reasoning.start = "<muse>\\n"'),
    evidence("json-flat", "T2", "call", "two calls", "calls stand in a row"),
    evidence("tag-tagged", "T1", "content", "content and call", "name and arguments are tagged"),
    evidence("json-flat", "R3", "call", "call", "nothing", decided=False),
    replace(
        evidence("json-flat", "C3", "content", "content", "null content is refused"),
        error_right="can only concatenate str (not \x1b[31mNone)",
    ),
]


def test_probes(page: tuple[Screen, io.StringIO, str]) -> None:
    screen, stream, name = page
    show_diffs(screen, EVIDENCE, 3)
    check(f"probes-{name}", stream.getvalue())


def test_probes_of_an_analysis(page: tuple[Screen, io.StringIO, str]) -> None:
    screen, stream, name = page
    show_diffs(screen, analyze(template("tag-tagged")).evidence, 1)
    check(f"analysis-{name}", stream.getvalue())


def test_explained(page: tuple[Screen, io.StringIO, str]) -> None:
    screen, stream, name = page
    show_evidence(screen, analyze(template("reasoning-tagged")).evidence)
    check(f"explained-{name}", stream.getvalue())


def test_comparison(page: tuple[Screen, io.StringIO, str]) -> None:
    screen, stream, name = page
    comparison = compare_templates(
        template("json-flat"),
        template("prompt-opens-reasoning"),
        (HERMES, THINKING_TAGS),
        make_grammar=lambda analysis: f"root ::= call*\ncall ::= {analysis.reasoning.mode.value!r}\n",
        recorded=[RecordedDifference("case-7", True, False, "calls differ")],
        recorded_tried=12,
    )
    show_comparison(screen, comparison, 2)
    check(f"comparison-{name}", stream.getvalue())


def test_same_behaviour(page: tuple[Screen, io.StringIO, str]) -> None:
    screen, stream, _ = page
    flat = template("json-flat")
    show_comparison(screen, compare_templates(flat, flat, (HERMES, HERMES), recorded=[], recorded_tried=3), 3)
    assert "The same behaviour" in stream.getvalue()
    assert "all are read the same" in stream.getvalue()


@pytest.mark.parametrize("context", [0, 1, 5])
def test_context_is_what_was_asked_for(context: int) -> None:
    stream = io.StringIO()
    text = "".join(f"line {number}\n" for number in range(40))
    entry = Evidence(
        "T1", "?", "a", "b", text, text.replace("line 20\n", "new\n"), DiffSplit("", "", "", ""), "x"
    )
    show_diffs(Screen(stream), [entry], context)
    assert stream.getvalue().count("  line ") == 2 * context


def drawn(left: str, right: str, *, colours: bool) -> list[str]:
    blocks = diff_lines(left, right)
    look = Look(side_by_side=False, colours=colours)
    return [getattr(row, "plain", "") for row in draw_blocks(blocks, look)]


def test_carets_mark_what_differs_where_there_are_no_colours() -> None:
    assert drawn("see get_weather(1) now\n", "see get_time(1) now\n", colours=False) == [
        "- see get_weather(1) now⏎",
        "          ^^^^^^^",
        "+ see get_time(1) now⏎",
        "          ^^^^",
    ]


def test_carets_stand_below_wide_characters() -> None:
    rows = drawn("天気天気 is one\n", "天気天気 is two\n", colours=False)
    assert rows[1] == " " * (2 + 8 + 4) + "^^^"


def test_colours_need_no_carets() -> None:
    assert len(drawn("get_weather(1)\n", "get_time(1)\n", colours=True)) == 2


def test_text_cannot_control_the_terminal() -> None:
    rows = drawn("a\n", "a\x1b[2J\u200b\x07\r\n", colours=False)
    assert "\x1b" not in "".join(rows)
    assert "\u200b" not in "".join(rows)
    assert any("\\x1b[2J\\u200b\\x07␍⏎" in row for row in rows)


def test_changed_text_is_never_shortened() -> None:
    long = "x" * 400
    row = drawn(f"{'a' * 300} 1", f"{'a' * 300} {long}", colours=True)[1]
    assert long in row
    assert "…" in row
    assert "a" * 300 not in row
