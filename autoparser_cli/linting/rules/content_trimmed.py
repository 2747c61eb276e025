"""AP025: white space around the assistant's text is cut off when it is sent back."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.conversations import ANSWERS, Conversation, user
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.written_by import line_that_wrote

_PADDED = f"\n\n  {ANSWERS[0]}  \n\n"
_CONVERSATION = Conversation(
    "padded", "an answer in white space", (user(), {"role": "assistant", "content": _PADDED})
)


@rule(
    "AP025",
    "content-trimmed",
    Severity.INFO,
    summary="White space at the ends of the assistant's text is cut off.",
    why=(
        "What the model wrote and what it reads of it in the next turn differ: prompt caches miss, and "
        "round trips are not exact."
    ),
    example="{{ message.content | trim }}",
    instead="Print the assistant's content as it is.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Render an answer with white space around it."""
    outcome = subject.render_conversation(_CONVERSATION, subject.plain_shape)
    if outcome.failed or ANSWERS[0] not in outcome.text or _PADDED in outcome.text:
        return
    at = outcome.text.index(ANSWERS[0])
    before, after = (
        outcome.text[at - 4 : at] == _PADDED[:4],
        outcome.text[at + len(ANSWERS[0]) :].startswith(_PADDED[-4:]),
    )
    side = "at its end" if before else "at its beginning" if after else "at both ends"
    line = line_that_wrote(subject, _CONVERSATION, None, ANSWERS[0])
    yield Hit(f"the assistant's text loses its white space {side}", line, key=side)
