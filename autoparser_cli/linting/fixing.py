"""Findings with edits -> the fixed text of each file, or the difference that it would make."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path

from autoparser_cli.errors import RenderError, TemplateSyntaxError
from autoparser_cli.linting.conversations import CALL_SHAPES, CONVERSATIONS, Shape
from autoparser_cli.linting.rule import Edit, Violation
from autoparser_cli.linting.subject import Subject
from autoparser_cli.templates import ChatTemplate


def fixed_texts(violations: Iterable[Violation]) -> dict[str, tuple[str, str, int]]:
    """Return by path the text before and after, and the number of findings that it fixes.

    Each fix is proved first: every standard conversation renders to the same text as before, or fails in the same way.
    One that changes a render is not made.
    """
    by_path: dict[str, list[Violation]] = {}
    for item in violations:
        if item.edits:
            by_path.setdefault(item.path, []).append(item)
    texts = {}
    for path, items in by_path.items():
        # Not `read_text`: that would turn \r\n into \n in a file that is written back.
        before = Path(path).read_bytes().decode("utf-8")
        source = before.replace("\r\n", "\n")
        if "\r" in source or before.count("\r\n") not in (0, before.count("\n")):
            continue  # the places are those of the text with \n, and could not be found again
        safe = _safe(source, items)
        if safe:
            after = apply_edits(source, [edit for item in safe for edit in item.edits])
            texts[path] = (before, after.replace("\n", "\r\n") if "\r" in before else after, len(safe))
    return texts


def _safe(source: str, items: Sequence[Violation]) -> list[Violation]:
    """Return those whose edits change no render, all together; where something does, each is asked alone."""
    before = _renders(source)
    if _renders(apply_edits(source, [edit for item in items for edit in item.edits])) == before:
        return list(items)
    return [item for item in items if _renders(apply_edits(source, item.edits)) == before]


def _renders(source: str) -> list[str]:
    """Render all standard conversations, in every shape, as transformers does."""
    template = ChatTemplate("fixed", source)
    subject = Subject(template, ())
    texts = []
    try:
        for conversation in CONVERSATIONS.values():
            for shape in (*CALL_SHAPES, Shape(parts=True)):
                inputs = subject.inputs(conversation, shape)
                try:
                    texts.append(template.render_strict(inputs))
                except RenderError as error:
                    texts.append(f"{error.kind}: {error}")
    except TemplateSyntaxError as error:
        return [f"does not compile: {error}"]
    return texts


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """Apply edits from the end; of two that overlap only the first in the text is made."""
    taken: list[Edit] = []
    for edit in sorted(set(edits), key=lambda edit: (edit.start, edit.end)):
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
