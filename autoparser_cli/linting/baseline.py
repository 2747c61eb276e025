"""A baseline file: the findings that were there when linting began, so that only new ones count.

A finding is known by its fingerprint, which has no line number in it.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from autoparser_cli.errors import InputError, SourceError
from autoparser_cli.linting.rule import Violation

_VERSION = 1


def fingerprint(code: str, path: str, variant: str, line_text: str, key: str, ordinal: int) -> str:
    """Return what a finding is known by: all that stays when lines move. `ordinal` counts equal ones."""
    parts = (code, path, variant, " ".join(line_text.split()), key, str(ordinal))
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def read_baseline(path: Path) -> Counter[str]:
    """Return the fingerprints in a baseline file. Raise SourceError, InputError."""
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SourceError(
            f"{path}: {(error.strerror or str(error)).lower()}", hint="--update-baseline writes it"
        ) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not a baseline: {error}") from error
    entries = data.get("findings") if isinstance(data, dict) and data.get("version") == _VERSION else None
    if not isinstance(entries, list) or not all(
        isinstance(item, dict) and "fingerprint" in item for item in entries
    ):
        raise InputError(f"{path}: not a baseline of version {_VERSION}")
    return Counter(str(item["fingerprint"]) for item in entries)


def write_baseline(path: Path, violations: Iterable[Violation]) -> None:
    """Write a baseline of these findings; the words beside the fingerprints are for people."""
    entries = [
        {"fingerprint": item.fingerprint, "code": item.code, "path": item.path, "message": item.message}
        for item in sorted(violations, key=lambda item: (item.path, item.code, item.fingerprint))
    ]
    text = json.dumps({"version": _VERSION, "findings": entries}, indent=2, ensure_ascii=False)
    try:
        path.write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise SourceError(f"{path}: {(error.strerror or str(error)).lower()}") from error


def split_known(
    violations: Sequence[Violation], known: Counter[str]
) -> tuple[tuple[Violation, ...], tuple[Violation, ...]]:
    """Split findings into new ones and those that the baseline has."""
    left = Counter(known)
    new, old = [], []
    for item in violations:
        if left[item.fingerprint] > 0:
            left[item.fingerprint] -= 1
            old.append(item)
        else:
            new.append(item)
    return tuple(new), tuple(old)
