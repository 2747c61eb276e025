"""Findings with edits -> the fixed text of each file, or the difference that it would make."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path

from autoparser_cli.linting.rule import Edit, Violation


def fixed_texts(violations: Iterable[Violation]) -> dict[str, tuple[str, str, int]]:
    """Return by path the text before and after, and the number of findings that it fixes."""
    by_path: dict[str, list[Violation]] = {}
    for item in violations:
        if item.edits:
            by_path.setdefault(item.path, []).append(item)
    texts = {}
    for path, items in by_path.items():
        # Not `read_text`: that would turn \r\n into \n in a file that is written back.
        before = Path(path).read_bytes().decode("utf-8")
        if "\r" in before:
            continue  # the places are those of the text with \n
        texts[path] = (
            before,
            apply_edits(before, [edit for item in items for edit in item.edits]),
            len(items),
        )
    return texts


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """Apply edits from the end; of two that overlap only the first in the text is made."""
    taken: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if not taken or edit.start >= taken[-1].end:
            taken.append(edit)
    for edit in reversed(taken):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def unified_diff(path: str, before: str, after: str) -> str:
    """Return what changes, as `patch` reads it."""
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{path}", f"b/{path}"
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def write_fixed(path: str, text: str) -> None:
    """Write a fixed file."""
    Path(path).write_bytes(text.encode("utf-8"))
