"""AP011: messages are printed in another order than they have."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.conversations import CONVERSATIONS
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.written_by import line_that_wrote

_NAMES = (
    "follow-up-prompt",
    "system-rounds",
    "two-users",
    "late-system",
    "result",
    "answered",
    "two-results",
)


@rule(
    "AP011",
    "text-out-of-order",
    Severity.WARNING,
    summary="The messages are not in the prompt in the order in which they were sent.",
    why="What is asked and what is answered no longer belong together.",
    example="{% for message in messages | reverse %}",
    instead="Print the messages in one loop, in their order.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Compare the places of the texts that show up exactly once."""
    for name in _NAMES:
        outcome = subject.render(name)
        if outcome.failed:
            continue
        texts = [text for text in CONVERSATIONS[name].texts if outcome.text.count(text) == 1]
        places = [outcome.text.index(text) for text in texts]
        for at in range(1, len(places)):
            if places[at] < places[at - 1]:
                line = line_that_wrote(subject, name, None, texts[at])
                yield _hit(name, texts[at], texts[at - 1], line)
                return


def _hit(name: str, early: str, late: str, line: int | None) -> Hit:
    if name == "late-system":
        message = "a system message that comes late is moved to the front"
        return Hit(message, line, key=name, severity=Severity.INFO)
    return Hit(f"{early!r} is printed before {late!r} (in {CONVERSATIONS[name].title})", line, key=name)
