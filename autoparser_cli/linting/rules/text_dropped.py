"""AP009: a message's text does not show up in the prompt."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.conversations import CONVERSATIONS, RESULTS, SYSTEM, VALUES
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject

_NAMES = (
    "prompt",
    "system",
    "follow-up-prompt",
    "system-rounds",
    "late-system",
    "two-users",
    "assistant-first",
    "developer",
    "tools-prompt",
)

#: Texts that rules of their own look for.
_OTHERS = (*RESULTS, *VALUES)


@rule(
    "AP009",
    "text-dropped",
    Severity.WARNING,
    summary="The text of a message is not in the prompt.",
    why="The model answers without having seen what was said, and nobody is told.",
    example=(
        "{% if message.role == 'user' %}...{% elif message.role == 'assistant' %}...{% endif %}  {# system "
        "is dropped #}"
    ),
    instead="Print every message, or raise for a role that the model does not know.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for each text in each conversation that renders; tell each text once, with the simplest
    conversation.
    """
    if _nothing_shows(subject):
        yield Hit("no text of any message is in the prompt", key="all", severity=Severity.ERROR)
        return
    told: set[str] = set()
    for name in _NAMES:
        outcome = subject.render(name)
        if outcome.failed:
            continue
        for text in CONVERSATIONS[name].texts:
            role = _role(name, text)
            if text not in _OTHERS and text not in outcome.text and role not in told:
                told.add(role)
                yield Hit(
                    f"the text of {role} is dropped (in {CONVERSATIONS[name].title})",
                    key=role,
                    severity=_severity(role, name),
                )


def _nothing_shows(subject: Subject) -> bool:
    """Tell whether the plainest conversations render, and none of their texts is there."""
    names = ("prompt", "system", "follow-up-prompt")
    shown = [(subject.render(name), CONVERSATIONS[name].texts) for name in names]
    return all(not outcome.failed for outcome, _ in shown) and not any(
        text in outcome.text for outcome, texts in shown for text in texts
    )


def _role(name: str, text: str) -> str:
    message = next(item for item in CONVERSATIONS[name].messages if item["content"] == text)
    place = "late " if name == "late-system" and text == SYSTEM else ""
    return f"a {place}{message['role']} message"


def _severity(role: str, name: str) -> Severity | None:
    """Few models know the developer role, and few prompts end with an answer; to drop the rest is worse."""
    return Severity.INFO if "developer" in role or name == "system-rounds" else None
