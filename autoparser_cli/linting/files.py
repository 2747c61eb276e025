"""Paths on the command line -> template files, and each file -> its templates with their place in it.

Inside a JSON file a template is one long string on one line: its findings point at that line, and name the
template's own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from autoparser_cli.frozen import frozen

#: The suffixes and names of files that hold chat templates.
_SUFFIXES = (".jinja", ".j2", ".jinja2")
_JSON_NAMES = ("tokenizer_config.json", "chat_template.json")

#: What stands at the root of a project.
_PROJECT_SIGNS = (".git", "pyproject.toml")

#: Folders that hold other people's files.
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "venv", "site-packages"})


@frozen
class TemplateFile:
    """A file that may hold templates; `named` where the user named it, and did not only name a folder above
    it.

    `shown` is relative to the working folder, `in_project` to the project: the same wherever one works in it.
    """

    path: Path
    shown: str
    named: bool
    in_project: str = ""


def find_files(paths: Sequence[Path], *, exclude: Sequence[str] = ()) -> tuple[list[TemplateFile], list[str]]:
    """Find the template files under `paths`, in order and each once; the second list has the paths that are
    not there.
    """
    found: dict[Path, TemplateFile] = {}
    missing: list[str] = []
    for path in paths:
        if str(path) == "-" or path.is_file():
            found.setdefault(path, TemplateFile(path, _shown(path), True, _in_project(path)))
        elif path.is_dir():
            for file in _walk(path):
                shown, in_project = _shown(file), _in_project(file)
                if not matches(shown, exclude) and not matches(in_project, exclude):
                    found.setdefault(file, TemplateFile(file, shown, False, in_project))
        else:
            missing.append(f"{path}: no such file or folder")
    return list(found.values()), missing


def matches(path: str, patterns: Iterable[str]) -> bool:
    """Tell whether a path, a folder above it or its name matches one of the patterns, as in a .gitignore
    without the fine print.
    """
    parts = path.split("/")
    heads = ["/".join(parts[: count + 1]) for count in range(len(parts))]
    for pattern in patterns:
        bare = pattern.rstrip("/")
        if any(fnmatch(head, bare) for head in heads) or any(fnmatch(part, bare) for part in parts):
            return True
    return False


def template_line_in_file(file: Path) -> int | None:
    """Return the line of a JSON file that the template stands on; None for a file that is the template."""
    if file.suffix != ".json":
        return None
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        return 1
    return next((number for number, line in enumerate(lines, 1) if '"chat_template"' in line), 1)


def has_template(file: TemplateFile) -> bool:
    """Tell whether a file found in a folder holds a template: many a tokenizer's configuration holds none."""
    if file.named or file.path.suffix != ".json":
        return True
    try:
        config = json.loads(file.path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return True  # reading it again gives the error that the user should see
    return isinstance(config, dict) and config.get("chat_template") is not None


def _walk(folder: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and name not in _SKIPPED_FOLDERS
        )
        for name in sorted(names):
            if name.endswith(_SUFFIXES) or name in _JSON_NAMES:
                yield Path(here) / name


def _in_project(path: Path) -> str:
    """Write a path relative to the project that it is in; as it is shown where it is in none."""
    if str(path) == "-":
        return _shown(path)
    whole = _whole(path)
    root = _project(whole.parent)
    return whole.relative_to(root).as_posix() if root else _shown(path)


@cache
def _project(folder: Path) -> Path | None:
    for candidate in (folder, *folder.parents):
        if any((candidate / name).exists() for name in _PROJECT_SIGNS):
            return candidate
    return None


def _shown(path: Path) -> str:
    """Write a path as reports do: relative to the working folder where it lies below it, with slashes."""
    if str(path) == "-":
        return "<stdin>"
    try:
        return _whole(path).relative_to(Path.cwd().resolve()).as_posix()
    except ValueError:
        return path.as_posix()


def _whole(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # links that lead to each other; reading the file says so
        return path.absolute()
