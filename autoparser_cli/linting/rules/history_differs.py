"""AP105: a call is written differently once it is history."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.conversations import NAMES, QUESTIONS, VALUES
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


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
    """Look in the longer conversation for the call as the shorter one has it."""
    if not subject.renders_calls:
        return
    last, history = subject.render("call"), subject.render("answered")
    if last.failed or history.failed:
        return
    written = _call_text(last.text)
    if written and VALUES[0] in history.text and written not in history.text:
        yield Hit("a call is written differently when its result follows", key="call")


def _call_text(text: str) -> str:
    """Cut the call out, from its name or its value, whichever is first, to the other."""
    behind = text[text.rfind(QUESTIONS[0]) :]
    places = [(behind.rfind(part), len(part)) for part in (NAMES[0], VALUES[0])]
    if any(at < 0 for at, _ in places):
        return ""
    return behind[min(at for at, _ in places) : max(at + length for at, length in places)]
