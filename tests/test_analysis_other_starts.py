"""Markers that a template prints only before calls to tools of its own, which a variable names."""

from __future__ import annotations

import json

import pytest

from autoparser_cli.inference import analyze
from autoparser_cli.parsing import build_parser
from autoparser_cli.templates import ChatTemplate

TEMPLATE = """
{%- for m in messages -%}
<|{{ m.role }}|>
{%- if m.tool_calls -%}
{%- set f = m.tool_calls[0].function -%}
{%- if OWN -%}OTHER
{%- else -%}{"name": "{{ f.name }}", "parameters": {{ f.arguments | tojson }}}
{%- endif -%}
{%- else -%}{{ m.content }}{%- endif -%}<|end|>
{%- endfor -%}
{%- if add_generation_prompt -%}<|assistant|>{%- endif -%}
"""
OWN = "own_tools is defined and f.name in own_tools"
TOOLS = [
    {"type": "function", "function": {"name": "look_up", "parameters": {"type": "object", "properties": {}}}}
]


def starts(own: str, other: str) -> tuple[str, ...]:
    template = ChatTemplate.from_source(TEMPLATE.replace("OWN", own).replace("OTHER", other))
    calls = analyze(template).calls
    assert calls is not None
    return calls.other_starts


def test_marker_is_found_by_naming_the_tool() -> None:
    assert starts(OWN, "<|code|>{{ f.name }}.call({{ f.arguments.values() | first }})") == ("<|code|>",)


def test_a_form_for_texts_only_is_seen() -> None:
    assert starts(OWN, "<|code|>{{ f.name + '(' + (f.arguments.values() | first) + ')' }}") == ("<|code|>",)


@pytest.mark.parametrize(
    ("own", "other"),
    [
        (OWN, "{{ f.name }}({{ f.arguments.values() | first }})"),
        (OWN, "run <|code|>{{ f.name }}"),
        ("quiet is defined and quiet", "<|code|>"),
        ("f.name in own_tools", "{{ raise_exception('no') }}"),
    ],
    ids=["no-marker", "words-before", "no-call", "raises"],
)
def test_what_is_no_marker_of_calls(own: str, other: str) -> None:
    assert starts(own, other) == ()


@pytest.mark.parametrize("before", ["", "One moment. "])
def test_models_write_the_marker_before_any_call(before: str) -> None:
    source = TEMPLATE.replace("OWN", OWN).replace("OTHER", "<|code|>{{ f.name }}()")
    parser = build_parser(analyze(ChatTemplate.from_source(source)), tools=TOOLS)
    output = before + '<|code|>{"name": "look_up", "parameters": {"a": 1}}'
    result = parser.parse(output)
    assert result.error is None
    assert [(call.name, json.loads(call.arguments)) for call in result.message.tool_calls] == [
        ("look_up", {"a": 1})
    ]
    assert result.message.content == before
    assert [repair.name for repair in result.repairs] == ["marker-of-other-calls"]


def test_the_marker_in_prose_is_prose() -> None:
    source = TEMPLATE.replace("OWN", OWN).replace("OTHER", "<|code|>{{ f.name }}()")
    parser = build_parser(analyze(ChatTemplate.from_source(source)), tools=TOOLS)
    assert parser.parse("I write <|code|> now.").message.content == "I write <|code|> now."
