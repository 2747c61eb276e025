"""Results -> JSON values, in the shapes that scripts rely on: the method's field names, OpenAI's message."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING, Any

from autoparser_cli.analysis.model import TemplateAnalysis

if TYPE_CHECKING:
    from autoparser_cli.parsing import ParseResult
    from autoparser_cli.parsing.near_misses import NearMiss
    from autoparser_cli.parsing.trace import TraceStep

#: The parts of an analysis that are reported under their own names, in this order.
_PARTS = (
    "template",
    "capabilities",
    "reasoning",
    "content",
    "tools",
    "preserved_tokens",
    "generation_prompt",
    "generation_prompts",
    "switches",
    "supplied_variables",
    "family",
    "warnings",
)

_CONTROL = re.compile("[\x7f-\x9f]")


def to_text(value: Any) -> str:
    """Write a JSON value as people read it: indented, with its letters as they are.

    JSON leaves control characters above ASCII as they are, which a terminal may obey; here they are escaped too.
    """
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def analysis_to_json(analysis: TemplateAnalysis, *, with_evidence: bool = False) -> dict[str, Any]:
    """Return an analysis as one JSON object; `with_evidence` adds every comparison."""
    report = {name: _plain(getattr(analysis, name)) for name in _PARTS}
    for entry, prompt in zip(report["generation_prompts"], analysis.generation_prompts, strict=True):
        entry["kwargs"] = dict(prompt.kwargs)
    report["tools"]["arguments"]["value_encoding"] = dict(analysis.tools.arguments.value_encoding)
    proof = analysis.proof
    report["proof"] = {
        "passed": proof.passed,
        "tried": proof.tried,
        "failed": [{"name": step.name, "detail": step.detail} for step in proof.steps if not step.passed],
    }
    if with_evidence:
        report["evidence"] = _plain(tuple(analysis.evidence))
    return report


def result_to_json(result: ParseResult) -> dict[str, Any]:
    """Return a parse result as `message`, `error`, `repairs` and `findings`."""
    return {
        "message": result.message.to_dict(),
        "error": result.error.to_dict() if result.error else None,
        "repairs": _plain(result.repairs),
        "findings": _plain(result.findings),
    }


def steps_to_json(steps: Iterable[TraceStep]) -> list[dict[str, Any]]:
    """Return what was matched, step by step."""
    return [{"kind": step.kind, "text": step.text, "offset": step.offset} for step in steps]


def misses_to_json(misses: Iterable[NearMiss]) -> list[dict[str, Any]]:
    """Return what was missing where, with what to try."""
    return [_plain(miss) for miss in misses]


def _plain(value: Any) -> Any:
    """Turn frozen values into JSON types: dataclasses into objects, enums into their values."""
    if isinstance(value, Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(item) for item in value]
    return value
