"""A call as the template writes it: to be compared with what a model wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autoparser_cli.cases.engine import TemplateEngine
from autoparser_cli.cases.example_call import example_call
from autoparser_cli.cases.model import Case, TemplateRef

FIXTURES = Path(__file__).parent.parent / "fixtures"


def example(fixture: str, parameters: dict[str, Any], name: str = "get_tide") -> str:
    ref = TemplateRef(path=FIXTURES / fixture / "template.jinja")
    tool = {"type": "function", "function": {"name": "get_tide", "parameters": parameters}}
    case = Case(id="", file="", where="", template=ref, tools=(tool,))
    return example_call(TemplateEngine.load(ref), case, name)


@pytest.mark.parametrize(
    ("parameters", "arguments"),
    [
        ({"properties": {"port": {"type": "string"}, "days": {"type": "integer"}}}, '{"port": "TEXT"}'),
        (
            {"properties": {"port": {}, "days": {"type": ["integer", "null"]}}, "required": ["days"]},
            '{"days": 1}',
        ),
        ({"properties": {"port": {"enum": ["Oslo", "Bonn"]}}}, '{"port": "Oslo"}'),
        ({"properties": {"port": True}, "required": ["port", "gone"]}, '{"port": "TEXT"}'),
        ({}, "{}"),
    ],
)
def test_the_call_has_what_the_schema_asks_for(parameters: dict[str, Any], arguments: str) -> None:
    written = example("json-flat", parameters)
    assert written == f'<call>\n{{"name": "get_tide", "arguments": {arguments}}}\n</call>'


def test_a_template_that_raises_or_prints_no_call_has_none() -> None:
    tool = {"type": "function", "function": {"name": "f", "parameters": {}}}
    for source in ("{% for m in messages %}{{ m.content }}{% endfor %}", "{{ raise_exception('no') }}"):
        ref = TemplateRef(source=source)
        case = Case(id="", file="", where="", template=ref, tools=(tool,))
        assert example_call(TemplateEngine.load(ref), case, "f") == ""


def test_without_tools_a_made_up_one_is_called() -> None:
    ref = TemplateRef(path=FIXTURES / "tag-tagged" / "template.jinja")
    case = Case(id="", file="", where="", template=ref)
    written = example_call(TemplateEngine.load(ref), case, "")
    assert written == "<call>\n<fn=FUNCTION>\n<arg=ARGUMENT>TEXT</arg>\n</fn>\n</call>"


def test_a_template_that_wants_json_text_gets_it() -> None:
    ref = TemplateRef(
        source="{% for m in messages %}{{ m.content }}{% for c in m.tool_calls or [] %}"
        "<call>{{ c.function.name + c.function.arguments }}</call>{% endfor %}<end>{% endfor %}"
    )
    tool = {"type": "function", "function": {"name": "f", "parameters": {"properties": {"a": {}}}}}
    case = Case(id="", file="", where="", template=ref, tools=(tool,))
    assert '<call>f{"a": "TEXT"}</call>' in example_call(TemplateEngine.load(ref), case, "f")
