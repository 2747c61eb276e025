"""Templates of another git revision load as those on disk do, and what cannot be loaded says why."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from autoparser_cli.errors import SourceError
from autoparser_cli.templates import ChatTemplate, RenderInputs
from autoparser_cli.templates.revisions import checked_out, is_revision

HELLO = RenderInputs(messages=[{"role": "user", "content": "Hello"}])


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", *arguments], cwd=folder, check=True, capture_output=True, env={**os.environ, **NOBODY}
    )


NOBODY = {
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose first revision has `models/m`, and whose working tree has another template there."""
    model = tmp_path / "models" / "m"
    model.mkdir(parents=True)
    (model / "chat_template.jinja").write_text("{{ bos_token }}old {{ messages[0].content }}")
    (model / "tokenizer_config.json").write_text(json.dumps({"bos_token": "<s>"}))
    (model / "weights.bin").write_bytes(b"\xff" * 64)
    (model / "link.jinja").symlink_to("/etc/hostname")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "first")
    git(tmp_path, "tag", "v1")
    (model / "chat_template.jinja").write_text("{{ bos_token }}new {{ messages[0].content }}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rendered(source: str) -> str:
    with checked_out(source) as path:
        return ChatTemplate.load(path).render(HELLO)


@pytest.mark.parametrize("path", ["models/m/chat_template.jinja", "models/m", "./models/m"])
@pytest.mark.parametrize("revision", ["HEAD", "main", "v1"])
def test_the_old_template_with_its_tokens(repository: Path, revision: str, path: str) -> None:
    assert rendered(f"git:{revision}:{path}") == "<s>old Hello"
    assert ChatTemplate.load(Path(path)).render(HELLO) == "<s>new Hello"


def test_paths_are_relative_to_the_working_directory(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository / "models")
    assert rendered("git:HEAD:m") == "<s>old Hello"
    assert rendered("git:HEAD:../models/m") == "<s>old Hello"


def test_an_absolute_path_is_enough(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    assert rendered(f"git:HEAD:{repository}/models/m/chat_template.jinja") == "<s>old Hello"


def test_a_folder_that_is_gone_is_still_in_the_revision(repository: Path) -> None:
    for file in (repository / "models" / "m").iterdir():
        file.unlink()
    (repository / "models" / "m").rmdir()
    assert rendered("git:HEAD:models/m") == "<s>old Hello"


def test_only_what_belongs_to_a_template_is_written(repository: Path) -> None:
    with checked_out("git:HEAD:models/m") as folder:
        assert sorted(file.name for file in folder.iterdir()) == [
            "chat_template.jinja",
            "tokenizer_config.json",
        ]
    assert not folder.exists()


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("git:HEAD", "must be git:REVISION:PATH"),
        ("git::a", "must be git:REVISION:PATH"),
        ("git:HEAD:", "must be git:REVISION:PATH"),
        ("git:nowhere:models/m", "nowhere"),
        ("git:HEAD:models/none.jinja", "none.jinja"),
        ("git:--output=x:models/m", "is not a revision"),
    ],
)
def test_what_cannot_be_found_is_said_in_one_line(repository: Path, source: str, said: str) -> None:
    with pytest.raises(SourceError, match="git:") as error, checked_out(source):
        pass
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert not (repository / "x").exists()


def test_outside_of_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(SourceError), checked_out("git:HEAD:a.jinja"):
        pass


def test_git_that_is_not_installed(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SourceError, match="git does not run"), checked_out("git:HEAD:models/m"):
        pass


@pytest.mark.parametrize(
    ("source", "expected"), [("git:HEAD:a", True), ("a.jinja", False), ("./git:x", False)]
)
def test_what_names_a_revision(source: str, expected: bool) -> None:
    assert is_revision(source) is expected
