"""The files that other repositories use of this one: they parse, and name commands and options that there are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from autoparser_cli.cli.main import run

ROOT = Path(__file__).parent.parent


def load(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


@pytest.fixture
def options(capsys: pytest.CaptureFixture[str]) -> set[str]:
    assert run(["lint", "--help"]) == 0
    return set(re.findall(r"--[a-z-]+", capsys.readouterr().out))


@pytest.mark.parametrize(
    "name", [".pre-commit-hooks.yaml", "action.yml", "docs/linting.md", "docs/examples/lint-workflow.yml"]
)
def test_only_options_that_there_are(name: str, options: set[str]) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    used = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", re.sub(r"pip install[^\n]*", "", text)))
    assert used and used <= options


def test_the_hooks_match_template_files() -> None:
    hooks = {hook["id"]: hook for hook in load(".pre-commit-hooks.yaml")}
    pattern = re.compile(hooks["autoparser-lint"]["files"])
    for path in ("a.jinja", "x/b.j2", "m/tokenizer_config.json", "chat_template.json"):
        assert pattern.search(path), path
    for path in ("a.json", "x/my_tokenizer_config.json", "a.jinja.bak", "jinja"):
        assert not pattern.search(path), path
    # A template inside JSON is not fixed.
    assert not re.search(hooks["autoparser-fix"]["files"], "tokenizer_config.json")


def test_the_action_uploads_before_it_fails() -> None:
    action = load("action.yml")
    names = [step.get("name", "") for step in action["runs"]["steps"]]
    assert action["runs"]["using"] == "composite"
    assert names.index("Lint") < names.index("Upload to code scanning") < names.index("Verdict")
    for step in action["runs"]["steps"]:
        assert "run" not in step or step["shell"] == "bash"
        # Inputs come in as environment variables, never as text of the script.
        assert "${{ inputs" not in step.get("run", "")


def test_the_workflow_uses_inputs_that_the_action_has() -> None:
    (step,) = [
        step for step in load("docs/examples/lint-workflow.yml")["jobs"]["lint"]["steps"] if "with" in step
    ]
    assert set(step["with"]) <= set(load("action.yml")["inputs"])
