"""AP105: a call is written differently once it is history."""

from __future__ import annotations

import json
from collections.abc import Iterator

from autoparser_cli.diffing import common_prefix_length
from autoparser_cli.linting.conversations import KEY, NAMES, QUESTIONS, RESULTS, TOOLS, VALUES
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.written_by import line_that_wrote


@rule(
    "AP105",
    "history-differs",
    Severity.INFO,
    summary=(
        "A call that is followed by its result is written differently from the same call as the last turn."
    ),
    why=(
        "What the model wrote is not what it reads in the next turn; prompt caches miss, and parsers need "
        "two formats."
    ),
    example="{% if loop.last %}<tool_call>{% else %}<past_call>{% endif %}",
    instead="Write a call the same way in every place.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look in the longer conversation for the call as the shorter one has it; where it differs, parse it."""
    if not subject.renders_calls:
        return
    last, history = subject.render("call"), subject.render("answered")
    if last.failed or history.failed:
        return
    written = _call_text(last.text)
    if not written or VALUES[0] not in history.text or written in history.text:
        return
    line = line_that_wrote(subject, "answered", None, VALUES[0], last=True)
    message = "a call is written differently when its result follows"
    if _parses_back(subject, history.text):
        yield Hit(message, line, key="call")
    else:
        yield Hit(f"{message}, and is then not understood", line, key="call", severity=Severity.WARNING)


def _call_text(text: str) -> str:
    """Cut the call out, from its name or its value, whichever is first, to the other."""
    behind = text[text.rfind(QUESTIONS[0]) :]
    places = [(behind.rfind(part), len(part)) for part in (NAMES[0], VALUES[0])]
    if any(at < 0 for at, _ in places):
        return ""
    return behind[min(at for at, _ in places) : max(at + length for at, length in places)]


def _parses_back(subject: Subject, history: str) -> bool:
    """Parse the turn in the history as if it were the last one."""
    from autoparser_cli.messages import read_tools
    from autoparser_cli.parsing import build_parser

    header, end = subject.analysis.turn.header, subject.analysis.turn.end
    start = history.find(header, common_prefix_length(subject.needs("tools"), history))
    if start < 0:
        return False
    start += len(header)
    stop = (
        history.find(end.strip(), history.find(VALUES[0], start)) if end.strip() else history.find(RESULTS[0])
    )
    parser = build_parser(subject.analysis, tools=read_tools(list(TOOLS)), generation_prompt="")
    calls = parser.parse(history[start:stop]).message.tool_calls
    return [(call.name, json.loads(call.arguments)) for call in calls] == [(NAMES[0], {KEY: VALUES[0]})]
