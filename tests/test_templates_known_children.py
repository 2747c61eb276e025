"""What a tree with known children answers: the same as without, so that the same code is made of it."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import cast

import pytest
from jinja2 import nodes

from autoparser_cli.templates.environment import STRICT, ChatCodeGenerator
from autoparser_cli.templates.known_children import keep_children

FIXTURES = sorted((Path(__file__).parent.parent / "fixtures").glob("*/template.jinja"))

LOOPS = """
{%- macro shown(call, depth=0) -%}{{ call.name | upper }}{{ depth + 1 }}{%- endmacro -%}
{%- for message in messages recursive -%}
  {%- if message.role == "user" and loop.first -%}{{ message.content | trim }}
  {%- elif message.tool_calls is defined -%}
    {%- for call in message.tool_calls if call.name -%}{{ shown(call, depth=loop.index0) }}{%- else -%}none{%- endfor -%}
  {%- else -%}{{ loop(message.children or []) }}{%- endif -%}
{%- endfor -%}
{%- set names = namespace(all=[x for x in y] if false else []) -%}
"""


def code_of(tree: nodes.Template) -> str:
    generator = ChatCodeGenerator(STRICT)
    generator.visit(tree)
    return cast(StringIO, generator.stream).getvalue()


def sources() -> list[str]:
    return [
        LOOPS.replace("[x for x in y] if false else ", ""),
        *(path.read_text("utf-8") for path in FIXTURES),
    ]


@pytest.mark.parametrize("source", sources())
def test_the_same_code_is_made(source: str) -> None:
    plain, known = STRICT.parse(source), STRICT.parse(source)
    keep_children(known)
    assert code_of(known) == code_of(plain)


@pytest.mark.parametrize("source", sources())
def test_the_same_nodes_are_found_in_the_same_order(source: str) -> None:
    plain, known = STRICT.parse(source), STRICT.parse(source)
    keep_children(known)
    for kind in (nodes.Name, nodes.For, (nodes.Filter, nodes.Test), nodes.Block):
        assert list(known.find_all(kind)) == list(plain.find_all(kind))
    loops = zip(known.find_all(nodes.For), plain.find_all(nodes.For), strict=True)
    for ours, theirs in loops:
        assert list(ours.find_all(nodes.Name)) == list(theirs.find_all(nodes.Name))
        assert list(ours.iter_child_nodes(only=("body",))) == list(theirs.iter_child_nodes(only=("body",)))
        assert list(ours.iter_child_nodes(exclude=("body",))) == list(
            theirs.iter_child_nodes(exclude=("body",))
        )


def test_nothing_is_found_below_a_leaf() -> None:
    tree = STRICT.parse("text")
    keep_children(tree)
    data = next(tree.find_all(nodes.TemplateData))
    assert list(data.iter_child_nodes()) == []
    assert tree.find(nodes.Name) is None
