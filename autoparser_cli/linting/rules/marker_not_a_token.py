"""AP305: a marker of the inferred format is not one token of the tokenizer beside the template."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject
from autoparser_cli.linting.vocabulary import added_tokens, whole_vocabulary

#: One marker and nothing else.
_MARKER = re.compile(r"<[^<>\s]{1,60}>|\[/?[A-Z_]{2,40}\]")


@rule(
    "AP305",
    "marker-not-a-token",
    Severity.INFO,
    summary="A marker around reasoning, calls or the turn is not one token of the vocabulary.",
    why=(
        "Servers preserve special tokens and stop at them. A marker in pieces can be cut anywhere by a chunk, can be "
        "written by accident, and cannot be a stop token."
    ),
    example="<tool_call>  {# the tokenizer has no such token #}",
    instead="Add the marker to `added_tokens_decoder` before training, or write the one that the model knows.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look each marker up; nothing to say where no vocabulary stands beside the template."""
    added = added_tokens(subject.path)
    if not added:
        return
    known = added | whole_vocabulary(subject.path) | set(subject.template.special_tokens.values())
    analysis = subject.analysis
    for text in dict.fromkeys((*analysis.preserved_tokens, analysis.turn.end)):
        for marker in dict.fromkeys(_MARKER.findall(text)):
            # Special tokens by their form are AP301's.
            if marker not in known and not marker.startswith(("<|", "<｜")):
                lines = (
                    number for number, line in enumerate(subject.source.split("\n"), 1) if marker in line
                )
                yield Hit(f"{marker} is not one token of the vocabulary", next(lines, None), key=marker)
