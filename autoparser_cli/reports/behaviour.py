"""Comparisons -> JSON values, and the annotations that GitHub shows in a pull request."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from autoparser_cli.analysis.model import Evidence
from autoparser_cli.comparison.model import BehaviourComparison, Difference, RenderedPair
from autoparser_cli.diffing.lines import unified_diff

#: GitHub shows ten annotations of a step; the ones after that are only in its log.
_LONGEST_MESSAGE = 400


def evidence_to_json(evidence: Iterable[Evidence], *, context: int = 3) -> list[dict[str, Any]]:
    """Return comparisons as JSON types, each with its split and a unified diff."""
    return [_evidence_entry(entry, context) for entry in evidence]


def github_annotations(comparison: BehaviourComparison, *, file: str | None) -> Iterator[str]:
    """Yield a workflow command for each difference; `file` is what they are shown at."""
    for difference in comparison.differences:
        yield _annotation("error", file, difference.field, _fact(difference))
    for pair in comparison.rendered:
        if pair.differs:
            yield _annotation("error", file, f"Rendered: {pair.conversation}", _rendered(pair))
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


def _rendered(pair: RenderedPair) -> str:
    if pair.old is None or pair.new is None:
        old = f"raised: {pair.error_old}" if pair.old is None else "rendered"
        new = f"raises: {pair.error_new}" if pair.new is None else "renders"
        return f"{old} → {new}"
    place = pair.first_difference
    assert place is not None
    changed = [line for line in unified_diff(pair.old, pair.new, context=0) if line[0] in "-+"]
    return "\n".join([f"first difference: line {place.line}, column {place.column}", *changed])


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
