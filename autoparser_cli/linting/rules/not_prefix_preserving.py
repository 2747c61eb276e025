"""AP020: a longer chat does not begin with the shorter one."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.differences import parting
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.written_by import line_that_parts

_PAIRS = (("round", "follow-up"), ("question", "round"))


@rule(
    "AP020",
    "not-prefix-preserving",
    Severity.INFO,
    summary="The prompt of a longer chat does not begin with the prompt of the shorter one.",
    why="Prompt caches miss in every turn, and training on several turns sees other text than serving does.",
    example="{% if loop.last %}{{ eos_token }}{% endif %}",
    instead="Print each message in a way that does not depend on those behind it.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Compare one round with the same round and another question, and a question with its round."""
    for shorter_name, longer_name in _PAIRS:
        shorter, longer = subject.render(shorter_name), subject.render(longer_name)
        if shorter.failed or longer.failed or longer.text.startswith(shorter.text):
            continue
        one, other = parting(shorter.text, longer.text)
        what = "an answered question" if shorter_name == "round" else "a question"
        line = line_that_parts(subject, shorter_name, longer.text)
        yield Hit(f"{what} goes on with {one}, but with {other} in a longer chat", line, key=shorter_name)
        return
