"""AP022: a marker that is opened is not closed, or closed twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject

#: How a pair of markers is written, and what the closing one of a name is.
_PAIRS = (
    (re.compile(r"\[([A-Z_]{2,})\]"), "[/{}]"),
    (re.compile(r"<\|?([a-z_]+)_(?:start|begin)\|?>"), "<|{}_end|>"),
    (re.compile(r"<([a-z][a-z_:]+)>"), "</{}>"),
    (re.compile(r"<\|START_([A-Z_]+)\|>"), "<|END_{}|>"),
)


@rule(
    "AP022",
    "unbalanced-markers",
    Severity.WARNING,
    summary="In a finished conversation a marker is opened more or less often than it is closed.",
    why="The model learns from its context that turns need not end, or sees an end where none belongs.",
    example="[INST]{{ message.content }}{% if not loop.last %}[/INST]{% endif %}",
    instead="Close each marker that is opened, in the same branch.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Count, in what a round adds to a conversation, the pairs whose two markers both occur there."""
    longer, shorter = subject.render("three-rounds"), subject.render("rounds")
    if longer.failed or shorter.failed or any(token in longer.text for token in subject.kwargs.values()):
        return  # a token that was made up may be the missing marker
    for pattern, closing in _PAIRS:
        added = _count(pattern, longer.text)
        added.subtract(_count(pattern, shorter.text))
        for name, opened in added.items():
            close = closing.format(name)
            closed = longer.text.count(close) - shorter.text.count(close)
            if closed > 0 and opened > 0 and closed != opened:
                yield Hit(
                    f"a round opens {name} {opened} times and closes it {closed} times ({close})", key=name
                )


def _count(pattern: re.Pattern[str], text: str) -> Counter[str]:
    return Counter(pattern.findall(text))
