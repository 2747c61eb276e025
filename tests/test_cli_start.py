"""How a command line starts and ends: a quick command loads what it needs, and does no work that shows nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEMPLATE = "fixtures/json-flat/template.jinja"

#: What reads other files than templates, writes grammars, or checks types at run time.
HEAVY = {"lark", "jsonschema", "yaml", "pydantic", "typer.rich_utils"}


def imported_by(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint(*sys.modules, file=sys.stderr)"],
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    return set(done.stderr.decode().split())


def imported_by_command(*arguments: str) -> set[str]:
    return imported_by(f"from autoparser_cli.cli.main import run; assert run({list(arguments)}) == 0")


def test_version_imports_neither_typer_nor_jinja() -> None:
    loaded = imported_by_command("--version")
    assert "autoparser_cli.cli.main" in loaded
    assert not loaded & {"typer", "rich", "jinja2", "autoparser_cli.cli.app", *HEAVY}


def test_help_imports_no_command() -> None:
    loaded = imported_by_command("--help")
    assert "typer" in loaded
    assert not {name for name in loaded if name.startswith("autoparser_cli.cli.")} - {
        "autoparser_cli.cli.app",
        "autoparser_cli.cli.conversion",
        "autoparser_cli.cli.examples",
        "autoparser_cli.cli.main",
    }
    assert not loaded & {"rich", "jinja2", *HEAVY}


def test_importing_the_package_imports_none_of_it() -> None:
    loaded = imported_by("import autoparser_cli")
    assert {name for name in loaded if name.startswith("autoparser_cli")} == {"autoparser_cli"}


@pytest.mark.parametrize(
    "arguments", [["--no-cache"], ["--format", "json"], ["--summary"], ["--explain"]], ids=str
)
def test_analyze_imports_nothing_heavy(arguments: list[str]) -> None:
    loaded = imported_by_command("analyze", TEMPLATE, *arguments)
    assert "autoparser_cli.inference.analyzing" in loaded
    assert not loaded & HEAVY
    assert not {
        name for name in loaded if name.startswith(("autoparser_cli.linting", "autoparser_cli.grammars"))
    }


def test_what_is_in_the_cache_is_shown_without_inferring() -> None:
    imported_by_command("analyze", TEMPLATE)
    loaded = imported_by_command("analyze", TEMPLATE)
    assert "autoparser_cli.reports.console.analysis" in loaded
    assert not loaded & {"autoparser_cli.inference.proving", "autoparser_cli.parsing", "autoparser_cli.peg"}


def test_the_process_ends_without_a_search_for_garbage() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _ENDED, "analyze", TEMPLATE], capture_output=True, cwd=ROOT, check=True
    )
    assert done.stderr.decode().split() == ["True", "True"]


_ENDED = """
import gc, sys
from autoparser_cli.cli.main import main
try:
    main()
except SystemExit:
    print(gc.get_freeze_count() > len(gc.get_objects()), gc.get_threshold()[0] > 10_000, file=sys.stderr)
"""


def test_analyze_makes_its_frozen_classes_the_quick_way() -> None:
    """What `dataclasses` makes frozen costs four times as much start-up as what `@frozen` makes."""
    done = subprocess.run(
        [sys.executable, "-c", _SLOWLY_FROZEN, "analyze", TEMPLATE, "--no-cache"],
        capture_output=True,
        cwd=ROOT,
        check=True,
    )
    assert done.stderr.decode().split() == []


_SLOWLY_FROZEN = """
import sys
from autoparser_cli.cli.main import run
run(sys.argv[1:])
for name, module in list(sys.modules.items()):
    for kind in vars(module).values() if name.startswith("autoparser_cli") else ():
        made = vars(kind) if isinstance(kind, type) and kind.__module__ == name else {}
        if "__slots__" in made and "__dataclass_params__" in made and made["__dataclass_params__"].frozen:
            print(f"{name}.{kind.__name__}", file=sys.stderr)
"""
