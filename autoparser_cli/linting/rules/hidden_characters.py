"""AP402: characters that people do not see, or that change the direction of text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject

_JOINERS = frozenset("\u200c\u200d")
_BIDIRECTIONAL = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@rule(
    "AP402",
    "hidden-characters",
    Severity.WARNING,
    summary="Invisible or bidirectional characters in the template.",
    why=(
        "What a reviewer sees is not what the model reads: instructions can hide in tag characters or "
        "behind a changed direction."
    ),
    example="You are helpful.\\u202e...",
    instead="Take them out; where one belongs into a marker, write it as an escape (`'\\u200b'`).",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for format characters; joiners inside words and emoji are as they should be."""
    for number, line in enumerate(subject.source.split("\n"), 1):
        hidden = [
            (column, character)
            for column, character in enumerate(line)
            if _is_hidden(line, column, character)
        ]
        if hidden:
            column, character = hidden[0]
            name = unicodedata.name(character, "a character without a name").lower()
            more = f" and {len(hidden) - 1} more on this line" if len(hidden) > 1 else ""
            kind = "changes the direction of text" if character in _BIDIRECTIONAL else "is invisible"
            yield Hit(
                f"U+{ord(character):04X} ({name}) {kind}{more}",
                number,
                column=column + 1,
                key=f"{ord(character):x}",
            )


def _is_hidden(line: str, column: int, character: str) -> bool:
    if unicodedata.category(character) != "Cf" and not 0xE0000 <= ord(character) <= 0xE0FFF:
        return False
    if character in _JOINERS:
        around = line[max(0, column - 1) : column] + line[column + 1 : column + 2]
        return not all(ord(other) > 0x2FF for other in around) or len(around) < 2
    return True
