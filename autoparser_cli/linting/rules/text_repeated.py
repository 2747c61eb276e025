"""AP010: a message's text is printed more than once."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.conversations import CONVERSATIONS
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.written_by import line_that_wrote

_NAMES = ("system", "round", "system-rounds", "two-users", "late-system")


@rule(
    "AP010",
    "text-repeated",
    Severity.WARNING,
    summary="The text of a message is in the prompt more than once.",
    why="It costs context, and the model sees a conversation that was not held.",
    example="{{ messages[0].content }}{% for message in messages %}{{ message.content }}{% endfor %}",
    instead="Skip the message in the loop (`messages[1:]`) that was printed before it.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Count each text in each conversation that renders; tell each text once."""
    told: set[str] = set()
    for name in _NAMES:
        outcome = subject.render(name)
        if outcome.failed:
            continue
        for message in CONVERSATIONS[name].messages:
            count = outcome.text.count(message["content"])
            if count > 1 and message["role"] not in told:
                told.add(message["role"])
                title = CONVERSATIONS[name].title
                line = line_that_wrote(subject, name, None, message["content"], last=True)
                yield Hit(
                    f"the text of a {message['role']} message is printed {count} times (in {title})",
                    line,
                    key=message["role"],
                )
