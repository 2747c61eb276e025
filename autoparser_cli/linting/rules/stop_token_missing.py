"""AP302: a finished turn has no stop token in it."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.conversations import ANSWERS
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.vocabulary import added_tokens


@rule(
    "AP302",
    "stop-token-missing",
    Severity.WARNING,
    summary="The tokenizer's `eos_token` stands nowhere behind an assistant's text.",
    why=(
        "A model that is trained with this template never sees the token at which servers stop, and talks on."
    ),
    example="{{ message.content }}\\n",
    instead="Print `{{ eos_token }}` (or the turn's own end token, and make that the `eos_token`).",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look behind the answers of two rounds for the end token, or for another special token."""
    stop = subject.template.special_tokens.get("eos_token")
    if not stop:
        return
    text = subject.needs("rounds")
    known = added_tokens(subject.path) | {stop}
    if all(answer in text for answer in ANSWERS[:2]):
        between = text[text.index(ANSWERS[0]) + len(ANSWERS[0]) :]
        if not any(token in between for token in known):
            yield Hit(f"{stop} stands nowhere behind an answer, and no other special token does")
