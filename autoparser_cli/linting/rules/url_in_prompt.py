"""AP405: an address in what the template prints."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autoparser_cli.linting.literals import printed_texts
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject

_URL = re.compile(r"\b(?:https?|ftp|wss?)://[^\s'\"<>)\]}\\]+")


@rule(
    "AP405",
    "url-in-prompt",
    Severity.INFO,
    summary="The template brings an address of its own into the prompt.",
    why="Models repeat addresses, and agents follow them. It should be there on purpose.",
    example="For help see https://example.com/help",
    instead="Leave addresses to the caller's system message, or excuse the line with the reason for it.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for addresses in the texts of the template; comments are not printed."""
    for line, text in printed_texts(subject):
        for address in dict.fromkeys(found.rstrip(".,;:!?") for found in _URL.findall(text)):
            yield Hit(f"the address {address[:80]}", line, column=subject.column(line, address), key=address)
