"""Comparisons -> JSON values, and the annotations that GitHub shows in a pull request."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from autoparser_cli.analysis.model import Evidence
from autoparser_cli.comparison.changes import Refusal, TextChange, refusals, text_changes
from autoparser_cli.comparison.model import BehaviourComparison, Difference
from autoparser_cli.diffing.lines import unified_diff

#: GitHub shows ten annotations of a step; the ones after that are only in its log.
_LONGEST_MESSAGE = 400


def evidence_to_json(evidence: Iterable[Evidence], *, context: int = 3) -> list[dict[str, Any]]:
    """Return comparisons as JSON types, each with its split and a unified diff."""
    return [_evidence_entry(entry, context) for entry in evidence]


def github_annotations(comparison: BehaviourComparison, *, file: str | None) -> Iterator[str]:
    """Yield a workflow command for each difference, each change of the rendered text once; `file` is what they are shown at."""
    for difference in comparison.differences:
        yield _annotation("error", file, difference.field, _fact(difference))
    for change in text_changes(comparison.rendered):
        yield _annotation("error", file, f"Rendered: {_names(change.conversations)}", _change(change))
    for refusal in refusals(comparison.rendered):
        yield _annotation("error", file, f"Rendered: {_names(refusal.conversations)}", _refusal(refusal))
    if comparison.grammar.differs:
        yield _annotation("error", file, "Grammar", "the grammar for the standard tools is another one")
    for recorded in comparison.recorded or ():
        verdict = "passes now" if recorded.passed_new else "fails now"
        detail = f": {recorded.detail}" if recorded.detail else ""
        yield _annotation("error", file, f"Recorded output {recorded.case}", verdict + detail)
    if comparison.same:
        yield _annotation("notice", file, "Same behaviour", "nothing that was compared differs")


def _evidence_entry(entry: Evidence, context: int) -> dict[str, Any]:
    split = entry.split
    return {
        "probe": entry.probe,
        "question": entry.question,
        "left": {"name": entry.left_name, "text": entry.left, "error": entry.error_left or None},
        "right": {"name": entry.right_name, "text": entry.right, "error": entry.error_right or None},
        "split": {
            "prefix": split.prefix,
            "left": split.left,
            "right": split.right,
            "suffix": split.suffix,
        },
        "diff": list(unified_diff(entry.left, entry.right, context=context)),
        "conclusion": entry.conclusion,
        "decided": entry.decided,
    }


def _fact(difference: Difference) -> str:
    return f"{_short(difference.old)} → {_short(difference.new)}"


def _short(value: Any) -> str:
    return "none" if value is None else json.dumps(value, ensure_ascii=False, default=str)


def _names(conversations: Sequence[str]) -> str:
    more = len(conversations) - 1
    return f"{conversations[0]} and {more} more" if more else conversations[0]


def _refusal(refusal: Refusal) -> str:
    old = f"raised: {refusal.error_old}" if refusal.error_old else "rendered"
    new = f"raises: {refusal.error_new}" if refusal.error_new else "renders"
    return f"{old} → {new}"


def _change(change: TextChange) -> str:
    place = f"first difference: line {change.place.line}, column {change.place.column}"
    lines = [
        sign + line.text.removesuffix("\n")
        for block in change.blocks
        if block.changed
        for sign, side in (("-", block.left), ("+", block.right))
        for line in side
    ]
    return "\n".join([place, *lines])


def _annotation(level: str, file: str | None, title: str, message: str) -> str:
    if len(message) > _LONGEST_MESSAGE:
        message = message[:_LONGEST_MESSAGE] + "…"
    where = f"file={_property(file)}," if file else ""
    return f"::{level} {where}title={_property(title)}::{_data(message)}"


def _data(text: str) -> str:
    """Escape a message: a command ends at the line's end."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
