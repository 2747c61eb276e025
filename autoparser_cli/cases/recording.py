"""A new case without an expectation -> the same case with what its parse gives now.

Only cases that expect nothing yet are recorded: an expectation, once written, is changed by a person. The
rest of the file stays as it is, in JSON files but for their layout.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from autoparser_cli.cases.engine import Outcome
from autoparser_cli.cases.from_json import read_case
from autoparser_cli.cases.judging import describe_error
from autoparser_cli.cases.model import PARSE_KINDS, Case
from autoparser_cli.cases.reading import RawCase, case_nodes, find_files, read_raw, with_template
from autoparser_cli.errors import CaseError
from autoparser_cli.frozen import frozen
from autoparser_cli.messages import Message


@frozen
class NewCase:
    """A case that expects nothing yet, and the place it stands at."""

    raw: RawCase
    case: Case


def find_new(paths: Iterable[Path]) -> list[NewCase]:
    """Find the cases to record. Raise CaseError, ToolsError for one that is wrong otherwise."""
    found = []
    for file in find_files(paths):
        for raw in read_raw(file):
            if _expects_nothing(raw.data):
                data = {**with_template(raw), "expect": {}}
                case = read_case(data, folder=file.parent, file=str(file), where=raw.where)
                found.append(NewCase(raw, case))
    return found


def expectation(outcome: Outcome) -> dict[str, Any]:
    """Return the keys to add to a case: `expect`, or `expect_error` where the output does not parse."""
    if outcome.error is not None:
        return {"expect_error": {"reason": describe_error(outcome), "accept": ["exception"]}}
    return {"expect": _message_fields(outcome.message)}


def record(new: NewCase, fields: Mapping[str, Any]) -> None:
    """Write `fields` into the case's file. Raise CaseError where the file's layout does not allow it."""
    file = new.raw.file
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".jsonl":
        text = _in_line(text, new.raw, fields)
    elif file.suffix == ".json":
        text = _in_json(text, new.raw, fields)
    else:
        text = _in_yaml(text, new.raw, fields)
    file.write_text(text, encoding="utf-8")


def _expects_nothing(data: Any) -> bool:
    return (
        isinstance(data, Mapping)
        and data.get("kind", "parse") in PARSE_KINDS
        and not any(key in data for key in ("expect", "expect_error", "generator"))
    )


def _message_fields(message: Message) -> dict[str, Any]:
    calls = []
    for call in message.tool_calls:
        entry: dict[str, Any] = {"name": call.name, "arguments": json.loads(call.arguments)}
        if call.id is not None:
            entry["id"] = call.id
        calls.append(entry)
    return {
        "content": message.content,
        "reasoning_content": message.reasoning_content,
        "tool_calls": calls,
    }


def _in_line(text: str, raw: RawCase, fields: Mapping[str, Any]) -> str:
    lines = text.split("\n")
    assert raw.line is not None
    lines[raw.line - 1] = json.dumps({**raw.data, **fields}, ensure_ascii=False)
    return "\n".join(lines)


def _in_json(text: str, raw: RawCase, fields: Mapping[str, Any]) -> str:
    data = json.loads(text)
    holder = data
    if isinstance(data, dict):
        holder = data.get("cases", [data])
    holder[raw.number - 1].update(fields)
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _in_yaml(text: str, raw: RawCase, fields: Mapping[str, Any]) -> str:
    """Insert behind the line of the case's `id`, so that comments and layout stay."""
    import yaml

    node = case_nodes(yaml.compose(text, Loader=yaml.SafeLoader))[raw.number - 1]
    name = next((pair for pair in node.value if pair[0].value == "id"), None)
    if node.flow_style or name is None or name[1].start_mark.line != name[1].end_mark.line:
        raise CaseError(
            f"{raw.where}: write the case as a block with its `id` on one line to have it recorded"
        )
    block = yaml.safe_dump(dict(fields), allow_unicode=True, sort_keys=False, width=1000)
    indent = " " * name[0].start_mark.column
    lines = text.split("\n")
    at = name[1].end_mark.line + 1
    return "\n".join([*lines[:at], *(indent + line for line in block.splitlines()), *lines[at:]])
