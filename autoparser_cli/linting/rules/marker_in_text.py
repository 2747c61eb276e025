"""AP027: a text that holds one of the template's markers is cut."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.conversations import ANSWERS, QUESTIONS, RESULTS, Conversation, call, result, user
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.written_by import line_that_wrote


@rule(
    "AP027",
    "marker-in-text",
    Severity.WARNING,
    summary="A user's text or a tool's result is cut, or raises, where it holds one of the template's markers.",
    why=(
        "Users paste logs, agents read files: a marker in them is text. What is split off there is lost, and a "
        "file can make the template fail."
    ),
    example="{% set content = message.content.split('</think>')[-1] %}  {# for every role #}",
    instead="Look for markers in the assistant's own text only.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Render a question and a result with each marker that was inferred in the middle."""
    analysis = subject.analysis
    markers = [*analysis.preserved_tokens, analysis.turn.end, "</think>"]
    usual = dict.fromkeys(marker.strip() for marker in markers if len(marker.strip()) > 1)
    told: set[str] = set()
    for marker in usual:
        for who, hit in _cut(subject, marker):
            if who not in told:
                told.add(who)
                yield hit


def _cut(subject: Subject, marker: str) -> Iterator[tuple[str, Hit]]:
    question = f"{QUESTIONS[0]} {marker} {QUESTIONS[2]}"
    found = f"{RESULTS[0]} {marker} {RESULTS[1]}"
    asked = ({"role": "user", "content": question}, {"role": "assistant", "content": ANSWERS[0]}, user(1))
    places = [
        ("a user's text", Conversation("marked", "a marker in a question", asked), "follow-up", question)
    ]
    if subject.renders_results:
        told = (user(), call(), result(text=found), {"role": "assistant", "content": ANSWERS[0]})
        conversation = Conversation("marked", "a marker in a result", told, tools=True)
        places.append(("a tool's result", conversation, "answered", found))
    for who, conversation, plain, text in places:
        without = subject.render(plain)
        if without.failed or text.split(marker)[0].strip() not in without.text:
            continue
        shape = subject.shape_for(conversation)
        outcome = subject.render_conversation(conversation, shape)
        if outcome.failed:
            yield who, Hit(f"{who} with {marker!r} in it raises: {outcome.error}", outcome.line, key=who)
        elif text not in outcome.text and _misses_words(text, marker, outcome.text):
            rest = text.split(marker)[-1].strip()
            line = line_that_wrote(subject, conversation, shape, rest, last=True)
            yield who, Hit(f"{who} is cut at {marker!r}", line, key=who)


def _misses_words(text: str, marker: str, rendered: str) -> bool:
    """Tell whether one of the two sides is gone; a marker that is escaped or taken out leaves both."""
    return any(side.strip() not in rendered for side in text.split(marker))
