"""Turns of several messages, by inference alone: each opens as the turn does, and nothing of that belongs to a part."""

from __future__ import annotations

from autoparser_cli.analysis.generation import fixed_texts
from autoparser_cli.analysis.model import GenerationPrompt, TemplateAnalysis
from autoparser_cli.inference import analyze
from autoparser_cli.parsing import build_parser
from autoparser_cli.templates import ChatTemplate

#: Reasoning, content and calls are messages to somebody; a call names its function there and once more.
MESSAGES = """
{%- for m in messages -%}
{%- if m.role == 'assistant' -%}
{%- if m.reasoning_content and not m.tool_calls or m.reasoning_content and BESIDE -%}
<|turn|>bot @me<|say|>{{ m.reasoning_content }}<|over|>
{%- endif -%}
{%- if m.content and m.tool_calls -%}<|turn|>bot @WHOM<|say|>{{ m.content }}<|over|>{%- endif -%}
{%- for c in m.tool_calls -%}
<|turn|>bot @{{ c.function.name }}<|say|><call of="{{ c.function.name }}">{{ c.function.arguments | tojson }}</call><|over|>
{%- else -%}<|turn|>bot @you<|say|>{{ m.content }}<|over|>
{%- endfor -%}
{%- else -%}<|turn|>{{ m.role }}<|say|>{{ m.content }}<|over|>{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}<|turn|>bot{%- endif -%}
"""


def analysis_of(whom: str = "you", beside: str = "true") -> TemplateAnalysis:
    source = MESSAGES.replace("WHOM", whom).replace("BESIDE", beside)
    return analyze(ChatTemplate.from_source(source), families=False)


def test_what_opens_a_message_belongs_to_no_part() -> None:
    analysis = analysis_of()
    assert analysis.turn.header.strip() == "<|turn|>bot"
    assert analysis.reasoning.start.strip() == "@me<|say|>"
    assert analysis.reasoning.end == "<|over|>"
    assert analysis.content.start.strip() == "@you<|say|>"
    assert [step for step in analysis.proof.steps if not step.passed] == []


def test_a_call_opens_behind_the_header_of_its_message() -> None:
    form = analysis_of().tools
    assert form.format.per_call_start + form.function.name_prefix == '<call of="'


def test_a_turn_of_all_parts_comes_back() -> None:
    tools = [
        {"type": "function", "function": {"name": "fly", "parameters": {"type": "object", "properties": {}}}}
    ]
    result = build_parser(analysis_of(), tools=tools).parse(
        ' @me<|say|>Hm.<|over|><|turn|>bot @fly<|say|><call of="fly">{"to": "Bern"}</call><|over|>'
    )
    assert result.error is None
    assert result.message.reasoning_content == "Hm."
    assert [(call.name, call.arguments) for call in result.message.tool_calls] == [("fly", '{"to": "Bern"}')]


def test_content_beside_calls_that_is_written_as_reasoning_is_told() -> None:
    analysis = analysis_of(whom="me")
    assert analysis.capabilities.content_with_calls == "as reasoning"
    assert "content-as-reasoning" in {warning.code for warning in analysis.warnings}
    assert [step for step in analysis.proof.steps if not step.passed] == []


def test_content_beside_calls_with_a_marker_of_its_own_is_content() -> None:
    analysis = analysis_of()
    assert analysis.capabilities.content_with_calls == "before"
    assert "content-as-reasoning" not in {warning.code for warning in analysis.warnings}


def test_a_prompt_that_prints_its_value_tells_nothing_of_the_opening() -> None:
    prompts = (
        GenerationPrompt("<|bot|>"),
        GenerationPrompt("<|bot|><think>", (("thinking", True),)),
        GenerationPrompt('<|bot {"length": "short"}|>', (("controls", {"length": "short"}),)),
        GenerationPrompt("<|bot|>[EFFORT]low", (("effort", "low"),)),
        GenerationPrompt("<|bot|>[EFFORT]", (("effort", "high"),)),
    )
    assert fixed_texts(prompts) == ("<|bot|>", "<|bot|><think>", "<|bot|>[EFFORT]")


def test_a_switch_whose_value_the_prompt_prints_leaves_the_content_plain() -> None:
    source = """
{%- for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor -%}
{%- if add_generation_prompt %}<|assistant{{ ' ' + length if length is defined and length else '' }}|>{% endif -%}
"""
    analysis = analyze(ChatTemplate.from_source(source))
    assert (analysis.content.mode.value, analysis.turn.header) == ("PLAIN", "<|assistant|>")
