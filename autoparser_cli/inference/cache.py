"""Results kept in the user's cache folder, found again by what they were made of.

The key holds all that a result depends on: what the caller names, the versions of autoparser, Jinja and Python, and
(so that a changed working copy never shows old results) sizes and times of the package's files. What cannot be read
is as good as absent, and what cannot be written is not kept: a cache never makes a command fail. Each file is
written under a name of its own and renamed, so that two processes never see half of one.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TypeVar

import jinja2

import autoparser_cli
from autoparser_cli.inference.stored import DamagedError, from_text, to_text

T = TypeVar("T")

#: How many states of the program keep their results; older ones are deleted when a new one first writes.
_KEPT_STATES = 3

#: No result is nearly as large; more is none.
_MAX_BYTES = 64_000_000


def cache_folder() -> Path:
    """Return where results are kept for this user."""
    from platformdirs import user_cache_path

    return user_cache_path("autoparser", appauthor=False) / "results"


def load_result(made_of: object, kind: type[T], *classes: ModuleType) -> T | None:
    """Return the result that was made of the same things (JSON values); None where none is kept, or none readable.

    `classes` are the modules of the dataclasses and enums that a result of this kind may hold.
    """
    try:
        data = _place(made_of, kind).read_bytes()
        reader = zlib.decompressobj()
        text = reader.decompress(data, _MAX_BYTES).decode("utf-8")
        return from_text(text, kind, *classes) if reader.eof else None
    except (OSError, zlib.error, UnicodeDecodeError, DamagedError):
        return None


def store_result(made_of: object, result: object) -> None:
    """Keep a result, if that is possible."""
    place = _place(made_of, type(result))
    with suppress(OSError):
        if not place.parent.is_dir():
            place.parent.mkdir(parents=True, exist_ok=True)
            _delete_old_states(place.parent)
        _write(place, zlib.compress(to_text(result).encode("utf-8"), level=1))


def _write(place: Path, data: bytes) -> None:
    handle, written = tempfile.mkstemp(prefix=f".{place.name}-", dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(written).replace(place)
    except BaseException:
        with suppress(OSError):
            Path(written).unlink()
        raise


def _delete_old_states(newest: Path) -> None:
    others = [folder for folder in newest.parent.iterdir() if folder.is_dir() and folder != newest]
    others.sort(key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in others[_KEPT_STATES - 1 :]:
        shutil.rmtree(folder, ignore_errors=True)


def _place(made_of: object, kind: type) -> Path:
    name = hashlib.sha256(json.dumps([kind.__name__, made_of]).encode("utf-8")).hexdigest()
    return cache_folder() / _program_state() / name


@cache
def _program_state() -> str:
    """Return a short digest of everything that makes the same come out differently."""
    digest = hashlib.sha256()
    digest.update(f"{autoparser_cli.__version__} {jinja2.__version__} {sys.version_info[:2]}".encode())
    for path, size, changed in sorted(_sources(str(Path(autoparser_cli.__file__).parent))):
        digest.update(f" {path} {size} {changed}".encode())
    return digest.hexdigest()[:16]


def _sources(folder: str) -> Iterator[tuple[str, int, int]]:
    for entry in os.scandir(folder):
        if entry.is_dir():
            yield from _sources(entry.path)
        elif entry.name.endswith(".py"):
            found = entry.stat()
            yield entry.path, found.st_size, found.st_mtime_ns
