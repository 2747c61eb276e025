"""AP302: a finished turn has no stop token in it."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.conversations import ANSWERS
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.vocabulary import added_tokens, has_stop_tokens, stop_tokens


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
    """Look behind the answers of two rounds for a stop token; for any special token where only one stop is known."""
    stop = subject.template.special_tokens.get("eos_token")
    if not stop:
        return
    text = subject.needs("rounds")
    if not all(answer in text for answer in ANSWERS[:2]):
        return
    special = added_tokens(subject.path) | {stop}
    told = has_stop_tokens(subject.path)
    known = stop_tokens(subject.path) | {stop} if told else special
    between = text[text.index(ANSWERS[0]) + len(ANSWERS[0]) :]
    if any(token in between for token in known):
        return
    first = min((token for token in special if token in between), key=between.index, default=None)
    goes_on = f"the text goes on with {first}" if first else "no other special token does either"
    yield Hit(f"{' or '.join(sorted(known if told else {stop}))} stands nowhere behind an answer: {goes_on}")
