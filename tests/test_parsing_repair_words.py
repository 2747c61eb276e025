"""Each repair that the parsers make is told in words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autoparser_cli.parsing.repair_words import repair_words

PACKAGE = Path(__file__).parent.parent / "autoparser_cli"
#: A repair's name where it is defined, or given with a mark.
_NAME = re.compile(r'(?:^[A-Z_]+ = |"repair", )"([a-z]+(?:-[a-z]+)+)"$', re.MULTILINE)


def names() -> list[str]:
    sources = [*(PACKAGE / "parsing").glob("*.py"), *(PACKAGE / "peg").glob("*.py")]
    return sorted({name for source in sources for name in _NAME.findall(source.read_text(encoding="utf-8"))})


def test_there_are_repairs() -> None:
    assert {"white-space", "unknown-tool", "key-order", "missing-header"} <= set(names())


@pytest.mark.parametrize("name", names())
def test_each_repair_has_words(name: str) -> None:
    message, _ = repair_words(name)
    assert message != name.replace("-", " ")


def test_an_unknown_repair_is_told_by_its_name() -> None:
    assert repair_words("odd-thing") == ("odd thing", "")
