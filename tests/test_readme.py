"""The README says what the commands print."""

from __future__ import annotations

import re

import pytest

from tests.readme_examples import README, ROOT, Example, examples, run

PAGES = ["README.md", "CONTRIBUTING.md", *(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md"))]
EXAMPLES = list(examples(README.read_text()))


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 4


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.command)
def test_example_prints_what_the_readme_says(example: Example) -> None:
    assert run(example.command) == example.printed


@pytest.mark.parametrize("page", PAGES)
def test_local_links_lead_somewhere(page: str) -> None:
    path = ROOT / page
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", path.read_text())
    assert [target for target in targets if not (path.parent / target).exists()] == []


def test_the_example_case_file_passes() -> None:
    assert run("autoparser test docs/examples/cases.yaml --format score").startswith("cases.yaml  3 / 3")
