"""AP023: the prompt begins with two tokens for the beginning of text."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject


@rule(
    "AP023",
    "double-bos",
    Severity.WARNING,
    summary="`bos_token` is printed twice in a row at the beginning.",
    why="Models have seen one; with two the first answers get worse, and nothing tells why.",
    example="{{ bos_token }}{% for message in messages %}{{ bos_token }}...",
    instead="Print it once, in front of the loop.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look at the beginning of the plain conversations."""
    bos = subject.template.special_tokens.get("bos_token") or subject.kwargs.get("bos_token")
    if not bos:
        return
    for name in ("prompt", "system"):
        outcome = subject.render(name)
        if (
            not outcome.failed
            and outcome.text.removeprefix(bos).lstrip().startswith(bos)
            and outcome.text.startswith(bos)
        ):
            yield Hit("the prompt begins with bos_token twice")
            return
