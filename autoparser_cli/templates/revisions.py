"""`git:REV:path` -> a folder with that file as it was, and the files beside it that belong to a chat
template.

With the tokenizer's files beside it, the template of another revision is loaded as that of the working tree
is. `path` is relative to the working directory, as every path on the command line is.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from autoparser_cli.errors import SourceError
from autoparser_cli.frozen import frozen

_PREFIX = "git:"
_BESIDE = (
    "chat_template.jinja",
    "chat_template.json",
    "tokenizer_config.json",
    "processor_config.json",
    "special_tokens_map.json",
)
_MORE_TEMPLATES = "additional_chat_templates"
_MODE_OF_LINKS = "120000"


@frozen
class _Entry:
    """A file of a revision; `path` is relative to the folder that was listed."""

    path: PurePosixPath
    blob: str


def is_revision(source: str) -> bool:
    """Tell whether a source names a file of another revision."""
    return source.startswith(_PREFIX)


@contextmanager
def checked_out(source: str) -> Iterator[Path]:
    """Give a temporary copy of the file or folder that `git:REV:path` names. Raise SourceError."""
    revision, path, home = _parts(source)
    git = _Git(source, home)
    kind = git.run("cat-file", "-t", f"{revision}:./{path}").decode().strip()
    folder, name = (
        (path, "") if kind == "tree" else (str(PurePosixPath(path).parent), PurePosixPath(path).name)
    )
    with tempfile.TemporaryDirectory(prefix="autoparser-") as place:
        for entry in _entries(git, f"{revision}:./{folder}", name):
            target = Path(place, entry.path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(git.run("cat-file", "blob", entry.blob))
        yield Path(place, name)


def _parts(source: str) -> tuple[str, str, Path]:
    """Return the revision, the path, and the folder that the path is relative to.

    That folder is the deepest one that still exists: git is asked from within the repository, wherever that
    is.
    """
    revision, colon, path = source.removeprefix(_PREFIX).partition(":")
    if not colon or not revision or not path:
        raise SourceError(f"{source}: must be git:REVISION:PATH")
    if revision.startswith("-"):
        raise SourceError(f"{source}: {revision!r} is not a revision")
    whole = Path(path)
    home = next((folder for folder in whole.parents if folder.is_dir()), Path())
    return revision, whole.relative_to(home).as_posix(), home


def _entries(git: _Git, tree: str, name: str) -> Iterator[_Entry]:
    """List the file itself and those that belong to it; of a folder, the templates in it."""
    listing = git.run("ls-tree", "--full-tree", "-r", "-z", tree).decode("utf-8", "surrogateescape")
    for line in listing.split("\0")[:-1]:
        about, _, path = line.partition("\t")
        mode, kind, blob = about.split()
        entry = _Entry(PurePosixPath(path), blob)
        if kind == "blob" and mode != _MODE_OF_LINKS and _belongs(entry.path, name):
            yield entry


def _belongs(path: PurePosixPath, name: str) -> bool:
    if str(path) == name or str(path) in _BESIDE:
        return True
    if path.suffix not in (".jinja", ".j2"):
        return False
    return str(path.parent) == _MORE_TEMPLATES or (not name and str(path.parent) == ".")


@frozen
class _Git:
    """Runs git in the folder `home`; errors name the `source` that was asked for."""

    source: str
    home: Path

    def run(self, *arguments: str) -> bytes:
        """Return what git prints. Raise SourceError with the last line of what it says is wrong."""
        command = ["git", *arguments]
        try:
            done = subprocess.run(
                command, cwd=self.home, capture_output=True, check=False, stdin=subprocess.DEVNULL
            )
        except OSError as error:
            raise SourceError(f"{self.source}: git does not run: {error.strerror or error}") from error
        if done.returncode:
            told = done.stderr.decode("utf-8", "replace").strip().splitlines()
            reason = told[-1].removeprefix("fatal: ") if told else "git failed"
            raise SourceError(f"{self.source}: {reason}")
        return done.stdout
