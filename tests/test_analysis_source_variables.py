"""The variables of a template, as its syntax tree tells them: which come from outside, constants, defaults."""

from __future__ import annotations

from typing import Any

import pytest

from autoparser_cli.analysis.source_variables import SourceVariable, read_source
from autoparser_cli.templates import ChatTemplate


def read(source: str) -> dict[str, SourceVariable]:
    return dict(read_source(ChatTemplate.from_source(source).tree).variables)


@pytest.mark.parametrize(
    "source",
    [
        "{{ x }}",
        "{% if x %}a{% endif %}",
        "{% set x = x | default(1) %}{{ x }}",
        "{% if x is not defined %}{% set x = 1 %}{% endif %}{{ x }}",
        "{% if a %}{% set x = 1 %}{% elif x is not defined %}{% set x = 2 %}{% endif %}{{ x }}",
        "{% if a %}{% set x = 1 %}{% else %}{{ x }}{% endif %}",
        "{% macro m(x) %}{{ x }}{% endmacro %}{{ m(x) }}",
        "{% macro m() %}{{ x }}{% endmacro %}{% set x = x | default(2) %}{{ m() }}",
        "{% for x in x %}{{ x }}{% endfor %}",
        "{% for a in b if x %}{{ a }}{% endfor %}",
    ],
)
def test_what_is_read_before_it_is_set_comes_from_outside(source: str) -> None:
    assert "x" in read(source)


@pytest.mark.parametrize(
    "source",
    [
        "{% set x = 1 %}{{ x }}",
        "{% if a %}{% set x = 1 %}{% endif %}{% if x is defined %}{{ x }}{% endif %}",
        "{% for x in messages %}{{ x }}{% endfor %}",
        "{% macro m(x) %}{{ x }}{% endmacro %}{{ m(1) }}",
        "{% macro x() %}a{% endmacro %}{{ x() }}",
        "{% macro m() %}{{ x() }}{% endmacro %}{% macro x() %}a{% endmacro %}{{ m() }}",
        "{{ 'x' }}{{ a.x }}{{ a['x'] }}",
        "{% set x %}text{% endset %}{{ x }}",
    ],
)
def test_what_the_template_sets_itself_does_not(source: str) -> None:
    assert "x" not in read(source)


@pytest.mark.parametrize(
    ("source", "constants"),
    [
        ("{% if x == 'low' %}a{% endif %}", ("low",)),
        ("{% if 'low' == x %}a{% endif %}", ("low",)),
        ("{% if x in ['low', 'high'] %}a{% endif %}", ("low", "high")),
        ("{% if x not in ('low', 'high') %}a{% endif %}", ("low", "high")),
        ("{% if x | lower == 'none' %}a{% endif %}", ("none",)),
        ("{% if x == -1 or x == 0 %}a{% endif %}", (-1, 0)),
        ("{% if x == 1 or x == true %}a{% endif %}", (1, True)),
        ("{% if 'python' in x %}a{% endif %}", (["python"],)),
        ("{% if x.kind == 'low' %}a{% endif %}", ()),
        ("{% if x == y %}a{% endif %}", ()),
        ("{% if x == none %}a{% endif %}", ()),
    ],
)
def test_constants_are_those_that_the_variable_is_compared_with(
    source: str, constants: tuple[Any, ...]
) -> None:
    assert [repr(one) for one in read(source)["x"].constants] == [repr(one) for one in constants]


@pytest.mark.parametrize(
    ("source", "default"),
    [
        ("{{ x | default('medium') }}", "medium"),
        ("{{ x | d(64, true) | int }}", 64),
        ("{% set x = x if x is defined else true %}{{ x }}", True),
        ("{% set y = x if x is defined and x else 'high' %}{{ y }}", "high"),
        ("{% set y = 'high' if x is undefined else x %}{{ y }}", "high"),
        ("{% if not x is defined %}{% set x = -1 %}{% endif %}{{ x }}", -1),
        ("{% if x is not defined %}{% set x = 'on' %}{% endif %}{{ x }}", "on"),
        ("{% if x is defined %}{{ x }}{% else %}{% set x = 'on' %}{% endif %}", "on"),
        (
            "{% set x = x if x is not undefined else (false if y is defined and y == 'a' else true) %}{{ x }}",
            True,
        ),
    ],
)
def test_the_default_is_what_is_set_where_nothing_is_passed(source: str, default: Any) -> None:
    assert repr(read(source)["x"].default) == repr(default)


@pytest.mark.parametrize(
    "source",
    [
        "{{ x }}",
        "{% if x %}{% set x = 1 %}{% endif %}{{ x }}",
        "{% if x is defined %}{% set x = 1 %}{% endif %}{{ x }}",
        "{% if y %}{% set x = 1 %}{% endif %}{{ x }}{% if x is defined %}a{% endif %}",
        "{% if x is not defined %}{% if tools %}{% set x = 1 %}{% else %}{% set x = 2 %}{% endif %}{% endif %}{{ x }}",
        "{% if x is not defined %}{% set x = strftime_now('%Y') %}{% endif %}{{ x }}",
        "{{ 'yes' if x is defined else 'no' }}",
    ],
)
def test_there_is_no_default_where_none_is_set_or_it_varies(source: str) -> None:
    assert read(source).get("x", SourceVariable("x")).default is None


@pytest.mark.parametrize(
    "source",
    [
        "{% if x %}a{% endif %}",
        "{% if not x and y %}a{% elif x is defined or x is true %}b{% endif %}",
        "{% set x = x | default(true) %}{{ 'a' if x else 'b' }}",
        "{% set x = x if x is defined else false %}{% if x %}a{% endif %}",
    ],
)
def test_a_variable_of_which_only_the_truth_counts(source: str) -> None:
    assert read(source)["x"].only_tested


@pytest.mark.parametrize(
    "source",
    [
        "{% if x %}{{ x }}{% endif %}",
        "{% if x == 'a' %}a{% endif %}",
        "{% if x.kind %}a{% endif %}",
        "{% if x is string %}a{% endif %}",
        "{% for a in x %}a{% endfor %}",
        "{% set y = x %}{% if y %}a{% endif %}",
        "{% set x = x | default('a') %}{{ x }}",
        "{{ 'a' ~ x if x else 'b' }}",
        "{{ x }}{% set x = x | default(true) %}",
    ],
)
def test_a_variable_of_which_more_than_the_truth_counts(source: str) -> None:
    assert not read(source)["x"].only_tested


def test_texts_that_are_looked_for_and_fields_that_are_read_are_told() -> None:
    source = (
        "{% for m in messages %}{% if '/quiet' in m.content %}{{ m['tool_calls'] }}{% endif %}{% endfor %}"
    )
    reading = read_source(ChatTemplate.from_source(source).tree)
    assert reading.phrases == ("/quiet",)
    assert reading.fields == {"content", "tool_calls"}


def test_fields_of_a_message_are_those_beside_its_role() -> None:
    source = "{% for m in messages %}{{ m.role }}{{ m['a'] }}{{ m.get('b') }}{{ tool.c }}{{ m.get(x) }}{% endfor %}"
    reading = read_source(ChatTemplate.from_source(source).tree)
    assert reading.message_fields == {"role", "a", "get", "b"}
    assert reading.fields == {"role", "a", "get", "b", "c"}


@pytest.mark.parametrize(
    "copy",
    [
        "mode | default('a')",
        "mode if mode is defined else 'a'",
        "'a' if mode is not defined else mode",
        "mode or 'a'",
        "(mode | default('a')) | lower",
        "mode",
    ],
)
def test_what_a_copy_is_compared_with_counts_for_the_variable(copy: str) -> None:
    found = read(f"{{% set kept = {copy} %}}{{% if kept == 'b' %}}x{{% elif kept in ['c'] %}}y{{% endif %}}")
    assert list(found) == ["mode"]
    assert set(found["mode"].constants) == {"b", "c"}


@pytest.mark.parametrize("other", ["mode ~ 'a'", "mode if x else y", "mode.kind", "'b' if mode else 'a'"])
def test_what_another_expression_is_compared_with_does_not(other: str) -> None:
    found = read(f"{{% set kept = {other} %}}{{% if kept == 'b' %}}x{{% endif %}}")
    assert found["mode"].constants == ()
