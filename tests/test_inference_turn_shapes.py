"""Turns that are put together in unusual ways: what wraps content, reasoning or the whole turn is told apart."""

from __future__ import annotations

import pytest
from call_templates import ODD, OSLO, TOOLS, calls_of, output, parse, proved, template

from autoparser_cli.parsing import build_parser
from autoparser_cli.templates import ChatTemplate

CALL = """{% for call in calls %}<call>{{ call.function | tojson }}</call>{% endfor %}"""
SHAPES = {
    "an empty reasoning and an empty content block beside calls": (
        "<think>{{ m.reasoning_content or '' }}</think><answer>{{ m.content or '' }}</answer>",
        "",
    ),
    "the same with line breaks": (
        "<think>\n{{ m.reasoning_content or '' }}\n</think>\n\n<answer>\n{{ m.content or '' }}\n</answer>\n",
        "",
    ),
    "a tag around all of the turn": (
        """<turn>{% if m.reasoning_content %}<thought>{{ m.reasoning_content }}</thought>{% endif -%}
{% if m.content %}<say>{{ m.content }}</say>{% endif %}""",
        "</turn>",
    ),
    "one marker that closes every part": (
        """{% if m.reasoning_content %}<|to|>think<|text|>{{ m.reasoning_content }}<|stop|>{% endif -%}
{% if m.content %}<|to|>user<|text|>{{ m.content }}<|stop|>{% endif %}""",
        "",
    ),
    "a word that opens each part": (
        "{% if m.reasoning_content %}analysis: {{ m.reasoning_content }}<|next|>{% endif %}final: {{ m.content or '' }}",
        "",
    ),
    "reasoning behind content": (
        "{{ m.content or '' }}{% if m.reasoning_content %}<why>{{ m.reasoning_content }}</why>{% endif %}",
        "",
    ),
    "reasoning behind everything": (
        "{{ m.content or '' }}",
        "{% if m.reasoning_content %}<why>{{ m.reasoning_content }}</why>{% endif %}",
    ),
}
#: Every combination of parts but the turn without any.
TURNS = [
    pytest.param(
        calls,
        content,
        reasoning,
        id=f"{len(calls)} calls{' content' * bool(content)}{' reasoning' * bool(reasoning)}",
    )
    for calls in ((), (OSLO,), (ODD, OSLO, OSLO))
    for content in ("", "Here you are: 1 < 2.")
    for reasoning in ("", "First this,\nthen < that.")
    if calls or content or reasoning
]


@pytest.mark.parametrize("calls, content, reasoning", TURNS)
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_every_combination_of_parts_reads_back(
    shape: tuple[str, str], calls: tuple, content: str, reasoning: str
) -> None:
    chat_template = template(CALL, *shape)
    analysis = proved(chat_template)
    text = output(chat_template, *calls, content=content, reasoning=reasoning)
    result = parse(analysis, text)
    assert calls_of(result) == list(calls)
    assert (result.message.content, result.message.reasoning_content) == (content, reasoning)
    assert result.repairs == ()
    assert parse(analysis, text, chunk=2) == result


def test_markers_of_reasoning_end_where_those_of_content_begin() -> None:
    before = SHAPES["an empty reasoning and an empty content block beside calls"][0]
    analysis = proved(template(CALL, before))
    assert (analysis.reasoning.start, analysis.reasoning.end) == ("<think>", "</think>")
    assert (analysis.content.start, analysis.content.end) == ("<answer>", "</answer>")
    assert analysis.tools.format.per_call_start == "<call>"


OPENED_BY_THE_PROMPT = """
{%- for m in messages -%}
<|{{ m.role }}|>
{%- if m.role == 'assistant' %}{{ m.reasoning_content or '' }}</think>{% endif %}{{ m.content or '' }}
{%- for call in m.tool_calls or [] %}<call>{{ call.function | tojson }}</call>{% endfor -%}
<|end|>
{% endfor -%}
{%- if add_generation_prompt %}<|assistant|><think>{% endif %}"""


@pytest.mark.parametrize("chunk", [0, 1])
def test_reasoning_that_only_the_prompt_opens(chunk: int) -> None:
    analysis = proved(ChatTemplate.from_source(OPENED_BY_THE_PROMPT))
    assert analysis.turn.header == "<|assistant|>"
    assert (analysis.reasoning.start, analysis.reasoning.end) == ("", "</think>")
    parser = build_parser(analysis, tools=TOOLS)
    stream = parser.stream()
    text = 'So.</think>Here.<call>{"name": "ring", "arguments": {}}</call><|end|>\n'
    for at in range(0, len(text), chunk or len(text)):
        stream.feed(text[at : at + (chunk or len(text))])
    result = stream.close()
    assert calls_of(result) == [("ring", {})]
    assert (result.message.reasoning_content, result.message.content) == ("So.", "Here.")
    assert result.repairs == ()


def test_words_that_open_messages_of_one_turn_are_no_part_of_its_header() -> None:
    before = "{% if m.reasoning_content %}think {{ m.reasoning_content }}<|end|>\n<|assistant|>{% endif %}say {{ m.content or '' }}"
    analysis = proved(template(CALL, before))
    assert analysis.turn.header == "<|assistant|>"
    assert (analysis.reasoning.start, analysis.content.start) == ("think ", "say ")
    result = parse(
        analysis, 'think So.<|end|>\n<|assistant|>say Here.<call>{"name": "ring", "arguments": {}}</call>'
    )
    assert calls_of(result) == [("ring", {})]
    assert (result.message.reasoning_content, result.message.content) == ("So.", "Here.")
