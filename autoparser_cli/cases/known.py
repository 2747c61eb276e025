"""The list of known disagreements: cases that are wrong in themselves, each with the reason.

JSON lines with `id`, `file` (the case file's name), `reason`, and `instead`: what we give instead.
"""

from __future__ import annotations

import json
from pathlib import Path

from autoparser_cli.errors import CaseError
from autoparser_cli.frozen import frozen

KEYS = ("id", "file", "reason", "instead")


@frozen
class KnownDisagreement:
    """One case that is set aside; it is counted apart, and as failed in every percentage."""

    id: str
    file: str
    reason: str
    instead: str


def read_known(path: Path) -> tuple[KnownDisagreement, ...]:
    """Read the list. Raise CaseError with the line of an entry that is not complete."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise CaseError(f"{path}: the list of known disagreements cannot be read: {error}") from None
    return tuple(
        _read_entry(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip()
    )


def _read_entry(line: str, where: str) -> KnownDisagreement:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CaseError(f"{where}: not JSON: {error}") from None
    if not isinstance(data, dict) or sorted(data) != sorted(KEYS):
        raise CaseError(f"{where}: an entry has exactly the keys {', '.join(KEYS)}")
    texts = {key: data[key] for key in KEYS}
    if not all(isinstance(text, str) and text.strip() for text in texts.values()):
        raise CaseError(f"{where}: every key of an entry must be a text that says something")
    return KnownDisagreement(**texts)
