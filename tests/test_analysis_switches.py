"""Switches are found by what they change; prompts are listed under their values."""

from __future__ import annotations

from typing import Any

import pytest

from autoparser_cli.analysis.candidates import infer_all
from autoparser_cli.analysis.model import Switch, TemplateAnalysis
from autoparser_cli.templates import ChatTemplate

TURNS = """\
{%- for m in messages %}<|{{ m.role }}|>
{%- if m.reasoning_content and (keep or loop.last) %}<muse>{{ m.reasoning_content }}</muse>{% endif %}
{{- m.content or '' }}<|end|>{% endfor %}
"""
PROMPT = "{%- if add_generation_prompt %}<|assistant|>{% endif %}"


def analysis(source: str) -> TemplateAnalysis:
    return next(infer_all(ChatTemplate.from_source(source))).analysis


def switches(source: str) -> dict[str, Switch]:
    return {switch.name: switch for switch in analysis(source).switches}


def test_a_boolean_that_changes_the_prompt_is_a_switch() -> None:
    source = (
        "{% set deep = deep | default(false) %}"
        + TURNS
        + "{%- if add_generation_prompt and deep %}<muse>{% endif %}"
    )
    assert switches(source)["deep"] == Switch("deep", False, (True, False), (False,))


def test_a_boolean_that_changes_only_earlier_turns_is_a_switch() -> None:
    assert switches(TURNS + PROMPT)["keep"] == Switch("keep", None, (True, False), (False,))


def test_values_are_those_that_the_template_compares_with_and_its_default() -> None:
    source = TURNS + "{% if (mode | default('auto')) in ['on', 'off'] %}<{{ mode }}>{% endif %}"
    found = switches(source)["mode"]
    assert found.values == ("on", "off", "auto")
    assert (found.default, found.unset_acts_like) == ("auto", ("auto",))


def test_a_value_that_raises_is_not_accepted() -> None:
    source = (
        "{% if mode is not defined %}{% set mode = 'low' %}{% endif %}"
        "{% if mode not in ['low', 'high'] %}{{ raise_exception('no') }}{% endif %}"
        "{% if mode == 'other' %}never{% endif %}<mode {{ mode }}>" + TURNS
    )
    assert switches(source)["mode"].values == ("low", "high")


def test_free_text_is_a_value_only_where_it_is_printed() -> None:
    assert switches("{% if place is defined %}At {{ place }}.{% endif %}" + TURNS)["place"].values == (
        "TEXT",
    )
    assert switches("{% if place %}Somewhere.{% endif %}" + TURNS)["place"].values == (True, False)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("{% for d in extra or [] %}{{ d.function.name }};{% endfor %}", list),
        ("{% if extra is mapping %}{{ extra | length }}{% endif %}", dict),
    ],
)
def test_a_structure_is_tried_where_neither_text_nor_truth_does_anything(source: str, value: type) -> None:
    (found,) = switches(source + TURNS)["extra"].values
    assert isinstance(found, value)


def test_documents_and_formats_are_tried_as_they_are_documented() -> None:
    source = "{% for d in documents or [] %}{{ d.title }}: {{ d.text }}{% endfor %}" + TURNS
    assert switches(source)["documents"].unset_acts_like == ()
    assert "response_format" in switches("{% if response_format.type == 'json_object' %}J{% endif %}" + TURNS)


def test_a_switch_that_works_only_beside_another_is_found() -> None:
    source = "{% if deep and style == 'dense' %}Dense.{% endif %}{% if deep %}Deep.{% endif %}" + TURNS
    assert switches(source)["style"].values == ("dense",)


@pytest.mark.parametrize(
    "source",
    [
        "{% if unused is defined %}{% endif %}",
        "{% set unused = 1 %}{{ unused }}",
        "{% for unused in messages %}{% endfor %}",
        "{% set other = unused %}",
    ],
)
def test_what_changes_nothing_is_no_switch(source: str) -> None:
    assert "unused" not in switches(source + TURNS)


def test_unset_acts_like_nothing_where_it_depends_on_the_conversation() -> None:
    source = (
        "{% if deep is not defined %}{% set deep = true if tools else false %}{% endif %}"
        "{% if deep %}<deep>{% endif %}" + TURNS
    )
    assert switches(source)["deep"].unset_acts_like == ()


# ------------------------------------------------------------------------------------------------ inside messages

SPOKEN = (
    "{% set ns = namespace(quiet=false) %}{% for m in messages %}"
    "{% if '/loud' in m.content %}{% set ns.quiet = false %}{% elif '/not_loud' in m.content %}{% set ns.quiet = true %}{% endif %}"
    "<|{{ m.role }}|>{{ m.content | replace('/not_loud', '') | replace('/loud', '') | trim }}<|end|>{% endfor %}"
    "{%- if add_generation_prompt %}<|assistant|>{{ '<quiet>' if ns.quiet }}{% endif %}"
)


def test_texts_that_switch_from_inside_a_message_are_found() -> None:
    (found,) = analysis(SPOKEN).switches
    assert found.in_message
    assert (found.values, found.unset_acts_like) == (("/loud", "/not_loud"), ("/loud",))
    assert prompts(SPOKEN)[((found.name, "/not_loud"),), False] == "<|assistant|><quiet>"


@pytest.mark.parametrize(
    "condition",
    ["'/loud' in m.content", "'<loud>' in m.content", "'name' in m", "' ' in m.content", "'' in m.content"],
)
def test_texts_that_change_nothing_are_no_switch(condition: str) -> None:
    source = (
        "{% for m in messages %}{% if "
        + condition
        + " %}{% endif %}<|{{ m.role }}|>{{ m.content }}{% endfor %}"
    )
    assert analysis(source).switches == ()


# ---------------------------------------------------------------------------------------------- generation prompts


def prompts(source: str) -> dict[tuple[tuple[tuple[str, Any], ...], bool], str]:
    return {(prompt.kwargs, prompt.after_tool): prompt.text for prompt in analysis(source).generation_prompts}


def test_the_prompt_is_told_under_each_value_that_changes_it() -> None:
    source = TURNS + (
        "{%- if add_generation_prompt %}<|assistant|>{{ '<muse></muse>' if level == 'none' else '<muse>' }}{% endif %}"
    )
    found = prompts(source)
    assert found[(), False] == "<|assistant|><muse>"
    assert found[(("level", "none"),), False] == "<|assistant|><muse></muse>"


def test_both_values_of_a_thinking_switch_are_told_even_where_the_prompt_is_the_same() -> None:
    source = "{% if enable_thinking %}Think.{% endif %}" + TURNS + PROMPT
    found = prompts(source)
    assert (
        found[(("enable_thinking", True),), False]
        == found[(("enable_thinking", False),), False]
        == "<|assistant|>"
    )


def test_a_switch_that_leaves_the_prompt_alone_is_not_told() -> None:
    assert list(prompts(TURNS + PROMPT)) == [((), False), ((), True)]


def test_the_prompt_behind_a_tool_result_may_differ() -> None:
    source = TURNS + "{%- if add_generation_prompt and messages[-1].role != 'tool' %}<|assistant|>{% endif %}"
    found = prompts(source)
    assert (found[(), False], found[(), True]) == ("<|assistant|>", "")


ALWAYS = """\
{%- for m in messages %}<|head|>{{ m.role }}<|body|>{{ m.content }}<|end|>{% endfor -%}
{%- if messages[-1].role != 'assistant' %}<|head|>assistant<|body|>{% endif %}"""


def test_a_header_that_is_always_printed_is_the_prompt() -> None:
    assert analysis(ALWAYS).generation_prompt == "<|head|>assistant<|body|>"


def test_the_ending_of_the_users_message_is_not_the_prompt() -> None:
    source = "{% for m in messages %}{{ '[ASK]' + m.content + '[/ASK]' if m.role == 'user' else m.content }}{% endfor %}"
    assert analysis(source).generation_prompt == ""
