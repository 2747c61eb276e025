"""What is not rendered again, and what has to be: a variable counts where a render asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from autoparser_cli.analysis.candidates import infer_all
from autoparser_cli.analysis.conversations import Conventions, Renderer, user_message
from autoparser_cli.templates import ChatTemplate, RenderInputs, noting_missed
from autoparser_cli.verification import prove

FIXTURES = Path(__file__).parent.parent / "fixtures"

QUESTION = [user_message(Conventions())]


def renderer(source: str, **tokens: str) -> Renderer:
    return Renderer(ChatTemplate.from_source(source, special_tokens=tokens))


def shown(rendering: Renderer, **kwargs: object) -> str | None:
    return rendering.render(QUESTION, Conventions(kwargs=tuple(kwargs.items())))


def test_a_variable_that_is_not_asked_for_needs_no_render() -> None:
    rendering = renderer("{{ messages[0].role }}{% if messages[0].role == 'tool' %}{{ mode }}{% endif %}")
    assert shown(rendering) == shown(rendering, mode="x") == shown(rendering, mode="y", other=1) == "user"
    assert rendering.count == 1


@pytest.mark.parametrize(
    "source",
    [
        "{{ mode }}",
        "{{ mode | default('plain') }}",
        "{% if mode is defined %}given{% endif %}",
        "{% set mode = mode if mode is defined else 'plain' %}{{ mode }}",
        "{% macro tell() %}{{ mode }}{% endmacro %}{{ tell() }}",
        "{% for message in messages %}{% if mode %}{{ loop.index }}{% endif %}{% endfor %}",
        "{% if not mode %}none{% endif %}",
    ],
)
def test_a_variable_that_is_asked_for_is_rendered_with(source: str) -> None:
    rendering = renderer(source)
    assert shown(rendering) != shown(rendering, mode="x")
    assert rendering.count == 2


@pytest.mark.parametrize("name", ["documents", "tools", "bos_token", "strftime_now", "add_generation_prompt"])
def test_what_every_render_has_is_never_taken_for_unasked(name: str) -> None:
    rendering = renderer(f"{{{{ {name} is string }}}}{{{{ {name} }}}}", bos_token="<s>")
    assert shown(rendering, **{name: "Z"}) == "TrueZ"
    assert shown(rendering) != "TrueZ"
    assert shown(rendering, **{name: "Z"}) == "TrueZ"
    assert rendering.count == 2


def test_another_value_of_a_variable_is_another_render() -> None:
    rendering = renderer("{{ mode }}")
    assert [shown(rendering, mode=value) for value in (True, 1, "1", 1.0)] == ["True", "1", "1", "1.0"]
    assert rendering.count == 4


def test_a_variable_that_another_one_hides_is_rendered_with_where_it_shows() -> None:
    rendering = renderer("{% if loud %}{{ mode }}{% endif %}")
    assert shown(rendering, mode="x") == ""
    assert shown(rendering, mode="x", loud=True) == "x"
    assert shown(rendering, loud=True) == ""
    assert shown(rendering, loud=True, mode="y") == "y"


def test_a_render_that_fails_is_known_too() -> None:
    rendering = renderer("{{ raise_exception('no') }}{{ mode }}")
    assert shown(rendering) is None
    assert shown(rendering, mode="x") is None
    assert rendering.count == 1
    assert list(rendering.errors) == ["no"]


def test_the_names_missed_are_those_of_variables_only() -> None:
    template = ChatTemplate.from_source("{{ messages[0].nothing }}{{ mode }}{{ tools }}{{ given }}")
    with noting_missed() as names:
        template.render(RenderInputs(messages=QUESTION, kwargs={"given": 1}))
    assert names == {"mode"}


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*/template.jinja")), ids=lambda path: path.parent.name)
def test_an_analysis_with_its_proof_renders_what_decides(path: Path) -> None:
    inference = next(infer_all(ChatTemplate.load(path)))
    prove(inference)
    assert inference.renderer.count <= 45
