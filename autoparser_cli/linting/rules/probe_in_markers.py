"""AP106: what was taken for a marker has a probe's own text in it."""

from __future__ import annotations

from collections.abc import Iterator

from autoparser_cli.analysis import probes
from autoparser_cli.linting.rule import Hit, Severity, rule
from autoparser_cli.linting.subject import Subject

_NEEDLES = (
    *(probes.USER, probes.CONTENT, probes.REASONING, probes.CANARY),
    *(*probes.NAMES, *probes.IDS, *probes.KEYS, *probes.TEXT_VALUES, *map(str, probes.VALUES)),
)


@rule(
    "AP106",
    "text-in-markers",
    Severity.WARNING,
    summary="A marker that was inferred repeats a part of the message.",
    why=(
        "The template prints a name, an id or a value a second time where a fixed marker is expected; a "
        "parser built on it only understands that one message."
    ),
    example="<call {{ call.function.name }}>...</call {{ call.id }}>",
    instead="Print fixed markers, and each part of a call once.",
)
def check(subject: Subject) -> Iterator[Hit]:
    """Look for the probes' texts in the markers."""
    for marker in subject.analysis.preserved_tokens:
        needle = next((text for text in _NEEDLES if text in marker), None)
        if needle is not None:
            yield Hit(f"the marker {marker!r} repeats {needle!r} of the message", key=marker)
