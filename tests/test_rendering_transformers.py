"""Real templates, rendered by us and by transformers: the same bytes, or a recorded portability warning."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from autoparser_cli.errors import RenderError
from autoparser_cli.templates import ChatTemplate, RenderInputs

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared"
EVERY = 5  # all templates: benchmarks/compare_rendering.py

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared is absent")
needs_transformers = pytest.mark.skipif(
    importlib.util.find_spec("transformers") is None, reason="transformers is not installed"
)


@pytest.fixture(scope="module")
def comparing() -> ModuleType:
    path = ROOT / "benchmarks" / "compare_rendering.py"
    spec = importlib.util.spec_from_file_location("compare_rendering", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@needs_shared
@needs_transformers
def test_real_templates_render_as_with_transformers(comparing: ModuleType) -> None:
    paths = sorted((SHARED / "templates").rglob("*.jinja"))[::EVERY]
    results = [result for path in paths for result in comparing.compare(path)]
    assert len(results) > 1000
    assert [result for result in results if not result.explained] == []
    assert sum(isinstance(result.ours, str) for result in results) > len(results) / 2


@needs_shared
@needs_transformers
def test_what_only_the_sandbox_refuses_is_recorded(comparing: ModuleType) -> None:
    results = list(comparing.compare(SHARED / "templates" / "Kimi-K2-Thinking.jinja"))
    different = [result for result in results if not result.equal]
    assert different
    assert all("list.append" in result.recorded for result in different)


CORNERS = {
    "special variables": "{{ tools }}|{{ documents }}|{{ nothing }}|{{ caller is defined }}",
    "white space": "  {%- if true -%}  a  {%- endif %}\n\n  {% if true %}\n b\n  {% endif %}\n\n",
    "escapes": "{{ messages | tojson | safe }}{{ '<a>' | e ~ '<b>' }}{{ \"a\\n\" ~ 'b\\t' }}",
    "generation": (
        "{% for m in messages %}{% generation %}{{ loop.index }}{% set z = 1 %}"
        "{% endgeneration %}{% endfor %}{{ z }}"
    ),
    "namespaces": (
        "{% set n = namespace(a=[]) %}{% for m in messages %}"
        "{% set n.a = n.a + [m.role] %}{% endfor %}{{ n.a }}"
    ),
    "folding": "{{ ('a' ~ 1 + 2) ~ ('x' * 3) ~ 2 ** 3 ~ -1 ~ (not true) ~ [1, 2][::-1] }}{{ 7 // 2 * 1.5 }}",
    "macros": (
        "{% macro f(a, b='<') %}{{ a ~ b }}{{ caller() if caller }}{% endmacro %}"
        "{% call f(1) %}&{% endcall %}"
    ),
    "filters": (
        "{{ messages[0] | items | list }}{{ 'a b' | title | replace('A', 'q') }}"
        "{{ [3, 1] | sort | join('-') }}"
    ),
    "refused attribute": (
        "{{ messages.__class__ is defined }}{{ ''.format is defined }}{{ [].append is defined }}"
    ),
    "raises": "{{ raise_exception('no') }}",
    "break outside a loop": "{% break %}",
    "unknown filter": "{{ 1 | nothing }}",
    "unknown test": "{{ 1 is nothing }}",
    "unclosed": "{% if true %}",
    "extends": "{% extends 'x' %}",
    "blocks": "{% block a %}x{% endblock %}{{ self.a() }}",
    "undefined in json": "{{ [nothing] | tojson }}",
    "range": "{{ range(100001) | list }}",
}


@needs_transformers
@pytest.mark.parametrize("source", CORNERS.values(), ids=CORNERS.keys())
def test_corners_of_the_language_are_the_same(comparing: ModuleType, tmp_path: Path, source: str) -> None:
    path = tmp_path / "corner.jinja"
    path.write_text(source, encoding="utf-8")
    for result in comparing.compare(path):
        theirs = result.theirs
        assert result.equal, result
        if isinstance(result.ours, RenderError) and result.ours.kind != "TemplateSyntaxError":
            assert result.ours.kind in (type(theirs).__name__, "OverflowError")


def bug_reports() -> dict[str, dict[str, Any]]:
    path = SHARED / "conformance" / "bug-reports.jsonl"
    if not path.is_file():
        return {}
    cases = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return {case["id"]: case for case in cases if case["kind"] == "render"}


def from_case(case: dict[str, Any]) -> tuple[ChatTemplate, list[dict[str, Any]], Any]:
    if "template_inline" in case:
        template = ChatTemplate.from_source(case["template_inline"])
    else:
        template = ChatTemplate.load(SHARED / "conformance" / case["template"])
    return template, case["messages"], case.get("tools") or None


@needs_shared
@pytest.mark.parametrize("case", bug_reports().values(), ids=bug_reports().keys())
def test_reported_render_bugs_do_not_occur(case: dict[str, Any]) -> None:
    template, messages, tools = from_case(case)
    wanted = case["expect_more"]
    if "raises" in wanted:
        # They raise where an engine passes null on; transformers drops null keys before the render.
        with pytest.raises(RenderError) as caught:
            template.render(RenderInputs(messages, tools, keep_nulls=True))
        assert caught.value.kind == wanted["raises"].split(":")[0]
        assert caught.value.line == 1
        return
    text = template.render(RenderInputs(messages, tools))
    assert wanted.get("rendered_contains", "") in text
    assert text == wanted.get("rendered", text)
    assert [word for word in wanted.get("forbidden", ()) if word in text] == []


@needs_shared
def test_a_template_that_wants_text_arguments_renders_them() -> None:
    case = bug_reports()["BUG-112"]
    template, messages, tools = from_case(case)
    messages[1]["tool_calls"][0]["function"]["arguments"] = json.dumps({"city": "Paris"})
    text = template.render(RenderInputs(messages, tools))
    assert case["expect_more"]["rendered_if_string_contains"] in text
